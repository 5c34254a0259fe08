package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/pet/collection"
	"petsupply/internal/store"
	"petsupply/internal/store/database"
	"petsupply/internal/supply"
	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/tlog"
)

// demoMoments are when the demo was measured: in its last week every six hours,
// before that once a day.
func demoMoments() (moments []time.Time) {
	week := demo.End.AddDate(0, 0, -7)
	for at := demo.Start; !at.After(demo.End); {
		moments = append(moments, at)
		if at.Before(week) {
			at = at.Add(24 * time.Hour)
		} else {
			at = at.Add(6 * time.Hour)
		}
	}
	return moments
}

// demoFile names the store of the demo after its content and schema, so that a
// program with another kingdom or other tables makes its own.
func demoFile(words map[string]collection.Table) string {
	sum := sha256.New()
	pets := collection.Pets()
	fmt.Fprintln(sum, database.NewestSchema(), demoMoments(), pets.Layout, pets.GetterText())
	for _, t := range demo.Tokens() {
		fmt.Fprintln(sum, t.LedgerHash())
	}
	for _, p := range demo.Sample(words) {
		fmt.Fprintln(sum, p)
	}
	return "demo-" + hex.EncodeToString(sum.Sum(nil)[:6]) + ".db"
}

// loadDemo measures the demo's chains through its whole history and puts the
// figures and the pets into the store, unless they are there, and then logs what
// is published. The log comes last: a load that was cut off goes on.
func (a *App) loadDemo(ctx context.Context) error {
	for {
		l, err := a.Store.Log(ctx, "")
		if err == nil && l.Signed != nil {
			return nil
		}
		if err != nil && !errors.Is(err, tlog.ErrNone) {
			return err
		}
		won, err := a.Store.Campaign(ctx, "demo", a.Settings.Lease)
		if err != nil {
			return err
		}
		if won {
			break
		}
		select { // another process is loading it, or was when it ended
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	defer a.Store.Resign(context.WithoutCancel(ctx))
	seq, err := a.Store.Sequence(ctx)
	if err == nil && seq == 0 {
		err = a.loadDemoFigures(ctx)
	}
	if err != nil {
		return err
	}
	return a.loadDemoLog(ctx)
}

// loadDemoFigures loads the kingdom; the figures come last.
func (a *App) loadDemoFigures(ctx context.Context) error {
	if _, err := a.Store.ImportPets(ctx, a.Settings.Kingdom(), demo.Pets(a.Packs.Current().Tables())); err != nil {
		return err
	}
	if err := a.Store.IndexPets(ctx); err != nil {
		return err
	}
	var changes []supply.Change
	for _, at := range demoMoments() {
		for _, r := range supply.Measure(ctx, a.Settings.Tokens, demo.Chains(at), at) {
			if r.Err != nil {
				return r.Err
			}
			r.Snapshot.Demo = true
			record := supply.Record{Token: r.Token.Path, Snapshot: r.Snapshot, Confirmed: r.Snapshot.MeasuredAt}
			c := supply.Change{Record: record, Publishes: true}
			if at.Equal(demo.Start) {
				version := r.Token.CurrentLedger()
				version.Since = &demo.Start
				c.Ledger = &version
			}
			changes = append(changes, c)
		}
	}
	_, err := a.Store.Save(ctx, changes)
	return err
}

// demoProofs say how the demo's entries are known: its chains have no headers
// that could prove anything, and agree with nobody but themselves.
type demoProofs struct{ *store.Store }

// Proof returns how the entries of a snapshot are known.
func (d demoProofs) Proof(ctx context.Context, token, snapshot string) (*proof.Document, error) {
	ev, err := d.Evidence(ctx, token, snapshot)
	if err != nil {
		return nil, err
	}
	out := &proof.Document{Format: proof.Format, Snapshot: snapshot, Entries: []proof.Entry{}}
	for _, x := range ev.Entries {
		known := proof.Agreed(1, 1)
		if x.Entry.Amount != nil {
			known = proof.Declared
		}
		out.Entries = append(out.Entries, proof.Entry{Label: x.Entry.Label, Known: known})
	}
	return out, nil
}
