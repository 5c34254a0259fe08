package main

import (
	"net/http"
	"strings"
	"testing"

	"petsupply/testkit/faultproxy"
	"petsupply/testkit/kingdom"
	"petsupply/testkit/process"
)

// A limitCase is a kind of real provider; each chain has only this one.
type limitCase struct {
	name  string
	fault func() faultproxy.Fault
	chain string // further settings of each chain
}

func batchesOf3() faultproxy.Fault {
	return faultproxy.BatchLimit(3, http.StatusInternalServerError, 31,
		"Batch of more than 3 requests are not allowed on freetier, to use this feature register paid account")
}

var limitCases = []limitCase{
	{name: "none", fault: faultproxy.None},
	{name: "multicall: none", fault: faultproxy.None, chain: ", multicall: none"},
	{name: "bodies of 20 KiB", fault: func() faultproxy.Fault { return faultproxy.BodyLimit(20 << 10) }},
	{name: "bodies of 20 KiB, multicall: none", fault: func() faultproxy.Fault { return faultproxy.BodyLimit(20 << 10) },
		chain: ", multicall: none"},
	{name: "batches of 3", fault: batchesOf3},
	{name: "batches of 3, multicall: none", fault: batchesOf3, chain: ", multicall: none"},
	{name: "no batches", fault: func() faultproxy.Fault {
		return faultproxy.BatchLimit(0, http.StatusBadRequest, -32600, "Invalid Request")
	}},
	{name: "no batches, multicall: none", fault: func() faultproxy.Fault {
		return faultproxy.BatchLimit(0, http.StatusOK, -32601, "batch requests are not supported")
	}, chain: ", multicall: none"},
	{name: "10 calls at once, then -32005", fault: func() faultproxy.Fault { return faultproxy.CallRate(10) },
		chain: ", multicall: none"},
	{name: "429 with Retry-After", fault: func() faultproxy.Fault { return faultproxy.RequestRate(8, "1") }},
	{name: "429 without", fault: func() faultproxy.Fault { return faultproxy.RequestRate(8, "") }},
	{name: "logs of 1,000 blocks", fault: func() faultproxy.Fault {
		return faultproxy.LogRange(1000, -32600, "eth_getLogs is limited to 0 - 1000 blocks range")
	}},
	{name: "logs of 2,000 blocks, unsaid", fault: func() faultproxy.Fault {
		return faultproxy.LogRange(2000, -32005, "limit exceeded")
	}},
	{name: "45 logs at once", fault: func() faultproxy.Fault {
		return faultproxy.LogSize(45, "query returned more than 45 results")
	}},
	{name: "no EIP-1898", fault: faultproxy.NoBlockHash},
	{name: "no EIP-1898, batches of 3, multicall: none", fault: func() faultproxy.Fault {
		return faultproxy.Both(faultproxy.NoBlockHash(), batchesOf3())
	}, chain: ", multicall: none"},
	{name: "HTML instead of JSON, one in five", fault: func() faultproxy.Fault { return faultproxy.Pages(5) }},
	{name: "two nodes a block apart", fault: faultproxy.Balanced},
	{name: "state of 32 blocks", fault: func() faultproxy.Fault {
		return faultproxy.Forgets(32, "missing trie node 12ab (path ) state 0x12ab is not available, not found")
	}},
}

// A limitedService reads the kingdom through providers with limits.
type limitedService struct {
	*limitCase
	base    string
	proxies []*faultproxy.Proxy
	running *process.Process
	// Requests until everything was right, and again after a change.
	reading, before, following int
}

// TestProviderLimits: whatever providers allow, figures are current and right, and so are all pets.
// The log says how many requests that took.
func TestProviderLimits(t *testing.T) {
	k, ctx := kingdom.Test(t, kingdom.Options{Seed: 12}), t.Context()
	for range 10 {
		_, err := k.Step(ctx, 5)
		must(t, err)
	}
	must(t, k.Settle(ctx))
	arena := k.Chains[len(k.Chains)-1]
	must(t, arena.Mine(ctx, 2100)) // its realm has only guests, and is searched from the first block on
	program, err := program()
	must(t, err)
	services := make([]*limitedService, len(limitCases))
	for i := range limitCases {
		services[i] = &limitedService{limitCase: &limitCases[i]}
		services[i].start(t, k, program) // one by one, because another process could take a free port
	}
	t.Run("reads all", func(t *testing.T) { tellTheTruth(t, k, services) })
	for range 3 {
		_, err := k.Step(ctx, 5)
		must(t, err)
	}
	must(t, k.Settle(ctx))
	for _, s := range services {
		s.before = s.requests()
	}
	t.Run("follows", func(t *testing.T) { tellTheTruth(t, k, services) })
	for _, s := range services {
		t.Logf("%-45s %4d requests to read all, %4d to follow", s.name, s.reading, s.following)
	}
}

func (s *limitedService) start(t *testing.T, k *kingdom.Kingdom, program string) {
	nodes := map[string][]string{}
	for _, c := range k.Chains {
		p := faultproxy.Test(t, c.URL)
		p.Set(s.fault())
		s.proxies = append(s.proxies, p)
		nodes[c.Name] = []string{p.URL}
	}
	text := k.Config(kingdom.Settings{Nodes: nodes, Refresh: "2s"})
	text = strings.ReplaceAll(text, ", timeout: 3s", ", timeout: 3s"+s.chain)
	listen, err := process.FreeAddress()
	must(t, err)
	ops, err := process.FreeAddress()
	must(t, err)
	s.base = "http://" + listen
	s.running, err = serve(t.Context(), program, t.TempDir(), text, listen, ops)
	must(t, err)
	t.Cleanup(func() {
		if s.running.Stop(); t.Failed() {
			t.Logf("%s: the service's log ends:\n%s", s.name, s.running.Output.Tail())
		}
	})
}

// tellTheTruth waits until each service is right, and counts the requests.
func tellTheTruth(t *testing.T, k *kingdom.Kingdom, services []*limitedService) {
	for _, s := range services {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			figures(t, t.Context(), k, s.base+"/supply/")
			for id, place := range k.Places() {
				within(t, func() error { return agrees(t.Context(), k, s.base, id, place) })
			}
			if s.reading == 0 {
				s.reading = s.requests()
			} else {
				s.following = s.requests() - s.before
			}
		})
	}
}

// requests returns how many requests the service has made so far.
func (s *limitedService) requests() (n int) {
	for _, p := range s.proxies {
		n += p.Requests()
	}
	return n
}
