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
		t.Run(c.want, func(t *testing.T) {
			if got := c.p.String(); got != c.want {
				t.Errorf("%+v: %q, not %q", c.p, got, c.want)
			}
		})
	}
}
