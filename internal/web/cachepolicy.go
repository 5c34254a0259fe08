package web

import (
	"strconv"
	"time"
)

// A cachePolicy says how long others may keep an answer. Its zero value is
// no-store, so that what nobody thought about, errors first of all, is never
// kept.
type cachePolicy struct {
	maxAge          time.Duration
	whileRevalidate time.Duration // stale-while-revalidate
	ifError         time.Duration // stale-if-error
	immutable       bool
}

// The policies in use. Supply answers are cut further by within.
var (
	supplyPolicy  = cachePolicy{maxAge: 30 * time.Second, whileRevalidate: time.Minute, ifError: time.Hour}
	petPolicy     = cachePolicy{maxAge: time.Minute, whileRevalidate: 5 * time.Minute, ifError: 24 * time.Hour}
	picturePolicy = cachePolicy{maxAge: time.Minute, whileRevalidate: 10 * time.Minute, ifError: 24 * time.Hour}
	versionPolicy = cachePolicy{maxAge: 365 * 24 * time.Hour, immutable: true}
	listPolicy    = cachePolicy{maxAge: 5 * time.Second, whileRevalidate: 30 * time.Second, ifError: time.Hour}
	tilePolicy    = cachePolicy{maxAge: 24 * time.Hour, immutable: true} // a log that begins anew has the same addresses
	steadyPolicy  = cachePolicy{maxAge: 5 * time.Minute, whileRevalidate: time.Hour, ifError: 24 * time.Hour}
)

// total is the longest that an answer may be shown after it was sent.
func (p cachePolicy) total() time.Duration { return p.maxAge + p.whileRevalidate + p.ifError }

// within cuts p so that nobody shows the answer after left has passed: first
// the time it may be shown during errors, then while revalidating, then the
// rest. Less than a second left is the zero cachePolicy.
func (p cachePolicy) within(left time.Duration) cachePolicy {
	p.maxAge = cut(&left, p.maxAge)
	p.whileRevalidate = cut(&left, p.whileRevalidate)
	p.ifError = cut(&left, p.ifError)
	if p.maxAge == 0 {
		return cachePolicy{}
	}
	return p
}

// cut takes as much of want as left has, in whole seconds.
func cut(left *time.Duration, want time.Duration) time.Duration {
	got := max(min(*left, want), 0).Truncate(time.Second)
	*left -= got
	return got
}

// String is the Cache-Control header, and the only place that spells one.
func (p cachePolicy) String() string {
	if p.maxAge < time.Second {
		return "no-store"
	}
	s := "public, max-age=" + seconds(p.maxAge)
	if p.whileRevalidate >= time.Second {
		s += ", stale-while-revalidate=" + seconds(p.whileRevalidate)
	}
	if p.ifError >= time.Second {
		s += ", stale-if-error=" + seconds(p.ifError)
	}
	if p.immutable {
		s += ", immutable"
	}
	return s
}

func seconds(d time.Duration) string { return strconv.FormatInt(int64(d/time.Second), 10) }
