package proof

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"petsupply/internal/evm"
)

// Checked is a Chain whose calls were executed again.
type Checked struct {
	// Block is from the header. The proof does not show that the chain has this block.
	Block evm.Block
	// Err is a fault of the whole proof: a trie node or code that is not used, or occurs twice. It
	// is nil if a call has a fault.
	Err error

	calls map[string]checkedCall
}

type checkedCall struct {
	ret []byte
	err error
}

// Check executes every call of c again, using only the header, nodes and codes in c. All chains of
// a document share a budget. An error means that nothing could be executed.
func (c *Chain) Check(b *Budget) (*Checked, error) {
	h, err := decodeHeader(c.Header)
	hash := crypto.Keccak256Hash(c.Header)
	switch {
	case hash != c.Block.Hash:
		return nil, fmt.Errorf("the header's hash is %s, not %s: %w", hash, c.Block.Hash, ErrWrong)
	case err != nil:
		return nil, fmt.Errorf("header: %w: %w", err, ErrNotProvable)
	case h.Number != c.Block.Number:
		return nil, fmt.Errorf("the header is of block %d, not %d: %w", h.Number, c.Block.Number, ErrWrong)
	}
	s := newState(h, c.ChainID, b)
	out := &Checked{Block: h.Block, calls: map[string]checkedCall{}}
	for _, node := range c.Nodes {
		s.AddNode(node)
	}
	for _, code := range c.Codes {
		s.AddCode(code)
	}
	used := map[*part]bool{}
	complete := true
	for _, call := range c.Calls {
		r := s.Execute(call)
		err := r.against(call.Return)
		out.calls[call.ID()] = checkedCall{call.Return, err}
		s.use(r, used)
		complete = complete && err == nil
	}
	// If a call failed, an unused part may belong to it.
	if complete && len(used) != len(c.Nodes)+len(c.Codes) {
		out.Err = fmt.Errorf("a trie node or code is not used, or occurs twice: %w", ErrWrong)
	}
	return out, nil
}

// Answer returns the proven answer to a call, or an error if there is none. It ignores the call's
// own Return.
func (c *Checked) Answer(call Call) ([]byte, error) {
	got, ok := c.calls[call.ID()]
	if !ok {
		return nil, fmt.Errorf("this call %w from the proof", ErrMissing)
	}
	return got.ret, got.err
}

// Holds returns a fault of one of the proof's calls or of the whole proof, or nil if there is none.
func (c *Checked) Holds() error {
	for _, call := range c.calls {
		if call.err != nil {
			return call.err
		}
	}
	return c.Err
}

// use adds the trie nodes and codes that a run needed to used.
func (s *State) use(r Run, used map[*part]bool) {
	for k := range r.Touched {
		if got, err := s.lookup(k); err == nil {
			for _, p := range got.parts {
				used[p] = true
			}
		}
	}
}

// Prove returns the proof of the calls whose runs confirm their answers, or nil if there are none.
// runs has the run of each call, by Call.ID. gas limits the gas of all runs together. Beyond this
// limit, Prove leaves out the most expensive runs. The errors, one for each call, say why a call is
// left out.
func (s *State) Prove(calls []Call, runs map[string]Run, gas uint64) (*Chain, []error) {
	c := &Chain{ChainID: s.chainID, Block: BlockID{Number: s.Number, Hash: s.Hash}, Header: s.encoding}
	used := map[*part]bool{}
	faults := make([]error, len(calls))
	added := map[string]bool{}
	order := make([]int, len(calls))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order,
		func(a, b int) int { return cmp.Compare(runs[calls[a].ID()].gas, runs[calls[b].ID()].gas) })
	for _, i := range order {
		id := calls[i].ID()
		r := runs[id]
		faults[i] = r.against(calls[i].Return)
		if faults[i] != nil || added[id] {
			continue
		}
		if r.gas > gas {
			faults[i] = fmt.Errorf("all calls of a proof share one gas limit, and the cheaper ones left too little "+
				"for this call: %w", ErrNotProvable)
			continue
		}
		gas -= r.gas
		added[id] = true
		c.Calls = append(c.Calls, calls[i])
		s.use(r, used)
	}
	if len(c.Calls) == 0 {
		return nil, faults
	}
	c.Nodes = pick(s.nodes, used)
	c.Codes = pick(s.codes, used)
	return c, faults
}

// pick lists the used parts in the order of their hashes.
func pick(parts map[common.Hash]*part, used map[*part]bool) []hexutil.Bytes {
	out := []hexutil.Bytes{}
	for _, h := range slices.SortedFunc(maps.Keys(parts), common.Hash.Cmp) {
		if used[parts[h]] {
			out = append(out, parts[h].bytes)
		}
	}
	return out
}
