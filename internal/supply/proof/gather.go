package proof

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
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/evm"
)

const (
	maxRounds = 24        // of asking; a cold start takes 2 to 6
	maxKeys   = 100_000   // of one gathering
	maxNodes  = 256 << 20 // bytes
)

// Source is where proofs come from. *evm.Chain is one.
type Source interface {
	// ID is the chain's number.
	ID() uint64
	// Proofs asks providers one after another, until accept takes an answer.
	Proofs(ctx context.Context, at evm.Block, q evm.ProofQuery, accept func(evm.ProofAnswer) error) error
}

// A Gatherer makes proofs of one chain. It remembers which keys each call
// touched, so that the next proof of it takes one round trip. It may be used by
// many goroutines.
type Gatherer struct {
	source Source

	mu      sync.Mutex
	headers []string         // methods, of which one told all fields
	keys    map[string][]key // by callID
	codes   map[common.Address][]byte
}

// NewGatherer returns a gatherer of the chain's proofs.
func NewGatherer(source Source) *Gatherer {
	return &Gatherer{
		source:  source,
		headers: []string{"eth_getBlockByHash", "kaia_getBlockByNumber", "klay_getBlockByNumber"},
		keys:    map[string][]key{}, codes: map[common.Address][]byte{},
	}
}

// Gathered is what calls touched of one block, with how each of them ended.
type Gathered struct {
	world   *world
	results map[string]result
	Rounds  int // of asking
}

// Gather executes calls at a block and fetches what they touch until nothing is
// missing. Its error means that nothing is proven; of a single call that cannot
// be, Gathered.Chain tells.
func (g *Gatherer) Gather(ctx context.Context, at evm.Block, calls []evm.Call) (*Gathered, error) {
	v := &gathering{Gatherer: g, at: at, out: &Gathered{results: map[string]result{}}, refused: map[key]error{}}
	want, err := g.remembered(calls), error(nil)
	for len(want) > 0 {
		if v.out.Rounds++; v.out.Rounds > maxRounds || v.asked+len(want) > maxKeys {
			return nil, fmt.Errorf("gathering a proof at block %d: no end after %d rounds: %w", at.Number, v.out.Rounds, ErrNotProvable)
		}
		if err = v.fetch(ctx, want); v.out.world == nil {
			return nil, fmt.Errorf("gathering a proof at block %d: %w", at.Number, err)
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("gathering a proof at block %d: %w", at.Number, ctx.Err())
		}
		want = v.execute(calls)
	}
	g.remember(v.out)
	return v.out, nil
}

// remembered is what the calls touched the last time, or where they begin.
func (g *Gatherer) remembered(calls []evm.Call) map[key]bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	want := map[key]bool{}
	for _, c := range calls {
		want[key{accountKey, c.To, common.Hash{}}] = true
		if !c.Balance {
			want[key{codeKey, c.To, common.Hash{}}] = true
		}
		for _, k := range g.keys[callID(c)] {
			want[k] = true
		}
	}
	return want
}

func (g *Gatherer) remember(out *Gathered) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for id, r := range out.results {
		g.keys[id] = slices.Collect(maps.Keys(r.touched))
		for k := range r.touched {
			if got, err := out.world.lookup(k); err == nil && k.kind == codeKey {
				g.codes[k.address] = got.code
			}
		}
	}
}

// A gathering is one Gather under way.
type gathering struct {
	*Gatherer
	at      evm.Block
	out     *Gathered
	asked   int
	bytes   int
	refused map[key]error // keys of which no provider gave a proof
}

// execute runs the calls that are not settled, and returns what is still missing.
func (v *gathering) execute(calls []evm.Call) map[key]bool {
	want := map[key]bool{}
	for _, c := range calls {
		id := callID(c)
		if r, ok := v.out.results[id]; ok && len(r.missed) == 0 {
			continue
		}
		r := v.out.world.execute(c)
		var refusal error
		open := 0 // missing, and not yet refused by every provider
		for _, k := range r.missed {
			if err := v.refused[k]; err != nil {
				refusal = fmt.Errorf("no node proves %s (%v): %w", k, err, ErrNotProvable)
			} else {
				want[k], open = true, open+1
			}
		}
		if refusal != nil && open == 0 {
			r.missed, r.err = nil, refusal
		}
		v.out.results[id] = r
	}
	return want
}

// fetch asks for keys, and for the header the first time.
func (v *gathering) fetch(ctx context.Context, want map[key]bool) error {
	v.asked += len(want)
	q := evm.ProofQuery{Accounts: v.queries(want)}
	if v.out.world == nil {
		v.mu.Lock()
		q.Headers = v.headers
		v.mu.Unlock()
	}
	err := v.source.Proofs(ctx, v.at, q, func(a evm.ProofAnswer) error { return v.accept(q, a, want) })
	if err != nil && v.out.world != nil {
		for k := range want {
			if _, missing := v.out.world.lookup(k); missing != nil {
				v.refused[k] = err
			}
		}
	}
	return err
}

// queries groups keys by account. Codes that are remembered are not asked for.
func (v *gathering) queries(want map[key]bool) []evm.AccountQuery {
	v.mu.Lock()
	defer v.mu.Unlock()
	byAddress := map[common.Address]*evm.AccountQuery{}
	for k := range want {
		q := byAddress[k.address]
		if q == nil {
			q = &evm.AccountQuery{Address: k.address}
			byAddress[k.address] = q
		}
		switch k.kind {
		case slotKey:
			q.Slots = append(q.Slots, k.slot)
		case codeKey:
			q.Code = v.out.world != nil || v.codes[k.address] == nil
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

// accept takes what holds of a provider's answer. It refuses an answer that
// lacks something, so that another provider is asked.
func (v *gathering) accept(q evm.ProofQuery, a evm.ProofAnswer, want map[key]bool) error {
	if v.out.world == nil {
		h, err := v.header(q.Headers, a.Headers)
		if err != nil {
			return err
		}
		v.out.world = newWorld(h, v.source.ID())
		v.addRememberedCodes()
	}
	w := v.out.world
	failed := map[common.Address]error{}
	for i, proof := range a.Accounts {
		if proof.Err != nil {
			failed[q.Accounts[i].Address] = proof.Err
			continue
		}
		for _, node := range proof.Nodes {
			if v.bytes += len(node); v.bytes > maxNodes {
				return fmt.Errorf("more than %d MB of trie nodes", maxNodes>>20)
			}
			w.addNode(node)
		}
		if q.Accounts[i].Code {
			w.addCode(proof.Code)
		}
	}
	for k := range want {
		_, err := w.lookup(k)
		switch refusal := failed[k.address]; {
		case err == nil:
		case refusal != nil:
			return fmt.Errorf("%s: %w (%v)", k, evm.ErrNoProof, refusal)
		case k.kind == codeKey && errors.Is(err, ErrMissing) && !asksCode(q, k.address):
			// What was remembered is no longer its code: the next round asks.
		default:
			return err
		}
	}
	return nil
}

func asksCode(q evm.ProofQuery, a common.Address) bool {
	return slices.ContainsFunc(q.Accounts, func(x evm.AccountQuery) bool { return x.Address == a && x.Code })
}

// header is the first of a node's answers that hashes to the block, and is asked
// for alone from then on.
func (v *gathering) header(methods []string, blocks []json.RawMessage) (*header, error) {
	var last error
	for i, block := range blocks {
		if block == nil {
			continue
		}
		h, err := parseHeader(block, v.at.Hash)
		if err == nil {
			v.mu.Lock()
			v.headers = methods[i : i+1]
			v.mu.Unlock()
			return h, nil
		}
		last = cmp.Or(last, err)
	}
	return nil, cmp.Or(last, fmt.Errorf("the header: %w", evm.ErrNoProof))
}

func (v *gathering) addRememberedCodes() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, code := range v.codes {
		v.out.world.addCode(code)
	}
}

// Chain is the proof of the given calls, with what the nodes had agreed on as
// their answers. Those that are not proven are left out; their errors say why.
// It is nil if none is.
func (g *Gathered) Chain(calls []evm.Call, returns [][]byte) (*Chain, []error) {
	w := g.world
	c := &Chain{ChainID: w.chainID, Block: BlockID{w.Number, w.Hash}, Header: w.encoding}
	used := usage{nodes: map[common.Hash]bool{}, codes: map[common.Hash]bool{}}
	faults, seen := make([]error, len(calls)), map[string]bool{}
	for i, call := range calls {
		id := callID(call)
		r, ok := g.results[id]
		if !ok {
			faults[i] = errors.New("was not gathered")
		} else if faults[i] = r.against(returns[i]); faults[i] == nil && !seen[id] {
			seen[id] = true
			c.Calls = append(c.Calls, newCall(call, returns[i]))
			used.add(w, r.touched)
		}
	}
	if len(c.Calls) == 0 {
		return nil, faults
	}
	c.Nodes, c.Codes = pick(w.nodes, used.nodes), pick(w.codes, used.codes)
	return c, faults
}

// pick lists the chosen parts in the order of their hashes.
func pick(parts map[common.Hash][]byte, chosen map[common.Hash]bool) []hexutil.Bytes {
	out := []hexutil.Bytes{}
	for _, h := range slices.SortedFunc(maps.Keys(chosen), common.Hash.Cmp) {
		out = append(out, parts[h])
	}
	return out
}
