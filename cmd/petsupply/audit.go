package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"net/http"
	"net/url"
	"os"
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
	URL     string         `arg:"" placeholder:"URL|DIR|FILE.zip" help:"The supply address of a service, or a frozen copy: a folder or a zip."`
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
token's newest leaf: documents, bare figures in all forms, evidence, proof, ledger
and corrections. With --witness, the witnesses that you trust must have signed the
head of the log, which shows that others see the same log. For a frozen copy, audit
first checks every file against the root, and then compares the files. It says which
files were not compared, and why. A file that does not belong to a copy is a fault.

The summary lists what was compared, what is not proven and why, and what you still
have to believe. Exit code 0: nothing is false. 1: something is false. 3: the service
could not be read.`
}

// auditReport is the output of --json.
type auditReport struct {
	URL  string `json:"url"`
	Copy bool   `json:"copy"`           // the files of a copy were compared
	Root string `json:"root,omitempty"` // the root of the copy, if it is a folder or a zip
	// Uncompared has the number of files of the copy that were not compared, by reason.
	Uncompared map[string]int `json:"uncompared,omitempty"`
	OK         bool           `json:"ok"`
	Fault      string         `json:"fault,omitempty"`
	// Unreached says that the service could not be read. The fault then says nothing about the
	// figures.
	Unreached bool `json:"unreached"`
	audit.Report
	Believed []string `json:"believed"`
}

// Run audits. If nothing is false, it saves the newest checkpoint in the file that --since names.
func (c *auditCmd) Run(ctx context.Context, p *program) error {
	key, err := logKey(c.Key)
	if err != nil {
		return err
	}
	witnesses, err := witnessPolicy(c.Witness)
	if err != nil {
		return err
	}
	cfg := audit.Config{URL: c.URL, Copy: c.Copy, Key: key, Client: audit.NewClient(), Witnesses: witnesses}
	if c.MaxAge != nil {
		if cfg.MaxAge = *c.MaxAge; cfg.MaxAge <= 0 {
			return usage("--max-age wants a duration above 0, such as 1h")
		}
	}
	address, malformed := url.Parse(c.URL)
	switch {
	case !isAddress(c.URL):
	case malformed != nil:
		return errMalformed
	case strings.ContainsAny(c.URL, "?#"):
		return usage("the address of the service has a ? or a #; write it like https://supply.example.com")
	}
	if c.Since != "" {
		if cfg.Since, err = os.ReadFile(c.Since); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return usage("reading the checkpoint that was kept: %w", err)
		}
		if _, none := tlog.ParseCheckpoint(cfg.Since); err == nil && none != nil {
			return usage("--since %s: %w; to read the whole log, name a file that does not exist", c.Since, none)
		}
	}
	memory := int64(verifierMemory)
	if !isAddress(c.URL) {
		memory = math.MaxInt64 // a copy can have any number of files
	}
	app.LimitMemory(p.getenv, p.warnings(), memory)
	var copied *frozen.Copy
	var provenance *frozen.Provenance
	if !isAddress(c.URL) {
		copied, err = frozen.Open(c.URL)
		if err != nil {
			return usage("audit wants the supply address of a service, such as https://supply.example.com, or a frozen copy: %w",
				err)
		}
		defer copied.Close()
		checked := terminal.NewProgress(p.stderr, "files checked", 0)
		if provenance, err = copied.Check(ctx, true, checked.Add); err != nil {
			return err
		}
		checked.Done()
		cfg.URL, cfg.Copy = "http://copy", true
		cfg.Client = &http.Client{Transport: &copyTransport{Copy: copied, began: time.Now()}}
	}
	bar := terminal.NewProgress(p.stderr, "leaves", 0)
	cfg.Read = bar.Add
	report, err := audit.Run(ctx, cfg)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	shown := c.URL
	if isAddress(c.URL) {
		shown = address.Redacted()
	}
	r := auditReport{URL: shown, Copy: cfg.Copy, Report: report, Believed: believedOfLog(report)}
	if copied != nil && !copied.HasSupply() && key == "" && c.Since == "" && witnesses == nil && c.MaxAge == nil {
		err = nil // audit.Run found only that there is no log
		r.Believed = []string{"that the service had no tokens: the copy has no figures and no log"}
	}
	if c.Copy && copied == nil {
		r.Believed = append(r.Believed, "all other files at this address, such as provenance.json and SHA256SUMS: "+
			"to compare them, audit the folder or the zip")
	}
	if copied != nil {
		r.Root = provenance.Root
		r.Believed = append(r.Believed, "where and when the copy was made, whether it is of a demo, and its feed and pack: "+
			"only the copy itself says so, in provenance.json")
		if info, err := os.Stat(c.URL); err == nil && !info.IsDir() {
			r.Believed = append(r.Believed, "that other programs unpack the same files from the zip: "+
				"audit reads its table of contents, which some programs ignore; "+
				"to be sure, unpack it and audit the folder")
		}
		if err == nil {
			if r.Uncompared, err = copied.Compare(ctx, provenance, report.Served); err != nil {
				err = &audit.Fault{Where: c.URL, Err: err}
			}
		}
	}
	if r.OK = err == nil; !r.OK {
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

// A copyTransport answers with the published files of a frozen copy. It fails if the audit takes
// longer than ten seconds plus one second for each MB read. A hostile copy can have any number of
// proofs, and checking a proof takes seconds.
type copyTransport struct {
	*frozen.Copy
	began time.Time
	read  int64 // bytes
}

// Write counts bytes. RoundTrip passes it everything that is read from an answer.
func (t *copyTransport) Write(b []byte) (int, error) { t.read += int64(len(b)); return len(b), nil }

func (t *copyTransport) RoundTrip(q *http.Request) (*http.Response, error) {
	if may := 10*time.Second + time.Duration(t.read>>20)*time.Second; time.Since(t.began) > may {
		return nil, fmt.Errorf("the copy takes far longer to check than its size suggests: more than %s for %d MB", may,
			t.read>>20)
	}
	if err := q.Context().Err(); err != nil {
		return nil, err
	}
	body, err := t.Published(q.URL.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &http.Response{StatusCode: http.StatusNotFound, Status: "404 (the copy has no such file)", Body: http.NoBody,
			Request: q}, nil
	case err != nil:
		return nil, err
	}
	counted := struct {
		io.Reader
		io.Closer
	}{io.TeeReader(body, t), body}
	return &http.Response{StatusCode: http.StatusOK, Body: counted, Request: q}, nil
}

// believedOfLog lists what the reader has to believe, because the audit could not check it.
func believedOfLog(r audit.Report) (out []string) {
	for _, block := range r.Blocks {
		if r.Demo {
			break // the demo's blocks are invented, like its figures
		}
		out = append(out, "that the chain has block "+block+
			"; compare it with an explorer, or use verify with --rpc or --block")
	}
	if !r.KeyGiven {
		out = append(out, "that this key belongs to the operator: compare it with other places where they publish it, and "+
			"give it with --key")
	}
	switch {
	case len(r.Cosigned) > 0:
		out = append(out, "that the witnesses who signed are independent of the service and of each other: a signature "+
			"says that the witness saw this log, and that it only grew")
		if r.OtherSignatures > 0 {
			out = append(out, fmt.Sprintf("who made %d more signatures of a head: no witness of your policy made them",
				r.OtherSignatures))
		}
	case r.OtherSignatures > 0:
		out = append(out, fmt.Sprintf("that others see the same log: a head of it has %d more signatures, which were not "+
			"checked because anyone can add such lines; give the keys of witnesses (--witness POLICY)", r.OtherSignatures))
	default:
		out = append(out, "that others see the same log: nobody outside has signed its head, so a rewritten log is noticed only "+
			"by those who kept a checkpoint (--since FILE)")
	}
	out = append(out, "that the service had no other logs, and that its earlier logs had no more leaves than were read: "+
		"each log names the last head of the one before")
	out = append(out, "that no other token or address has a figure: tokens were compared only if they are in the service's "+
		"list, or have figures or a ledger in the log, and each only at the address that this summary names; of each log, "+
		"only the tiles of its newest head were compared")
	if len(r.Bare) > 0 {
		out = append(out, fmt.Sprintf("that tokens in the list without a figure have none at other addresses: only the "+
			"symbol in lower case was tried as an address, and only if it has at most 32 characters, all of them a–z, 0–9 "+
			"or hyphens, and is not \"log\": %q", r.Bare))
	}
	if len(r.Retried) > 0 {
		out = append(out, "that earlier answers of the list of tokens were right: whenever another answer did not agree with the "+
			"list, the list was read again, and only its last answer was compared completely")
	}
	if len(r.Served)+len(r.Withdrawn) > 0 {
		out = append(out, "when figures were measured, and that their blocks were the newest then",
			"which chains make blocks on demand, the asOf of each figure that was read on one of them, and every other asOf "+
				"that is not the time of a block",
			"which snapshot came before a token's first one in the log, and that ledgers from before that one were used")
	}
	if len(r.Back) > 0 {
		out = append(out, "that a clock that was ahead, or a chain that was replaced, explains why earlier figures of these "+
			"tokens have a later time or higher blocks than the newest one: "+strings.Join(r.Back, ", "))
	}
	out = append(out, "when and why each log began, when each ledger began, when and why operators decided something, "+
		"and decisions other than corrections: the log has only the order")
	if r.Compared["proofs"] > 0 {
		out = append(out, supply.BelievedOfProofs...)
	}
	if len(r.Declared) > 0 {
		out = append(out, "amounts that are declared, and not read: "+strings.Join(r.Declared, "; "))
	}
	if len(r.Agreed) > 0 {
		out = append(out, "how many nodes agreed on entries that are not proven: "+strings.Join(r.Agreed, "; "))
	}
	if len(r.Cut) > 0 {
		out = append(out, "blocks, declared amounts and entries that are not proven of these tokens, for which this "+
			"summary has no room: "+strings.Join(r.Cut, ", "))
	}
	if len(r.NotCompared) > 0 {
		out = append(out, "members of documents that were not compared: "+strings.Join(r.NotCompared, ", "))
	}
	return append(out, "that the ledgers are right: no contract or holder is missing or wrong, and their buckets, "+
		"bridges, decimals, maximum, labels, dates, reasons and the order of earlier ledgers are right",
		"that others get the same answers, also from caches, to conditional requests, by other methods and encodings, "+
			"at other spellings of these addresses, and with other parameters; and that their "+
			"programs read the same body from an answer",
		"the names and symbols of tokens, their status, pages, pictures, history and events, "+
			"whether pending ledgers will be used, the texts of errors, the specification, "+
			"headers other than a figure's Supply-Snapshot, Supply-As-Of and Supply-Measured-At, "+
			"and answers about the past (the parameters at and snapshot), which were not compared",
		"that earlier figures were read from the chains: the log has only the figures; to check one, verify its evidence "+
			"and proof")
}

// print writes the report line by line. It does not cut lists of tokens and of beliefs, because a
// long line about one token must not hide another token.
func (r *auditReport) print(p *program) {
	if r.Origin != "" {
		fmt.Fprintf(p.stdout, "log    %s\nkey    %s\nsize   %d leaves\n", oneLine(r.Origin), oneLine(r.Key), r.Size)
		if r.Kept > 0 {
			fmt.Fprintf(p.stdout, "kept   %d leaves, which are unchanged\n", r.Kept)
		}
	}
	if r.Root != "" {
		fmt.Fprintf(p.stdout, "copy   %s, every file matches its checksum\n", r.Root)
	}
	for _, format := range slices.Sorted(maps.Keys(r.Leaves)) {
		fmt.Fprintf(p.stdout, "%6d %s\n", r.Report.Leaves[format], oneLine(format))
	}
	for _, kind := range slices.Sorted(maps.Keys(r.Compared)) {
		fmt.Fprintf(p.stdout, "%6d %s compared with the log\n", r.Compared[kind], kind)
	}
	for _, reason := range slices.Sorted(maps.Keys(r.Uncompared)) {
		fmt.Fprintf(p.stdout, "%6d files not compared: %s\n", r.Uncompared[reason], reason)
	}
	for _, line := range []struct {
		word   string
		tokens []string
	}{{"newest", r.Served}, {"every read is proven", r.Proven}, {"without a figure now", r.Withdrawn},
		{"wrong according to the log, and without a figure now", r.Wrong}} {
		if len(line.tokens) > 0 {
			fmt.Fprintf(p.stdout, "%s: %s\n", line.word, terminal.OneLine(strings.Join(line.tokens, ", ")))
		}
	}
	if len(r.Bare) > 0 { // the service chooses these texts, so they are quoted
		fmt.Fprintf(p.stdout, "listed without a figure: %s\n", terminal.OneLine(fmt.Sprintf("%q", r.Bare)))
	}
	for _, l := range r.Previous {
		fmt.Fprintf(p.stdout, "previous log: %s\n",
			terminal.OneLine(fmt.Sprintf("%.100q (%.100q), %d leaves: %s", l.Origin, l.Log, l.Size, l.Found)))
	}
	for _, u := range r.Unproven {
		fmt.Fprintf(p.stdout, "not proven: %s\n", terminal.OneLine(u.Token+", "+u.What+": "+u.Reason))
	}
	for _, line := range r.Retried {
		fmt.Fprintf(p.stdout, "went on after an error: %s\n", terminal.OneLine(line))
	}
	if len(r.Served) > 0 && !r.At.IsZero() {
		fmt.Fprintf(p.stdout, "oldest figure: as of %s, %s ago\n", r.AsOf.Format(time.RFC3339),
			r.At.Sub(r.AsOf).Round(time.Second))
	}
	for _, c := range r.Cosigned {
		fmt.Fprintf(p.stdout, "witness %s signed this head at %s, %s ago\n", oneLine(c.Witness),
			c.Time.Format(time.RFC3339),
			r.At.Sub(c.Time).Round(time.Second))
	}
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
	fmt.Fprintln(p.stdout, "\nNothing that was compared is false. You still have to believe:")
	for _, line := range r.Believed {
		fmt.Fprintln(p.stdout, "-", terminal.OneLine(line))
	}
}
