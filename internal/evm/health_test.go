package evm

import (
	"math/rand/v2"
	"testing"
	"time"

	"petsupply/internal/evm/jsonrpc"
)

// TestBackOff: pauses double with every failure. After several failures the provider is down. A
// success ends all of that.
func TestBackOff(t *testing.T) {
	h := health{jitter: rand.N[time.Duration]}
	now := time.Unix(1_800_000_000, 0)
	f := jsonrpc.Faultf(jsonrpc.Malformed, "answer is not JSON")
	for i := 1; i <= 12; i++ {
		if down := h.failed(now, f); down != (i == downAfter) {
			t.Errorf("after failure %d it is down since then: %v", i, down)
		}
		nominal := min(maxBackoff, minBackoff<<(i-1))
		if got := h.backoffUntil.Sub(now); got < nominal/2 || got >= nominal*3/2 {
			t.Errorf("after %d failures it pauses %s, want about %s", i, got, nominal)
		}
		want := "backoff"
		if i >= downAfter {
			want = "down"
		}
		if got := h.snapshot(now).State; got != want {
			t.Errorf("after %d failures the state is %s, want %s", i, got, want)
		}
		if h.ready(now) {
			t.Errorf("ready at once after %d failures", i)
		}
	}
	now = h.backoffUntil
	if !h.ready(now) {
		t.Error("it is not asked again after the pause")
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
