package main

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"petsupply/internal/supply"
)

// backfillCmd measures the past. It may run beside the service, and again after
// it was interrupted: what is there is not measured twice.
type backfillCmd struct {
	Token string        `arg:"" help:"The token's path."`
	Since string        `required:"" placeholder:"DATE" help:"From when on: 2024-01-31, a time with zone, or so long ago: 30d."`
	Until string        `placeholder:"DATE" help:"To when. Default: now."`
	Step  time.Duration `default:"24h" help:"How far the measurements lie apart."`
	where
}

// Run measures each moment on the configured chains, whose nodes must keep old
// states.
func (c *backfillCmd) Run(p *program) error {
	now := time.Now().UTC()
	since, err := parseWhen(c.Since, now)
	if err != nil {
		return usageError{fmt.Errorf("--since: %w", err)}
	}
	until := now
	if c.Until != "" {
		if until, err = parseWhen(c.Until, now); err != nil {
			return usageError{fmt.Errorf("--until: %w", err)}
		}
	}
	if c.Step < time.Minute || !since.Before(until) || until.After(now) {
		return usageError{errors.New("want --since before --until, both past, and --step of at least 1m")}
	}
	s, err := p.settings(c.where, "8080")
	if err != nil {
		return err
	}
	if s.demo {
		return usageError{errors.New("the demo has its past already; give the configuration with --config FILE")}
	}
	t, err := s.token(c.Token)
	if err != nil {
		return err
	}
	if len(t.Chains()) == 0 {
		return usageError{fmt.Errorf("every amount of %s is declared; there is nothing to measure", t.Path)}
	}
	h, err := s.open(p.ctx, slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))
	if err != nil {
		return err
	}
	defer h.close()
	chains := map[string]supply.ArchiveChain{}
	for name, chain := range h.chains {
		chains[name] = chain
	}
	b := supply.Backfill{Token: t, Since: since, Until: until, Step: c.Step, Chains: chains, Store: h.store}
	return c.fill(p, b)
}

// fill runs the back-fill and tells how far it has come.
func (c *backfillCmd) fill(p *program, b supply.Backfill) error {
	var bar *progress
	measured, passed := 0, 0
	var first error
	b.Progress = func(_, total int, _ time.Time, _ *supply.Snapshot, why error) {
		if bar == nil {
			bar = newProgress(p.stderr, b.Token.Path+", moments", total)
		}
		if why != nil {
			passed++
			if first == nil {
				first = why
			}
		} else {
			measured++
		}
		bar.add(1)
	}
	err := b.Run(p.ctx)
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

// parseWhen reads a date, a time, or a span before now.
func parseWhen(s string, now time.Time) (time.Time, error) {
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
