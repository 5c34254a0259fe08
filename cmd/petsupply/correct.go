package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/terminal"
)

// correctCmd marks a published figure as wrong, or removes the mark. Like a release, it is a
// request to the running leader, because only the leader writes the log.
type correctCmd struct {
	Snapshot string   `arg:"" help:"The id of the snapshot. It is in the token's document, its history and the headers of its figures."`
	Reason   string   `required:"" placeholder:"TEXT" help:"Why the figure was wrong or, with --undo, why it was right after all. The reason stays in the log forever, and is shown in the figure's history and evidence."`
	Undo     bool     `help:"Take the correction back, because the figure was right. If it is the newest figure, it is served again."`
	Wait     duration `default:"10s" help:"How long to wait until the running service has done it."`
	configFlags
}

// Run writes the request and waits for the decision.
func (c *correctCmd) Run(ctx context.Context, p *program) error {
	if err := checkReason(c.Reason); err != nil {
		return err
	}
	s, db, err := c.openStore(ctx, p)
	if err != nil {
		return err
	}
	defer db.Close()
	id := strings.ToLower(c.Snapshot)
	token, err := db.TokenOf(ctx, id)
	switch {
	case errors.Is(err, supply.ErrNotFound):
		return fmt.Errorf("correcting %s: no such snapshot is in the store %s", terminal.OneLine(c.Snapshot),
			s.StoreName())
	case err != nil:
		return fmt.Errorf("correcting %s: %w", terminal.OneLine(c.Snapshot), err)
	case !slices.ContainsFunc(s.Tokens, func(t ledger.Token) bool { return t.Path == token }):
		return fmt.Errorf("correcting %s: it is a figure of the token %s, which is not configured any more; "+
			"configure the token again first", id, token)
	}
	d := supply.Decision{Kind: supply.Wrong, Token: token, Subject: id, Reason: c.Reason}
	granted := fmt.Sprintf("Corrected: %s of %s is now marked as wrong.", id, token)
	changed, err := db.ChangedSince(ctx, token, id)
	if err != nil {
		return fmt.Errorf("reading the figures since %s: %w", id, err)
	}
	newest, err := db.PublishedAt(ctx, token, supply.Moment{At: time.Now()})
	if err != nil {
		return fmt.Errorf("reading the newest figures of %s: %w", token, err)
	}
	// If the figures have not changed since this snapshot, the newest snapshot must be corrected
	// first. The leader checks this too, but it knows only recent snapshots.
	if !c.Undo && !changed && newest.ID != id && newest.Correction == nil {
		return errors.New(refusal(d))
	}
	if c.Undo {
		point, err := db.PublishedAt(ctx, token, supply.Moment{Snapshot: id})
		if err != nil {
			return fmt.Errorf("reading the snapshot %s: %w", id, err)
		}
		if point.Correction == nil {
			return fmt.Errorf("taking back the correction of %s: the store %s has none", id, s.StoreName())
		}
		d.Kind = supply.Right
		granted = fmt.Sprintf("Taken back: %s of %s is no longer marked as wrong.", id, token)
	}
	return askDecision(ctx, p, s, db, d, c.Wait, granted)
}
