package evm

import (
	"encoding/hex"
	"encoding/json"
	"math"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/evm/jsonrpc"
)

// parseEach parses all replies, or returns an error.
func parseEach[T any](reqs []*jsonrpc.Request, parse func(i int, r *jsonrpc.Request) (T, error)) ([]T, error) {
	out := make([]T, len(reqs))
	for i, r := range reqs {
		var err error
		if out[i], err = parse(i, r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// checkChainID checks that the reply to r, an eth_chainId request, is id.
func checkChainID(r *jsonrpc.Request, id uint64) error {
	if r.Fault != nil {
		return r.Fault
	}
	var got hexutil.Uint64
	if json.Unmarshal(r.Result, &got) != nil {
		return jsonrpc.Faultf(jsonrpc.Malformed, "chain id is not valid")
	}
	if uint64(got) != id {
		return jsonrpc.Faultf(jsonrpc.Mismatch, "answers for chain %d, not %d", uint64(got), id)
	}
	return nil
}

// replyBytes returns the reply to r as bytes. They are never nil: an empty reply is valid and gives
// an empty slice.
func replyBytes(r *jsonrpc.Request) ([]byte, error) {
	if r.Fault != nil {
		return nil, r.Fault
	}
	return parseBytes(r.Result)
}

// parseBytes reads a hex string with its quotes.
func parseBytes(s []byte) ([]byte, error) {
	if len(s) < 4 || s[0] != '"' || s[1] != '0' || s[2] != 'x' || s[len(s)-1] != '"' {
		return nil, jsonrpc.Faultf(jsonrpc.Malformed, "answer is not a hex string")
	}
	s = s[3 : len(s)-1]
	out := make([]byte, hex.DecodedLen(len(s)))
	if _, err := hex.Decode(out, s); err != nil {
		return nil, jsonrpc.Faultf(jsonrpc.Malformed, "answer is not a hex string")
	}
	return out, nil
}

// replyBlock returns the block in the reply to r.
func replyBlock(r *jsonrpc.Request) (Block, error) {
	if r.Fault != nil {
		return Block{}, r.Fault
	}
	return parseBlock(r.Result)
}

// replyNumbered returns the block in the reply to r, which must have number n.
func replyNumbered(r *jsonrpc.Request, n uint64) (Block, error) {
	b, err := replyBlock(r)
	if err == nil && b.Number != n {
		err = jsonrpc.Faultf(jsonrpc.Mismatch, "gave block %d where block %d was asked for", b.Number, n)
	}
	return b, err
}

// checkBlock checks that the reply to r is the block want.
func checkBlock(r *jsonrpc.Request, want Block) error {
	b, err := replyBlock(r)
	switch {
	case err != nil:
		return err
	case b.Hash != want.Hash && b.Number == want.Number:
		return jsonrpc.Faultf(jsonrpc.Moved, "has another block at height %d", want.Number)
	case b != Block{Number: want.Number, Hash: want.Hash, Parent: want.Parent, Time: want.Time.UTC()}:
		return jsonrpc.Faultf(jsonrpc.Mismatch, "gave block %d where block %d was asked for", b.Number, want.Number)
	}
	return nil
}

// parseBlock reads the four members of a Block from a node's JSON and ignores all others. A null
// means that the node does not have the block.
func parseBlock(raw json.RawMessage) (Block, error) {
	if string(raw) == "null" {
		return Block{}, jsonrpc.Faultf(jsonrpc.Absent, "block is not known")
	}
	var number, seconds hexutil.Uint64
	var hash, parent common.Hash
	missing := map[string]json.Unmarshaler{`"number"`: &number, `"hash"`: &hash, `"parentHash"`: &parent,
		`"timestamp"`: &seconds}
	whole := jsonrpc.Scan(raw).Members(func(key, value []byte) bool {
		field := missing[string(key)]
		delete(missing, string(key))
		return field == nil || field.UnmarshalJSON(value) == nil
	})
	switch {
	case !whole:
		return Block{}, jsonrpc.Faultf(jsonrpc.Malformed, "header is not valid")
	case len(missing) > 0 || hash == common.Hash{}:
		return Block{}, jsonrpc.Faultf(jsonrpc.Malformed, "header lacks number, hash, parentHash or timestamp")
	case seconds > math.MaxInt64:
		return Block{}, jsonrpc.Faultf(jsonrpc.Malformed, "header has an impossible time")
	}
	return Block{Number: uint64(number), Hash: hash, Parent: parent, Time: time.Unix(int64(seconds), 0).UTC()}, nil
}
