package config

import (
	"cmp"
	"fmt"
	"maps"
	"net"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/webhook"
)

// defaults is the configuration of an empty file.
func defaults() *Config {
	return &Config{
		Packs:   []string{"embedded"},
		Refresh: Refresh{Every: time.Minute, StaleAfter: 10 * time.Minute, RefuseAfter: 24 * time.Hour, Confirmations: 5},
		Index:   Index{Every: time.Second},
		Lease:   10 * time.Second,
		Limits:  Limits{MaxRenders: 2, Queue: 1024},
		Collection: Collection{Name: "Pets",
			Description: "Small companions that live in three realms and travel between them."},
	}
}

// complete fills in what the file may leave out and the rest of it decides.
func (c *Config) complete() {
	for i := range c.Tokens {
		c.Tokens[i].MaxChange = c.Tokens[i].Limit()
	}
	for name, ch := range c.Chains {
		c.Chains[name] = ch.WithDefaults(name)
	}
}

// Addresses sets the public addresses that the file leaves out, on the port
// that the service listens on.
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

// check returns everything that is wrong with a file that could be read.
func (c *Config) check() []Fault {
	var out []Fault
	add := func(path, format string, args ...any) {
		out = append(out, Fault{Path: path, Text: fmt.Sprintf(format, args...)})
	}
	c.checkService(add)
	c.checkWebhooks(add)
	c.checkChains(add)
	c.checkTokens(add)
	for _, f := range pet.CheckRealms(c.Realms, c.chainNames()) {
		add(f.Path, "%s", f.Text)
	}
	return out
}

// An addFault notes one fault of the file.
type addFault = func(path, format string, args ...any)

func (c *Config) checkService(add addFault) {
	bases := []struct{ key, url string }{
		{"supply_url", c.SupplyURL}, {"pets_url", c.PetsURL}, {"site_url", c.SiteURL}}
	seen := map[string]string{}
	for _, b := range bases {
		if b.url == "" {
			continue
		}
		u, err := url.Parse(b.url)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
			add(b.key, "want an address such as https://supply.example.com")
			continue
		}
		whole := strings.ToLower(strings.TrimSuffix(b.url, "/"))
		if twin := seen[whole]; twin != "" {
			add(b.key, "is the same address as %s; give each interface its own host or path", twin)
		}
		seen[whole] = b.key
	}
	r := c.Refresh
	for _, rule := range []struct {
		broken    bool
		key, want string
	}{
		{c.Store != "" && !hasScheme(c.Store, "sqlite:///", "postgres://", "postgresql://"), "store", "want sqlite:///path/to/file.db or postgres://…"},
		{strings.TrimPrefix(c.Store, "sqlite://") == "/", "store", "names no file; write it like sqlite:///var/lib/petsupply/petsupply.db"},
		{c.StoreReads != "" && !hasScheme(c.StoreReads, "postgres://", "postgresql://"), "store_reads", "want postgres://…, the address of a replica of the store"},
		{c.StoreReads != "" && !hasScheme(c.Store, "postgres"), "store_reads", "is a replica of a store on PostgreSQL, and store is none"},
		{c.StoreReads != "" && severalHosts(c.StoreReads), "store_reads", "names several servers; pets and the feed of their changes must come from one"},
		{len(c.Packs) == 0, "packs", "is empty; leave it out for the embedded pack"},
		{r.Every < time.Second || r.StaleAfter < r.Every || r.RefuseAfter < r.StaleAfter || r.Confirmations < 1, "refresh",
			"want 1s ≤ every ≤ stale_after ≤ refuse_after and confirmations ≥ 1"},
		{c.Index.Every < 50*time.Millisecond, "index.every", "want at least 50ms"},
		{c.Index.KeepChanges != 0 && c.Index.KeepChanges < time.Hour, "index.keep_changes", "want at least 1h; leave it out to keep them for ever"},
		{c.Lease < time.Second, "lease", "want at least 1s"},
		{c.Limits.MaxRenders < 1 || c.Limits.Queue < 1, "limits", "max_renders and queue want at least 1"},
		{c.TLS != nil && (c.TLS.Cert == "" || c.TLS.Key == ""), "tls", "wants both cert and key"},
	} {
		if rule.broken {
			add(rule.key, "%s", rule.want)
		}
	}
	c.TLog.check(add)
}

func (c *Config) checkWebhooks(add addFault) {
	names := map[string]bool{}
	for i, h := range c.Webhooks {
		at := fmt.Sprintf("webhooks[%d]", i)
		check := func(key string, err error) {
			if err != nil {
				add(at+"."+key, "%v", err)
			}
		}
		check("name", webhook.CheckName(h.Name))
		check("url", webhook.CheckURL(h.URL, h.Private))
		_, err := webhook.ParseSecret(h.Secret)
		check("secret", err)
		for k, e := range h.Events {
			check(fmt.Sprintf("events[%d]", k), webhook.CheckEvent(e))
		}
		if names[h.Name] {
			add(at+".name", "another webhook is named %s too", h.Name)
		}
		names[h.Name] = true
	}
}

// severalHosts says whether a connection to PostgreSQL may be to one or another.
func severalHosts(address string) bool {
	u, err := url.Parse(address)
	return err != nil || strings.Contains(u.Host, ",") || strings.Contains(u.Query().Get("host"), ",")
}

func (c *Config) checkChains(add addFault) {
	ids := map[uint64]string{}
	for _, name := range c.chainNames() {
		ch, at := c.Chains[name], "chains."+name
		if ch.ID == 0 {
			add(at, "wants its id, such as 53935")
		} else if twin := ids[ch.ID]; twin != "" {
			add(at+".id", "is the id of %s too", twin)
		}
		ids[ch.ID] = name
		if len(ch.RPC) == 0 && c.needs(name) {
			add(at, "wants rpc: a list of node addresses")
		}
		names, urls := map[string]bool{}, map[string]string{}
		for i, p := range ch.RPC {
			rpc := fmt.Sprintf("%s.rpc[%d]", at, i)
			address := normalAddress(p.URL)
			if twin := urls[address]; twin != "" {
				add(rpc, "is the same node as %s: it would agree with itself", twin)
			}
			urls[address] = p.Name
			if err := evm.CheckURL(p.URL); err != nil {
				add(rpc, "%v", err)
			}
			if names[p.Name] {
				add(rpc, "another provider is named %s too", p.Name)
			}
			names[p.Name] = true
		}
		if ch.Quorum < 0 || ch.Quorum > max(1, len(ch.RPC)) { // a chain that nothing reads has no provider
			add(at+".quorum", "%d of %d providers cannot agree; want 1 to %d", ch.Quorum, len(ch.RPC), len(ch.RPC))
		} else if 2*ch.Quorum <= len(ch.RPC) {
			add(at+".quorum", "%d of %d providers is not more than half: two quorums could say different things; want %d or more, or leave it out",
				ch.Quorum, len(ch.RPC), len(ch.RPC)/2+1)
		}
		if ch.Explorer != "" && !hasScheme(ch.Explorer, "https://", "http://") {
			add(at+".explorer", "want the address of a site, such as https://explorer.example.com")
		}
		if !slices.Contains(supply.ProofRules, ch.Proofs) {
			add(at+".proofs", "want on, off or required")
		}
		if _, err := evm.ParseFinality(ch.Finality); err != nil {
			add(at+".finality", "want finalized, safe, latest or latest-N")
		}
		if ch.Blocks != Steady && ch.Blocks != OnDemand {
			add(at+".blocks", "want %s, or %s where a chain makes none while it is quiet", Steady, OnDemand)
		} else if ch.Blocks == OnDemand && ch.Finality != "latest" {
			add(at+".blocks", "%s wants finality: latest: the newest block is the state until the next one is made", OnDemand)
		}
	}
}

// normalAddress is one spelling for all the spellings of a node's address.
// Credentials are left out: they do not say which node it is.
func normalAddress(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw // which is a fault of its own
	}
	port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	return u.Scheme + "://" + net.JoinHostPort(host, port) + path.Clean("/"+u.Path) + "?" + u.RawQuery
}

// needs says whether anything open reads the chain.
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

// Warnings are what a careful operator would want to know of a valid file.
func (c *Config) Warnings() []string {
	var out []string
	warn := func(when bool, format string, args ...any) {
		if when {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	paths, offsets := []string{"jewel", "crystal", "jade"}, []uint64{0, 1_000_000_000_000, 2_000_000_000_000}
	hasToken := func(path string) bool {
		return slices.ContainsFunc(c.Tokens, func(t ledger.Token) bool { return t.Path == path })
	}
	hasRealm := func(offset uint64) bool {
		return slices.ContainsFunc(c.Realms, func(r pet.Realm) bool { return r.Offset != nil && *r.Offset == offset })
	}
	if slices.ContainsFunc(paths, hasToken) || slices.ContainsFunc(offsets[1:], hasRealm) { // a file of that kingdom
		for _, path := range paths {
			warn(len(c.Tokens) > 0 && !hasToken(path), "no token has the path %s, which callers of the interface expect", path)
		}
		for _, offset := range offsets {
			warn(len(c.Realms) > 0 && !hasRealm(offset), "no realm has the offset %d, which callers of the interface expect", offset)
		}
	}
	for _, name := range c.chainNames() {
		warn(len(c.Chains[name].RPC) == 1, "chain %s has one provider: a lie of its cannot be seen; add two more", name)
	}
	warn(len(c.Tokens) > 0 && c.TLog.Key == "" && hasScheme(c.Store, "postgres"), "no tlog.key: what is published is not logged")
	warn(len(c.Tokens) == 0, "no tokens: the supply interface answers 404")
	warn(len(c.Realms) == 0, "no realms: the pets interface answers 404")
	return out
}
