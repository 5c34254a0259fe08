package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/demo"
	"petsupply/internal/supply"
)

// measureCmd measures once and publishes nothing.
type measureCmd struct {
	Token string `arg:"" help:"The token's path."`
	JSON  bool   `help:"Print the evidence instead of a table; petsupply verify reads it."`
	configFlags
}

// Run prints every entry of the ledger as it is on chain now, the figures, and
// whether they would be published.
func (c *measureCmd) Run(ctx context.Context, p *program) error {
	s, err := c.load(p)
	if err != nil {
		return err
	}
	t, err := s.Token(c.Token)
	if err != nil {
		return err
	}
	dialled, err := s.Dial(p.warnings())
	if err != nil {
		return err
	}
	chains := map[string]supply.Chain{}
	for name, chain := range dialled {
		defer chain.Close()
		chains[name] = chain
	}
	at := time.Now()
	if s.Demo {
		fmt.Fprintln(p.stderr, "This is the demo kingdom: every figure in it is invented.")
		at = demo.End
		for name, chain := range demo.Chains() {
			chains[name] = chain
		}
	}
	r := supply.Measure(ctx, []supply.Token{t}, chains, at)[0]
	if r.Evidence == nil || c.JSON && r.Err != nil {
		return r.Err
	}
	if c.JSON {
		out := json.NewEncoder(p.stdout)
		out.SetIndent("", "  ")
		out.SetEscapeHTML(false)
		return out.Encode(r.Evidence)
	}
	printEvidence(p.stdout, r.Evidence)
	if r.Err != nil || s.Demo {
		return r.Err
	}
	return judge(ctx, p, s, r)
}

// judge says what a running service would do with the measurement.
func judge(ctx context.Context, p *program, s *app.Settings, r supply.Result) error {
	records, err := published(ctx, s)
	if err != nil {
		return fmt.Errorf("measured, but what is published could not be read: %w", err)
	}
	rec := supply.Record{}
	for _, x := range records {
		if x.Token == r.Token.Path {
			rec = x
		}
	}
	next, outcome, err := rec.Judge(r.Token, r.Snapshot, s.Refresh.Confirmations)
	switch {
	case err != nil:
		return err
	case outcome == supply.Held:
		fmt.Fprintf(p.stdout, "\nIt would be held: %s.\n", next.Hold.Reason)
	default:
		fmt.Fprintln(p.stdout, "\nIt would be published.")
	}
	return nil
}

// published reads the records of all tokens.
func published(ctx context.Context, s *app.Settings) ([]supply.Record, error) {
	db, err := s.OpenStore(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return db.Records(ctx, 0)
}

// printEvidence writes evidence as a person reads it.
func printEvidence(out io.Writer, ev *supply.Evidence) {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "%s (%s)\tas of %s\tledger %.8s\tsnapshot %s\n\n", ev.Symbol, ev.Token, ev.AsOf.Format(time.RFC3339), ev.LedgerHash, ev.Snapshot)
	for _, c := range ev.Chains {
		fmt.Fprintf(w, "%s (%d)\tblock %d\t%s\t%s\n", c.Chain, c.ChainID, c.Number, c.Time.Format(time.RFC3339), c.Hash)
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
