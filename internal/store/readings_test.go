package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// jewel measures the demo's first token at a time. Its figures are different at every time.
func jewel(t testing.TB, at time.Time) *supply.Snapshot {
	t.Helper()
	r := supply.Measure(t.Context(), demo.Tokens()[:1], demo.Chains(at), at)[0]
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r.Snapshot
}

// record returns the record of a token with the published snapshot s.
func record(s *supply.Snapshot) supply.Record {
	return supply.Record{Token: s.Token, Snapshot: s, Confirmed: s.MeasuredAt, Decimals: map[string]int{"1/0x": 18}}
}

func saved(t testing.TB, s *Store, changes ...supply.Change) int64 {
	t.Helper()
	seq, err := s.Save(t.Context(), changes)
	if err != nil {
		t.Fatal(err)
	}
	return seq
}

// pointOf returns what the history keeps of a snapshot.
func pointOf(n *supply.Snapshot) supply.Point {
	return supply.Point{Snapshot: &supply.Snapshot{Token: n.Token, AsOf: n.AsOf, MeasuredAt: n.MeasuredAt,
		Figures: n.Figures, Blocks: n.Blocks, LedgerHash: n.LedgerHash, ID: n.ID}}
}

// same compares JSON, because equal amounts may have different decimals.
func same(t testing.TB, what string, got, want any) {
	t.Helper()
	a, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(b), string(a)); diff != "" {
		t.Errorf("%s came back different:\n%s", what, diff)
	}
}

func TestRecordsComeBackAsTheyWere(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		if seqs, err := s.Sequences(t.Context()); len(seqs) != 0 || err != nil {
			t.Errorf("an empty store is at %v, %v", seqs, err)
		}
		old := record(jewel(t, demo.Start))
		first := saved(t, s, supply.Change{Record: old})
		now := record(jewel(t, demo.End))
		now.Hold = &supply.Hold{Candidate: jewel(t, demo.End), Reason: "it's so", Since: demo.End, From: demo.End,
			Sum: 2 * time.Minute}
		other := record(jewel(t, demo.End))
		other.Token = "other"
		second := saved(t, s, supply.Change{Record: now}, supply.Change{Record: other})
		if second <= first {
			t.Errorf("sequences %d, %d do not grow", first, second)
		}
		again := open(t, url)
		records, err := again.Records(t.Context())
		if err != nil || len(records) != 2 {
			t.Fatalf("%d records, %v", len(records), err)
		}
		for _, r := range records {
			want := now
			if r.Token == "other" {
				want = other
			}
			same(t, "the record of "+r.Token, r, want)
			if r.Seq != second {
				t.Errorf("%s is at %d, want %d", r.Token, r.Seq, second)
			}
		}
		if seqs, err := again.Sequences(t.Context()); seqs["jewel"] != second || seqs["other"] != second || err != nil {
			t.Errorf("the store is at %v, %v; want %d", seqs, err, second)
		}
	})
}

func TestSaveIsAllOrNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		bad := supply.Change{Record: record(jewel(t, demo.End)), Publishes: true}
		bad.Record.Snapshot.AsOf = time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC) // JSON cannot have this year
		bad.Record.Token = "bad"
		if _, err := s.Save(t.Context(),
			[]supply.Change{{Record: record(jewel(t, demo.End)), Publishes: true}, bad}); err == nil {
			t.Fatal("a record that cannot be written was written")
		}
		if records, err := s.Records(t.Context()); len(records) != 0 || err != nil {
			t.Errorf("%d records are left, %v", len(records), err)
		}
	})
}

func TestLedgersAreKeptOnceAndInOrder(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		token := demo.Tokens()[0]
		first, at := token.CurrentLedger(), demo.Start
		first.Since = &at
		token.Ledger = token.Ledger[:1]
		second, later := token.CurrentLedger(), demo.End
		second.Since = &later
		n := jewel(t, demo.End)
		saved(t, s, supply.Change{Record: record(n), Ledger: &second})
		saved(t, s, supply.Change{Record: record(n), Ledger: &first})
		saved(t, s, supply.Change{Record: record(n), Ledger: &first})
		got, err := s.Ledgers(t.Context(), "jewel")
		if err != nil {
			t.Fatal(err)
		}
		same(t, "the ledgers", got, []ledger.Version{first, second})
	})
}

func TestHistoryIsThinnedButExact(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		var all []*supply.Snapshot
		exact := map[string]string{}
		for at := demo.Start; at.Before(demo.End); at = at.Add(24 * time.Hour) {
			n := jewel(t, at)
			all = append(all, n)
			exact[at.String()] = n.Total.String()
		}
		appendRows(t, s, all...)
		for _, points := range []int{0, 2, 3, 7, 100, len(all), 5000} {
			got, err := s.History(t.Context(), "jewel", demo.Start, demo.End, points)
			if err != nil {
				t.Fatal(err)
			}
			limit := max(points, 2)
			if len(got) > limit || len(got) < min(limit, len(all))/2 || limit >= len(all) && len(got) < len(all) {
				t.Errorf("%d points of %d wanted", len(got), points)
			}
			if !got[0].AsOf.Equal(all[0].AsOf) || !got[len(got)-1].AsOf.Equal(all[len(all)-1].AsOf) {
				t.Errorf("%d points from %s to %s: the first or the last is missing", points, got[0].AsOf,
					got[len(got)-1].AsOf)
			}
			for i, p := range got {
				if exact[p.AsOf.String()] != p.Total.String() {
					t.Errorf("the total of %s is %s, want %s", p.AsOf, p.Total, exact[p.AsOf.String()])
				}
				if i > 0 && !got[i-1].AsOf.Before(p.AsOf) {
					t.Errorf("%s comes before %s", got[i-1].AsOf, p.AsOf)
				}
			}
		}
		got, err := s.History(t.Context(), "jewel", demo.Start, demo.Start, 5)
		if err != nil || len(got) != 1 {
			t.Fatalf("%d points, %v", len(got), err)
		}
		same(t, "a point", got[0], pointOf(all[0]))
	})
}

// All points are returned if they fit, however uneven the times between them are. If two figures
// have one time, it is the one that was published later.
func TestHistoryIsCompleteIfItFits(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		at := []time.Time{demo.Start, demo.Start.Add(time.Hour), demo.Start.Add(2 * time.Hour),
			demo.Start.AddDate(0, 0, 20), demo.Start.AddDate(0, 0, 20).Add(time.Hour)}
		for _, moment := range at {
			n := jewel(t, moment)
			later := *n // published later for the same time
			later.ID = "later"
			appendRows(t, s, n, &later)
		}
		for _, from := range []int{0, 1, 4} {
			for _, since := range []time.Duration{0, time.Millisecond} { // since the time of a figure, or soon after it
				want := len(at) - from
				got, err := s.History(t.Context(), "jewel", at[from].Add(since), demo.End, want)
				if len(got) != max(want, 1) || err != nil || got[0].ID != "later" {
					t.Errorf("from point %d: %d points of %d, %v", from, len(got), want, err)
				}
			}
		}
		few, err := s.History(t.Context(), "jewel", demo.Start, demo.End, len(at)-1)
		if len(few) >= len(at) || err != nil {
			t.Errorf("%d points, %v; at most %d are wanted", len(few), err, len(at)-1)
		}
	})
}

// A history begins with the last figure that was published before it.
func TestHistoryBeginsWithTheFigureInForce(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		if got, err := s.History(t.Context(), "jewel", demo.Start, demo.End, 5); len(got) != 0 || err != nil {
			t.Fatalf("an empty store has %d points, %v", len(got), err)
		}
		day := func(n int) time.Time { return demo.Start.AddDate(0, 0, n) }
		for _, n := range []int{1, 9} {
			saved(t, s, supply.Change{Record: record(jewel(t, day(n))), Publishes: true})
		}
		for _, test := range []struct {
			from, to int
			want     string
		}{
			{0, 10, "1, 9"},
			{1, 1, "1"},
			{4, 8, "1"},
			{5, 9, "1, 9"},
			{-2, -1, ""},
			{-2, 1, "1"},
			{20, 30, "9"},
		} {
			t.Run(fmt.Sprintf("from %d to %d", test.from, test.to), func(t *testing.T) {
				list, err := s.History(t.Context(), "jewel", day(test.from), day(test.to), 100)
				var got []string
				for _, p := range list {
					got = append(got, fmt.Sprint(int(p.AsOf.Sub(demo.Start).Hours()/24)))
				}
				if text := strings.Join(got, ", "); text != test.want || err != nil {
					t.Errorf("%s, %v; want %s", text, err, test.want)
				}
			})
		}
	})
}

func TestTheNewestRowsAndOneADayKeepTheirEvidence(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		s.KeepEvidence = 20
		base := jewel(t, demo.End)
		const rows = 50
		for i := range rows { // three rows a day
			n := *base
			n.AsOf = demo.Start.Add(time.Duration(i) * 8 * time.Hour)
			n.ID = fmt.Sprintf("live%d", i)
			saved(t, s, supply.Change{Record: record(&n), Publishes: true})
		}
		for i := range rows {
			ev, err := s.Evidence(t.Context(), "jewel", fmt.Sprintf("live%d", i))
			kept := i >= rows-s.KeepEvidence || i%3 == 0
			if kept == errors.Is(err, supply.ErrNotFound) || kept && (err != nil || ev.LedgerHash != base.LedgerHash) {
				t.Errorf("evidence of row %d: %v; want it kept: %v", i, err, kept)
			}
		}
		points, err := s.History(t.Context(), "jewel", demo.Start, demo.Start.AddDate(2, 0, 0), maxPoints)
		if err != nil || len(points) != rows {
			t.Errorf("%d rows are left, %v; want all %d", len(points), err, rows)
		}
	})
}

// appendRows adds rows to the history without a record.
func appendRows(t testing.TB, s *Store, snapshots ...*supply.Snapshot) {
	t.Helper()
	err := s.fenced(t.Context(), func(tx *sql.Tx) error {
		for _, n := range snapshots {
			if err := appendRow(t.Context(), tx, n); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A leader's change must be based on the stored record, because the store may have been restored
// meanwhile.
func TestAChangeGoesOnFromTheStoredRecord(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		first := saved(t, s, supply.Change{Record: record(jewel(t, demo.Start)), Publishes: true})
		next := record(jewel(t, demo.Start.Add(time.Hour)))
		for _, seq := range []int64{first + 1, first + 7} {
			next.Seq = seq
			_, err := s.Save(t.Context(), []supply.Change{{Record: next, Publishes: true}})
			if !errors.Is(err, errOtherRecord) {
				t.Errorf("going on from %d where %d is stored: %v", seq, first, err)
			}
		}
		next.Seq = first
		if seq := saved(t, s, supply.Change{Record: next, Publishes: true}); seq <= first {
			t.Errorf("the sequence is %d after %d", seq, first)
		}
	})
}

func TestDecisionsReachTheLeader(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s, operator := leading(t, url), open(t, url)
		rec := record(jewel(t, demo.Start))
		for _, d := range []supply.Decision{
			{Kind: supply.Right, Token: "jewel", Subject: rec.Snapshot.ID, Reason: "seen on chain"},
			{Kind: supply.Accept, Token: "jewel", Subject: supply.Heights, Reason: "the chain was replaced"},
		} {
			t.Run(string(d.Kind), func(t *testing.T) {
				asked, err := operator.AskDecision(t.Context(), d)
				if err != nil {
					t.Fatal(err)
				}
				found, err := s.OpenDecisions(t.Context())
				if err != nil || len(found) != 1 {
					t.Fatalf("%d open decisions, %v", len(found), err)
				}
				same(t, "the decision", found[0], asked)
				if _, decided, err := operator.Decision(t.Context(), asked.ID); decided || err != nil {
					t.Errorf("decided before a leader saw it: %v, %v", decided, err)
				}
				found[0].Granted = true
				saved(t, s, supply.Change{Record: rec, Decided: found})
				d, decided, err := operator.Decision(t.Context(), asked.ID)
				if !decided || err != nil {
					t.Errorf("decided %v, %v", decided, err)
				}
				same(t, "the granted decision", d, found[0])
				if left, err := s.OpenDecisions(t.Context()); len(left) != 0 || err != nil {
					t.Errorf("%d decisions are still open, %v", len(left), err)
				}
			})
		}
		if _, _, err := operator.Decision(t.Context(), "none"); !errors.Is(err, supply.ErrNotFound) {
			t.Errorf("a decision that was never asked for: %v", err)
		}
	})
}

func TestTheHeldFigureIsFound(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		if _, err := s.Held(t.Context(), "jewel"); !errors.Is(err, supply.ErrNotHeld) {
			t.Errorf("before the first figure: %v", err)
		}
		rec := record(jewel(t, demo.Start))
		saved(t, s, supply.Change{Record: rec})
		if _, err := s.Held(t.Context(), "jewel"); !errors.Is(err, supply.ErrNotHeld) {
			t.Errorf("while nothing is held: %v", err)
		}
		rec.Hold = &supply.Hold{Candidate: jewel(t, demo.End), Reason: "too much", Since: demo.End}
		saved(t, s, supply.Change{Record: rec})
		held, err := s.Held(t.Context(), "jewel")
		if err != nil || held.Reason != "too much" || held.Candidate.ID != rec.Hold.Candidate.ID {
			t.Errorf("the hold is %+v, %v", held, err)
		}
	})
}
