package main

import (
	"context"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"petsupply/internal/config"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/testkit/anvil"
	"petsupply/testkit/faultproxy"
	"petsupply/testkit/kingdom"
)

const (
	maxLag        = 10 * time.Minute
	blockInterval = 500 * time.Millisecond
	askInterval   = 500 * time.Millisecond // between requests of callers
)

// timings are the settings of a service of a moving kingdom, besides its chains.
type timings struct {
	stale, refuse time.Duration
	timeout       time.Duration // for a request to a provider
	holdFor       time.Duration
	lease         time.Duration
	proofs        supply.ProofRule // "" means the default
	onDemand      bool             // the second chain is configured as one that makes blocks on demand
}

// shortTimings make a figure stale and then refused within seconds.
var shortTimings = timings{stale: 3 * time.Second, refuse: 5 * time.Second, timeout: 2 * time.Second,
	holdFor: 12 * time.Second, lease: 10 * time.Second}

// A movingKingdom is a kingdom that changes all the time, with the truth about it.
type movingKingdom struct {
	*kingdom.Kingdom
	truth *truth

	forking sync.Mutex
	forks   map[twinKey]*anvil.Node // made on first use
}

// A twinKey names a chain with other newest blocks: a fork, or a forgery whose blocks never were on
// a chain.
type twinKey struct {
	chain  string
	forged bool
}

// newMovingKingdom founds a kingdom that is several hours old.
func newMovingKingdom(t *testing.T) *movingKingdom {
	t.Helper()
	s := &movingKingdom{Kingdom: kingdom.Test(t, kingdom.Options{Pets: 1, Seed: 5, Age: 6 * time.Hour}),
		forks: map[twinKey]*anvil.Node{}}
	cfg, err := config.Load("kingdom", []byte(s.config(nil, shortTimings)), os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	s.truth = &truth{kingdom: s.Kingdom, tokens: map[string]ledger.Token{}, nodes: map[string][]*anvil.Node{}}
	for _, token := range cfg.Tokens {
		s.truth.tokens[token.Path] = token
	}
	for _, c := range s.Chains {
		s.truth.nodes[c.Name] = []*anvil.Node{c.Node}
	}
	t.Cleanup(func() {
		for _, n := range s.forks {
			n.Close()
		}
	})
	return s
}

// config returns a configuration for the tokens alone, with short times.
func (s *movingKingdom) config(nodes map[string][]string, with timings) string {
	text := s.Config(kingdom.Settings{Nodes: nodes, Refresh: "1s", Top: fmt.Sprint("lease: ", with.lease)})
	text, _, _ = strings.Cut(text, "realms:")
	chain := fmt.Sprintf("timeout: %s, max_lag: %s", with.timeout, maxLag)
	if with.proofs != "" {
		chain += fmt.Sprintf(", proofs: %s", with.proofs)
	}
	latest := "finality: latest, "
	if with.onDemand {
		latest += "blocks: on-demand, "
	}
	return strings.NewReplacer(
		"finality: latest, timeout: 3s", latest+chain,
		"stale_after: 1m, refuse_after: 10m, hold_for: 3s",
		fmt.Sprintf("stale_after: %s, refuse_after: %s, hold_for: %s", with.stale, with.refuse, with.holdFor),
		"timeout: 3s", chain,
	).Replace(text)
}

// move changes the kingdom until stop is called. stop returns an error if that failed.
func (s *movingKingdom) move(ctx context.Context) (stop func() error) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		tick := time.NewTicker(blockInterval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				ended <- nil
				return
			case <-tick.C:
			}
			if err := s.step(context.WithoutCancel(ctx)); err != nil { // a step is never half done
				ended <- fmt.Errorf("the kingdom: %w", err)
				return
			}
		}
	}()
	return func() error { cancel(); return <-ended }
}

func (s *movingKingdom) step(ctx context.Context) error {
	_, err := s.Step(ctx, 0)
	return err
}

// heights returns the chains' newest blocks.
func (s *movingKingdom) heights(ctx context.Context) (map[string]uint64, error) {
	out := map[string]uint64{}
	for _, c := range s.Chains {
		n, err := c.Height(ctx)
		if err != nil {
			return nil, err
		}
		out[c.Name] = n
	}
	return out, nil
}

// fork returns a node with other newest blocks for each chain. They begin after a common block, are
// longer, and mint more. The truth knows about them, unless they are forged.
func (s *movingKingdom) fork(ctx context.Context, forged bool) (map[string]string, error) {
	s.forking.Lock()
	defer s.forking.Unlock()
	heights, err := s.heights(ctx)
	urls := map[string]string{}
	for _, c := range s.Chains {
		if err != nil {
			break
		}
		twin := twinKey{c.Name, forged}
		if s.forks[twin] == nil {
			err = s.split(ctx, c, forged)
		}
		if err == nil {
			urls[c.Name] = s.forks[twin].URL
			err = s.overtake(ctx, s.forks[twin], heights[c.Name])
		}
	}
	if err != nil {
		return nil, fmt.Errorf("making a fork: %w", err)
	}
	return urls, nil
}

func (s *movingKingdom) split(ctx context.Context, c *kingdom.Chain, forged bool) error {
	twin, err := c.Copy(ctx)
	if err != nil {
		return err
	}
	s.forks[twinKey{c.Name, forged}] = twin
	if err := twin.MineAt(ctx, time.Now()); err != nil { // its clock is at the beginning of the chain
		return err
	}
	for _, t := range s.truth.tokens {
		for _, e := range t.Ledger {
			if e.Chain == c.Name && e.Label == "Dead address" {
				token, err := ledger.ParseAddress(e.ERC20)
				if err != nil {
					return err
				}
				if err := twin.Send(ctx, token, "mint", twin.Accounts[0], big.NewInt(1e18)); err != nil {
					return err
				}
			}
		}
	}
	if forged {
		return nil
	}
	s.truth.mu.Lock()
	defer s.truth.mu.Unlock()
	s.truth.nodes[c.Name] = append(s.truth.nodes[c.Name], twin)
	return nil
}

// overtake makes the fork a little longer than the chain.
func (s *movingKingdom) overtake(ctx context.Context, twin *anvil.Node, height uint64) error {
	has, err := twin.Height(ctx)
	if err != nil || has >= height+8 {
		return err
	}
	return twin.Mine(ctx, int(height+8-has))
}

// A faultyService is a service whose nodes can be made to fail.
type faultyService struct {
	stage             *movingKingdom
	providers, faulty int
	proxies           map[string][]*faultproxy.Proxy // by chain
	dir, file         string                         // data and configuration
	timings           timings
	*running
	*caller
}

// faultyService prepares a service whose chains have this many providers each. Each provider is
// behind a faultproxy. tryFault makes the first ones fail; faulty is their number.
func (s *movingKingdom) faultyService(t *testing.T, faulty, providers int, with timings) *faultyService {
	t.Helper()
	x := &faultyService{stage: s, providers: providers, faulty: faulty, proxies: map[string][]*faultproxy.Proxy{},
		dir: t.TempDir(), timings: with}
	nodes := map[string][]string{}
	for _, c := range s.Chains {
		for range providers {
			p := faultproxy.Test(t, c.URL)
			x.proxies[c.Name] = append(x.proxies[c.Name], p)
			nodes[c.Name] = append(nodes[c.Name], p.URL)
		}
	}
	x.file = filepath.Join(x.dir, "petsupply.yaml")
	if err := os.WriteFile(x.file, []byte(s.config(nodes, with)), 0o600); err != nil {
		t.Fatal(err)
	}
	return x
}

// open starts the service.
func (x *faultyService) open(t *testing.T) *faultyService {
	t.Helper()
	x.running = begin(t, "--config", x.file, "--data", x.dir)
	x.caller = newCaller(x.supply, x.stage.truth, x.timings.stale, x.timings.refuse)
	return x
}

// fail gives every provider a new fault of this kind.
func (x *faultyService) fail(f func() faultproxy.Fault) {
	for _, proxies := range x.proxies {
		for _, p := range proxies {
			p.Set(f())
		}
	}
}

func (x *faultyService) String() string { return fmt.Sprintf("%d of %d", x.faulty, x.providers) }
