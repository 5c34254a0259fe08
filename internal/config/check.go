package config

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/supply"
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
	say := func(path, format string, args ...any) {
		out = append(out, Fault{Path: path, Text: fmt.Sprintf(format, args...)})
	}
	c.checkService(say)
	c.checkChains(say)
	c.checkTokens(say)
	c.checkRealms(say)
	return out
}

type sayFunc = func(path, format string, args ...any)

func (c *Config) checkService(say sayFunc) {
	bases := []struct{ key, url string }{
		{"supply_url", c.SupplyURL}, {"pets_url", c.PetsURL}, {"site_url", c.SiteURL}}
	seen := map[string]string{}
	for _, b := range bases {
		if b.url == "" {
			continue
		}
		u, err := url.Parse(b.url)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
			say(b.key, "want an address such as https://supply.example.com")
			continue
		}
		whole := strings.ToLower(strings.TrimSuffix(b.url, "/"))
		if twin := seen[whole]; twin != "" {
			say(b.key, "is the same address as %s; give each interface its own host or path", twin)
		}
		seen[whole] = b.key
	}
	if c.Store != "" && !strings.HasPrefix(c.Store, "sqlite:///") && !strings.HasPrefix(c.Store, "postgres://") && !strings.HasPrefix(c.Store, "postgresql://") {
		say("store", "want sqlite:///path/to/file.db or postgres://…")
	}
	if strings.TrimPrefix(c.Store, "sqlite://") == "/" {
		say("store", "names no file; write it like sqlite:///var/lib/petsupply/petsupply.db")
	}
	if len(c.Packs) == 0 {
		say("packs", "is empty; leave it out for the embedded pack")
	}
	if r := c.Refresh; r.Every < time.Second || r.StaleAfter < r.Every || r.RefuseAfter < r.StaleAfter || r.Confirmations < 1 {
		say("refresh", "want 1s ≤ every ≤ stale_after ≤ refuse_after and confirmations ≥ 1")
	}
	if c.Index.Every < 50*time.Millisecond {
		say("index.every", "want at least 50ms")
	}
	if c.Lease < time.Second {
		say("lease", "want at least 1s")
	}
	if c.Limits.MaxRenders < 1 || c.Limits.Queue < 1 {
		say("limits", "max_renders and queue want at least 1")
	}
	if c.TLS != nil && (c.TLS.Cert == "" || c.TLS.Key == "") {
		say("tls", "wants both cert and key")
	}
}

func (c *Config) checkChains(say sayFunc) {
	ids := map[uint64]string{}
	for _, name := range c.chainNames() {
		ch, at := c.Chains[name], "chains."+name
		if ch.ID == 0 {
			say(at, "wants its id, such as 53935")
		} else if twin := ids[ch.ID]; twin != "" {
			say(at+".id", "is the id of %s too", twin)
		}
		ids[ch.ID] = name
		if len(ch.RPC) == 0 && c.needs(name) {
			say(at, "wants rpc: a list of node addresses")
		}
		names, urls := map[string]bool{}, map[string]string{}
		for i, p := range ch.RPC {
			if twin := urls[p.URL]; twin != "" {
				say(fmt.Sprintf("%s.rpc[%d]", at, i), "is the same node as %s: it would agree with itself", twin)
			}
			urls[p.URL] = p.Name
			if err := evm.CheckURL(p.URL); err != nil {
				say(fmt.Sprintf("%s.rpc[%d]", at, i), "%v", err)
			}
			if names[p.Name] {
				say(fmt.Sprintf("%s.rpc[%d]", at, i), "another provider is named %s too", p.Name)
			}
			names[p.Name] = true
		}
		if ch.Quorum < 0 || ch.Quorum > max(1, len(ch.RPC)) { // a chain that nothing reads has no provider
			say(at+".quorum", "%d of %d providers cannot agree; want 1 to %d", ch.Quorum, len(ch.RPC), len(ch.RPC))
		}
		if ch.Explorer != "" && !strings.HasPrefix(ch.Explorer, "https://") && !strings.HasPrefix(ch.Explorer, "http://") {
			say(at+".explorer", "want the address of a site, such as https://explorer.example.com")
		}
		if _, err := evm.ParseFinality(ch.Finality); err != nil {
			say(at+".finality", "want finalized, safe, latest or latest-N")
		}
	}
}

// needs says whether anything open reads the chain.
func (c *Config) needs(chain string) bool {
	for _, t := range c.Tokens {
		for _, e := range t.Ledger {
			if e.Chain == chain {
				return true
			}
		}
	}
	return slices.ContainsFunc(c.Realms, func(r pet.Realm) bool { return r.Chain == chain && !r.Closed })
}

func (c *Config) chainNames() []string {
	names := make([]string, 0, len(c.Chains))
	for name := range c.Chains {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (c *Config) checkTokens(say sayFunc) {
	paths := map[string]bool{}
	for i, t := range c.Tokens {
		at := fmt.Sprintf("tokens[%d]", i)
		path := strings.ToLower(t.Path)
		if paths[path] {
			say(at+".path", "another token has the path %s too", t.Path)
		}
		paths[path] = true
		for _, f := range t.Validate(c.chainNames()) {
			say(strings.TrimSuffix(at+"."+f.Path, "."), "%s", f.Text)
		}
	}
}

func (c *Config) checkRealms(say sayFunc) {
	for _, f := range pet.CheckRealms(c.Realms, c.chainNames()) {
		say(f.Path, "%s", f.Text)
	}
}

// Warnings are what a careful operator would want to know of a valid file.
func (c *Config) Warnings() []string {
	var out []string
	for _, path := range []string{"jewel", "crystal", "jade"} {
		if len(c.Tokens) > 0 && !slices.ContainsFunc(c.Tokens, func(t supply.Token) bool { return t.Path == path }) {
			out = append(out, "no token has the path "+path+", which callers of the interface expect")
		}
	}
	for _, offset := range []uint64{0, 1_000_000_000_000, 2_000_000_000_000} {
		has := func(r pet.Realm) bool { return r.Offset != nil && *r.Offset == offset }
		if len(c.Realms) > 0 && !slices.ContainsFunc(c.Realms, has) {
			out = append(out, fmt.Sprintf("no realm has the offset %d, which callers of the interface expect", offset))
		}
	}
	for _, name := range c.chainNames() {
		if ch := c.Chains[name]; len(ch.RPC) == 1 {
			out = append(out, "chain "+name+" has one provider: a lie of its cannot be seen; add two more")
		}
	}
	if len(c.Tokens) == 0 {
		out = append(out, "no tokens: the supply interface answers 404")
	}
	if len(c.Realms) == 0 {
		out = append(out, "no realms: the pets interface answers 404")
	}
	return out
}
