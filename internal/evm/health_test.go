package evm

import (
	"testing"
	"time"
)

// TestBreaker: pauses double with every failure, the breaker opens after
// several and lets one trial through at a time, and a success closes it.
func TestBreaker(t *testing.T) {
	var h health
	now := time.Unix(1_800_000_000, 0)
	f := faultf(transport, "connection refused")
	for i := 1; i <= 12; i++ {
		if opened := h.failed(now, f); opened != (i == breakerLimit) {
			t.Errorf("failure %d opened the breaker: %v", i, opened)
		}
		nominal := min(maxBackoff, minBackoff<<(i-1))
		if got := h.backoffUntil.Sub(now); got < nominal/2 || got >= nominal*3/2 {
			t.Errorf("after %d failures it pauses %s, want about %s", i, got, nominal)
		}
		want := "backoff"
		if i >= breakerLimit {
			want = "open"
		}
		if got := h.snapshot(now).State; got != want {
			t.Errorf("after %d failures the state is %s, want %s", i, got, want)
		}
		if h.ready(now, time.Second) {
			t.Errorf("ready at once after %d failures", i)
		}
	}
	now = h.backoffUntil
	if !h.ready(now, time.Second) || h.ready(now, time.Second) {
		t.Error("an open breaker does not let exactly one trial through")
	}
	if now = now.Add(time.Second); !h.ready(now, time.Second) {
		t.Error("no second trial after the first had its time")
	}
	if !h.succeeded() || h.succeeded() {
		t.Error("recovery is not told once")
	}
	if s := h.snapshot(now); s.State != "ok" || s.Errors != 12 || s.LastError != "connection refused" {
		t.Errorf("health is %+v", s)
	}
}

// TestRetryAfterIsBounded: a provider cannot silence itself for a day.
func TestRetryAfterIsBounded(t *testing.T) {
	var h health
	now := time.Unix(1_800_000_000, 0)
	f := faultf(limited, "HTTP status 429")
	f.wait = 24 * time.Hour
	h.failed(now, f)
	if !h.silenced(now.Add(maxRetryAfter-time.Second)) || h.silenced(now.Add(maxRetryAfter)) {
		t.Errorf("quiet until %s", h.silentUntil)
	}
}

func TestRetryAfterForms(t *testing.T) {
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "soon": 0, "-3": 0,
		"Sun, 15 Nov 2026 12:00:30 GMT": 30 * time.Second,
		"Sun, 15 Nov 2026 11:00:00 GMT": 0,
	} {
		if got := retryAfter(map[string][]string{"Retry-After": {text}}, now); got != want {
			t.Errorf("Retry-After %q is %s, want %s", text, got, want)
		}
	}
}
