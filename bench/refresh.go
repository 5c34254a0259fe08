package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"golang.org/x/sync/errgroup"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/testkit/anvil"
	"petsupply/testkit/contracts"
)

// refresh compares a refresh with the bare calls, and with reading one by one as most such programs
// do. A refresh measures a token over three chains and judges the figures, which confirm the
// previous ones.
func refresh(ctx context.Context, h *harness) ([]row, error) {
	chains, err := h.chains(ctx)
	if err != nil {
		return nil, err
	}
	var rows []row
	var trips []float64
	for _, entries := range []int{10, 100, 1000} {
		got, err := h.refreshOf(ctx, chains, entries)
		if err != nil {
			return nil, fmt.Errorf("%d entries: %w", entries, err)
		}
		rows = append(rows, got...)
		n, err := roundTrips(ctx, chains, entries)
		if err != nil {
			return nil, err
		}
		trips = append(trips, n)
	}
	r := row{Name: "round trips of a refresh of 1,000 entries", Unit: "round trips to three chains", Reach: 1,
		Ours: trips[2], Peer: trips[0], Ratio: trips[0] / trips[2], Against: "our refresh of 10 entries"}
	return append(rows, r), nil
}

func (h *harness) refreshOf(ctx context.Context, chains []*chain, entries int) ([]row, error) {
	token := book(chains, entries)
	dialled := map[string]supply.Chain{}
	for _, l := range chains {
		c, err := l.dial(l.node.Direct)
		if err != nil {
			return nil, err
		}
		defer c.Close()
		dialled[l.name] = c
	}
	calls, err := bareCalls(chains, token)
	if err != nil {
		return nil, err
	}
	jobs, err := h.ethersJobs(chains, token)
	if err != nil {
		return nil, err
	}
	measurer := supply.NewMeasurer([]ledger.Token{token}, dialled) // one for all rounds, as in the service
	published, rules := supply.Record{Token: token.Path}, supply.Rules{Repeat: time.Hour}
	var bare, slow []pairing
	const times = 20 // measurements in a round; their median counts
	for round := range h.rounds + 1 {
		var ours, theirs []float64
		for range times {
			began := time.Now()
			r := measurer.Measure(ctx, time.Now())[0]
			if r.Err != nil {
				return nil, r.Err
			}
			if published, _, err = published.Judge(&token, r.Snapshot, rules); err != nil {
				return nil, err
			}
			ours = append(ours, ms(began))
			began = time.Now()
			if err := callBare(ctx, chains, calls); err != nil {
				return nil, err
			}
			theirs = append(theirs, ms(began))
		}
		single, err := h.ethers(ctx, jobs)
		if err != nil {
			return nil, err
		}
		if round == 0 {
			continue
		}
		bare = append(bare, pairing{median(ours), median(theirs)})
		slow = append(slow, pairing{median(ours), single})
		h.say("  refresh of %d entries, round %d: ours %.2f ms, bare multicall %.2f ms, ethers one by one %.0f ms", entries,
			round, median(ours), median(theirs), single)
	}
	name := ledger.Grouped(strconv.Itoa(entries))
	rows := []row{
		compare("refresh of "+name+" entries", "ms for three chains", 1/1.2, bare),
		compare("refresh of "+name+" entries, peer reads one by one", "ms for three chains", 1, slow),
	}
	rows[0].Against, rows[1].Against = "bare multicall", "ethers"
	return rows, nil
}

func ms(since time.Time) float64 { return float64(time.Since(since).Microseconds()) / 1000 }

// bareCalls packs the entries of each chain for Multicall3, once.
func bareCalls(chains []*chain, t ledger.Token) ([]hexutil.Bytes, error) {
	type call struct {
		Target       common.Address
		AllowFailure bool
		CallData     []byte
	}
	multicall, err := contracts.Load("Multicall3")
	if err != nil {
		return nil, err
	}
	var packed []hexutil.Bytes
	for _, l := range chains {
		var list []call
		for _, e := range t.Ledger {
			if e.Chain != l.name {
				continue
			}
			read, _, err := e.ChainCall()
			if err != nil {
				return nil, err
			}
			list = append(list, call{read.To, true, read.Data})
		}
		data, err := multicall.ABI.Pack("aggregate3", list)
		if err != nil {
			return nil, err
		}
		packed = append(packed, data)
	}
	return packed, nil
}

// callBare does the minimum for figures of a known block. It asks each chain for its newest block
// and sends one multicall there, all chains at once. It checks, decodes and judges nothing.
func callBare(ctx context.Context, chains []*chain, calls []hexutil.Bytes) error {
	group, ctx := errgroup.WithContext(ctx)
	for i, l := range chains {
		group.Go(func() error {
			var head struct{ Number hexutil.Uint64 }
			if err := l.node.RPC.CallContext(ctx, &head, "eth_getBlockByNumber", "latest", false); err != nil {
				return err
			}
			var answer hexutil.Bytes
			return l.node.RPC.CallContext(ctx, &answer, "eth_call", map[string]any{"to": anvil.Multicall3, "data": calls[i]},
				head.Number)
		})
	}
	return group.Wait()
}

// roundTrips counts the requests of the second refresh, because the first one also learns what the
// nodes support.
func roundTrips(ctx context.Context, chains []*chain, entries int) (float64, error) {
	token := book(chains, entries)
	dialled := map[string]supply.Chain{}
	for _, l := range chains {
		c, err := l.dial(l.gate.URL)
		if err != nil {
			return 0, err
		}
		defer c.Close()
		dialled[l.name] = c
	}
	db, drop, err := emptyStore(ctx)
	if err != nil {
		return 0, err
	}
	defer drop()
	if ok, err := db.Campaign(ctx, "bench", time.Minute); err != nil || !ok {
		return 0, errors.Join(err, errors.New("no lease"))
	}
	tokens := []ledger.Token{token}
	board := supply.NewBoard(tokens, supply.AgePolicy{StaleAfter: time.Hour, RefuseAfter: 2 * time.Hour}, false)
	r := supply.NewRefresher(tokens, dialled, db, board, time.Minute, supply.Rules{Every: time.Minute, HoldFor: time.Hour},
		slog.New(slog.DiscardHandler))
	if err := r.Load(ctx); err != nil {
		return 0, err
	}
	sum := 0
	for round := range 2 {
		for _, l := range chains {
			l.gate.Reset()
		}
		if err := r.Step(ctx); err != nil {
			return 0, err
		}
		for _, l := range chains {
			sum += round * l.gate.Requests()
		}
	}
	return float64(sum), nil
}

// ethersJobs writes a file with the values that ethers reads.
func (h *harness) ethersJobs(chains []*chain, t ledger.Token) (string, error) {
	type job struct {
		URL     string           `json:"url"`
		Chain   uint64           `json:"chain"`
		Token   common.Address   `json:"token"`
		Holders []common.Address `json:"holders"`
	}
	var jobs []job
	for _, l := range chains {
		j := job{URL: l.node.Direct, Chain: l.id, Token: l.token}
		for _, e := range t.Ledger {
			if e.Chain == l.name {
				j.Holders = append(j.Holders, common.HexToAddress(e.Holder))
			}
		}
		jobs = append(jobs, j)
	}
	text, err := json.Marshal(jobs)
	if err != nil {
		return "", err
	}
	file := filepath.Join(h.dir, "ethers.json")
	return file, os.WriteFile(file, text, 0o644)
}

// ethers reads the jobs one by one, twice, and returns the milliseconds of the second time. The
// first is the warm-up.
func (h *harness) ethers(ctx context.Context, jobs string) (float64, error) {
	cmd := exec.CommandContext(ctx, "node", filepath.Join(h.root, "bench", "ethers.mjs"), jobs, "2")
	out, err := cmd.Output()
	var got struct{ Milliseconds []float64 }
	if err == nil {
		err = json.Unmarshal(out, &got)
	}
	if err != nil || len(got.Milliseconds) != 2 {
		return 0, fmt.Errorf("reading with ethers: %w", errors.Join(err, errors.New(string(out))))
	}
	return got.Milliseconds[1], nil
}
