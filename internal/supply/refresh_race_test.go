package supply

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
)

// A desk is a refresher with everything around it.
type desk struct {
	token ledger.Token
	world *world
	store *memory
	board *Board
	*Refresher
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{store: newMemory()}
	d.token, d.world = gem(t)
	d.world.head = d.world.block(100, time.Now())
	d.restart(t)
	return d
}

// restart forgets everything except the store.
func (d *desk) restart(t *testing.T) {
	t.Helper()
	d.board = NewBoard([]ledger.Token{d.token}, AgePolicy{StaleAfter: 10 * time.Minute, RefuseAfter: 24 * time.Hour},
		false)
	d.Refresher = NewRefresher([]ledger.Token{d.token}, map[string]Chain{"first": d.world}, d.store,
		Rules{Every: time.Minute, HoldFor: 5 * time.Minute, Repeat: 5 * time.Minute}, slog.New(slog.DiscardHandler))
	d.Published = NewPoller(d.store, d.board, d.log).Step
	if err := d.Published(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// minute advances clock and chain by a minute, and refreshes.
func (d *desk) minute(t *testing.T) error {
	t.Helper()
	time.Sleep(time.Minute)
	d.world.advance(60)
	return d.Step(t.Context())
}

func (d *desk) must(t *testing.T) {
	t.Helper()
	if err := d.minute(t); err != nil {
		t.Fatal(err)
	}
}

func (d *desk) state() State { return d.board.Now().States[0] }

func TestEqualFiguresPublishNothingNewForHalfOfStaleAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		d.must(t)
		first := d.state()
		for range 4 {
			d.must(t)
		}
		if s := d.state(); s.Snapshot.ID != first.Snapshot.ID || len(d.store.rows) != 1 ||
			!s.Confirmed.Equal(time.Now()) {
			t.Errorf("after the same figure five times: %d rows, confirmed at %s", len(d.store.rows), s.Confirmed)
		}
		d.restart(t) // read the state from the store, as followers do
		if s := d.state(); !s.Confirmed.Equal(time.Now()) || s.Status != Fresh ||
			s.StaleAt.Sub(s.Snapshot.AsOf) != 10*time.Minute {
			t.Errorf("as it is stored: confirmed at %s, stale at %s", s.Confirmed, s.StaleAt)
		}
		d.must(t) // five minutes after the first
		if s := d.state(); len(d.store.rows) != 2 || !s.Snapshot.AsOf.Equal(time.Now()) ||
			s.Snapshot.Evidence.Previous != first.Snapshot.ID {
			t.Errorf("%d rows, as of %s", len(d.store.rows), s.Snapshot.AsOf)
		}
		d.world.set(t, d.token.Ledger[0], "1001", 18)
		d.must(t)
		if len(d.store.rows) != 3 {
			t.Errorf("%d rows after a change, want 3", len(d.store.rows))
		}
		d.token.Ledger[0].Reason = "said better"
		d.restart(t)
		d.must(t)
		if len(d.store.rows) != 4 || len(d.store.ledgers["gem"]) != 2 {
			t.Errorf("%d rows, %d ledgers after another ledger; want 4 and 2", len(d.store.rows),
				len(d.store.ledgers["gem"]))
		}
		if doc := d.state().Ledger; len(doc.Earlier) != 1 || doc.Since == nil {
			t.Errorf("the ledger document has %d earlier versions, since %v", len(doc.Earlier), doc.Since)
		}
	})
}

// A proofMemory keeps the ids of snapshots whose proofs are stored.
type proofMemory struct {
	ids  []string
	fail error
}

func (m *proofMemory) SaveProof(_ context.Context, _ string, _ time.Time, d *proof.Document) error {
	if m.fail == nil {
		m.ids = append(m.ids, d.Snapshot)
	}
	return m.fail
}

func (m *proofMemory) Proof(_ context.Context, _, snapshot string) (*proof.Document, error) {
	if !slices.Contains(m.ids, snapshot) {
		return nil, ErrNotFound
	}
	return &proof.Document{}, nil
}

// Proofs are stored once: when a figure is published or held. What was missed is made up for by the
// next refresh, also in another process. The transaction that drops a held figure names it.
func TestProofsOfPublishedAndHeldFiguresAreStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		stored := &proofMemory{}
		d.Proofs = NewProver(nil, stored, slog.New(slog.DiscardHandler))
		d.must(t)
		published := d.state().Snapshot.ID
		d.must(t)
		d.world.set(t, d.token.Ledger[0], "5000", 18)
		d.must(t)
		held := d.state().Hold.Candidate.ID
		d.must(t)
		if want := []string{published, held}; !slices.Equal(stored.ids, want) {
			t.Errorf("proofs of %q are stored, want %q", stored.ids, want)
		}
		d.world.set(t, d.token.Ledger[0], "1001", 18)
		stored.fail = errTest
		d.must(t)
		if !slices.Equal(d.store.dropped, []string{held}) {
			t.Errorf("dropped are %q, want %q", d.store.dropped, held)
		}
		stored.fail = nil
		later := d.state().Snapshot.ID
		for range 2 { // the process ends before the proof is stored, and once more after it
			d.restart(t)
			d.Proofs = NewProver(nil, stored, slog.New(slog.DiscardHandler))
			d.must(t)
		}
		if want := []string{published, held, later}; !slices.Equal(stored.ids, want) {
			t.Errorf("after a fault and two restarts, proofs of %q are stored; want %q", stored.ids, want)
		}
	})
}

func TestPublishedOnlyAfterItIsStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		d.must(t)
		old := d.state().Snapshot
		d.store.onSave = func() {
			if d.state().Snapshot != old {
				t.Error("published before it was stored")
			}
		}
		d.world.set(t, d.token.Ledger[0], "1001", 18)
		d.store.fail = errTest
		if err := d.minute(t); !errors.Is(err, errTest) {
			t.Errorf("the store's error became %v", err)
		}
		if d.state().Snapshot != old {
			t.Error("published without being stored")
		}
		d.store.fail = nil
		d.must(t)
		if d.state().Snapshot == old {
			t.Error("not published once the store was back")
		}
	})
}

func TestDisagreementAndRejectionRestartAHold(t *testing.T) {
	for name, c := range map[string]struct {
		breaks func(*desk)
		want   time.Duration // that the hold has lasted
	}{
		"providers disagree on what they read": {func(d *desk) {
			d.world.ends = fmt.Errorf("reading: %w", evm.ErrDisagree)
		}, 0},
		"providers disagree on the block": {func(d *desk) {
			d.world.fail = fmt.Errorf("pinning: %w", evm.ErrDisagree)
		}, 0},
		"a measurement is rejected": {func(d *desk) { d.world.set(t, d.token.Ledger[0], "1", 18) }, 0},
		"too few providers answer":  {func(d *desk) { d.world.ends = evm.ErrUnavailable }, 2 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t)
				d.must(t)
				d.world.set(t, d.token.Ledger[0], "5000", 18)
				for range 3 {
					d.must(t)
				}
				c.breaks(d)
				if d.minute(t) == nil {
					t.Fatal("the broken measurement gave no error")
				}
				d.restart(t) // read it from the store
				if h := d.state().Hold; h == nil || h.lasted() != c.want {
					t.Errorf("%+v, want it held for %s", h, c.want)
				}
			})
		})
	}
}

func TestAReleasedLedgerIsKeptAfterTheConfigurationChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		whole := d.token.Ledger
		d.token.Ledger = whole[:1]
		d.restart(t)
		d.must(t)
		d.token.Ledger = whole
		d.restart(t)
		d.must(t)
		waits := d.state().Hold.Candidate
		d.token.Ledger = []ledger.Entry{whole[0], whole[3]}
		d.restart(t)
		d.store.ask(Decision{ID: "1", Kind: Right, Token: "gem", Subject: waits.ID})
		if err := d.applyDecisions(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s := d.state(); s.Snapshot.ID != waits.ID || s.Ledger.Hash != waits.LedgerHash ||
			len(s.Ledger.Entries) != len(whole) {
			t.Errorf("the figure is by ledger %.8s, shown is %.8s", s.Snapshot.LedgerHash, s.Ledger.Hash)
		}
		if got, ok := d.state().Figure(lockedSupply); !ok || got != "200" {
			t.Errorf("locked is %q, %v", got, ok)
		}
	})
}

func TestAfterAnErrorOfSaveTheRecordsAreReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		d.must(t)
		d.world.set(t, d.token.Ledger[0], "5000", 18)
		d.must(t)
		d.store.ask(Decision{ID: "1", Kind: Right, Token: "gem", Subject: d.state().Hold.Candidate.ID})
		d.store.lost = errTest // the release is stored, but the store's answer is lost
		if err := d.minute(t); !errors.Is(err, errTest) {
			t.Fatalf("the store's error became %v", err)
		}
		d.store.lost = nil
		d.must(t) // the old record does not undo it
		if s := d.state(); s.Status != Fresh || s.Snapshot.Total.String() != "4900" {
			t.Errorf("after the granted release: %s, total %s", s.Status, s.Snapshot.Total)
		}
		if len(d.store.decided) != 1 || len(d.store.rows) != 2 {
			t.Errorf("%d decided, %d rows; want 1 and 2", len(d.store.decided), len(d.store.rows))
		}
		// Nothing is done while the stored records cannot be read.
		d.store.lost = errTest
		if d.minute(t) == nil {
			t.Fatal("the refresh gave no error without the stored records")
		}
		d.store.lost, d.store.fail = nil, errTest
		if err := d.minute(t); !errors.Is(err, errTest) {
			t.Fatalf("a store that cannot be read: %v", err)
		}
		d.store.fail = nil
		d.must(t)
		if s := d.state(); s.Status != Fresh || !s.Confirmed.Equal(time.Now()) {
			t.Errorf("once it is back: %s, confirmed at %s", s.Status, s.Confirmed)
		}
	})
}

func TestTheFirstFigureIsShownInTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		var out strings.Builder
		d.log = slog.New(slog.NewTextHandler(&out, nil))
		d.must(t)
		const want = `level=WARN msg="first figure of a token: nothing to compare it with, so check its entries" ` +
			`token=gem total=900 circulating=650 command="petsupply measure gem"`
		if strings.Count(out.String(), want) != 1 {
			t.Errorf("the log does not say %s once:\n%s", want, out.String())
		}
		out.Reset()
		d.must(t)
		if out.Len() > 0 {
			t.Errorf("the second figure is logged too:\n%s", out.String())
		}
	})
}

func TestReleaseReachesARunningRefresherWithinASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		d.must(t)
		d.world.set(t, d.token.Ledger[0], "5000", 18)
		d.must(t)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- d.Run(ctx) }()
		time.Sleep(5 * time.Second)
		candidate := d.state().Hold.Candidate.ID
		d.store.ask(Decision{ID: "1", Kind: Right, Token: "gem", Subject: "of another day"})
		d.store.ask(Decision{ID: "2", Kind: Right, Token: "gem", Subject: candidate, Reason: "seen"})
		time.Sleep(time.Second + time.Millisecond)
		synctest.Wait()
		if s := d.state(); s.Status != Fresh || s.Snapshot.Total.String() != "4900" || s.Snapshot.ID != candidate {
			t.Errorf("status %s, total %s", s.Status, s.Snapshot.Total)
		}
		if len(d.store.decided) != 2 || d.store.decided[0].Granted || !d.store.decided[1].Granted ||
			d.store.decided[1].Reason != "seen" {
			t.Errorf("decided: %+v", d.store.decided)
		}
		if rows := d.store.rows; rows[len(rows)-1].ID != candidate {
			t.Error("the released figure is no row of history")
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		d.must(t)
		d.world.set(t, d.token.Ledger[0], "5000", 18)
		d.must(t)
		d.world.set(t, d.token.Ledger[0], "0", 18)
		if d.minute(t) == nil {
			t.Fatal("a total below 0 was accepted")
		}
		d.world.fail = errTest
		if d.minute(t) == nil {
			t.Fatal("a chain that is away was measured")
		}
		for _, became := range []judgement{judgedPublished, judgedHeld, judgedRejected, judgedFailed} {
			if n := testutil.ToFloat64(d.judgements.WithLabelValues("gem", string(became))); n != 1 {
				t.Errorf("%v measurements are %s, want 1", n, became)
			}
		}
		want := `
# HELP petsupply_supply_available 1 while the token has a figure that can be served.
# TYPE petsupply_supply_available gauge
petsupply_supply_available{token="gem"} 1
# HELP petsupply_supply_held 1 while a newer figure of the token waits for a release.
# TYPE petsupply_supply_held gauge
petsupply_supply_held{token="gem"} 1
# HELP petsupply_supply_snapshot_age_seconds Time since the moment that the published figures describe.
# TYPE petsupply_supply_snapshot_age_seconds gauge
petsupply_supply_snapshot_age_seconds{token="gem"} 180
`
		if err := testutil.CollectAndCompare(boardMetrics{d.board}, strings.NewReader(want),
			"petsupply_supply_available",
			"petsupply_supply_held", "petsupply_supply_snapshot_age_seconds"); err != nil {
			t.Error(err)
		}
	})
}

// A restored backup has older figures with smaller sequences. From then on every instance publishes
// them.
func TestAStoreThatWentBackIsReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		d.must(t)
		board := NewBoard([]ledger.Token{d.token}, AgePolicy{}, false)
		f := NewPoller(d.store, board, slog.New(slog.DiscardHandler))
		backup, seq := d.store.records[d.token.Path], d.store.seq
		d.must(t)
		d.must(t)
		if err := f.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		late := board.Now().States[0].Confirmed
		d.store.records[d.token.Path], d.store.seqs[d.token.Path], d.store.seq = backup, seq, seq
		if err := f.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := board.Now().States[0].Confirmed; !got.Before(late) {
			t.Errorf("still the figures confirmed at %s", got)
		}
		delete(d.store.records, d.token.Path) // a backup from before the token's first figure
		delete(d.store.seqs, d.token.Path)
		if err := f.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := board.Now().States[0]; got.Status != Unavailable {
			t.Errorf("a token without figures in the store has the status %s", got.Status)
		}
	})
}

// TestRunGoesOnAfterFaults: while the store is away, the same error is logged once a minute. The
// figures are there once it is back.
func TestRunGoesOnAfterFaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		var out strings.Builder
		d.log = slog.New(slog.NewTextHandler(&out, nil))
		d.store.fail = errTest
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- d.Run(ctx) }()
		time.Sleep(10*time.Minute + time.Second/2)
		d.store.mu.Lock()
		d.store.fail = nil
		d.store.mu.Unlock()
		d.world.advance(600)
		time.Sleep(time.Minute)
		synctest.Wait()
		if d.state().Status != Fresh {
			t.Errorf("status %s once the store is back", d.state().Status)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if n := strings.Count(out.String(), errTest.Error()); n < 9 || n > 11 {
			t.Errorf("%d lines in ten minutes", n)
		}
	})
}

// TestTheSecondFailureInARowIsShown: the reason of the last one is shown on every instance, until a
// measurement succeeds.
func TestTheSecondFailureInARowIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		d.must(t)
		minted := func(whole string) func() { return func() { d.world.set(t, d.token.Ledger[0], whole, 18) } }
		for _, c := range []struct {
			reason        string
			breaks, mends func()
		}{
			{"above 0", minted("0"), minted("1000")},
			{errTest.Error(), func() { d.world.ends = errTest }, func() { d.world.ends = nil }},
			{errTest.Error(), func() { d.world.fail = errTest }, func() { d.world.fail = nil }},
		} {
			c.breaks()
			var first time.Time
			for n := range 3 {
				if err := d.minute(t); err == nil {
					t.Fatal("the measurement succeeded")
				}
				if n == 0 {
					first = time.Now()
				}
				d.restart(t)
				f := d.state().Failed
				if (f != nil) != (n > 0) {
					t.Fatalf("after %d failures, shown is %+v", n+1, f)
				}
				if f != nil && (!strings.Contains(f.Reason, c.reason) || !f.Since.Equal(first) ||
					strings.Contains(f.Reason, ErrRejected.Error())) {
					t.Fatalf("shown is %+v, want %s since %s", f, c.reason, first)
				}
			}
			if s := d.state(); s.Status != Fresh || s.Snapshot.Total.String() != "900" {
				t.Errorf("a failure changed what is published: %+v", s)
			}
			c.mends()
			d.must(t)
			if f := d.state().Failed; f != nil {
				t.Errorf("after a good measurement %+v is shown", f)
			}
		}
	})
}
