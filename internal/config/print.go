package config

import (
	"net/url"
	"regexp"
	"strings"
)

// masked is printed instead of a secret.
const masked = "(set)"

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
