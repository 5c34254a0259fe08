package supply

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// From the second failure in a row on, the reason of the last one is shown on every instance, until
// a measurement succeeds.
func TestTheSecondFailureInARowIsShown(t *testing.T) {
	for _, test := range []struct {
		name, reason string
		breaks       func(*desk)
		mends        func(*desk)
	}{
		{"rejected", "above 0",
			func(d *desk) { d.world.set(t, d.token.Ledger[0], "0", 18) },
			func(d *desk) { d.world.set(t, d.token.Ledger[0], "1000", 18) }},
		{"unreadable", "the node is out of order",
			func(d *desk) { d.world.ends = errors.New("the node is out of order") },
			func(d *desk) { d.world.ends = nil }},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t)
				d.must(t)
				fail := func() *Failure {
					t.Helper()
					if err := d.minute(t); err == nil {
						t.Fatal("the measurement succeeded")
					}
					d.restart(t)
					return d.state().Failed
				}
				for range 2 {
					test.breaks(d)
					if f := fail(); f != nil {
						t.Errorf("after one failure %+v is shown", f)
					}
					first := time.Now()
					for range 2 {
						f := fail()
						if f == nil || !strings.Contains(f.Reason, test.reason) || !f.Since.Equal(first) ||
							strings.Contains(f.Reason, ErrRejected.Error()) {
							t.Fatalf("shown is %+v, want the reason and %s", f, first)
						}
					}
					if s := d.state(); s.Status != Fresh || s.Snapshot.Total.String() != "900" {
						t.Errorf("a failure changed what is published: %+v", s)
					}
					test.mends(d)
					d.must(t)
					if f := d.state().Failed; f != nil {
						t.Errorf("after a good measurement %+v is shown", f)
					}
				}
			})
		})
	}
}
