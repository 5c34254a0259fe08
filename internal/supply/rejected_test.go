package supply

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A rejected measurement is shown at once with its reason, on every instance, until a measurement
// is accepted.
func TestARejectionIsShownAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		reject := func(first time.Time) {
			t.Helper()
			if err := d.minute(t); err == nil {
				t.Fatal("an impossible figure was accepted")
			}
			d.restart(t)
			r := d.state().Rejected
			if r == nil || !strings.Contains(r.Reason, "above 0") || strings.Contains(r.Reason, ErrRejected.Error()) ||
				!r.Since.Equal(first) {
				t.Fatalf("shown is %+v, want the reason and %s", r, first)
			}
		}
		d.world.set(t, d.token.Ledger[0], "0", 18)
		first := time.Now().Add(time.Minute)
		reject(first)
		reject(first)
		d.world.set(t, d.token.Ledger[0], "1000", 18)
		d.must(t)
		if s := d.state(); s.Rejected != nil || s.Status != Fresh {
			t.Errorf("after a good measurement %s is %+v", s.Status, s.Rejected)
		}
		d.world.set(t, d.token.Ledger[0], "0", 18)
		reject(time.Now().Add(time.Minute))
		if s := d.state(); s.Status != Fresh || s.Snapshot.Total.String() != "900" {
			t.Errorf("a rejected measurement changed what is published: %+v", s)
		}
	})
}
