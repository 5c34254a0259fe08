package main

import (
	"context"
	"fmt"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"petsupply/testkit/contracts"
	"petsupply/testkit/process"
)

// A fleet is several instances on one PostgreSQL behind nginx.
type fleet struct {
	services []*service
	front    *process.Process
	site     site
}

// demand is a fleet's load on the nodes and the store, and its answers, per second.
type demand struct {
	nodes float64 // round trips to the chains, all instances together
	store float64 // transactions of the store, for each instance
	rate  float64 // answers
}

// instances compares three instances with one under hot requests: the load of all instances on the
// nodes, and the load of each on the store.
func instances(ctx context.Context, h *harness) ([]row, error) {
	chains, err := h.chains(ctx)
	if err != nil {
		return nil, err
	}
	config, err := h.fleetConfig(ctx, chains)
	if err != nil {
		return nil, err
	}
	var nodes, store []pairing
	for round := range h.rounds {
		one, err := h.demandOf(ctx, chains, config, 1)
		if err != nil {
			return nil, fmt.Errorf("one instance: %w", err)
		}
		three, err := h.demandOf(ctx, chains, config, 3)
		if err != nil {
			return nil, fmt.Errorf("three instances: %w", err)
		}
		nodes, store = append(nodes, pairing{three.nodes, one.nodes}), append(store, pairing{three.store, one.store})
		h.say("  instances round %d: requests a second to the nodes: %.1f by three together, %.1f by one; to the store: "+
			"%.1f by each of three, %.1f by one; answers a second: %.0f and %.0f", round+1, three.nodes, one.nodes, three.store, one.store, three.rate, one.rate)
	}
	a := compare("load of three instances on the nodes", "round trips a second of all instances", 0.9, nodes)
	b := compare("load of three instances on the store, hot answers", "transactions a second of each instance", 0.9, store)
	a.Against, b.Against = "one instance", "one instance"
	return []row{a, b}, nil
}

// fleetConfig writes a configuration with a token on three chains and a realm with some pets on one
// of them.
func (h *harness) fleetConfig(ctx context.Context, chains []*chain) (string, error) {
	pg, err := h.postgres()
	if err != nil {
		return "", err
	}
	store, err := pg.Database("fleet")
	if err != nil {
		return "", err
	}
	first := chains[0]
	pets, err := first.node.Deploy(ctx, "Pets", contracts.Options{Version: 2, Offset: new(big.Int)})
	if err != nil {
		return "", err
	}
	if err := first.node.Send(ctx, pets, "hatch", first.node.Accounts[1], big.NewInt(500), big.NewInt(1)); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "store: %q\nrefresh: {every: 1s}\nindex: {every: 1s}\nlease: 3s\nchains:\n", store)
	for _, l := range chains {
		fmt.Fprintf(&b, "  %s: {id: %d, rpc: [%q], finality: latest, max_lag: 24h}\n", l.name, l.id, l.gate.URL)
	}
	b.WriteString("tokens:\n  - path: jewel\n    symbol: JEWEL\n    name: Jewel\n    decimals: 18\n    ledger:\n")
	for _, l := range chains {
		fmt.Fprintf(&b, "      - {label: Minted in %s, bucket: issued, chain: %s, erc20: %q}\n", l.name, l.name,
			l.token.Hex())
	}
	fmt.Fprintf(&b, "realms:\n  - {key: first, name: First Realm, offset: 0, chain: first, contract: %q, getter: v2}\n",
		pets.Hex())
	file := filepath.Join(h.dir, "fleet.yaml")
	return file, os.WriteFile(file, []byte(b.String()), 0o644)
}

// demandOf starts a fleet, warms it up, and measures it for a while.
func (h *harness) demandOf(ctx context.Context, chains []*chain, config string, n int) (demand, error) {
	f := new(fleet)
	defer f.stop()
	for range n {
		s, err := h.serve(ctx, "--config", config)
		if err != nil {
			return demand{}, err
		}
		f.services = append(f.services, s)
		f.site.upstream = append(f.site.upstream, s.address)
	}
	var err error
	if f.front, err = h.nginx(ctx, &f.site); err != nil {
		return demand{}, err
	}
	url := "http://" + f.site.address
	targets := []string{figurePath, documentPath, "/pets/token/1", "/pets/token/2", "/pets/image/3"}
	if err := await(ctx, url, targets); err != nil {
		return demand{}, err
	}
	file, err := h.targetFile("fleet", targets)
	if err != nil {
		return demand{}, err
	}
	l := load{url: url, targets: file, connections: 32}
	if _, err := h.runWrk(ctx, f.front, l, time.Second); err != nil {
		return demand{}, err
	}
	return h.measureFleet(ctx, chains, f, l)
}

// measureFleet counts the load on the nodes and the store.
func (h *harness) measureFleet(ctx context.Context, chains []*chain, f *fleet, l load) (demand, error) {
	const transactions = "SELECT (xact_commit + xact_rollback)::float8 FROM pg_stat_database WHERE datname = 'fleet'"
	before, err := h.pg.Number("postgres", transactions)
	if err != nil {
		return demand{}, err
	}
	for _, x := range chains {
		x.gate.Reset()
	}
	began := time.Now()
	got, err := h.runWrk(ctx, f.front, l, 2*h.span)
	if err != nil {
		return demand{}, err
	}
	seconds := time.Since(began).Seconds()
	s := demand{rate: got.rate()}
	for _, x := range chains {
		s.nodes += float64(x.gate.Requests()) / seconds
	}
	// The server's sessions report their work within a second.
	select {
	case <-ctx.Done():
		return s, ctx.Err()
	case <-time.After(time.Second):
	}
	after, err := h.pg.Number("postgres", transactions)
	s.store = (after - before) / (seconds + 1) / float64(len(f.services))
	return s, err
}

// await requests the targets until all of them answer 200, for at most about a minute.
func await(ctx context.Context, url string, targets []string) error {
	for deadline := time.Now().Add(time.Minute); ; {
		var last error
		for _, t := range targets {
			a, err := get(ctx, url+t, nil)
			if err == nil && a.status != http.StatusOK {
				err = fmt.Errorf("%s: status %d: %s", t, a.status, a.body)
			}
			if err != nil {
				last = err
			}
		}
		if last == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("after a minute: %w", last)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (f *fleet) stop() {
	if f.front != nil {
		f.front.Stop()
	}
	for _, s := range f.services {
		s.Stop()
	}
}
