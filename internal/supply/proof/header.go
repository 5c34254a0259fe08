package proof

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rlp"

	"petsupply/internal/evm"
)

// maxHeader limits a header in bytes. A header with a thousand validators fits.
const maxHeader = 64 << 10

// A header has the decoded fields of a block's header. encoding has the bytes that the block's hash
// covers.
type header struct {
	evm.Block
	family   *family
	root     common.Hash
	fields   map[string][]byte
	encoding []byte
	// fixesNumber says that the header determines the result of NUMBER and, in the family ethereum,
	// also those of COINBASE and PREVRANDAO. It is false for two kinds of headers of this family.
	// If a header has a difficulty, the chain may be Clique or Bor, where COINBASE is the signer,
	// or Arbitrum, where NUMBER belongs to another chain. If a header has no field newer than
	// London, it may be from before PREVRANDAO, or from Morph, where COINBASE is a vault. It is also
	// false for a header of Avalanche's families with a difficulty other than 1, which all their
	// blocks but the first have: other clients have headers of this form, such as Ronin's.
	fixesNumber bool
}

// decodeHeader reads a header and recognizes its family, the kind of client, by its fields.
func decodeHeader(encoding []byte) (*header, error) {
	if len(encoding) > maxHeader {
		return nil, fmt.Errorf("it has more than %d bytes", maxHeader)
	}
	var items []rlp.RawValue
	if err := rlp.DecodeBytes(encoding, &items); err != nil {
		return nil, fmt.Errorf("not RLP: %w", err)
	}
	for _, f := range families {
		if values, ok := f.fit(items); ok {
			return newHeader(f, values, encoding)
		}
	}
	return nil, fmt.Errorf("no known client has headers with these %d fields; "+
		"old headers without a base fee are not supported", len(items))
}

// fit reads items as the family's fields. It returns false if they do not fit.
func (f *family) fit(items []rlp.RawValue) (map[string][]byte, bool) {
	if len(items) < f.required || len(items) > len(f.fields) {
		return nil, false
	}
	values := map[string][]byte{}
	for i, item := range items {
		value, rest, err := rlp.SplitString(item)
		if err != nil || len(rest) > 0 || !f.fields[i].fits(value) {
			return nil, false
		}
		values[f.fields[i].name] = value
	}
	return values, true
}

func (f field) fits(value []byte) bool {
	switch f.size {
	case text:
		return true
	case quantity:
		return len(value) < 32 && (len(value) == 0 || value[0] != 0)
	}
	return len(value) == f.size
}

func newHeader(f *family, fields map[string][]byte, encoding []byte) (*header, error) {
	h := &header{family: f, fields: fields, encoding: encoding, root: common.BytesToHash(fields["stateRoot"])}
	if h.root == types.EmptyRootHash {
		return nil, errors.New("its state root is that of an empty state, " +
			"so the header does not commit to the chain's state")
	}
	switch f.name {
	case "ethereum":
		h.fixesNumber = len(fields["difficulty"]) == 0 && h.oldestFork() > london
	case "coreth", "subnet-evm":
		h.fixesNumber = bytes.Equal(fields["difficulty"], []byte{1})
	default:
		h.fixesNumber = true
	}
	number := h.quantity("number")
	seconds := h.quantity("timestamp")
	if !number.IsUint64() || !seconds.IsInt64() || !h.quantity("gasLimit").IsUint64() {
		return nil, errors.New("its number, time or gas limit is too large")
	}
	h.Block = evm.Block{
		Number: number.Uint64(), Hash: crypto.Keccak256Hash(encoding),
		Parent: common.BytesToHash(fields["parentHash"]), Time: time.Unix(seconds.Int64(), 0).UTC(),
	}
	return h, nil
}

// has reports whether the header has the optional field with this name.
func (h *header) has(name string) bool { return h.fields[name] != nil }

func (h *header) quantity(name string) *big.Int { return new(big.Int).SetBytes(h.fields[name]) }

// EncodeHeader turns the JSON of a block's header, as a node sends it, into RLP. It returns an error
// if the RLP does not have the given hash.
func EncodeHeader(block json.RawMessage, hash common.Hash) ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(block, &fields); err != nil || fields == nil {
		return nil, fmt.Errorf("the node's header is not JSON: %w", ErrWrong)
	}
	for _, f := range families {
		encoding, ok := f.encode(fields)
		if !ok || crypto.Keccak256Hash(encoding) != hash {
			continue
		}
		if _, err := decodeHeader(encoding); err == nil {
			return encoding, nil
		}
	}
	return nil, fmt.Errorf("the node's header does not hash to %s in the form of any known client: %w", hash, ErrWrong)
}

// encode returns the RLP of a header, given the JSON of its fields. It returns false if they do not
// fit the family. The first optional field that is missing ends the header.
func (f *family) encode(fields map[string]json.RawMessage) ([]byte, bool) {
	var items [][]byte
	for i, field := range f.fields {
		raw := fields[field.name]
		if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
			if i < f.required {
				return nil, false
			}
			break
		}
		value, err := field.parse(raw)
		if err == nil && field.name == "extraData" {
			value, err = f.extra(value)
		}
		if err != nil || !field.fits(value) {
			return nil, false
		}
		items = append(items, value)
	}
	encoding, err := rlp.EncodeToBytes(items)
	return encoding, err == nil
}

// parse reads the JSON form of a field.
func (f field) parse(raw json.RawMessage) ([]byte, error) {
	if f.size == quantity {
		var n hexutil.Big
		err := json.Unmarshal(raw, &n)
		return n.ToInt().Bytes(), err
	}
	var b hexutil.Bytes
	err := json.Unmarshal(raw, &b)
	return b, err
}
