package main

import (
	"context"
	"fmt"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/supply"
	"petsupply/internal/terminal"
)

// backfillCmd measures the past. It may run beside the service, and again after
// it was interrupted: what is there is not measured twice.
type backfillCmd struct {
	Token string   `arg:"" help:"The token's path."`
	Since moment   `required:"" placeholder:"DATE" help:"From when on: 2024-01-31, a time with zone, or so long ago: 30d."`
	Until moment   `placeholder:"DATE" help:"To when. Default: now."`
	Step  duration `default:"24h" help:"How far the measurements lie apart."`
	configFlags
}

// Run measures each moment on the configured chains, whose nodes must keep old
// states.
func (c *backfillCmd) Run(ctx context.Context, p *program) error {
	now := time.Now()
	if c.Until.IsZero() {
		c.Until.Time = now
	}
	step := time.Duration(c.Step)
	if step < time.Minute || !c.Since.Before(c.Until.Time) || c.Until.After(now) {
		return usage("want --since before --until, both past, and --step of at least 1m")
	}
	s, t, err := c.loadToken(p, c.Token, "the demo has its past already")
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
	chains := map[string]supply.Chain{}
	for name, chain := range a.Chains {
		chains[name] = chain
	}
	return runBackfill(ctx, p, supply.Backfill{Token: t, Since: c.Since.UTC(), Until: c.Until.UTC(), Step: step, Chains: chains, Store: a.Store})
}

// runBackfill runs it and tells how far it has come.
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
	fmt.Fprintf(p.stdout, "%d moments measured, %d passed over\n", measured, passed)
	if first != nil {
		fmt.Fprintf(p.stdout, "the first was passed over because: %v\n", first)
	}
	if err != nil {
		return fmt.Errorf("%w\nRun it again to go on from here", err)
	}
	return nil
}
