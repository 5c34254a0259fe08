// Package gather makes proofs. It executes calls on the known parts of a state, asks nodes for
// missing parts, and repeats this until nothing is missing.
package gather

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/supply/proof"
)

const (
	maxRounds = 24        // rounds of requests; a cold start takes 2 to 6
	maxNodes  = 256 << 20 // bytes of trie nodes for one proof
)

// Source provides proofs. *evm.Chain implements it.
type Source interface {
	// ID returns the chain id.
	ID() uint64
	// Proofs asks providers one after another, until accept returns nil for an answer.
	Proofs(ctx context.Context, at evm.Block, q evm.ProofQuery, accept func(evm.ProofAnswer) error) error
}

// A Gatherer makes proofs of one chain. It remembers the keys that each call touched, so that the
// next proof takes one round trip. Many goroutines may use it.
type Gatherer struct {
	source Source

	mu      sync.Mutex
	headers []string               // methods to try for the header; one of them returns all its fields
	keys    map[string][]proof.Key // by proof.Call.ID
	codes   map[common.Address][]byte
}

// New returns a gatherer for the chain of source.
func New(source Source) *Gatherer {
	return &Gatherer{
		source:  source,
		headers: []string{"eth_getBlockByHash", "kaia_getBlockByNumber", "klay_getBlockByNumber"},
		keys:    map[string][]proof.Key{}, codes: map[common.Address][]byte{},
	}
}

// Gather proves the calls' answers at a block. It leaves out some calls if a check of all of them
// would take more than the given gas. The result is nil if nothing is proven. The errors, one for
// each call, say why a call is not proven.
func (g *Gatherer) Gather(ctx context.Context, at evm.Block, calls []proof.Call, gas uint64,
) (*proof.Chain, []error) {
	v := &gathering{Gatherer: g, at: at, runs: map[string]proof.Run{}, refused: map[proof.Key]error{}}
	if err := v.run(ctx, calls); err != nil {
		return nil, slices.Repeat([]error{fmt.Errorf("gathering a proof at block %d: %w", at.Number, err)}, len(calls))
	}
	g.remember(v)
	c, faults := v.state.Prove(calls, v.runs, gas)
	for i, call := range calls {
		if missed := v.runs[call.ID()].Missed; len(missed) > 0 {
			faults[i] = v.reason(missed)
		}
	}
	return c, faults
}

// remembered returns the keys that the calls touched last time. It adds the keys that each call is
// sure to need: the account at its address and, unless the call only reads a balance, the code.
func (g *Gatherer) remembered(calls []proof.Call) map[proof.Key]bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	want := map[proof.Key]bool{}
	for _, c := range calls {
		if c.Balance != nil {
			want[proof.Key{Kind: proof.AccountKey, Address: *c.Balance}] = true
		} else {
			want[proof.Key{Kind: proof.AccountKey, Address: *c.To}] = true
			want[proof.Key{Kind: proof.CodeKey, Address: *c.To}] = true
		}
		for _, k := range g.keys[c.ID()] {
			want[k] = true
		}
	}
	return want
}

func (g *Gatherer) remember(v *gathering) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for id, r := range v.runs {
		g.keys[id] = slices.Collect(maps.Keys(r.Touched))
		for k := range r.Touched {
			if k.Kind == proof.CodeKey && v.state.Known(k) == nil {
				g.codes[k.Address] = v.state.Code(k.Address)
			}
		}
	}
}

// A gathering is one Gather in progress.
type gathering struct {
	*Gatherer
	at      evm.Block
	state   *proof.State // nil before the header is known
	runs    map[string]proof.Run
	asked   int
	bytes   int
	refused map[proof.Key]error // keys that no provider proves
	limit   error               // why parts are missing that may be provable
}

// run executes the calls and fetches the parts that they touch until nothing is missing, or until a
// limit is reached. An error means that the block's header is not known, so nothing can be proven.
func (v *gathering) run(ctx context.Context, calls []proof.Call) error {
	want := v.remembered(calls)
	for round := 1; len(want) > 0; round++ {
		switch {
		case v.state != nil && ctx.Err() != nil:
			v.limit = ctx.Err()
			return nil
		case round > maxRounds, round > 1 && v.asked+len(want) > proof.MaxKeys:
			v.limit = fmt.Errorf("parts are still missing, but a limit is reached after %d rounds of requests for "+
				"%d accounts, slots and codes: %w", round-1, v.asked, proof.ErrNotProvable)
			return nil
		}
		if err := v.fetch(ctx, want); v.state == nil {
			return err
		}
		want = v.execute(calls)
	}
	return nil
}

// execute runs the calls that are not finished and returns the keys that are still missing.
func (v *gathering) execute(calls []proof.Call) map[proof.Key]bool {
	want := map[proof.Key]bool{}
	open := func(k proof.Key) bool { return v.refused[k] == nil }
	for _, c := range calls {
		id := c.ID()
		if r, ran := v.runs[id]; ran && !slices.ContainsFunc(r.Missed, open) {
			continue
		}
		r := v.state.Execute(c)
		v.runs[id] = r
		for _, k := range r.Missed {
			if open(k) {
				want[k] = true
			}
		}
	}
	return want
}

// reason returns why keys are missing.
func (v *gathering) reason(missed []proof.Key) error {
	for _, k := range missed {
		if err := v.refused[k]; err != nil {
			return fmt.Errorf("no node proves %s (%v): %w", k, err, proof.ErrNotProvable)
		}
	}
	return v.limit
}

// fetch asks for keys, and the first time also for the header.
func (v *gathering) fetch(ctx context.Context, want map[proof.Key]bool) error {
	v.asked += len(want)
	q := evm.ProofQuery{Accounts: v.queries(want)}
	if v.state == nil {
		v.mu.Lock()
		q.Headers = v.headers
		v.mu.Unlock()
	}
	err := v.source.Proofs(ctx, v.at, q, func(a evm.ProofAnswer) error { return v.accept(q, a, want) })
	if err != nil && v.state != nil {
		for k := range want {
			if v.state.Known(k) != nil {
				v.refused[k] = err
			}
		}
	}
	return err
}

// queries groups keys by account. In the first round it leaves out codes that are remembered.
func (v *gathering) queries(want map[proof.Key]bool) []evm.AccountQuery {
	v.mu.Lock()
	defer v.mu.Unlock()
	byAddress := map[common.Address]*evm.AccountQuery{}
	for k := range want {
		q := byAddress[k.Address]
		if q == nil {
			q = &evm.AccountQuery{Address: k.Address}
			byAddress[k.Address] = q
		}
		switch k.Kind {
		case proof.SlotKey:
			q.Slots = append(q.Slots, k.Slot)
		case proof.CodeKey:
			q.Code = v.state != nil || v.codes[k.Address] == nil
		}
	}
	var all []evm.AccountQuery
	for _, q := range byAddress {
		slices.SortFunc(q.Slots, common.Hash.Cmp)
		for len(q.Slots) > evm.MaxSlots {
			all = append(all, evm.AccountQuery{Address: q.Address, Slots: q.Slots[:evm.MaxSlots]})
			q.Slots = q.Slots[evm.MaxSlots:]
		}
		all = append(all, *q)
	}
	slices.SortFunc(all, func(a, b evm.AccountQuery) int { return a.Address.Cmp(b.Address) })
	return all
}

// accept takes the valid parts of a provider's answer. It rejects an answer that lacks something,
// so that another provider is asked.
func (v *gathering) accept(q evm.ProofQuery, a evm.ProofAnswer, want map[proof.Key]bool) error {
	if v.state == nil {
		header, err := v.header(q.Headers, a.Headers)
		if err != nil {
			return err
		}
		v.state, err = proof.NewState(header, v.source.ID())
		if err != nil {
			return err
		}
		v.mu.Lock()
		for _, code := range v.codes {
			v.state.AddCode(code)
		}
		v.mu.Unlock()
	}
	failed := map[common.Address]error{}
	for i, got := range a.Accounts {
		if got.Err != nil {
			failed[q.Accounts[i].Address] = got.Err
			continue
		}
		for _, node := range got.Nodes {
			if v.bytes += len(node); v.bytes > maxNodes {
				return fmt.Errorf("more than %d MB of trie nodes", maxNodes>>20)
			}
			v.state.AddNode(node)
		}
		if q.Accounts[i].Code {
			v.state.AddCode(got.Code)
		}
	}
	for k := range want {
		err := v.state.Known(k)
		switch refusal := failed[k.Address]; {
		case err == nil:
		case refusal != nil:
			return fmt.Errorf("%s: %w (%v)", k, evm.ErrNoProof, refusal)
		case k.Kind == proof.CodeKey && errors.Is(err, proof.ErrMissing) && !asksCode(q, k.Address):
			// The account has different code than remembered. The next round asks for it.
		default:
			return err
		}
	}
	return nil
}

func asksCode(q evm.ProofQuery, a common.Address) bool {
	return slices.ContainsFunc(q.Accounts, func(x evm.AccountQuery) bool { return x.Address == a && x.Code })
}

// header returns the header in the first of a node's answers that has the block's hash. From then
// on only the method of that answer is used.
func (v *gathering) header(methods []string, blocks []json.RawMessage) ([]byte, error) {
	var last error
	for i, block := range blocks {
		if block == nil {
			continue
		}
		header, err := proof.EncodeHeader(block, v.at.Hash)
		if err == nil {
			v.mu.Lock()
			v.headers = methods[i : i+1]
			v.mu.Unlock()
			return header, nil
		}
		last = cmp.Or(last, err)
	}
	return nil, cmp.Or(last, fmt.Errorf("the node gave no header of the block: %w", evm.ErrNoProof))
}
