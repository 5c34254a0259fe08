package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"filippo.io/torchwood"

	"petsupply/internal/supply/audit"
	"petsupply/internal/terminal"
)

// auditCmd needs no configuration: a log says everything itself.
type auditCmd struct {
	URL     string   `arg:"" help:"The supply address of a service."`
	Since   string   `placeholder:"FILE" help:"Go on from the checkpoint in this file, and keep the newest there once everything holds. Where there is no such file yet all is read."`
	Key     string   `placeholder:"KEY" help:"Verifier key of the log as you know it, or a file with it. Without it the one that the service names."`
	Witness []string `sep:"none" placeholder:"KEY" help:"Verifier key of a witness who must have signed the head of the log, or a file with it; once for each."`
	Quorum  int      `placeholder:"N" help:"How many of the witnesses must have signed. Default: all."`
	JSON    bool     `help:"Print one JSON document instead of lines."`
}

func (c *auditCmd) Help() string {
	return `Reads the log of everything that a service published and checks its signature,
that it only grew since the checkpoint that you kept, every leaf and its order,
and that what is served now is the newest leaf of each token, with its evidence
and proof; with --witness also that the witnesses whom you trust signed the same
head, so that nobody is shown another log. Exit code 1 at the first that does not hold.`
}

// auditReport is what --json prints.
type auditReport struct {
	URL   string `json:"url"`
	OK    bool   `json:"ok"`
	Fault string `json:"fault,omitempty"`
	audit.Report
	Believed []string `json:"believed"`
}

// Run audits, and keeps the newest checkpoint if everything held.
func (c *auditCmd) Run(ctx context.Context, p *program) error {
	if !isAddress(c.URL) {
		return usage("audit wants the supply address of a service, such as https://supply.example.com")
	}
	key, err := verifierKey("--key", c.Key)
	if err != nil {
		return err
	}
	witnesses, err := c.witnesses()
	if err != nil {
		return err
	}
	cfg := audit.Config{URL: c.URL, Key: key, Client: &http.Client{Timeout: time.Minute}, Witnesses: witnesses, Quorum: c.Quorum}
	if c.Quorum == 0 {
		cfg.Quorum = len(witnesses)
	}
	if c.Since != "" {
		if cfg.Since, err = os.ReadFile(c.Since); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return usage("reading the checkpoint that was kept: %w", err)
		}
	}
	bar := terminal.NewProgress(p.stderr, "leaves", 0)
	cfg.Read = bar.Add
	report, err := audit.Run(ctx, cfg)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r := auditReport{URL: c.URL, OK: err == nil, Report: report, Believed: believedOfLog(report)}
	if err != nil {
		r.Fault = err.Error()
	}
	if c.JSON {
		if err := p.printJSON(r); err != nil {
			return err
		}
	} else {
		r.print(p)
	}
	if err != nil {
		return errReported
	}
	if c.Since != "" {
		return p.write(c.Since, report.Checkpoint)
	}
	return nil
}

// believedOfLog is what an audit cannot say.
func believedOfLog(r audit.Report) (out []string) {
	if !r.KeyGiven {
		out = append(out, "that this is the key of whom you mean: compare it with where else they publish it, and give it with --key")
	}
	switch {
	case len(r.Cosigned) > 0:
		out = append(out, "that the witnesses who signed are independent of the service and of each other: they say that the log only grew, and that they were shown this one")
	case r.Witnesses > 0:
		out = append(out, "that others are shown the same log: others have signed its head, but whether they are whom they say is known only with their keys (--witness KEY)")
	default:
		out = append(out, "that others are shown the same log: nobody outside has signed its head, so rewriting is seen only by those who kept a checkpoint (--since FILE)")
	}
	return append(out, "that figures before the newest were read from the chains: of those only what they said is known, unless you verify evidence and proof of that time")
}

func (r *auditReport) print(p *program) {
	if r.Origin != "" {
		fmt.Fprintf(p.stdout, "log    %s\nkey    %s\nsize   %d leaves, read from %d on\n", terminal.OneLine(r.Origin), terminal.OneLine(r.Key), r.Size, r.From)
	}
	for _, format := range slices.Sorted(maps.Keys(r.Leaves)) {
		fmt.Fprintf(p.stdout, "%6d %s\n", r.Report.Leaves[format], terminal.OneLine(format))
	}
	for _, line := range []struct {
		word   string
		tokens []string
	}{{"newest", r.Served}, {"proven", r.Proven}, {"no longer served", r.Withdrawn}} {
		if len(line.tokens) > 0 {
			fmt.Fprintf(p.stdout, "%s: %s\n", line.word, terminal.OneLine(strings.Join(line.tokens, ", ")))
		}
	}
	for _, c := range r.Cosigned {
		fmt.Fprintf(p.stdout, "witness %s signed this head at %s\n", terminal.OneLine(c.Witness), c.Time.Format(time.RFC3339))
	}
	if !r.OK {
		fmt.Fprintf(p.stdout, "\nNO: %s\n", terminal.OneLine(r.Fault))
		return
	}
	fmt.Fprintln(p.stdout, "\nEverything holds. What remains to be believed:")
	for _, line := range r.Believed {
		fmt.Fprintln(p.stdout, "-", line)
	}
}

// witnesses reads the keys of the witnesses that were given.
func (c *auditCmd) witnesses() (keys []*torchwood.CosignatureVerifier, err error) {
	names := map[string]bool{}
	for _, given := range c.Witness {
		text, err := verifierKey("--witness", given)
		if err != nil {
			return nil, err
		}
		key, err := torchwood.NewCosignatureVerifier(text)
		if err != nil {
			return nil, usage("--witness %.80q: want a witness's verifier key, NAME+HASH+KEY: %w", given, err)
		}
		if names[key.Name()] {
			return nil, usage("--witness: %s is given twice", key.Name())
		}
		names[key.Name()] = true
		keys = append(keys, key)
	}
	if c.Quorum < 0 || c.Quorum > len(keys) {
		return nil, usage("--quorum wants a number of witnesses: --witness was given %d times", len(keys))
	}
	return keys, nil
}
