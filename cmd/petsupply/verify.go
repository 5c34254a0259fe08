package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"petsupply/internal/config"
	"petsupply/internal/evm"
	"petsupply/internal/supply"
)

// verifyCmd needs no configuration: the evidence says everything but where to
// find nodes.
type verifyCmd struct {
	Evidence string   `arg:"" help:"A file, or the address of a service's /{token}/evidence."`
	RPC      []string `name:"rpc" sep:"none" placeholder:"CHAINID=URL" help:"A node of that chain which still holds the state. Several of one chain must agree."`
}

// Run says of everything in the evidence whether the nodes confirm it.
func (c *verifyCmd) Run(ctx context.Context, p *program) error {
	ev, err := c.load(ctx)
	if err != nil {
		return err
	}
	readers, done, err := c.readers()
	if err != nil {
		return usageError{err}
	}
	defer done()
	verdict := supply.Verify(ctx, ev, readers)
	w := tabwriter.NewWriter(p.stdout, 0, 8, 2, ' ', 0)
	bad := 0
	for _, f := range verdict {
		word := "ok"
		if !f.OK {
			word = "NO"
			bad++
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", word, f.What, f.Detail)
	}
	w.Flush()
	if !verdict.OK() {
		fmt.Fprintf(p.stdout, "\n%s of %s: %d of %d differ or could not be compared.\n", ev.Symbol, ev.AsOf.Format(time.RFC3339), bad, len(verdict))
		return errReported
	}
	fmt.Fprintf(p.stdout, "\n%s of %s: all %d agree.\n", ev.Symbol, ev.AsOf.Format(time.RFC3339), len(verdict))
	return nil
}

func (c *verifyCmd) load(ctx context.Context) (*supply.Evidence, error) {
	var in io.ReadCloser
	var err error
	if strings.HasPrefix(c.Evidence, "http://") || strings.HasPrefix(c.Evidence, "https://") {
		in, err = download(ctx, c.Evidence)
	} else {
		in, err = os.Open(c.Evidence)
	}
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
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, fmt.Errorf("%s answers %s", address, resp.Status)
	}
	return resp.Body, nil
}

// readers dials the nodes that were given, by chain id.
func (c *verifyCmd) readers() (map[uint64]supply.ChainReader, func(), error) {
	configs := map[uint64]*config.Chain{}
	for _, arg := range c.RPC {
		id, address, ok := strings.Cut(arg, "=")
		chain, err := strconv.ParseUint(id, 10, 64)
		if !ok || err != nil {
			return nil, nil, errors.New("--rpc wants CHAINID=URL, such as 53935=https://node.example.com")
		}
		if configs[chain] == nil {
			configs[chain] = &config.Chain{ID: chain, Timeout: 30 * time.Second}
		}
		configs[chain].RPC = append(configs[chain].RPC, config.Provider{URL: address})
	}
	var open []*evm.Chain
	done := func() {
		for _, x := range open {
			x.Close()
		}
	}
	readers := map[uint64]supply.ChainReader{}
	for id, cfg := range configs {
		name := strconv.FormatUint(id, 10)
		cfg.Quorum = len(cfg.RPC)
		chain, err := evm.Dial(cfg.WithDefaults(name).EVM(name), nil)
		if err != nil {
			done()
			return nil, nil, err
		}
		open = append(open, chain)
		readers[id] = chain
	}
	return readers, done, nil
}
