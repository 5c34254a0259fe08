package store

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

// A correction is taken back, and the key changes before the log is signed again. The next log says
// so, because the signed part of the log before says that the figures are wrong.
func TestAnUnsignedDecisionIsInTheNextLog(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		k := keeperOf(s, t.TempDir())
		step(t, k)
		n := publish(t, s, demo.Start)
		d := supply.Decision{ID: "1", Kind: supply.Wrong, Token: "jewel", Subject: n.ID, Reason: "wrong",
			At:      demo.Start,
			Granted: true}
		wrong, _ := record(n).Decide(d)
		saved(t, s, supply.Change{Record: wrong, Decided: []supply.Decision{d}})
		step(t, k)
		d.ID, d.Kind, d.Undoes = "2", supply.Right, true
		right, _ := wrong.Decide(d)
		saved(t, s, supply.Change{Record: right, Decided: []supply.Decision{d}})
		next := keeperOf(s, t.TempDir())
		next.Key = tlog.NewKey([32]byte{2})
		step(t, next)
		var kinds []string
		for _, leaf := range leaves(t, next) {
			if d, err := tlog.ParseLeaf(tlog.DecisionFormat, leaf); err == nil {
				kinds = append(kinds, d.(tlog.Decision).Kind)
			}
		}
		if !slices.Equal(kinds, []string{string(supply.Right)}) {
			t.Errorf("the decisions in the next log are %q", kinds)
		}
	})
}

func TestACorrectionIsLoggedAndShown(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		k := keeperOf(s, t.TempDir())
		step(t, k)
		wrong, now := publish(t, s, demo.Start), publish(t, s, demo.Start.Add(time.Hour))
		if _, err := s.TokenOf(t.Context(), strings.Repeat("a", 64)); !errors.Is(err, supply.ErrNotFound) {
			t.Errorf("correcting what was never published: %v", err)
		}
		for _, n := range []*supply.Snapshot{wrong, now} {
			token, err := s.TokenOf(t.Context(), n.ID)
			if err != nil || token != "jewel" {
				t.Fatalf("%s is of %q, %v", n.ID, token, err)
			}
			asked, err := open(t, url).AskDecision(t.Context(),
				supply.Decision{Kind: supply.Wrong, Token: token, Subject: n.ID,
					Reason: "an entry of " + n.ID + " (d\xe9p\xf4t) was missing"}) // not UTF-8
			if err != nil {
				t.Fatal(err)
			}
			rec, granted := record(now).Decide(asked)
			if asked.Granted = granted; !granted || (rec.Correction != nil) != (n == now) {
				t.Errorf("the correction of %s: granted %v, the record says %v", n.ID, granted, rec.Correction)
			}
			saved(t, s, supply.Change{Record: rec, Decided: []supply.Decision{asked}})
		}
		step(t, k)
		all := leaves(t, k)
		for i, n := range []*supply.Snapshot{wrong, now} {
			if leaf := string(all[len(all)-2+i]); !strings.HasPrefix(leaf,
				`{"format":"petsupply-decision/1","token":"jewel","kind":"wrong","subject":"`+n.ID+`","reason":"an entry of `) {
				t.Errorf("the leaf is %s", leaf)
			} else if _, err := tlog.ParseLeaf("petsupply-decision/1", []byte(leaf)); err != nil {
				t.Errorf("the leaf %s: %v", leaf, err)
			}
			ev, err := s.Evidence(t.Context(), "jewel", n.ID)
			if err != nil || ev.Correction == nil || !strings.Contains(ev.Correction.Reason, n.ID) {
				t.Errorf("the evidence of %s: %v", n.ID, err)
			}
			if v := supply.Verify(t.Context(), ev, supply.Against{}); !v.OK() || ev.Snapshot != n.ID {
				t.Errorf("the correction changed the evidence: %+v", v)
			}
		}
		for _, m := range []supply.Moment{{At: wrong.AsOf}, {Snapshot: wrong.ID}} {
			p, err := s.PublishedAt(t.Context(), "jewel", m)
			if err != nil || p.ID != wrong.ID || p.Correction == nil ||
				!strings.Contains(p.Correction.Reason, wrong.ID) {
				t.Errorf("at %s: %+v, %v", m, p, err)
			}
		}
		if _, err := s.PublishedAt(t.Context(), "jade", supply.Moment{Snapshot: wrong.ID}); !errors.Is(err,
			supply.ErrNotFound) {
			t.Errorf("a snapshot of another token: %v", err)
		}
		points, err := s.History(t.Context(), "jewel", demo.Start, demo.End, 10)
		if err != nil || len(points) != 2 || points[0].Correction == nil || points[1].Correction == nil {
			t.Errorf("history: %+v, %v", points, err)
		}
		records, err := s.Records(t.Context())
		if err != nil || records[0].Correction == nil {
			t.Errorf("the record: %+v, %v", records, err)
		}
		again := *now // with the same figures
		again.ID, again.AsOf = strings.Repeat("b", 64), now.AsOf.Add(time.Hour)
		saved(t, s, supply.Change{Record: record(&again), Publishes: true})
		for id, want := range map[string]bool{wrong.ID: true, now.ID: false, again.ID: false} {
			if changed, err := s.ChangedSince(t.Context(), "jewel", id); err != nil || changed != want {
				t.Errorf("changed since %s: %v, %v", id, changed, err)
			}
		}
	})
}
