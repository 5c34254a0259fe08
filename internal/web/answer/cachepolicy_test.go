package answer

import (
	"testing"
	"time"
)

func TestPolicy(t *testing.T) {
	p := CachePolicy{MaxAge: 30 * time.Second, WhileRevalidate: time.Minute, IfError: time.Hour}
	for _, c := range []struct {
		p    CachePolicy
		want string
	}{
		{CachePolicy{}, "no-store"},
		{p, "public, max-age=30, stale-while-revalidate=60, stale-if-error=3600"},
		{p.Within(24 * time.Hour), p.String()},
		{p.Within(100 * time.Second), "public, max-age=30, stale-while-revalidate=60, stale-if-error=10"},
		{p.Within(40500 * time.Millisecond), "public, max-age=30, stale-while-revalidate=10"},
		{p.Within(10 * time.Second), "public, max-age=10"},
		{p.Within(999 * time.Millisecond), "no-store"},
		{p.Within(-time.Hour), "no-store"},
		{CachePolicy{MaxAge: 365 * 24 * time.Hour, Immutable: true}, "public, max-age=31536000, immutable"},
	} {
		if got := c.p.String(); got != c.want {
			t.Errorf("%+v: %q, not %q", c.p, got, c.want)
		}
	}
}

func TestNegotiate(t *testing.T) {
	for _, c := range []struct {
		accept []string
		want   Encoding
	}{
		{nil, Identity}, {[]string{""}, Identity}, {[]string{"gzip"}, Gzip}, {[]string{"GZIP"}, Gzip}, {[]string{"x-gzip"}, Gzip},
		{[]string{"zstd"}, Zstd}, {[]string{"gzip, zstd"}, Zstd}, {[]string{"gzip", "zstd"}, Zstd},
		{[]string{"gzip, deflate, br, zstd"}, Zstd}, {[]string{"gzip, deflate, br"}, Gzip},
		{[]string{"gzip;q=1.0, zstd;q=0.9"}, Gzip}, {[]string{"gzip;q=0"}, Identity}, {[]string{"gzip;q=0.000"}, Identity},
		{[]string{"*"}, Zstd}, {[]string{"*;q=0"}, Identity}, {[]string{"zstd;q=0, *"}, Gzip},
		{[]string{"identity;q=1, gzip;q=0.5"}, Identity}, {[]string{"br"}, Identity}, {[]string{"deflate, identity"}, Identity},
		{[]string{"gzip;q=2"}, Identity}, {[]string{"gzip;q=0.1234"}, Identity}, {[]string{"gzip;level=9"}, Identity},
		{[]string{" gzip ; q=0.5 ,\tzstd ;q=0.4"}, Gzip}, {[]string{",,;,gzip"}, Gzip}, {[]string{"gzipp"}, Identity},
	} {
		if got := Negotiate(c.accept); got != c.want {
			t.Errorf("%q: %v, not %v", c.accept, got, c.want)
		}
	}
}
