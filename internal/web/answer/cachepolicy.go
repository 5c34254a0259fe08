package answer

import (
	"strconv"
	"time"
)

// A CachePolicy says how long caches may keep an answer. Its zero value is no-store, so that
// errors, and answers without a policy, are never kept.
type CachePolicy struct {
	MaxAge          time.Duration
	WhileRevalidate time.Duration // stale-while-revalidate
	IfError         time.Duration // stale-if-error
	Immutable       bool
	Revalidate      bool // caches keep the answer, but ask each time whether it is still valid
}

// Total is how long an answer may be shown after it was sent.
func (p CachePolicy) Total() time.Duration { return p.MaxAge + p.WhileRevalidate + p.IfError }

// Within shortens the policy so that no cache shows the answer for longer than the duration left.
// It first cuts the time for errors, then the time for revalidation, then the rest. If less than a
// second is left, it returns the zero CachePolicy.
func (p CachePolicy) Within(left time.Duration) CachePolicy {
	p.MaxAge = cut(&left, p.MaxAge)
	p.WhileRevalidate = cut(&left, p.WhileRevalidate)
	p.IfError = cut(&left, p.IfError)
	if p.MaxAge == 0 {
		return CachePolicy{}
	}
	return p
}

// cut returns the shorter of want and *left, in whole seconds, and subtracts the result from *left.
func cut(left *time.Duration, want time.Duration) time.Duration {
	got := max(min(*left, want), 0).Truncate(time.Second)
	*left -= got
	return got
}

// String returns the Cache-Control header.
func (p CachePolicy) String() string {
	if p.Revalidate {
		return "no-cache"
	}
	if p.MaxAge < time.Second {
		return "no-store"
	}
	s := "public, max-age=" + seconds(p.MaxAge)
	if p.WhileRevalidate >= time.Second {
		s += ", stale-while-revalidate=" + seconds(p.WhileRevalidate)
	}
	if p.IfError >= time.Second {
		s += ", stale-if-error=" + seconds(p.IfError)
	}
	if p.Immutable {
		s += ", immutable"
	}
	return s
}

// seconds writes a time for a header, rounded down to whole seconds.
func seconds(d time.Duration) string { return strconv.FormatInt(int64(d/time.Second), 10) }
