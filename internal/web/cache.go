package web

import (
	"strconv"
	"time"
)

// A policy says how long others may keep an answer. Its zero value is
// no-store, so that what nobody thought about, errors first of all, is never
// kept.
type policy struct {
	fresh      time.Duration // max-age
	revalidate time.Duration // stale-while-revalidate
	onError    time.Duration // stale-if-error
	immutable  bool
}

// The policies in use. Supply answers are cut further by within.
var (
	supplyPolicy  = policy{fresh: 30 * time.Second, revalidate: time.Minute, onError: time.Hour}
	petPolicy     = policy{fresh: time.Minute, revalidate: 5 * time.Minute, onError: 24 * time.Hour}
	picturePolicy = policy{fresh: time.Minute, revalidate: 10 * time.Minute, onError: 24 * time.Hour}
	versionPolicy = policy{fresh: 365 * 24 * time.Hour, immutable: true}
	listPolicy    = policy{fresh: 5 * time.Second, revalidate: 30 * time.Second, onError: time.Hour}
	steadyPolicy  = policy{fresh: 5 * time.Minute, revalidate: time.Hour, onError: 24 * time.Hour}
)

// sum is the longest that an answer may be shown after it was sent.
func (p policy) sum() time.Duration { return p.fresh + p.revalidate + p.onError }

// within cuts p so that nobody shows the answer after left has passed: first
// the time it may be shown during errors, then while revalidating, then the
// rest. Less than a second left is the zero policy.
func (p policy) within(left time.Duration) policy {
	p.fresh = cut(&left, p.fresh)
	p.revalidate = cut(&left, p.revalidate)
	p.onError = cut(&left, p.onError)
	if p.fresh == 0 {
		return policy{}
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
func (p policy) String() string {
	if p.fresh < time.Second {
		return "no-store"
	}
	s := "public, max-age=" + seconds(p.fresh)
	if p.revalidate >= time.Second {
		s += ", stale-while-revalidate=" + seconds(p.revalidate)
	}
	if p.onError >= time.Second {
		s += ", stale-if-error=" + seconds(p.onError)
	}
	if p.immutable {
		s += ", immutable"
	}
	return s
}

func seconds(d time.Duration) string { return strconv.FormatInt(int64(d/time.Second), 10) }
