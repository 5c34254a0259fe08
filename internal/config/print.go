package config

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// masked is printed instead of a secret.
const masked = "(set)"

// YAML returns the configuration as a file, with every default written out and every
// secret masked.
func (c *Config) YAML() ([]byte, error) {
	shown := *c
	shown.Store = maskURL(c.Store)
	shown.StoreReads = maskURL(c.StoreReads)
	if c.TLog.Key != "" {
		shown.TLog.Key = masked
	}
	shown.TLog.Witnesses = nil
	for _, w := range c.TLog.Witnesses {
		shown.TLog.Witnesses = append(shown.TLog.Witnesses, Witness{URL: maskURL(w.URL), Key: w.Key})
	}
	shown.Webhooks = slices.Clone(c.Webhooks)
	for i := range shown.Webhooks {
		shown.Webhooks[i].URL = maskURL(c.Webhooks[i].URL)
	}
	shown.Chains = map[string]Chain{}
	for name, ch := range c.Chains {
		rpc := make([]Provider, len(ch.RPC))
		for i, p := range ch.RPC {
			rpc[i] = Provider{Name: p.Name, URL: maskURL(p.URL), Separate: p.Separate}
		}
		ch.RPC = rpc
		shown.Chains[name] = ch
	}
	return yaml.Marshal(shown)
}

// StoreName returns the file of the store, or its address without user and password.
func (c *Config) StoreName() string {
	if file, ok := strings.CutPrefix(c.Store, "sqlite://"); ok {
		return file
	}
	u, err := url.Parse(c.Store)
	if err != nil {
		return masked
	}
	name := u.Scheme + "://" + u.Host + u.Path
	if host := u.Query().Get("host"); host != "" { // a server, or the directory of its socket
		name += "?host=" + host
	}
	return name
}

// maskURL keeps the scheme and host of an address, and masks parts that may contain a key: user,
// password, path and query. Addresses of files stay as they are.
func maskURL(s string) string {
	if s == "" || hasPrefix(s, "sqlite://", "file://") {
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

var (
	anAddress = regexp.MustCompile(`[a-z0-9+]+://[^\s"',}\]]+`)
	aSecret   = regexp.MustCompile(`((?:secret|password)["']?\s*:\s*|key["']?\s*:\s*["']?(?:[^\s,}\]$]{20}))[^\s,}\]$]+`)
)

// maskLine masks everything in a line of the file that may be a secret.
func maskLine(line string) string {
	line = anAddress.ReplaceAllStringFunc(line, maskURL)
	return aSecret.ReplaceAllString(line, "${1}"+masked)
}
