package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/config"
	"petsupply/internal/supply"
	"petsupply/internal/terminal"
)

// verifyCmd needs no configuration: the evidence says everything but where to
// find nodes, and with its proof none are needed.
type verifyCmd struct {
	Evidence string   `arg:"" help:"A file, - for standard input, or the address of a service's /{token}/evidence."`
	Proof    string   `arg:"" optional:"" help:"A file, -, or the address of the proof; of an address the one beside the evidence."`
	Block    []string `sep:"none" placeholder:"CHAINID=HASH" help:"The hash of the evidence's block of that chain as you know it, to be compared."`
	RPC      []string `name:"rpc" sep:"none" placeholder:"CHAINID=URL" help:"A node of that chain which still holds the state. Several of one chain must agree."`
	Key      string   `placeholder:"KEY" help:"Verifier key of the log that the snapshot must be in: as /log/key serves it, or a file with it."`
	JSON     bool     `help:"Print one JSON document instead of lines."`
}

// verifyReport is what --json prints.
type verifyReport struct {
	Token    string         `json:"token"`
	Snapshot string         `json:"snapshot,omitempty"`
	OK       bool           `json:"ok"`
	Findings supply.Verdict `json:"findings"`
	Believed []string       `json:"believed,omitempty"` // what no proof can say
}

// Run says of everything in the evidence whether the nodes confirm it.
func (c *verifyCmd) Run(ctx context.Context, p *program) error {
	if c.Proof == "-" && c.Evidence == "-" {
		return usage("evidence and proof cannot both come from standard input")
	}
	key, err := verifierKey("--key", c.Key)
	if err != nil {
		return err
	}
	ev, err := c.evidence(ctx, p)
	if err != nil {
		return err
	}
	r := verifyReport{Token: ev.Token, Snapshot: ev.Snapshot}
	if len(c.RPC) == 0 {
		r.Findings, r.Believed, err = c.offline(ctx, p, ev)
	} else {
		r.Findings, err = c.online(ctx, ev)
	}
	if err != nil {
		return err
	}
	r.Findings = append(r.Findings, supply.VerifyInclusion(ev, key))
	r.OK = r.Findings.OK()
	if c.JSON {
		err = p.printJSON(r)
	} else {
		r.print(p.stdout)
	}
	if err == nil && !r.OK {
		err = errReported
	}
	return err
}

// online verifies ev by the nodes that were given.
func (c *verifyCmd) online(ctx context.Context, ev *supply.Evidence) (supply.Verdict, error) {
	chains, err := c.dial()
	if err != nil {
		return nil, err
	}
	defer chains.Close()
	readers := map[uint64]supply.ChainReader{}
	for _, chain := range chains {
		readers[chain.ID()] = chain
	}
	return supply.Verify(ctx, ev, readers), nil
}

// print writes what was found, line by line, how much of it agrees, and what
// remains.
func (r *verifyReport) print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	bad, claimed := 0, 0
	for _, f := range r.Findings {
		word := "ok"
		switch {
		case !f.OK:
			word = "NO"
			bad++
		case f.Claimed:
			word = "claimed"
			claimed++
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", word, terminal.OneLine(f.What), terminal.OneLine(f.Detail))
	}
	w.Flush()
	if compared := len(r.Findings) - claimed; r.OK {
		fmt.Fprintf(out, "\nAll %d agree that can be compared. %d are claimed: only the evidence says so.\n", compared, claimed)
	} else {
		fmt.Fprintf(out, "\n%d of %d differ or could not be compared.\n", bad, compared)
	}
	if len(r.Believed) > 0 {
		fmt.Fprintln(out, "\nNo node was asked. What remains to be believed:")
	}
	for _, line := range r.Believed {
		fmt.Fprintln(out, "-", terminal.OneLine(line))
	}
}

func (c *verifyCmd) evidence(ctx context.Context, p *program) (*supply.Evidence, error) {
	in, err := p.fetch(ctx, c.Evidence)
	if err != nil {
		return nil, usage("opening the evidence: %w", err)
	}
	defer in.Close()
	return supply.ParseEvidence(in)
}

// dial prepares the nodes that were given. All of a chain have to agree.
func (c *verifyCmd) dial() (app.Chains, error) {
	configs := map[string]config.Chain{}
	for _, arg := range c.RPC {
		name, address, ok := strings.Cut(arg, "=")
		id, err := strconv.ParseUint(name, 10, 64)
		if !ok || err != nil {
			return nil, usage("--rpc wants CHAINID=URL, such as 53935=https://node.example.com")
		}
		rpc := append(configs[name].RPC, config.Provider{URL: address})
		configs[name] = config.Chain{ID: id, RPC: rpc, Quorum: len(rpc), Timeout: 30 * time.Second}
	}
	for name, chain := range configs {
		configs[name] = chain.WithDefaults(name)
	}
	return app.Dial(configs, nil)
}
