package jsonrpc

import (
	"testing"
	"time"
)

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
