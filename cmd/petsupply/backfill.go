package main

import (
	"context"
	"fmt"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/supply"
)

// backfillCmd measures the past. It may run beside the service, and again after
// it was interrupted: what is there is not measured twice.
type backfillCmd struct {
	Token string   `arg:"" help:"The token's path."`
	Since string   `required:"" placeholder:"DATE" help:"From when on: 2024-01-31, a time with zone, or so long ago: 30d."`
	Until string   `placeholder:"DATE" help:"To when. Default: now."`
	Step  duration `default:"24h" help:"How far the measurements lie apart: 90m, 24h, 7d."`
	configFlags
}

// Run measures each moment on the configured chains, whose nodes must keep old
// states.
func (c *backfillCmd) Run(ctx context.Context, p *program) error {
	since, until, err := c.period(time.Now().UTC())
	if err != nil {
		return err
	}
	s, err := c.loadFile(p, "the demo has its past already; give the configuration with --config FILE")
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
	chains := map[string]supply.Chain{}
	for name, chain := range a.Chains {
		chains[name] = chain
	}
	return runBackfill(ctx, p, supply.Backfill{Token: t, Since: since, Until: until, Step: time.Duration(c.Step), Chains: chains, Store: a.Store})
}

// runBackfill runs it and tells how far it has come.
func runBackfill(ctx context.Context, p *program, b supply.Backfill) error {
	var bar *progress
	measured, passed := 0, 0
	var first error
	b.Progress = func(_, total int, _ time.Time, _ *supply.Snapshot, why error) {
		if bar == nil {
			bar = newProgress(p.stderr, b.Token.Path+", moments", total)
		}
		if why == nil {
			measured++
		} else if passed++; first == nil {
			first = why
		}
		bar.add(1)
	}
	err := b.Run(ctx)
	if bar != nil && err == nil {
		bar.done()
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

// period is what --since and --until say.
func (c *backfillCmd) period(now time.Time) (since, until time.Time, err error) {
	if since, err = parseTime(c.Since, now); err != nil {
		return since, until, usage("--since: %w", err)
	}
	until = now
	if c.Until != "" {
		if until, err = parseTime(c.Until, now); err != nil {
			return since, until, usage("--until: %w", err)
		}
	}
	if time.Duration(c.Step) < time.Minute || !since.Before(until) || until.After(now) {
		err = usage("want --since before --until, both past, and --step of at least 1m")
	}
	return since, until, err
}

// parseTime reads a date, a time, or a span before now.
func parseTime(s string, now time.Time) (time.Time, error) {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	span, err := supply.ParseDuration(s)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q: want a date such as 2024-01-31, a time such as 2024-01-31T12:00:00Z, or a span such as 30d", s)
	}
	return now.Add(-span), nil
}

// A duration is a flag that is read as lengths of time in the configuration are.
type duration time.Duration

func (d *duration) UnmarshalText(text []byte) error {
	read, err := supply.ParseDuration(string(text))
	*d = duration(read)
	return err
}
