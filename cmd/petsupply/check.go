package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"petsupply/internal/consumercheck"
	"petsupply/internal/terminal"
)

type checkCmd struct {
	URL     []string `arg:"" name:"url" help:"Base addresses of a deployed service: its supply, its pets, or its site."`
	Pet     uint64   `placeholder:"ID" help:"The pet to request. Default: the first of the listing."`
	Timeout duration `default:"10s" help:"How long to wait for one answer."`
	JSON    bool     `help:"Print one JSON document at the end instead of lines."`
}

func (c *checkCmd) Help() string {
	return `Calls each address as price aggregators, wallets and marketplaces do, with GET, HEAD
and the ETag of the last answer. Every answer must be what the service's own
specification promises: status, type, headers, and each key of a document. Figures
must be current and agree with each other. Each result is printed at once. The exit
code is 1 if a check fails. A demo passes, with a note.`
}

// checkReport is the output of --json.
type checkReport struct {
	URL     []string               `json:"url"`
	Passed  int                    `json:"passed"`
	Failed  int                    `json:"failed"`
	Demands []consumercheck.Result `json:"demands"`
}

func (c *checkCmd) Run(ctx context.Context, p *program) error {
	report := checkReport{URL: c.URL, Demands: []consumercheck.Result{}}
	cfg := consumercheck.Config{
		Pet: c.Pet, Timeout: time.Duration(c.Timeout), UserAgent: "petsupply-check/" + versionText(),
		Report: func(r consumercheck.Result) {
			switch {
			case ctx.Err() != nil:
				return
			case r.OK:
				report.Passed++
			default:
				report.Failed++
			}
			report.Demands = append(report.Demands, r)
			c.show(p, r)
		},
	}
	for _, address := range c.URL {
		fmt.Fprintf(p.stderr, "calling %s\n", address)
		if err := consumercheck.Check(ctx, cfg, address); err != nil {
			return usageError{err}
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if c.JSON {
		if err := p.printJSON(report); err != nil {
			return err
		}
	} else if _, err := fmt.Fprintf(p.stdout, "%d passed, %d failed\n", report.Passed, report.Failed); err != nil {
		return err
	}
	if !slices.ContainsFunc(report.Demands, func(r consumercheck.Result) bool { return !r.Unreachable }) {
		return errUnreached
	}
	if report.Failed > 0 {
		return errReported
	}
	return nil
}

// show prints a result as soon as there is one, unless --json is set.
func (c *checkCmd) show(p *program, r consumercheck.Result) {
	if c.JSON {
		return
	}
	word := "ok"
	if !r.OK {
		word = "FAIL"
	}
	took := time.Duration(r.Seconds * float64(time.Second)).Round(100 * time.Microsecond)
	fmt.Fprintf(p.stdout, "%-4s %7s  %s\n", word, took, terminal.OneLine(r.Demand))
	if detail := r.Error + r.Note; detail != "" { // a result has at most one of them
		fmt.Fprintf(p.stdout, "%14s%s\n", "", terminal.OneLine(detail))
	}
}
