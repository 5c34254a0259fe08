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
	Accept string   `enum:",heights,decimals" default:"" help:"Instead, let the next figure have lower or earlier blocks (heights), or other decimals: a chain or contract was replaced."`
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
	if c.Accept != "" {
		r, err := db.AskAccept(ctx, t.Path, supply.Accept(c.Accept), c.Reason)
		if err != nil {
			return fmt.Errorf("asking to accept %s of %s: %w", c.Accept, t.Path, err)
		}
		return awaitRelease(ctx, p, db, r, c.Wait, fmt.Sprintf("Accepted: the next figure of %s may have other %s.", t.Path, c.Accept))
	}
	r, held, err := db.AskRelease(ctx, t.Path, c.Reason)
	if err != nil {
		return fmt.Errorf("releasing %s: %w", t.Path, err)
	}
	fmt.Fprintf(p.stdout, "%s was held since %s: %s\n", t.Path, held.Since.Format(time.RFC3339), held.Reason)
	return awaitRelease(ctx, p, db, r, c.Wait, fmt.Sprintf("Released: total %s, circulating %s (snapshot %s).",
		held.Candidate.Total, held.Candidate.Circulating, held.Candidate.ID))
}

// awaitRelease waits until a leader has decided, and says granted if it did so.
func awaitRelease(ctx context.Context, p *program, db *store.Store, r supply.Release, wait duration, granted string) error {
	deadline := time.Now().Add(time.Duration(wait))
	for time.Now().Before(deadline) && ctx.Err() == nil {
		now, decided, err := db.Release(ctx, r.ID)
		switch {
		case err != nil:
			return fmt.Errorf("asking what became of the release: %w", err)
		case decided && now.Granted:
			fmt.Fprintln(p.stdout, granted)
			return nil
		case decided:
			fmt.Fprintln(p.stdout, refusal(r))
			return errReported
		}
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
	fmt.Fprintln(p.stdout, "Nobody has taken it up yet: it waits in the store for the next leader.")
	return ctx.Err()
}

// refusal says why a leader did not grant what was asked for.
func refusal(r supply.Release) string {
	switch r.Accept {
	case "":
		return "Not released: meanwhile another figure is held, or none. Look at the status page and ask again."
	case supply.AcceptCorrection:
		return "Not corrected: the service that runs is of an earlier version, which knows no corrections. Upgrade it and ask again."
	case supply.AcceptCopy:
		return "Not logged: the service that runs is of an earlier version, which logs no copies. Upgrade it and ask again."
	}
	return fmt.Sprintf("Not accepted: nothing of %s is published yet.", r.Token)
}
