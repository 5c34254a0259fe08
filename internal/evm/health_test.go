package evm

import (
	"math/rand/v2"
	"testing"
	"time"

	"petsupply/internal/evm/jsonrpc"
)

// TestBreaker: pauses double with every failure. After several failures the breaker opens and
// admits one trial at a time. A success closes it.
func TestBreaker(t *testing.T) {
	h := health{jitter: rand.N[time.Duration]}
	now := time.Unix(1_800_000_000, 0)
	f := jsonrpc.Faultf(jsonrpc.Malformed, "answer is not JSON")
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
		t.Error("recovery is not reported exactly once")
	}
	if s := h.snapshot(now); s.State != "ok" || s.Errors != 12 || s.LastError != "answer is not JSON" {
		t.Errorf("health is %+v", s)
	}
}

// TestRetryAfterIsBounded: Retry-After cannot silence a provider for a day.
func TestRetryAfterIsBounded(t *testing.T) {
	h := health{jitter: rand.N[time.Duration]}
	now := time.Unix(1_800_000_000, 0)
	f := jsonrpc.Faultf(jsonrpc.Limited, "HTTP status 429")
	f.Wait = 24 * time.Hour
	h.failed(now, f)
	if !h.silenced(now.Add(maxRetryAfter-time.Second)) || h.silenced(now.Add(maxRetryAfter)) {
		t.Errorf("quiet until %s", h.silentUntil)
	}
}
