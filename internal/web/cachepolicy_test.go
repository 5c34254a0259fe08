package web

import (
	"testing"
	"time"
)

func TestPolicy(t *testing.T) {
	p := cachePolicy{maxAge: 30 * time.Second, whileRevalidate: time.Minute, ifError: time.Hour}
	for _, c := range []struct {
		p    cachePolicy
		want string
	}{
		{cachePolicy{}, "no-store"},
		{p, "public, max-age=30, stale-while-revalidate=60, stale-if-error=3600"},
		{p.within(24 * time.Hour), p.String()},
		{p.within(100 * time.Second), "public, max-age=30, stale-while-revalidate=60, stale-if-error=10"},
		{p.within(40500 * time.Millisecond), "public, max-age=30, stale-while-revalidate=10"},
		{p.within(10 * time.Second), "public, max-age=10"},
		{p.within(999 * time.Millisecond), "no-store"},
		{p.within(-time.Hour), "no-store"},
		{versionPolicy, "public, max-age=31536000, immutable"},
	} {
		if got := c.p.String(); got != c.want {
			t.Errorf("%+v: %q, not %q", c.p, got, c.want)
		}
	}
}

func TestNegotiate(t *testing.T) {
	for _, c := range []struct {
		accept []string
		want   encoding
	}{
		{nil, identity}, {[]string{""}, identity}, {[]string{"gzip"}, gzipped}, {[]string{"GZIP"}, gzipped}, {[]string{"x-gzip"}, gzipped},
		{[]string{"zstd"}, zstded}, {[]string{"gzip, zstd"}, zstded}, {[]string{"gzip", "zstd"}, zstded},
		{[]string{"gzip, deflate, br, zstd"}, zstded}, {[]string{"gzip, deflate, br"}, gzipped},
		{[]string{"gzip;q=1.0, zstd;q=0.9"}, gzipped}, {[]string{"gzip;q=0"}, identity}, {[]string{"gzip;q=0.000"}, identity},
		{[]string{"*"}, zstded}, {[]string{"*;q=0"}, identity}, {[]string{"zstd;q=0, *"}, gzipped},
		{[]string{"identity;q=1, gzip;q=0.5"}, identity}, {[]string{"br"}, identity}, {[]string{"deflate, identity"}, identity},
		{[]string{"gzip;q=2"}, identity}, {[]string{"gzip;q=0.1234"}, identity}, {[]string{"gzip;level=9"}, identity},
		{[]string{" gzip ; q=0.5 ,\tzstd ;q=0.4"}, gzipped}, {[]string{",,;,gzip"}, gzipped}, {[]string{"gzipp"}, identity},
	} {
		if got := negotiate(c.accept); got != c.want {
			t.Errorf("%q: %v, not %v", c.accept, got, c.want)
		}
	}
}

func TestAddresses(t *testing.T) {
	for _, c := range []Config{
		{SupplyURL: "localhost", PetsURL: "http://a/p", SiteURL: "http://a"},
		{SupplyURL: "http://a/s?x=1", PetsURL: "http://a/p", SiteURL: "http://a"},
		{SupplyURL: "http://a/p", PetsURL: "http://a/P/", SiteURL: "http://a"},
		{SupplyURL: "ftp://a/s", PetsURL: "http://a/p", SiteURL: "http://a"},
	} {
		c.Log = newKit(t, oneHost()).log
		if _, err := New(c); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
	cfg := Config{SupplyURL: "http://h:1", PetsURL: "http://h:2", SiteURL: "http://h:3/deep/site"}
	k := newKit(t, cfg)
	for host, want := range map[string]int{"h:1": 0, "H:2": 1, "h:3": 2, "h": -1, "h:4": -1, "x": -1, "": -1} {
		if got := k.hosts.index(host); got != want {
			t.Errorf("%q is host %d, not %d", host, got, want)
		}
	}
	for path, want := range map[string]string{"/deep/site": "/", "/deep/site/": "/", "/deep/site/gallery/x": "/gallery/x", "/DEEP/Site/a": "/a"} {
		if got := cutSegments(path, 2); got != want {
			t.Errorf("%s: %s, not %s", path, got, want)
		}
	}
}
