package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"text/tabwriter"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
)

// measureCmd measures once and publishes nothing.
type measureCmd struct {
	Token string `arg:"" help:"The token's path."`
	JSON  bool   `help:"Print the evidence instead of a table; petsupply verify reads it."`
	where
}

// Run prints every entry of the ledger as it is on chain now, the figures, and
// whether they would be published.
func (c *measureCmd) Run(p *program) error {
	s, err := p.settings(c.where, "8080")
	if err != nil {
		return err
	}
	t, err := s.token(c.Token)
	if err != nil {
		return err
	}
	h, err := s.open(p.ctx, slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))
	if err != nil {
		return err
	}
	defer h.close()
	chains, at := h.measured()
	r := supply.Measure(p.ctx, []supply.Token{t}, chains, at)[0]
	if r.Err != nil {
		return r.Err
	}
	if c.JSON {
		out := json.NewEncoder(p.stdout)
		out.SetIndent("", "  ")
		out.SetEscapeHTML(false)
		return out.Encode(r.Snapshot.Evidence)
	}
	printEvidence(p.stdout, r.Snapshot.Evidence)
	return c.judge(p, h, r)
}

// measured returns the chains to measure on, and when.
func (h *house) measured() (map[string]supply.Chain, time.Time) {
	out := map[string]supply.Chain{}
	if h.demo {
		for name, c := range demo.Chains() {
			out[name] = c
		}
		return out, demo.End
	}
	for name, c := range h.chains {
		out[name] = c
	}
	return out, time.Now()
}

// judge says what a running service would do with the measurement.
func (c *measureCmd) judge(p *program, h *house, r supply.Result) error {
	if h.demo {
		return nil
	}
	records, err := h.store.Records(p.ctx, 0)
	if err != nil {
		return fmt.Errorf("reading what is published: %w", err)
	}
	rec := supply.Record{}
	for _, x := range records {
		if x.Token == r.Token.Path {
			rec = x
		}
	}
	next, outcome, err := rec.Judge(r.Token, r.Snapshot, h.Refresh.Agree)
	switch {
	case err != nil:
		return err
	case outcome == supply.Kept:
		fmt.Fprintf(p.stdout, "\nIt would be held: %s.\n", next.Held.Reason)
	default:
		fmt.Fprintln(p.stdout, "\nIt would be published.")
	}
	return nil
}

// printEvidence writes evidence as a person reads it.
func printEvidence(out io.Writer, ev *supply.Evidence) {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "%s (%s)\tas of %s\tledger %.8s\tsnapshot %s\n\n", ev.Symbol, ev.Token, ev.AsOf.Format(time.RFC3339), ev.Ledger, ev.Snapshot)
	for _, c := range ev.Chains {
		fmt.Fprintf(w, "%s (%d)\tblock %d\t%s\t%s\n", c.Name, c.ChainID, c.Number, c.Time.Format(time.RFC3339), c.Hash)
	}
	w.Flush()
	fmt.Fprintln(out)
	t := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "bucket\tlabel\tchain\tdecimals\tamount\t")
	for _, x := range ev.Entries {
		note := ""
		if !x.Counted {
			note = "shown, not counted"
		}
		if x.Entry.Bridge != "" {
			note += " (bridge " + x.Entry.Bridge + ")"
		}
		chain := x.Entry.Chain
		if chain == "" {
			chain = "declared"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%s\t%s\n", x.Entry.Bucket, x.Entry.Label, chain, x.Decimals, x.Amount, note)
	}
	t.Flush()
	fmt.Fprintln(out)
	f := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintf(f, "total\t%s\ncirculating\t%s\nburned\t%s\nlocked\t%s\nreserved\t%s\n",
		ev.Figures.Total, ev.Figures.Circulating, ev.Figures.Burned, ev.Figures.Locked, ev.Figures.Reserved)
	if ev.MaxSupply != nil {
		fmt.Fprintf(f, "maximum\t%s\n", ev.MaxSupply)
	}
	f.Flush()
}
