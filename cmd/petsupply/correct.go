package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/terminal"
)

// correctCmd says that a published figure was wrong. Like a release it is a
// request that the running leader takes up: the log has one writer.
type correctCmd struct {
	Snapshot string   `arg:"" help:"The id of the snapshot, as the token's document, its history and the headers of its figures name it."`
	Reason   string   `required:"" help:"Why it was wrong; it stands in the log for ever, and beside the figure in its history and evidence."`
	Wait     duration `default:"10s" help:"How long to wait for the running service to take it up."`
	configFlags
}

// Run asks, and waits for the answer.
func (c *correctCmd) Run(ctx context.Context, p *program) error {
	if strings.TrimSpace(c.Reason) == "" {
		return usage("--reason wants words")
	}
	if c.Config == "" {
		return usage("the demo's figures are all invented; give the configuration with --config FILE")
	}
	s, err := c.load(p)
	if err != nil {
		return err
	}
	db, err := s.OpenStore(ctx, nil)
	if err != nil {
		return err
	}
	defer db.Close()
	r, err := db.AskCorrection(ctx, strings.ToLower(c.Snapshot), c.Reason)
	switch {
	case errors.Is(err, supply.ErrNotFound):
		return fmt.Errorf("correcting %s: no such snapshot was published", terminal.OneLine(c.Snapshot))
	case err != nil:
		return fmt.Errorf("correcting %s: %w", c.Snapshot, err)
	case !slices.ContainsFunc(s.Tokens, func(t ledger.Token) bool { return t.Path == r.Token }):
		return fmt.Errorf("correcting %s: it is of %s, which is not configured any more: nobody takes it up until it is again", r.Candidate, r.Token)
	}
	return awaitRelease(ctx, p, db, r, c.Wait, fmt.Sprintf("Corrected: %s of %s is said to have been wrong.", r.Candidate, r.Token))
}
