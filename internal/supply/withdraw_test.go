package supply

import (
	"testing"
	"time"

	"petsupply/internal/supply/ledger"
)

// decided applies an operator's decision about a snapshot.
func decided(t *testing.T, r Record, kind DecisionKind, id string, want bool) Record {
	t.Helper()
	next, granted := r.Decide(Decision{Kind: kind, Token: "gem", Subject: id, Reason: "an entry was missing", At: day,
		Undoes: kind == Right})
	if granted != want {
		t.Fatalf("%s of %.8s: granted %v; want %v", kind, id, granted, want)
	}
	return next
}

func TestACorrectedFigureIsWithdrawnUntilAnotherIsPublished(t *testing.T) {
	at := func(minutes int) time.Time { return day.Add(time.Duration(minutes) * time.Minute) }
	good := judged(t, Record{}, take(1000, at(0)), judgedPublished)
	wrong := judged(t, good, take(1050, at(1)), judgedPublished)
	withdrawn := decided(t, wrong, Wrong, wrong.Snapshot.ID, true)
	otherLedger := take(1050, at(2))
	otherLedger.LedgerHash = "ledger-two"
	tests := map[string]struct {
		s         *Snapshot
		judgement judgement
		ends      bool
	}{
		"the same soon":                       {take(1050, at(2)), judgedConfirmed, false},
		"the same long after":                 {take(1050, at(600)), judgedConfirmed, false},
		"other figures":                       {take(1060, at(2)), judgedPublished, true},
		"another ledger":                      {otherLedger, judgedPublished, true},
		"more than 10 % above what was right": {take(1101, at(2)), judgedHeld, false},
		"the same, an hour later":             {take(1101, at(120)), judgedHeld, false},
		"as far from the wrong one as can be": {take(901, at(120)), judgedPublished, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			next := judged(t, withdrawn, test.s, test.judgement)
			if (next.Correction == nil) != test.ends {
				t.Errorf("the correction is %v; want an end: %v", next.Correction, test.ends)
			}
			if refs := next.references(test.s.AsOf); !test.ends &&
				(len(refs) != 1 || refs[0].Total.Cmp(ledger.Whole(1000, 18)) != 0) {
				t.Errorf("the next figure is compared with %v", refs)
			}
		})
	}
	t.Run("undone", func(t *testing.T) {
		next := decided(t, judged(t, withdrawn, take(1050, at(2)), judgedConfirmed), Right, wrong.Snapshot.ID, true)
		if next.Correction != nil {
			t.Error("the figure is still withdrawn")
		}
		judged(t, next, take(1101, at(90)), judgedPublished)
		decided(t, next, Right, wrong.Snapshot.ID, false)
	})
	t.Run("the first figure", func(t *testing.T) {
		judged(t, decided(t, good, Wrong, good.Snapshot.ID, true), take(5000, at(1)), judgedPublished)
	})
	t.Run("wrong twice", func(t *testing.T) {
		twice := judged(t, withdrawn, take(1060, at(2)), judgedPublished)
		twice = decided(t, twice, Wrong, twice.Snapshot.ID, true)
		if refs := twice.references(at(200)); len(refs) != 1 || refs[0].Total.Cmp(ledger.Whole(1000, 18)) != 0 {
			t.Errorf("the next figure is compared with %v", refs)
		}
	})
}

// A correction is refused if a later snapshot has the same figures, because it would withdraw
// nothing.
func TestACorrectionOfFiguresThatWerePublishedAgainIsRefused(t *testing.T) {
	first := judged(t, Record{}, take(1000, day), judgedPublished)
	again := judged(t, first, take(1000, day.Add(time.Hour)), judgedPublished)
	decided(t, again, Wrong, first.Snapshot.ID, false)
	withdrawn := decided(t, again, Wrong, again.Snapshot.ID, true)
	decided(t, withdrawn, Wrong, first.Snapshot.ID, true)
	other := judged(t, again, take(1001, day.Add(2*time.Hour)), judgedPublished)
	decided(t, other, Wrong, first.Snapshot.ID, true)
}

func TestAWithdrawnFigureIsNotAnswered(t *testing.T) {
	token := ledger.Token{Path: "gem", Symbol: "GEM", Decimals: 18}
	b := NewBoard([]ledger.Token{token},
		AgePolicy{StaleAfter: time.Minute, RefuseAfter: time.Hour, Now: func() time.Time { return day }}, false)
	r := judged(t, Record{Token: "gem"}, take(1000, day), judgedPublished)
	r = decided(t, r, Wrong, r.Snapshot.ID, true)
	b.Set(r)
	s, _ := b.Now().State("gem")
	if _, ok := s.Figure(totalSupply); ok || s.Available() {
		t.Error("a withdrawn figure is served")
	}
	if d := s.At(day.Add(48 * time.Hour)).Document(); d.Status != Withdrawn || d.Total != nil || d.Snapshot != nil ||
		d.Correction == nil {
		t.Errorf("the document is %+v", d)
	}
	if ev := s.Evidence(); ev == nil || ev.Correction == nil {
		t.Error("its evidence has no correction")
	}
}
