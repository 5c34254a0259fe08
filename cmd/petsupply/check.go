package main

import (
	"context"
	"fmt"
	"time"

	"petsupply/internal/probe"
	"petsupply/internal/terminal"
)

type checkCmd struct {
	URL     []string `arg:"" name:"url" help:"Base addresses of a deployed service: its supply, its pets, or its site."`
	Pet     uint64   `help:"The pet to ask for; by default the first of the listing."`
	Timeout duration `default:"10s" help:"How long to wait for one answer."`
	JSON    bool     `help:"Print one JSON document at the end instead of lines."`
}

func (c *checkCmd) Help() string {
	return `Each address is called as its consumers call it: CoinMarketCap and CoinGecko
read bare figures, Coinranking asks for JSON and must not be refused, Blockscout
sends HEAD for a picture, OpenSea reads metadata, a browser comes from another
origin. One line for each demand as it is tried; exit code 1 if one of them is
not met. A demo or a frozen copy passes, and is named.`
}

// checkReport is what --json prints.
type checkReport struct {
	URL     []string      `json:"url"`
	Passed  int           `json:"passed"`
	Failed  int           `json:"failed"`
	Demands []checkDemand `json:"demands"`
}

type checkDemand struct {
	Consumer string  `json:"consumer"`
	Demand   string  `json:"demand"`
	OK       bool    `json:"ok"`
	Error    string  `json:"error,omitempty"`
	Note     string  `json:"note,omitempty"`
	Seconds  float64 `json:"seconds"`
}

func (c *checkCmd) Run(ctx context.Context, p *program) error {
	report := checkReport{URL: c.URL, Demands: []checkDemand{}}
	checker := probe.NewChecker(c.Pet, time.Duration(c.Timeout), "petsupply-check/"+versionText())
	checker.Tried = func(r probe.Result) {
		d := checkDemand{Consumer: r.Consumer, Demand: r.Demand, OK: r.Err == nil, Note: r.Note, Seconds: r.Took.Seconds()}
		word := "ok"
		if r.Err != nil {
			word, d.Error = "FAIL", r.Err.Error()
			report.Failed++
		} else {
			report.Passed++
		}
		report.Demands = append(report.Demands, d)
		if c.JSON {
			return
		}
		fmt.Fprintf(p.stdout, "%-4s %-15s %7s  %s\n", word, r.Consumer, r.Took.Round(100*time.Microsecond), terminal.OneLine(r.Demand))
		if detail := d.Error + d.Note; detail != "" {
			fmt.Fprintf(p.stdout, "%30s%s\n", "", terminal.OneLine(detail))
		}
	}
	for _, address := range c.URL {
		fmt.Fprintf(p.stderr, "calling %s\n", address)
		if err := checker.Check(ctx, address); err != nil {
			return usageError{err}
		}
	}
	if err := c.print(p, report); err != nil {
		return err
	}
	if report.Failed > 0 {
		return errReported
	}
	return nil
}

func (c *checkCmd) print(p *program, report checkReport) error {
	if !c.JSON {
		_, err := fmt.Fprintf(p.stdout, "%d passed, %d failed\n", report.Passed, report.Failed)
		return err
	}
	return p.printJSON(report)
}
