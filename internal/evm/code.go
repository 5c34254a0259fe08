package evm

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/ethereum/go-ethereum/common"
)

// A codeMemory is what a provider was seen to say about the code of Multicall3:
// code stays, so it is there from the lowest block where it was seen, and is
// not up to the highest block where it was missed.
type codeMemory struct {
	mu      sync.Mutex
	present uint64 // block + 1; 0: never seen
	missing uint64 // likewise
}

// unproven reports whether no block is known that has the code.
func (m *codeMemory) unproven() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.present == 0
}

func (m *codeMemory) learn(block uint64, there bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case there && (m.present == 0 || block+1 < m.present):
		m.present = block + 1
	case !there && block+1 > m.missing:
		m.missing = block + 1
	}
}

func (m *codeMemory) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.present, m.missing = 0, 0
}

// at says whether the code is there at block, and whether that is certain. A
// guess follows the last thing learned.
func (m *codeMemory) at(block uint64) (there, certain bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.present > 0 && block+1 >= m.present:
		return true, true
	case block+1 <= m.missing:
		return false, true
	}
	return m.missing == 0, false
}

// Code reads the code at addresses at a block, as a quorum knows it. An address
// without code has an empty slice.
func (c *Chain) Code(ctx context.Context, at Block, addrs []common.Address) ([][]byte, error) {
	if len(addrs) == 0 {
		return nil, nil
	}
	got, err := agree(ctx, c, matter{name: fmt.Sprintf("code at block %d", at.Number), few: true},
		func(ctx context.Context, p *provider) ([][]byte, error) {
			var codes [][]byte
			err := p.atBlock(at, func(ref reference) (err error) {
				codes, err = c.codes(ctx, p, at, ref, addrs)
				return err
			})
			return codes, err
		}, keyOfBytes)
	if err != nil {
		return nil, fmt.Errorf("reading code on %s at block %d: %w", c.name, at.Number, c.absence(err, ErrReorg))
	}
	return got[0], nil
}

func (c *Chain) codes(ctx context.Context, p *provider, at Block, ref reference, addrs []common.Address) ([][]byte, error) {
	reqs := []*request{ask("eth_chainId"), ref.header()}
	for _, a := range addrs {
		reqs = append(reqs, ask("eth_getCode", a, ref.arg()))
	}
	if err := p.send(ctx, reqs...); err != nil {
		return nil, err
	}
	if err := c.checkHeader(reqs[0], reqs[1], at); err != nil {
		return nil, err
	}
	codes := make([][]byte, len(addrs))
	for i := range addrs {
		var err error
		if codes[i], err = reqs[2+i].bytes(); err != nil {
			return nil, err
		}
	}
	return codes, nil
}

func keyOfBytes(all [][]byte) key {
	h := sha256.New()
	for _, b := range all {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(b))))
		h.Write(b)
	}
	return key(h.Sum(nil))
}
