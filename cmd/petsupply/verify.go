package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/config"
	"petsupply/internal/supply"
)

// verifyCmd needs no configuration: the evidence says everything but where to
// find nodes, and with its proof none are needed.
type verifyCmd struct {
	Evidence string   `arg:"" help:"A file, or the address of a service's /{token}/evidence."`
	Proof    string   `arg:"" optional:"" help:"A file, or the address of the proof; of an address the one beside the evidence."`
	Block    []string `sep:"none" placeholder:"CHAINID=HASH" help:"The hash of the evidence's block of that chain as you know it, to be compared."`
	RPC      []string `name:"rpc" sep:"none" placeholder:"CHAINID=URL" help:"A node of that chain which still holds the state. Several of one chain must agree."`
}

// Run says of everything in the evidence whether the nodes confirm it.
func (c *verifyCmd) Run(ctx context.Context, p *program) error {
	ev, err := c.evidence(ctx)
	if err != nil {
		return err
	}
	if len(c.RPC) == 0 {
		return c.offline(ctx, p, ev)
	}
	chains, err := c.dial()
	if err != nil {
		return err
	}
	defer chains.Close()
	readers := map[uint64]supply.ChainReader{}
	for _, chain := range chains {
		readers[chain.ID()] = chain
	}
	return printVerdict(p.stdout, supply.Verify(ctx, ev, readers))
}

// printVerdict writes what was found, line by line, and how much of it agrees.
func printVerdict(out io.Writer, verdict supply.Verdict) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	bad, claimed := 0, 0
	for _, f := range verdict {
		word := "ok"
		switch {
		case !f.OK:
			word = "NO"
			bad++
		case f.Claimed:
			word = "claimed"
			claimed++
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", word, oneLine(f.What), oneLine(f.Detail))
	}
	w.Flush()
	compared := len(verdict) - claimed
	if !verdict.OK() {
		fmt.Fprintf(out, "\n%d of %d differ or could not be compared.\n", bad, compared)
		return errReported
	}
	fmt.Fprintf(out, "\nAll %d agree that can be compared. %d are claimed: only the evidence says so.\n", compared, claimed)
	return nil
}

func (c *verifyCmd) evidence(ctx context.Context) (*supply.Evidence, error) {
	in, err := openInput(ctx, c.Evidence)
	if err != nil {
		return nil, usage("opening the evidence: %w", err)
	}
	defer in.Close()
	return supply.ParseEvidence(in)
}

// download opens the body of a 200.
func download(ctx context.Context, address string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	client := http.Client{Timeout: time.Minute}
	resp, err := client.Do(req)
	if err == nil && resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		err = fmt.Errorf("%s answers %s", address, resp.Status)
	}
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
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
