package supply

import (
	"slices"
	"testing"
	"testing/synctest"
)

// kinds are the notices so far, each with its figure.
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
		want := []string{"published 900"}
		expect := func(more ...string) {
			t.Helper()
			if want = append(want, more...); !slices.Equal(d.kinds(), want) {
				t.Fatalf("%q, want %q", d.kinds(), want)
			}
		}
		for range 12 { // a row for every half of stale_after
			d.must(t)
		}
		expect()
		d.world.set(t, d.token.Ledger[0], "5000", 18)
		for range 3 {
			d.must(t)
			d.restart(t)
		}
		expect("held 4900")
		d.world.set(t, d.token.Ledger[0], "1000", 18)
		d.must(t)
		expect("released 900, not confirmed: later measurements agreed with the published figure")
		d.world.set(t, d.token.Ledger[0], "5000", 18)
		for range 6 {
			d.must(t)
		}
		expect("held 4900", "released 4900, confirmed and published", "published 4900")
		d.world.set(t, d.token.Ledger[0], "9000", 18)
		d.must(t)
		d.store.ask(Decision{ID: "0", Kind: Release, Token: d.token.Path, Subject: d.state().Hold.Candidate.ID, Reason: "announced"})
		d.must(t)
		expect("held 8900", "released 8900, let through by hand: announced", "published 8900")
		d.store.ask(Decision{ID: "1", Kind: Correct, Token: d.token.Path, Subject: d.state().Snapshot.ID, Reason: "miscounted"})
		d.must(t)
		expect("corrected miscounted")
	})
}
