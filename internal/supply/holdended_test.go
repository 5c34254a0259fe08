package supply

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

// TestTheLogSaysHowAHoldEnded: an operator who was away can see what ended the hold.
func TestTheLogSaysHowAHoldEnded(t *testing.T) {
	released := []Decision{{Kind: Release, Granted: true, Reason: "the unlock was announced"}}
	for want, c := range map[string]Change{
		"released by an operator: the unlock was announced": {Decided: released},
		"confirmed by 5 further measurements":               {released: true},
		"dropped: a later measurement agreed":               {},
	} {
		t.Run(want, func(t *testing.T) {
			var out bytes.Buffer
			w := &recordWriter{log: slog.New(slog.NewTextHandler(&out, nil))}
			c.Record = Record{Token: "gem", Snapshot: &Snapshot{}}
			c.was = Record{Token: "gem", Hold: &Hold{Confirmations: 4}, Snapshot: &Snapshot{}}
			w.logChange(c.was, c)
			if text := out.String(); !strings.Contains(text, "hold ended") || !strings.Contains(text, want) {
				t.Errorf("no %q in %q", want, text)
			}
		})
	}
}
