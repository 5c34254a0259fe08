package supply

import (
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// kinds returns the notices so far, each with its figure.
func (d *desk) kinds() (out []string) {
	for _, n := range d.store.notices {
		figure := n.Reason
		if n.Figures != nil {
			figure = n.Total.String()
		}
		if n.Kind == NoticeReleased {
			figure += ", " + n.Reason
		}
		out = append(out, n.Kind+" "+figure)
	}
	return out
}

func TestNoticesTellOfChangesOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		var log strings.Builder
		want, changed := []string{"published 900"}, time.Time{}
		set := func(supply string) {
			d.world.set(t, d.token.Ledger[0], supply, 18)
			time.Sleep(time.Second)
			changed = time.Now()
		}
		expect := func(more ...string) {
			t.Helper()
			if want = append(want, more...); !slices.Equal(d.kinds(), want) {
				t.Fatalf("%q, want %q", d.kinds(), want)
			}
			d.log = slog.New(slog.NewTextHandler(&log, nil))
			for _, n := range d.store.notices[len(want)-len(more):] {
				if n.At.Before(changed) {
					t.Errorf("%s at %s, but it happened after %s", n.Kind, n.At, changed)
				}
			}
		}
		for range 12 { // a row for every half of stale_after
			d.must(t)
		}
		expect()
		set("5000")
		for range 3 {
			d.must(t)
			d.restart(t)
		}
		expect("held 4900")
		set("1000")
		d.must(t)
		expect("released 900, dropped: a later measurement agreed with the published figure")
		set("5000")
		for range 6 {
			d.must(t)
		}
		expect("held 4900",
			"released 4900, published: later measurements agreed with it, or an expected event allows it",
			"published 4900")
		set("9000")
		d.must(t)
		expect("held 8900")
		time.Sleep(time.Hour)
		changed = time.Now()
		d.store.ask(Decision{ID: "0", Kind: Right, Token: d.token.Path, Subject: d.state().Hold.Candidate.ID,
			Reason: "announced", At: changed})
		d.must(t)
		expect("released 8900, released by an operator: announced", "published 8900")
		d.store.ask(Decision{ID: "1", Kind: Wrong, Token: d.token.Path, Subject: d.state().Snapshot.ID,
			Reason: "miscounted", At: changed})
		d.must(t)
		expect("corrected miscounted")
		for _, how := range []string{"published: later measurements agreed", "released by an operator: announced"} {
			if !strings.Contains(log.String(), `msg="hold ended" token=gem how="`+how) {
				t.Errorf("the log does not say that a hold was %s:\n%s", how, log.String())
			}
		}
		if !strings.Contains(log.String(), `command="petsupply release gem --reason WHY"`) {
			t.Errorf("the log does not name the command:\n%s", log.String())
		}
	})
}
