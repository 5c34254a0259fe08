package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/frozen"
	"petsupply/internal/supply"
	"petsupply/internal/supply/audit"
	"petsupply/internal/supply/tlog"
	"petsupply/internal/terminal"
)

// auditCmd needs no configuration. The service and its log name everything that the audit reads.
type auditCmd struct {
	URL     string         `arg:"" placeholder:"URL|DIR" help:"The address of a service, or the folder of a frozen copy."`
	Copy    bool           `help:"The URL is the supply folder of a frozen copy on a plain file server."`
	Since   string         `placeholder:"FILE" help:"The log must continue the checkpoint in this file. If everything holds, the newest checkpoint is saved there. The file need not exist yet."`
	Key     string         `placeholder:"KEY" help:"Verifier key of the log, which you have from elsewhere, or a file with it. Default: the key that the service names."`
	Witness string         `placeholder:"POLICY" help:"Witnesses that must have signed the head of the log: a file with a policy, or the verifier key of one witness."`
	MaxAge  *time.Duration `placeholder:"DURATION" help:"How old each figure may be, and with --witness the signatures that the policy needs. Default: any age; the ages are printed."`
	JSON    bool           `help:"Print one JSON document instead of lines."`
}

func (c *auditCmd) Help() string {
	return `Reads the log of everything that a service has published. Checks its signature and
every leaf in order, and that the log has only grown since the checkpoint that you
kept. Then compares everything that the service answers about each token with the
evidence of the snapshot that the answer names: documents, bare figures in all forms,
evidence, proof, ledger and corrections. The snapshot must be a leaf of the log that
was the newest of its token at most two minutes before the audit began. With
--witness, the witnesses that you trust must have signed the head of the log, which
shows that others see the same log.

The summary lists what was compared, what is not proven and why, and what you still
have to believe. Exit code 0: nothing is false. 1: something is false. 3: the service
could not be read.`
}

// auditReport is the output of --json.
type auditReport struct {
	URL   string `json:"url"`
	Copy  bool   `json:"copy"` // the files of a copy were compared
	OK    bool   `json:"ok"`
	Fault string `json:"fault,omitempty"`
	// Unreached says that the service could not be read. The fault then says nothing about the
	// figures.
	Unreached bool `json:"unreached"`
	audit.Report
	Believed []string `json:"believed"`
}

// Run audits. If nothing is false, it saves the newest checkpoint in the file that --since names.
func (c *auditCmd) Run(ctx context.Context, p *program) error {
	cfg, shown, err := c.config()
	if err != nil {
		return err
	}
	if isAddress(c.URL) {
		app.LimitMemory(p.getenv, p.warnings(), verifierMemory)
		if !c.Copy {
			cfg.URL = p.supplyAddress(ctx, cfg.URL)
		}
	}
	bar := terminal.NewProgress(p.stderr, "leaves", 0)
	cfg.Read = bar.Add
	report, err := audit.Run(ctx, cfg)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r := auditReport{
		URL: shown, Copy: c.Copy || !isAddress(c.URL), OK: err == nil,
		Report: report, Believed: believedOfLog(report),
	}
	if err != nil {
		r.Fault = err.Error()
		_, isFault := errors.AsType[*audit.Fault](err)
		r.Unreached = !isFault
	}
	if c.JSON {
		if err := p.printJSON(r); err != nil {
			return err
		}
	} else {
		r.print(p)
	}
	switch {
	case r.Unreached:
		return errUnreached
	case err != nil:
		return errReported
	}
	if c.Since != "" {
		return writeNew(c.Since, report.Checkpoint, true)
	}
	return nil
}

// config returns the configuration of the audit, and the address as it is shown.
func (c *auditCmd) config() (cfg audit.Config, shown string, err error) {
	cfg = audit.Config{URL: c.URL, Client: audit.NewClient()}
	cfg.Key, err = logKey(c.Key)
	if err != nil {
		return cfg, "", err
	}
	cfg.Witnesses, err = witnessPolicy(c.Witness)
	if err != nil {
		return cfg, "", err
	}
	if c.MaxAge != nil {
		cfg.MaxAge = *c.MaxAge
		if cfg.MaxAge <= 0 {
			return cfg, "", usage("--max-age wants a duration above 0, such as 1h")
		}
	}
	if c.Since != "" {
		cfg.Since, err = os.ReadFile(c.Since)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return cfg, "", usage("reading the checkpoint that was kept: %w", err)
		}
		if _, none := tlog.ParseCheckpoint(cfg.Since); err == nil && none != nil {
			return cfg, "", usage("--since %s: %w; to read the whole log, name a file that does not exist",
				c.Since, none)
		}
	}
	if isAddress(c.URL) {
		address, malformed := url.Parse(c.URL)
		switch {
		case malformed != nil:
			return cfg, "", errMalformed
		case strings.ContainsAny(c.URL, "?#"):
			return cfg, "", usage("the address of the service has a ? or a #; write it like https://supply.example.com")
		}
		if c.Copy {
			cfg.Client.Transport = frozen.Transport(address.Path, cfg.Client.Transport)
		} else {
			cfg.Pauses = audit.Pauses
		}
		return cfg, address.Redacted(), nil
	}
	files, err := os.OpenRoot(filepath.Join(c.URL, "supply"))
	if err != nil {
		return cfg, "", usage("audit wants the address of a service, such as https://supply.example.com, "+
			"or the folder of a frozen copy: %w", err)
	}
	cfg.URL = "http://copy"
	cfg.Client = &http.Client{Transport: frozen.Transport("", http.NewFileTransportFS(files.FS()))}
	return cfg, c.URL, nil
}

// supplyAddress returns the address of the supply API of a service. It is the given one, or the path
// supply below it if only that one has a log.
func (p *program) supplyAddress(ctx context.Context, address string) string {
	below := strings.TrimSuffix(address, "/") + "/supply"
	if !p.hasLog(ctx, address) && p.hasLog(ctx, below) {
		return below
	}
	return address
}

// hasLog reports whether an address has the key of a log.
func (p *program) hasLog(ctx context.Context, address string) bool {
	in, err := p.fetch(ctx, strings.TrimSuffix(address, "/")+"/log/key")
	if err != nil {
		return false
	}
	defer in.Close()
	key, err := io.ReadAll(io.LimitReader(in, 1<<10))
	return err == nil && tlog.Address(string(key)) != ""
}

// mainBeliefs is how many beliefs are printed without --json.
const mainBeliefs = 5

// believedOfLog lists what the reader has to believe, because the audit could not check it. The most
// important beliefs come first.
func believedOfLog(r audit.Report) (list []string) {
	if !r.KeyGiven {
		list = append(list, "that this key belongs to the operator: compare it with other places "+
			"where they publish it, and give it with --key")
	}
	if len(r.Cosigned) > 0 {
		list = append(list, "that the witnesses who signed are independent of the service and of each other")
	} else {
		list = append(list, "that others see the same log: a rewritten log is noticed only by those "+
			"who kept a checkpoint (--since FILE)")
	}
	list = append(list, "that the ledgers are right: no contract or holder is missing or wrong, "+
		"and declared amounts are true")
	if !r.Demo { // the demo's blocks are invented, like its figures
		list = append(list, "that the blocks are on their chains; compare them with an explorer, "+
			"or use verify with --rpc or --block")
	}
	list = append(list,
		"that others get the same answers, also in other encodings and at other addresses, and read the same in them",
		"the names and symbols of tokens, their status, and everything else that was not compared: pages, pictures, "+
			"history, events, answers about the past, the words of errors, the specification, media types "+
			"and other headers than a figure's Supply-Snapshot, Supply-As-Of and Supply-Measured-At",
		"that the service had no other logs, and that corrections of earlier logs do not apply to figures of this one",
		"that no token has a figure that is neither in the list nor in the log",
		"when figures were measured, that their blocks were the newest then, and which chains make blocks on demand",
		"which snapshot came before a token's first one in the log",
		"when and why logs and ledgers began and operators decided something: the log has only the order",
		"that earlier figures were read from the chains: to check one, verify its evidence and proof",
		"how many nodes agreed on entries that are not proven")
	return append(list, supply.BelievedOfProofs...)
}

// print writes the report line by line.
func (r *auditReport) print(p *program) {
	r.printFindings(p)
	if !r.OK {
		word := "NO"
		if r.Unreached {
			word = "The service could not be read"
		}
		fmt.Fprintf(p.stdout, "\n%s: %s\n", word, oneLine(r.Fault))
		return
	}
	if r.Demo {
		fmt.Fprintln(p.stdout, "\nThis is a demo: its figures are invented.")
	}
	fmt.Fprintln(p.stdout, "\nNothing that was compared is false. You still have to believe (--json has all):")
	for _, line := range r.Believed[:mainBeliefs] {
		fmt.Fprintln(p.stdout, "-", terminal.OneLine(line))
	}
}

// printFindings writes what was read and compared.
func (r *auditReport) printFindings(p *program) {
	if r.Origin != "" {
		fmt.Fprintf(p.stdout, "log    %s\nkey    %s\nsize   %d leaves\n", oneLine(r.Origin), oneLine(r.Key), r.Size)
		if r.Kept > 0 {
			fmt.Fprintf(p.stdout, "kept   %d leaves, which are unchanged\n", r.Kept)
		}
	}
	for _, format := range slices.Sorted(maps.Keys(r.Leaves)) {
		fmt.Fprintf(p.stdout, "%6d %s\n", r.Report.Leaves[format], oneLine(format))
	}
	for _, kind := range slices.Sorted(maps.Keys(r.Compared)) {
		fmt.Fprintf(p.stdout, "%6d %s compared with the log\n", r.Compared[kind], kind)
	}
	for _, line := range []struct {
		word string
		list []string
	}{{"newest", r.Served}, {"every read is proven", r.Proven}, {"without a figure now", r.Withdrawn},
		{"wrong according to the log", r.Wrong}} {
		if len(line.list) > 0 {
			fmt.Fprintf(p.stdout, "%s: %s\n", line.word, terminal.OneLine(strings.Join(line.list, ", ")))
		}
	}
	for _, l := range r.Previous {
		fmt.Fprintf(p.stdout, "previous log: %q (%q): the next log names %d leaves, and %d were read\n",
			l.Origin, l.Log, l.Size, l.Read)
	}
	for _, line := range []struct {
		word string
		list []string
	}{
		{"not proven", r.Unproven}, {"not read", r.Declared}, {"agreed", r.Agreed},
		{"went on after an error", r.Retried},
	} {
		for _, text := range line.list {
			fmt.Fprintf(p.stdout, "%s: %s\n", line.word, oneLine(text))
		}
	}
	if len(r.Served) > 0 {
		fmt.Fprintf(p.stdout, "oldest figure: as of %s, %s ago\n", r.AsOf.Format(time.RFC3339),
			r.At.Sub(r.AsOf).Round(time.Second))
	}
	for _, c := range r.Cosigned {
		fmt.Fprintf(p.stdout, "witness %s signed this head at %s, %s ago\n", oneLine(c.Witness),
			c.Time.Format(time.RFC3339), r.At.Sub(c.Time).Round(time.Second))
	}
}
