package main

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"petsupply/internal/probe"
)

type checkCmd struct {
	URL     []string `arg:"" name:"url" help:"Base addresses of a deployed service: its supply, its pets, or its site."`
	Pet     uint64   `help:"The pet to ask for; by default the first of the listing."`
	Timeout duration `default:"10s" help:"How long to wait for one answer."`
}

func (c *checkCmd) Help() string {
	return `Each address is called as its consumers call it: CoinMarketCap and CoinGecko
read bare figures, Coinranking asks for JSON and must not be refused, Blockscout
sends HEAD for a picture, OpenSea reads metadata, a browser comes from another
origin. One line for each demand; exit code 1 if one of them is not met.`
}

func (c *checkCmd) Run(ctx context.Context, p *program) error {
	checker := probe.NewChecker(c.Pet, time.Duration(c.Timeout), "petsupply-check/"+versionText())
	for _, address := range c.URL {
		if err := checker.Check(ctx, address); err != nil {
			return usageError{err}
		}
	}
	w := tabwriter.NewWriter(p.stdout, 0, 8, 2, ' ', 0)
	failed := 0
	for _, r := range checker.Results {
		word, detail := "ok", ""
		if r.Err != nil {
			word, detail = "FAIL", r.Err.Error()
			failed++
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", word, r.Consumer, oneLine(r.Demand), r.Took.Round(100*time.Microsecond), oneLine(detail))
	}
	w.Flush()
	fmt.Fprintf(p.stdout, "%d passed, %d failed\n", len(checker.Results)-failed, failed)
	if failed > 0 {
		return errReported
	}
	return nil
}
