package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"petsupply/internal/store"
	"petsupply/internal/supply"
)

// releaseCmd lets a held figure through. It writes a request into the store;
// the running leader decides it, so that one process alone publishes.
type releaseCmd struct {
	Token  string   `arg:"" help:"The token's path."`
	Reason string   `required:"" help:"Why the figure is right; it is kept with the release."`
	Wait   duration `default:"10s" help:"How long to wait for the running service to take it up."`
	configFlags
}

// Run asks, and waits for the answer.
func (c *releaseCmd) Run(ctx context.Context, p *program) error {
	if strings.TrimSpace(c.Reason) == "" {
		return usage("--reason wants words")
	}
	s, t, err := c.loadToken(p, c.Token, "the demo holds nothing")
	if err != nil {
		return err
	}
	db, err := s.OpenStore(ctx, nil)
	if err != nil {
		return err
	}
	defer db.Close()
	r, held, err := db.AskRelease(ctx, t.Path, c.Reason)
	if err != nil {
		return fmt.Errorf("releasing %s: %w", t.Path, err)
	}
	fmt.Fprintf(p.stdout, "%s was held since %s: %s\n", t.Path, held.Since.Format(time.RFC3339), held.Reason)
	return c.await(ctx, p, db, r, held)
}

// await waits until a leader has decided.
func (c *releaseCmd) await(ctx context.Context, p *program, db *store.Store, r supply.Release, held *supply.Hold) error {
	deadline := time.Now().Add(time.Duration(c.Wait))
	for time.Now().Before(deadline) && ctx.Err() == nil {
		now, decided, err := db.Release(ctx, r.ID)
		switch {
		case err != nil:
			return fmt.Errorf("asking what became of the release: %w", err)
		case decided && now.Granted:
			fmt.Fprintf(p.stdout, "Released: total %s, circulating %s (snapshot %s).\n",
				held.Candidate.Total, held.Candidate.Circulating, held.Candidate.ID)
			return nil
		case decided:
			fmt.Fprintln(p.stdout, "Not released: meanwhile another figure is held, or none. Look at the status page and ask again.")
			return errReported
		}
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
	fmt.Fprintln(p.stdout, "Nobody has taken it up yet: the release waits in the store for the next leader.")
	return ctx.Err()
}
