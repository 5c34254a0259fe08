package config

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/webhook"
)

// defaults is the configuration of an empty file.
func defaults() *Config {
	return &Config{
		Packs:      []string{"embedded"},
		Refresh:    Refresh{Every: time.Minute, StaleAfter: 10 * time.Minute, RefuseAfter: 24 * time.Hour},
		Index:      Index{Every: time.Second},
		Lease:      10 * time.Second,
		Limits:     Limits{PerIP: 200},
		Collection: Collection{File: embeddedCollection},
	}
}

// complete fills in the defaults of each token, chain and realm.
func (c *Config) complete() {
	for i := range c.Tokens {
		c.Tokens[i].MaxChange = c.Tokens[i].Limit()
	}
	for name, ch := range c.Chains {
		c.Chains[name] = ch.WithDefaults(name)
	}
	for i := range c.Realms {
		c.Realms[i].Name = cmp.Or(c.Realms[i].Name, c.Realms[i].Key)
	}
}

// ResolveFiles resolves the relative names of packs, the collection, certificates and the store.
// They are relative to dir, the directory of the configuration file.
func (c *Config) ResolveFiles(dir string) {
	resolve := func(name *string) {
		if *name != "" && !filepath.IsAbs(*name) {
			*name = filepath.Join(dir, *name)
		}
	}
	for i := range c.Packs {
		if c.Packs[i] != "embedded" {
			resolve(&c.Packs[i])
		}
	}
	if c.Collection.File != embeddedCollection {
		resolve(&c.Collection.File)
	}
	if c.TLS != nil {
		resolve(&c.TLS.Cert)
		resolve(&c.TLS.Key)
	}
	if file, ok := strings.CutPrefix(c.Store, "sqlite://"); ok {
		resolve(&file)
		c.Store = "sqlite://" + file
	}
}

// Addresses sets the public addresses that the file leaves out, with the port that the service
// listens on.
func (c *Config) Addresses(port string) {
	base := "http://localhost:" + port
	if c.TLS != nil {
		base = "https://localhost:" + port
	}
	for _, a := range []struct {
		at   *string
		path string
	}{{&c.SupplyURL, "/supply"}, {&c.PetsURL, "/pets"}, {&c.SiteURL, ""}} {
		if *a.at == "" {
			*a.at = base + a.path
		}
		*a.at = strings.TrimSuffix(*a.at, "/")
	}
}

// check returns all faults of a file's values.
func (c *Config) check() []Fault {
	var out []Fault
	add := func(path, format string, args ...any) {
		out = append(out, Fault{Path: path, Text: fmt.Sprintf(format, args...)})
	}
	c.checkService(add)
	webhook.CheckHooks(c.Webhooks, add)
	ids := map[uint64]string{}
	names := map[string]string{}
	for _, name := range c.chainNames() {
		chain := c.Chains[name]
		path := "chains." + name
		if twin := names[strings.ToLower(name)]; twin != "" {
			add(path, "it differs from %s only in case, and some readers of JSON ignore case", twin)
		}
		names[strings.ToLower(name)] = name
		chain.check(path, c.needs(name), add)
		if twin := ids[chain.ID]; twin != "" && chain.ID != 0 {
			add(path+".id", "%d is the id of %s too", chain.ID, twin)
		}
		ids[chain.ID] = name
	}
	c.checkTokens(add)
	pet.CheckRealms(c.Realms, c.chainNames(), add)
	if c.Collection.File == embeddedCollection {
		out = append(out, c.SetCollection(collection.Pets())...)
	}
	return out
}

// An addFault adds a fault of the file.
type addFault = func(path, format string, args ...any)

func (c *Config) checkService(add addFault) {
	seen := map[string]string{}
	for _, b := range []struct{ key, url string }{
		{"supply_url", c.SupplyURL}, {"pets_url", c.PetsURL}, {"site_url", c.SiteURL},
	} {
		if b.url == "" {
			continue
		}
		example := strings.TrimPrefix(strings.TrimSuffix(b.key, "_url")+".example.com", "site.")
		if fault := siteFault(b.url, example); fault != "" {
			add(b.key, "%s", fault)
			continue
		}
		whole := strings.ToLower(strings.TrimSuffix(b.url, "/"))
		if twin := seen[whole]; twin != "" {
			add(b.key, "is the same address as %s; give each interface its own host or path", twin)
		}
		seen[whole] = b.key
		for _, t := range c.Tokens {
			of := strings.TrimSuffix(strings.ToLower(c.SupplyURL), "/") + "/" + t.Path
			if whole == of || strings.HasPrefix(whole, of+"/") {
				add(b.key, "is an address of the token %s; choose another one", ledger.Clip(t.Symbol))
			}
		}
	}
	for _, rule := range []struct {
		broken    bool
		key, want string
	}{
		{c.Store != "" && !hasPrefix(c.Store, "sqlite://", "postgres://", "postgresql://"), "store",
			"want sqlite:///path/to/file.db or postgres://…"},
		{c.Store == "sqlite://" || c.Store == "sqlite:///", "store",
			"names no file; write it like sqlite:///var/lib/petsupply/petsupply.db"},
		{len(c.Packs) == 0, "packs", "is empty; leave it out for the embedded pack"},
		{c.TLS != nil && (c.TLS.Cert == "" || c.TLS.Key == ""), "tls", "wants both cert and key"},
	} {
		if rule.broken {
			add(rule.key, "%s", rule.want)
		}
	}
	c.checkNumbers(add)
	c.TLog.check(add)
	c.About.check(add)
}

// checkNumbers checks lengths of time and numbers.
func (c *Config) checkNumbers(add addFault) {
	for _, d := range []struct {
		key        string
		got, least time.Duration
	}{
		{"refresh.every", c.Refresh.Every, time.Second},
		{"index.every", c.Index.Every, 50 * time.Millisecond},
		{"index.keep_changes", cmp.Or(c.Index.KeepChanges, time.Hour), time.Hour},
		{"lease", c.Lease, time.Second},
	} {
		if d.got < d.least {
			add(d.key, "%s: want at least %s", shortDuration(d.got), shortDuration(d.least))
		}
	}
	r := c.Refresh
	inOrder := func(less, more string, a, b time.Duration) {
		if a > b {
			add("refresh."+less, "%s is more than %s, which is %s", shortDuration(a), more, shortDuration(b))
		}
	}
	inOrder("every", "stale_after", r.Every, r.StaleAfter)
	inOrder("stale_after", "refuse_after", r.StaleAfter, r.RefuseAfter)
}

// shortDuration writes a length of time in its usual form: 10m, not 10m0s.
func shortDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// siteFault returns why text is not the address of a site (a path is allowed), or "" if it is one.
// The reason shows example as a correct address.
func siteFault(text, example string) string {
	u, err := url.Parse(text)
	like := "; write it like https://" + example
	switch {
	case err == nil && u.Host != "" && u.User != nil:
		return "has a user name" + like
	case err == nil && u.Host != "" && (u.RawQuery != "" || u.Fragment != ""):
		return "has a query" + like
	case err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "":
		return ""
	}
	meant := ""
	if host.MatchString(text) {
		meant = "; did you mean https://" + text + "?"
	}
	return fmt.Sprintf("%q is not an address%s%s", text, like, meant)
}

// host matches the name of a host, with or without a port and a path.
var host = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?(/[\w/.-]*)?$`)

// hasPrefix reports whether text begins with one of the prefixes.
func hasPrefix(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
}

// needs reports whether a token or an open realm is on the chain.
func (c *Config) needs(chain string) bool {
	return slices.ContainsFunc(c.Tokens, func(t ledger.Token) bool { return slices.Contains(t.Chains(), chain) }) ||
		slices.ContainsFunc(c.Realms, func(r pet.Realm) bool { return r.Chain == chain && !r.Closed })
}

func (c *Config) chainNames() []string { return slices.Sorted(maps.Keys(c.Chains)) }

func (c *Config) checkTokens(add addFault) {
	paths := map[string]bool{}
	for i, t := range c.Tokens {
		at := fmt.Sprintf("tokens[%d]", i)
		path := strings.ToLower(t.Path)
		if paths[path] {
			add(at+".path", "another token has the path %s too", t.Path)
		}
		paths[path] = true
		for _, f := range t.Validate(c.chainNames()) {
			add(strings.TrimSuffix(at+"."+f.Path, "."), "%s", f.Text)
		}
	}
}

// Warnings returns advice about a valid file.
func (c *Config) Warnings() []string {
	var out []string
	warn := func(when bool, format string, args ...any) {
		if when {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	for _, name := range c.chainNames() {
		warn(len(c.Chains[name].RPC) == 1,
			"chain %s has only one provider, so its answers cannot be compared; add two more", name)
		warn(len(c.Chains[name].RPC) == 2 && c.Chains[name].Quorum != 1,
			"chain %s has two providers that must agree: one failure stops publication; add a third", name)
	}
	warn(len(c.Tokens) > 0 && c.TLog.Key == "" && hasPrefix(c.Store, "postgres"),
		"no tlog.key: there is no log of publications")
	warn(len(c.Tokens) == 0, "no tokens: the supply interface answers 404")
	warn(len(c.Realms) == 0, "no realms: the pets interface answers 404")
	return out
}
