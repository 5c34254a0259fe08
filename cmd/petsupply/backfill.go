package main

import (
	"context"
	"fmt"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/supply"
	"petsupply/internal/terminal"
)

// backfillCmd measures past figures. It can run beside the service, and again after an
// interruption. It does not measure stored moments again.
type backfillCmd struct {
	Token string   `arg:"" help:"The token's path."`
	Since moment   `required:"" placeholder:"DATE" help:"Start: a date such as 2024-01-31, a time with its zone, or how long ago, such as 30d."`
	Until moment   `placeholder:"DATE" help:"End. Default: now."`
	Step  duration `default:"24h" help:"Time between two measurements."`
	configFlags
}

// Run measures on the configured chains. Their nodes must keep old state.
func (c *backfillCmd) Run(ctx context.Context, p *program) error {
	now := time.Now()
	if c.Until.IsZero() {
		c.Until.Time = now
	}
	step := time.Duration(c.Step)
	if step < time.Minute || !c.Since.Before(c.Until.Time) || c.Until.After(now) {
		return usage("want --since before --until, both past, and --step of at least 1m")
	}
	if c.Config == "" {
		return usage("the demo already has past figures; give the configuration with --config FILE")
	}
	s, err := c.load(p)
	if err != nil {
		return err
	}
	t, err := s.Token(c.Token)
	if err != nil {
		return err
	}
	if len(t.Chains()) == 0 {
		return usage("every amount of %s is declared; there is nothing to measure", t.Path)
	}
	a, err := app.Open(ctx, s, p.warnings())
	if err != nil {
		return err
	}
	defer a.Close()
	return runBackfill(ctx, p, supply.Backfill{Token: t, Since: c.Since.UTC(), Until: c.Until.UTC(), Step: step,
		Chains: a.Chains.ForSupply(), Store: a.Store})
}

// runBackfill runs b and shows its progress.
func runBackfill(ctx context.Context, p *program, b supply.Backfill) error {
	var bar *terminal.Progress
	measured, passed := 0, 0
	var first error
	b.Progress = func(_, total int, _ time.Time, _ *supply.Snapshot, why error) {
		if bar == nil {
			bar = terminal.NewProgress(p.stderr, b.Token.Path+", moments", total)
		}
		if why == nil {
			measured++
		} else if passed++; first == nil {
			first = why
		}
		bar.Add(1)
	}
	err := b.Run(ctx)
	if bar != nil && err == nil {
		bar.Done()
	}
	fmt.Fprintf(p.stdout, "%d moments measured, %d skipped\n", measured, passed)
	if first != nil {
		fmt.Fprintf(p.stdout, "reason for the first skipped moment: %v\n", first)
	}
	if err != nil {
		return fmt.Errorf("%w\nRun the command again to continue from here", err)
	}
	return nil
}
