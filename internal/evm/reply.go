package evm

import (
	"encoding/hex"
	"encoding/json"
	"math"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// parseEach reads all replies, or none.
func parseEach[T any](reqs []*request, parse func(i int, r *request) (T, error)) ([]T, error) {
	out := make([]T, len(reqs))
	for i, r := range reqs {
		var err error
		if out[i], err = parse(i, r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// checkChainID makes sure that the reply to an eth_chainId names the chain id.
func (r *request) checkChainID(id uint64) error {
	if r.fault != nil {
		return r.fault
	}
	var got hexutil.Uint64
	if json.Unmarshal(r.result, &got) != nil {
		return faultf(malformed, "chain id is not valid")
	}
	if uint64(got) != id {
		return faultf(mismatch, "answers for chain %d", uint64(got))
	}
	return nil
}

// bytes is the reply to r as bytes, never nil: an empty answer is an answer.
func (r *request) bytes() ([]byte, error) {
	if r.fault != nil {
		return nil, r.fault
	}
	s := r.result
	if len(s) < 4 || s[0] != '"' || s[1] != '0' || s[2] != 'x' || s[len(s)-1] != '"' {
		return nil, faultf(malformed, "answer is not a hex string")
	}
	s = s[3 : len(s)-1]
	out := make([]byte, hex.DecodedLen(len(s)))
	if _, err := hex.Decode(out, s); err != nil {
		return nil, faultf(malformed, "answer is not a hex string")
	}
	return out, nil
}

// block is the block in the reply to r.
func (r *request) block() (Block, error) {
	if r.fault != nil {
		return Block{}, r.fault
	}
	return parseBlock(r.result)
}

// blockNumbered is the block in the reply to r, which must have that number.
func (r *request) blockNumbered(n uint64) (Block, error) {
	b, err := r.block()
	if err == nil && b.Number != n {
		err = faultf(mismatch, "gave block %d for block %d", b.Number, n)
	}
	return b, err
}

// checkBlock makes sure that r was answered with the block want.
func (r *request) checkBlock(want Block) error {
	b, err := r.block()
	switch {
	case err != nil:
		return err
	case b.Hash != want.Hash && b.Number == want.Number:
		return faultf(moved, "has another block %d", want.Number)
	case b != Block{want.Number, want.Hash, want.Parent, want.Time.UTC()}:
		return faultf(mismatch, "gave block %d where block %d was asked for", b.Number, want.Number)
	}
	return nil
}

// parseBlock takes the four facts of a block from a node's JSON, whatever else
// is or is not in it. A null, which is how nodes say that they have no such
// block, is absence.
func parseBlock(raw json.RawMessage) (Block, error) {
	if string(raw) == "null" {
		return Block{}, faultf(absent, "block is not known")
	}
	var number, seconds hexutil.Uint64
	var hash, parent common.Hash
	missing := map[string]json.Unmarshaler{`"number"`: &number, `"hash"`: &hash, `"parentHash"`: &parent, `"timestamp"`: &seconds}
	s, valid := scanner{raw}, true
	whole := s.members(func(key string, value []byte) {
		if field := missing[key]; field != nil {
			valid = valid && field.UnmarshalJSON(value) == nil
			delete(missing, key)
		}
	})
	switch {
	case !whole || !valid:
		return Block{}, faultf(malformed, "header is not valid")
	case len(missing) > 0 || hash == common.Hash{}:
		return Block{}, faultf(malformed, "header lacks number, hash, parentHash or timestamp")
	case seconds > math.MaxInt64:
		return Block{}, faultf(malformed, "header has an impossible time")
	}
	return Block{uint64(number), hash, parent, time.Unix(int64(seconds), 0).UTC()}, nil
}
