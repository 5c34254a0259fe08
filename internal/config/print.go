package config

import (
	"net/url"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// masked stands for what must not be shown.
const masked = "(set)"

// YAML is the resolved configuration as a file, every default written out and
// every secret masked.
func (c *Config) YAML() ([]byte, error) {
	shown := *c
	shown.Store = maskURL(c.Store)
	shown.StoreReads = maskURL(c.StoreReads)
	shown.Blobs = maskURL(c.Blobs)
	if c.TLog.Key != "" {
		shown.TLog.Key = masked
	}
	shown.TLog.Witnesses = nil
	for _, w := range c.TLog.Witnesses {
		shown.TLog.Witnesses = append(shown.TLog.Witnesses, Witness{URL: maskURL(w.URL), Key: w.Key})
	}
	shown.Webhooks = slices.Clone(c.Webhooks)
	for i := range shown.Webhooks {
		shown.Webhooks[i].URL, shown.Webhooks[i].Secret = maskURL(c.Webhooks[i].URL), masked
	}
	shown.Chains = map[string]Chain{}
	for name, ch := range c.Chains {
		rpc := make([]Provider, len(ch.RPC))
		for i, p := range ch.RPC {
			rpc[i] = Provider{Name: p.Name, URL: maskURL(p.URL)}
		}
		ch.RPC = rpc
		shown.Chains[name] = ch
	}
	return yaml.Marshal(shown)
}

// maskURL keeps where an address points and drops all that may be a key: user,
// password, path and query. File names stay.
func maskURL(s string) string {
	if s == "" || strings.HasPrefix(s, "sqlite://") || strings.HasPrefix(s, "file://") || strings.HasPrefix(s, "mem://") {
		return s
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		return masked
	}
	shown := u.Scheme + "://" + u.Host
	if u.User != nil || (u.Path != "" && u.Path != "/") || u.RawQuery != "" {
		shown += "/" + masked
	}
	return shown
}
