package proof

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// Format identifies proof files.
const Format = "petsupply-proof/1"

// A Document is the proof of one snapshot's evidence. It leaves out chains and calls that are not
// proven.
type Document struct {
	Format   string  `json:"format"`
	Snapshot string  `json:"snapshot"`
	Chains   []Chain `json:"chains,omitempty"`
	Entries  []Entry `json:"entries"`
}

// A Chain proves the reads of one chain at one block.
type Chain struct {
	ChainID uint64          `json:"chainId"`
	Block   BlockID         `json:"block"`
	Header  hexutil.Bytes   `json:"header"` // RLP, in the form that the block's hash covers
	Calls   []Call          `json:"calls"`
	Nodes   []hexutil.Bytes `json:"nodes"` // trie nodes of the state and of storage, each once
	Codes   []hexutil.Bytes `json:"codes"` // codes of contracts, each once
}

// A BlockID identifies a block.
type BlockID struct {
	Number uint64      `json:"number"`
	Hash   common.Hash `json:"hash"`
}

// A Call is one read with its answer: a view (To and Data), or an account's balance of the gas
// token (Balance).
type Call struct {
	To      *common.Address `json:"to,omitempty"`
	Data    hexutil.Bytes   `json:"data,omitempty"`
	Balance *common.Address `json:"balance,omitempty"`
	Return  hexutil.Bytes   `json:"return"`
}

// An Entry says how an entry of the ledger is known, according to the service.
type Entry struct {
	Label string `json:"label"`
	Known string `json:"known"`
}

// Values of Entry.Known, besides those that Agreed returns.
const (
	Proven   = "proven"
	Declared = "declared"
)

// Agreed returns the value of Known for an entry that is not proven: quorum is how many of the
// chain's providers had to agree on it.
func Agreed(quorum, providers int) string {
	return fmt.Sprintf("agreed by %d of %d", quorum, providers)
}

// documentKeys are all keys of a Document. They are checked because encoding/json ignores case.
var documentKeys = strings.Fields("format snapshot chains entries chainId block number hash header calls " +
	"to data balance return nodes codes label known")

// Parse reads a proof file. It checks the form strictly, and verifies nothing else.
func Parse(r io.Reader) (*Document, error) {
	text, err := readBounded(r, documentKeys)
	if err != nil {
		return nil, fmt.Errorf("reading proof: %w", err)
	}
	d := &Document{}
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields() // rejects a key in the wrong object
	if err := in.Decode(d); err != nil {
		return nil, fmt.Errorf("reading proof: %w", err)
	}
	if _, err := in.Token(); err != io.EOF {
		return nil, errors.New("reading proof: something follows the document")
	}
	if d.Format != Format {
		return nil, fmt.Errorf("reading proof: format %.40q, want %q", d.Format, Format)
	}
	seen := map[uint64]bool{}
	for i, c := range d.Chains {
		if err := c.validate(); err != nil || seen[c.ChainID] {
			return nil, fmt.Errorf("reading proof: chains[%d]: %w", i,
				cmp.Or(err, errors.New("another chain has the same id")))
		}
		seen[c.ChainID] = true
	}
	return d, nil
}

func (c *Chain) validate() error {
	if c.ChainID == 0 || len(c.Calls) == 0 {
		return errors.New("its id or its calls are missing")
	}
	seen := map[string]bool{}
	for i, call := range c.Calls {
		if (call.To == nil) == (call.Balance == nil) || call.Balance != nil && len(call.Data) > 0 {
			return fmt.Errorf("calls[%d]: want either \"to\" with \"data\", or \"balance\"", i)
		}
		id := call.ID()
		if seen[id] {
			return fmt.Errorf("calls[%d]: the call occurs twice", i)
		}
		seen[id] = true
	}
	return nil
}

// ID identifies a call, without its answer.
func (c Call) ID() string {
	if c.Balance != nil {
		return string(c.Balance[:])
	}
	return string(c.To[:]) + ":" + string(c.Data)
}
