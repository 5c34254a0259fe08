package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/store"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// measureCmd measures once and publishes nothing.
type measureCmd struct {
	Token string `arg:"" help:"The token's path."`
	JSON  bool   `help:"Print the evidence instead of a table; petsupply verify reads it."`
	configFlags
}

// Run prints every entry of the ledger as it is on chain now, the figures, and whether a running
// service would publish them.
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
	defer dialled.Close()
	if s.Notice != "" {
		fmt.Fprintln(p.stderr, "This is the demo kingdom: every figure in it is invented.")
	}
	r := supply.Measure(ctx, []ledger.Token{t}, dialled.ForSupply(), s.Now())[0]
	if r.Evidence == nil || c.JSON && r.Err != nil {
		return r.Err
	}
	if c.JSON {
		return p.printJSON(r.Evidence)
	}
	printEvidence(p.stdout, r.Evidence)
	if r.Err != nil || s.Notice != "" {
		return r.Err
	}
	return printJudgement(ctx, p, s, r)
}

// printJudgement says whether a running service would publish the measurement.
func printJudgement(ctx context.Context, p *program, s *app.Settings, r supply.Result) error {
	published, err := publishedRecords(ctx, s)
	if errors.Is(err, store.ErrNoStore) {
		fmt.Fprintf(p.stderr, "Nothing is published yet: there is no store at %s.\n", s.StoreName())
		err = nil
	}
	if err != nil {
		return fmt.Errorf("measured, but the published figure could not be read: %w", err)
	}
	record := published[r.Token.Path]
	next, _, err := record.Judge(r.Token, r.Snapshot, s.Refresh.Rules())
	if err != nil {
		return err
	}
	switch {
	case next.Hold != nil:
		fmt.Fprintf(p.stdout, "\nThis measurement would be held: %s.\n", next.Hold.Reason)
	case next.Snapshot == record.Snapshot:
		fmt.Fprintln(p.stdout, "\nThis measurement equals the last published one, so nothing new would be published.")
	default:
		fmt.Fprintln(p.stdout, "\nThis measurement would be published.")
	}
	return nil
}

// publishedRecords returns the records in the store, by token. The store must exist.
func publishedRecords(ctx context.Context, s *app.Settings) (map[string]supply.Record, error) {
	s.Existing = true
	db, err := s.OpenStore(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	records, err := db.Records(ctx)
	published := map[string]supply.Record{}
	for _, r := range records {
		published[r.Token] = r
	}
	return published, err
}

// printEvidence writes evidence as a table for people.
func printEvidence(out io.Writer, ev *supply.Evidence) {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "%s (%s)\tas of %s\tmeasured at %s\tledger %.8s\n\n", ev.Symbol, ev.Token,
		ev.AsOf.Format(time.RFC3339), ev.MeasuredAt.Format(time.RFC3339), ev.LedgerHash)
	for _, c := range ev.Chains {
		fmt.Fprintf(w, "%s (%d)\tblock %d\t%s\t%s\n", c.Chain, c.ChainID, c.Number, c.Time.Format(time.RFC3339), c.Hash)
	}
	fmt.Fprintf(w, "\n\fbucket\tlabel\tchain\tdecimals\tamount\t\n")
	for _, x := range ev.Entries {
		note := ""
		if !x.Counted {
			note = "shown, not counted"
		}
		if x.Entry.Bridge != "" {
			note += " (bridge " + x.Entry.Bridge + ")"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%s\n",
			x.Entry.Bucket, x.Entry.Label, cmp.Or(x.Entry.Chain, "declared"), x.Decimals, x.Amount, note)
	}
	fmt.Fprintf(w, "\n\ftotal\t%s\ncirculating\t%s\nburned\t%s\nlocked\t%s\nreserved\t%s\n",
		ev.Figures.Total, ev.Figures.Circulating, ev.Figures.Burned, ev.Figures.Locked, ev.Figures.Reserved)
	if ev.MaxSupply != nil {
		fmt.Fprintf(w, "maximum\t%s\n", ev.MaxSupply)
	}
	w.Flush()
}
