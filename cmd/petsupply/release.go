package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/store"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

// releaseCmd releases a held figure. It writes a request into the store. The running leader
// decides, so that only one process publishes.
type releaseCmd struct {
	Token  string   `arg:"" help:"The token's path."`
	Reason string   `required:"" placeholder:"TEXT" help:"Why the figure is right. The reason is kept with the release."`
	Accept string   `enum:",heights,decimals" default:"" placeholder:"heights|decimals" help:"Instead of a release, let the next figure have lower or earlier blocks (heights) or other decimals (decimals), because a chain or contract was replaced."`
	Wait   duration `default:"10s" help:"How long to wait until the running service has done it."`
	configFlags
}

// Run writes the request and waits for the decision.
func (c *releaseCmd) Run(ctx context.Context, p *program) error {
	if err := checkReason(c.Reason); err != nil {
		return err
	}
	s, db, err := c.openStore(ctx, p)
	if err != nil {
		return err
	}
	defer db.Close()
	t, err := s.Token(c.Token)
	if err != nil {
		return err
	}
	d := supply.Decision{Token: t.Path, Reason: c.Reason}
	granted := fmt.Sprintf("Accepted: the next figure of %s may have other %s.", t.Path, c.Accept)
	switch c.Accept {
	case supply.Heights, supply.Decimals:
		d.Kind = supply.Accept
		d.Subject = c.Accept
	default:
		held, err := db.Held(ctx, t.Path)
		if err != nil {
			return fmt.Errorf("releasing %s in the store %s: %w", t.Path, s.StoreName(), err)
		}
		d.Kind = supply.Right
		d.Subject = held.Candidate.ID
		fmt.Fprintf(p.stdout, "%s has been held since %s: %s (store %s)\n", t.Path,
			held.Since.Format(time.RFC3339), held.Reason, s.StoreName())
		granted = fmt.Sprintf("Released: total %s, circulating %s (snapshot %s).",
			held.Candidate.Total, held.Candidate.Circulating, held.Candidate.ID)
	}
	return askDecision(ctx, p, s, db, d, c.Wait, granted)
}

// checkReason returns an error if there is no reason, or if the log would cut it.
func checkReason(reason string) error {
	switch {
	case strings.TrimSpace(reason) == "":
		return usage("--reason needs a text")
	case len(strings.ToValidUTF8(reason, "\ufffd")) > tlog.MaxReason: // the store replaces invalid bytes
		return usage("--reason is longer than %d bytes", tlog.MaxReason)
	}
	return nil
}

// refusal says why a decision was refused.
func refusal(d supply.Decision) string {
	switch {
	case d.Kind == supply.Wrong:
		return "not corrected: " + d.Token + " was published again with the same figures; " +
			"correct its newest snapshot first"
	case d.Undoes:
		return "not taken back: the snapshot has no correction any more"
	case d.Kind == supply.Right:
		return "not released: this figure is no longer held; look at the status page and try again"
	}
	return "not accepted: nothing of " + d.Token + " is published yet"
}

// askDecision asks the leader for a decision and waits until the leader has decided. The text in
// granted is printed if the answer is yes.
func askDecision(ctx context.Context, p *program, s *app.Settings, db *store.Store, d supply.Decision, wait duration,
	granted string) error {
	d, err := db.AskDecision(ctx, d)
	if err != nil {
		return fmt.Errorf("writing the request into the store %s: %w", s.StoreName(), err)
	}
	deadline := time.Now().Add(time.Duration(wait))
	for time.Now().Before(deadline) && ctx.Err() == nil {
		now, decided, err := db.Decision(ctx, d.ID)
		switch {
		case err != nil:
			return fmt.Errorf("reading the decision: %w", err)
		case decided && now.Granted:
			fmt.Fprintln(p.stdout, granted)
			return nil
		case decided:
			return errors.New(refusal(now))
		}
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
	fmt.Fprintf(p.stdout, "No leader has decided yet. The request waits in the store %s for the next leader.\n",
		s.StoreName())
	return ctx.Err()
}
