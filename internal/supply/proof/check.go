package proof

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
)

// Checked is a Chain whose calls were executed again.
type Checked struct {
	// Block is what the header says of itself. That it belongs to the chain is
	// not proven.
	Block  evm.Block
	Family string // of clients, as the header's fields tell
	// Err is what does not hold of the proof as a whole.
	Err error

	calls map[string]checkedCall
}

type checkedCall struct {
	ret []byte
	err error
}

// Check executes every call of c again, from nothing but the header, nodes and
// codes in it. It asks no one. Its error means that nothing could be executed.
func (c *Chain) Check() (*Checked, error) {
	h, err := decodeHeader(c.Header)
	switch {
	case err != nil:
		return nil, fmt.Errorf("header: %w: %w", err, ErrWrong)
	case h.Hash != c.Block.Hash:
		return nil, fmt.Errorf("the header's hash is %s, not %s: %w", h.Hash, c.Block.Hash, ErrWrong)
	case h.Number != c.Block.Number:
		return nil, fmt.Errorf("the header is of block %d, not %d: %w", h.Number, c.Block.Number, ErrWrong)
	}
	w := newWorld(h, c.ChainID)
	w.gasLeft = checkGas(len(c.Calls))
	out := &Checked{Block: h.Block, Family: h.family.name, calls: map[string]checkedCall{}}
	for _, node := range c.Nodes {
		w.addNode(node)
	}
	for _, code := range c.Codes {
		w.addCode(code)
	}
	used := usage{nodes: map[common.Hash]bool{}, codes: map[common.Hash]bool{}}
	for _, call := range c.Calls {
		r := w.execute(call.call())
		out.calls[callID(call.call())] = checkedCall{call.Return, r.against(call.Return)}
		used.add(w, r.touched)
	}
	out.Err = errors.Join(
		spare("trie node", c.Nodes, w.addNode, used.nodes),
		spare("code", c.Codes, w.addCode, used.codes))
	return out, nil
}

// Answer is what the state answers to a call, if the proof has it and it holds.
func (c *Checked) Answer(call evm.Call) ([]byte, error) {
	got, ok := c.calls[callID(call)]
	if !ok {
		return nil, fmt.Errorf("the call in the proof %w", ErrMissing)
	}
	return got.ret, got.err
}

// Holds returns what does not hold, of the proof as a whole and of its calls.
func (c *Checked) Holds() error {
	faults := []error{c.Err}
	for _, call := range c.calls {
		faults = append(faults, call.err)
	}
	return errors.Join(faults...)
}

// against says whether the call returned what is claimed.
func (r result) against(claimed []byte) error {
	switch {
	case len(r.missed) > 0:
		return fmt.Errorf("%s %w", r.missed[0], ErrMissing)
	case r.err != nil:
		return r.err
	case !bytes.Equal(r.ret, claimed):
		return fmt.Errorf("the state answers 0x%x, not 0x%x: %w", r.ret, claimed, ErrWrong)
	}
	return nil
}

// usage is which nodes and codes some runs used.
type usage struct{ nodes, codes map[common.Hash]bool }

func (u usage) add(w *world, touched map[key]bool) {
	for k := range touched {
		r, err := w.lookup(k)
		if err != nil {
			continue
		}
		for _, n := range r.nodes {
			u.nodes[n] = true
		}
		if k.kind == codeKey && len(r.code) > 0 {
			owner, _ := w.lookup(key{accountKey, k.address, common.Hash{}})
			u.codes[common.BytesToHash(owner.account.CodeHash)] = true
		}
	}
}

// spare refuses parts that nothing used, or that are there twice: a proof says
// what it needs and no more.
func spare[T ~[]byte](what string, parts []T, hash func([]byte) common.Hash, used map[common.Hash]bool) error {
	seen := map[common.Hash]bool{}
	for _, p := range parts {
		h := hash(p)
		if !used[h] || seen[h] {
			return fmt.Errorf("%s %s is used by nothing, or is there twice: %w", what, h, ErrWrong)
		}
		seen[h] = true
	}
	return nil
}
