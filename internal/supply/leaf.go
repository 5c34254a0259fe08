package supply

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// leafFormat tags the leaf of a snapshot.
const leafFormat = "petsupply-snapshot/1"

// A leaf is what a snapshot's id is the hash of. Its bytes are described in
// docs/SUPPLY.md, so that anyone can make them: they never change for what was
// published once.
type leaf struct {
	Format     string    `json:"format"`
	Token      string    `json:"token"`
	AsOf       time.Time `json:"asOf"`
	MeasuredAt time.Time `json:"measuredAt"`
	Figures
	Max      *Amount     `json:"maxSupply"`
	Blocks   []leafBlock `json:"blocks"`
	Ledger   string      `json:"ledger"`
	Evidence string      `json:"evidence"`
	Previous string      `json:"previous"`
}

type leafBlock struct {
	ChainID uint64      `json:"chainId"`
	Number  uint64      `json:"number"`
	Hash    common.Hash `json:"hash"`
	Time    time.Time   `json:"time"`
}

// Leaf returns the bytes that the id of the snapshot, which must have its
// evidence, is the hash of. Nothing in them needs an escape.
func (s *Snapshot) Leaf() []byte {
	l := leaf{Format: leafFormat, Token: s.Token, AsOf: s.AsOf, MeasuredAt: s.MeasuredAt, Figures: s.Figures, Max: s.Max,
		Blocks: []leafBlock{}, Ledger: s.LedgerHash, Evidence: s.Evidence.hash(), Previous: s.Evidence.Previous}
	for _, b := range s.Blocks {
		l.Blocks = append(l.Blocks, leafBlock{b.ChainID, b.Number, b.Hash, b.Time})
	}
	return compactJSON(l)
}

// LeafHash is the hash of a leaf as RFC 6962 defines it, in hex.
func LeafHash(leaf []byte) string {
	sum := sha256.Sum256(append([]byte{0}, leaf...))
	return hex.EncodeToString(sum[:])
}

// hash is the hash of the evidence without what is only known once it is hashed.
func (ev *Evidence) hash() string {
	bare := *ev
	bare.Snapshot = ""
	sum := sha256.Sum256(compactJSON(bare))
	return hex.EncodeToString(sum[:])
}

// compactJSON is v as it is served: without white space, and with no more
// escapes than JSON wants.
func compactJSON(v any) []byte {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("encoding what is hashed: %v", err)) // strings, numbers and times: cannot fail
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

// old says whether an earlier version made the snapshot: it has no leaf.
func (s *Snapshot) old() bool { return s.Evidence != nil && s.Evidence.Format == oldEvidence }

// oldID is the id of a snapshot of an earlier version.
func (s *Snapshot) oldID() string {
	return hashJSON(struct {
		Token, Ledger string
		Figures       Figures
		Max           *Amount
		Blocks        []Block
	}{s.Token, s.LedgerHash, s.Figures, s.Max, s.Blocks})[:16]
}
