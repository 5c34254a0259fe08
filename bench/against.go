package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"petsupply/testkit/contracts"
)

// against compares the processor time of this petsupply with that of another one, such as a build
// of an older commit. It measures both alternately: requests, refreshes and indexing. It prints the
// result and writes no file of results.
func (h *harness) against(ctx context.Context, other, name string) error {
	old := *h // the same directory, servers and chains, but another program
	old.binary = other
	old.demo, old.collection, old.closers = nil, nil, nil
	defer old.close()
	h.say("%-40s %10s %10s %9s %8s  %s", "processor time", "new", "old", "new/old", "spread", "unit")
	for _, c := range comparisons {
		if !strings.HasPrefix(c.name, name) {
			continue
		}
		rounds, err := c.run(ctx, h, &old)
		if err != nil {
			return fmt.Errorf("comparing %s: %w", c.name, err)
		}
		var news, olds, ratios []float64
		for _, r := range rounds {
			news, olds, ratios = append(news, r.ours), append(olds, r.peer), append(ratios, r.ours/r.peer)
		}
		h.say("%-40s %10s %10s %9.3f %7.1f%%  %s", c.name, figure(median(news)), figure(median(olds)), median(ratios),
			100*spread(ratios), c.unit)
	}
	return nil
}

// A comparison measures two programs alternately.
type comparison struct {
	name, unit string
	run        func(ctx context.Context, h, old *harness) ([]pairing, error)
}

var comparisons = []comparison{
	hotComparison("hot-figure", figurePath, nil, http.StatusOK),
	hotComparison("hot-document", documentPath, nil, http.StatusOK),
	hotComparison("hot-document-gzip", documentPath, acceptGzip, http.StatusOK),
	hotComparison("hot-all", allPath, nil, http.StatusOK),
	hotComparison("304-figure", figurePath, nil, http.StatusNotModified),
	hotComparison("304-document", documentPath, nil, http.StatusNotModified),
	hotComparison("hot-pet", "/pets/token/7", nil, http.StatusOK),
	hotComparison("hot-picture", "/pets/image/7", nil, http.StatusOK),
	{"cold-metadata", "µs a request", compareCold},
	{"cold-picture", "µs a request", comparePictures},
	{"start", "ms until ready", compareStart},
	{"refresh", "ms a second, refreshing each second", compareRefresh},
	{"bootstrap", "ms for all pets", compareBootstrap},
}

// turns calls measure once for each program in every round. They take turns at being first.
// The first round does not count.
func (h *harness) turns(old *harness, measure func(*harness) (float64, error)) ([]pairing, error) {
	var rounds []pairing
	for round := range h.rounds + 1 {
		var p pairing
		order := []*harness{h, old}
		if round%2 == 1 {
			order = []*harness{old, h}
		}
		for _, side := range order {
			cost, err := measure(side)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", side.binary, err)
			}
			if side == h {
				p.ours = cost
			} else {
				p.peer = cost
			}
		}
		if round > 0 {
			rounds = append(rounds, p)
		}
	}
	return rounds, nil
}

// hotComparison sends the same request to the demo kingdom again and again. Both programs must
// answer with the same bytes.
func hotComparison(name, path string, header []string, status int) comparison {
	return comparison{name, "µs a request", func(ctx context.Context, h, old *harness) ([]pairing, error) {
		sides := map[*harness]*side{}
		for _, x := range []*harness{h, old} {
			s, err := x.demoSide(ctx, path, header, status)
			if err != nil {
				return nil, err
			}
			sides[x] = s
		}
		return h.turns(old, func(x *harness) (float64, error) {
			got, err := x.measureLoad(ctx, sides[x])
			return got.perRequest(), err
		})
	}}
}

// demoSide requests a path of the demo kingdom from this harness's program, which it starts once.
func (h *harness) demoSide(ctx context.Context, path string, header []string, status int) (*side, error) {
	if h.demo == nil {
		service, err := h.serve(ctx)
		if err != nil {
			return nil, err
		}
		h.demo = &stage{ours: service}
	}
	at := h.demo.ours
	first, err := get(ctx, at.url+path, header)
	if err != nil {
		return nil, err
	}
	sent := header
	if status == http.StatusNotModified {
		sent = append(sent[:len(sent):len(sent)], "If-None-Match: "+first.header.Get("Etag"))
		if first, err = get(ctx, at.url+path, sent); err != nil {
			return nil, err
		}
	}
	return &side{Process: at.Process, load: load{url: at.url, path: path, header: sent}, targets: []string{path},
		status: status,
		size:   first.size, bodies: func(string) ([]byte, error) { return first.body, nil }}, nil
}

// compareCold requests different pets from a service that was just started.
func compareCold(ctx context.Context, h, old *harness) ([]pairing, error) {
	return h.onFreshCollection(ctx, old, "/pets/token/")
}

// comparePictures requests different pictures from a service that was just started.
func comparePictures(ctx context.Context, h, old *harness) ([]pairing, error) {
	return h.onFreshCollection(ctx, old, "/pets/image/")
}

func (h *harness) onFreshCollection(ctx context.Context, old *harness, prefix string) ([]pairing, error) {
	pg, err := h.postgres()
	if err != nil {
		return nil, err
	}
	old.pg = pg
	for i, x := range []*harness{h, old} {
		if x.collectionConfig != "" {
			continue
		}
		if x.collectionConfig, err = x.importCollection(ctx, fmt.Sprintf("against%d", i)); err != nil {
			return nil, err
		}
	}
	paths := h.collectionPaths()
	for i := range paths {
		paths[i] = prefix + filepath.Base(paths[i])
	}
	targets, err := h.targetFile("against"+strings.ReplaceAll(prefix, "/", "-"), paths)
	if err != nil {
		return nil, err
	}
	return h.turns(old, func(x *harness) (float64, error) {
		s, err := x.serve(ctx, "--config", x.collectionConfig)
		if err != nil {
			return 0, err
		}
		defer s.Stop()
		got, err := x.runWrk(ctx, s.Process, load{url: s.url, targets: targets, connections: pgClients}, x.span)
		return got.perRequest(), err
	})
}

// compareStart measures the time until the demo kingdom is ready, with an existing data directory.
func compareStart(ctx context.Context, h, old *harness) ([]pairing, error) {
	return h.turns(old, func(x *harness) (float64, error) {
		took, _, err := x.startOnce(ctx, filepath.Join(x.dir, "start-"+url.PathEscape(x.binary)))
		return took, err
	})
}

// compareRefresh measures a service that publishes a token of three chains and refreshes it each
// second, without requests.
func compareRefresh(ctx context.Context, h, old *harness) ([]pairing, error) {
	chains, err := h.chains(ctx)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprint(&b, "refresh: {every: 1s}\nchains:\n")
	for _, c := range chains {
		fmt.Fprintf(&b, "  %s: {id: %d, rpc: [%q], finality: latest, max_lag: 24h}\n", c.name, c.id, c.node.Direct)
	}
	b.WriteString("tokens:\n  - path: coin\n    symbol: COIN\n    name: Coin\n    decimals: 18\n    ledger:\n")
	for _, e := range book(chains, 300).Ledger {
		fmt.Fprintf(&b, "      - {label: %s, bucket: %s, chain: %s, erc20: %q", e.Label, e.Bucket, e.Chain, e.ERC20)
		if e.Holder != "" {
			fmt.Fprintf(&b, ", holder: %q", e.Holder)
		}
		b.WriteString("}\n")
	}
	file := filepath.Join(h.dir, "refresh.yaml")
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		return nil, err
	}
	return h.turns(old, func(x *harness) (float64, error) {
		s, err := x.serve(ctx, "--config", file)
		if err != nil {
			return 0, err
		}
		defer s.Stop()
		if err := await(ctx, s.url, []string{"/supply/coin/totalsupply"}); err != nil {
			return 0, err
		}
		span := max(5*time.Second, 10*x.span)
		return cpuOver(ctx, s, span)
	})
}

// cpuOver returns how many milliseconds of processor time per second a service uses while it gets
// no requests.
func cpuOver(ctx context.Context, s *service, span time.Duration) (float64, error) {
	before, err := s.CPU()
	if err != nil {
		return 0, err
	}
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-time.After(span):
	}
	after, err := s.CPU()
	return float64((after - before).Microseconds()) / 1000 / span.Seconds(), err
}

// compareBootstrap measures the processor time until a service with an empty store answers for the
// last pet of a realm.
func compareBootstrap(ctx context.Context, h, old *harness) ([]pairing, error) {
	pets := 20_000
	if h.quick {
		pets = 4_000
	}
	chains, err := h.chains(ctx)
	if err != nil {
		return nil, err
	}
	c := chains[0]
	contract, err := c.node.Deploy(ctx, "Pets", contracts.Options{Version: 2, Offset: new(big.Int)})
	if err != nil {
		return nil, err
	}
	for done := 0; done < pets; done += 1000 {
		if err := c.node.Send(ctx, contract, "hatch", c.node.Accounts[1], big.NewInt(1000),
			big.NewInt(int64(done))); err != nil {
			return nil, err
		}
	}
	text := fmt.Sprintf("index: {every: 1s}\nchains:\n  %s: {id: %d, rpc: [%q], finality: latest, max_lag: 24h}\n"+
		"realms:\n  - {key: first, name: First Realm, offset: 0, chain: %s, contract: %q, getter: v2}\n", c.name, c.id,
		c.node.Direct, c.name, contract)
	file := filepath.Join(h.dir, "bootstrap.yaml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return nil, err
	}
	last := fmt.Sprintf("/pets/tokens?ids=%d", pets) // a list is read only from the store
	return h.turns(old, func(x *harness) (float64, error) {
		s, err := x.serve(ctx, "--config", file)
		if err != nil {
			return 0, err
		}
		defer s.Stop()
		if err := awaitPet(ctx, s.url+last); err != nil {
			return 0, err
		}
		used, err := s.CPU()
		return float64(used.Microseconds()) / 1000, err
	})
}

// awaitPet requests a list until the list has a pet.
func awaitPet(ctx context.Context, url string) error {
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); {
		a, err := get(ctx, url, nil)
		if err == nil && a.status == http.StatusOK && bytes.Contains(a.body, []byte(`"attributes"`)) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	return errors.New("the last pet is not in the list after two minutes")
}
