package supply

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

// TestTheLogSaysHowAHoldEnded: an operator who was not there sees who or what ended it.
func TestTheLogSaysHowAHoldEnded(t *testing.T) {
	released := []Decision{{Kind: Release, Granted: true, Reason: "the unlock was announced"}}
	for want, c := range map[string]Change{
		"let through by hand: the unlock was announced": {Decided: released},
		"confirmed and published":                       {released: true},
		"not confirmed":                                 {},
	} {
		t.Run(want, func(t *testing.T) {
			var out bytes.Buffer
			w := &recordWriter{log: slog.New(slog.NewTextHandler(&out, nil))}
			c.Record = Record{Token: "gem", Snapshot: &Snapshot{}}
			w.logChange(Record{Token: "gem", Hold: &Hold{}, Snapshot: &Snapshot{}}, c)
			if text := out.String(); !strings.Contains(text, "hold ended") || !strings.Contains(text, want) {
				t.Errorf("no %q in %q", want, text)
			}
		})
	}
}
