package supply

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

// TestTheLogSaysHowAHoldEnded: an operator who was away can see what ended the hold.
func TestTheLogSaysHowAHoldEnded(t *testing.T) {
	released := []Decision{{Kind: Right, Granted: true, Reason: "the unlock was announced"}}
	for want, c := range map[string]Change{
		"released by an operator: the unlock was announced": {Decided: released, Record: Record{Snapshot: take(2000, day)}},
		"published: later measurements agreed with it":      {Record: Record{Snapshot: take(2001, day)}},
		"dropped: a later measurement agreed":               {Record: Record{Snapshot: take(1001, day)}},
	} {
		t.Run(want, func(t *testing.T) {
			var out bytes.Buffer
			r := &Refresher{log: slog.New(slog.NewTextHandler(&out, nil))}
			c.was = Record{Token: "gem", Hold: &Hold{Candidate: take(2000, day)}, Snapshot: take(1000, day)}
			c.limits = limits{100_000, 100_000}
			r.logChange(c)
			if text := out.String(); !strings.Contains(text, "hold ended") || !strings.Contains(text, want) {
				t.Errorf("no %q in %q", want, text)
			}
		})
	}
}
