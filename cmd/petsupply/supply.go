package main

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/terminal"
	"petsupply/internal/web/answer"
)

// supplyCmd prints published data from the store. It reads no chain.
type supplyCmd struct {
	Token       string   `arg:"" optional:"" help:"The token's path. Default: all tokens."`
	Since       duration `placeholder:"TIME" help:"Print a table of the figures over this time: 24h, 30d, 8w."`
	At          moment   `placeholder:"TIME" help:"Print the data of a past time: a date such as 2026-01-31, a time with its zone, Unix seconds, or how long ago, such as 30d."`
	Points      int      `default:"60" help:"The most rows of the table."`
	configFlags `set:"demo= Default: the embedded demo kingdom."`
}

// Run prints the same bytes that the service answers or, with --since, a table.
func (c *supplyCmd) Run(ctx context.Context, p *program) error {
	if c.Since > 0 && c.Token == "" {
		return usage("--since needs the path of a token")
	}
	if c.Since > 0 && !c.At.IsZero() {
		return usage("give --at or --since, not both")
	}
	if c.At.After(time.Now()) {
		return usage("--at is in the future")
	}
	s, err := c.loadPart(p, "packs", "refresh")
	if err != nil {
		return err
	}
	var token ledger.Token
	if c.Token != "" {
		if token, err = s.Token(c.Token); err != nil {
			return err
		}
	}
	a, err := app.Open(ctx, s, quiet())
	if err != nil {
		return err
	}
	defer a.Close()
	if c.Since > 0 {
		return c.printTable(ctx, p, a, token.Path)
	}
	return printDocuments(ctx, p, a, token.Path, c.At.Time)
}

// printDocuments writes the service's answer for a token, or for all tokens. The answer has current
// data, or data of a past time if the argument at is not zero.
func printDocuments(ctx context.Context, p *program, a *app.App, token string, at time.Time) error {
	if err := a.LoadBoard(ctx); err != nil {
		return err
	}
	documents := []supply.Document{}
	for _, s := range a.Board.Now().States {
		if token != "" && s.Token.Path != token {
			continue
		}
		if !at.IsZero() {
			past, err := s.StateAt(ctx, a.Store, supply.Moment{At: at})
			if err != nil && token != "" {
				return fmt.Errorf("%s: %w", token, err)
			}
			documents = append(documents, past.Document())
			continue
		}
		if s.Token.Path == token && s.Status == supply.Withdrawn {
			return fmt.Errorf("the figure of %s is withdrawn: %s", token, terminal.OneLine(s.Correction.Reason))
		}
		if s.Token.Path == token && !s.Available() {
			return fmt.Errorf("%s has no figure that may be published now; petsupply measure %s says why", token, token)
		}
		documents = append(documents, s.Document())
	}
	var what any = documents
	if token != "" {
		what = documents[0]
	}
	text, err := answer.Encode(what)
	if err != nil {
		return err
	}
	_, err = p.stdout.Write(text)
	return err
}

func (c *supplyCmd) printTable(ctx context.Context, p *program, a *app.App, token string) error {
	to := a.Settings.Now()
	points, err := a.Store.History(ctx, token, to.Add(-time.Duration(c.Since)), to, c.Points)
	if err != nil {
		return fmt.Errorf("reading the history of %s: %w", token, err)
	}
	if len(points) == 0 {
		return fmt.Errorf("%s has no history yet", token)
	}
	w := tabwriter.NewWriter(p.stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "as of\ttotal\tcirculating\tburned\tlocked\treserved\tledger\t")
	for _, x := range points {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%.8s\t\n", x.AsOf.Format(time.RFC3339),
			x.Total, x.Circulating, x.Burned, x.Locked, x.Reserved, x.LedgerHash)
	}
	return w.Flush()
}
