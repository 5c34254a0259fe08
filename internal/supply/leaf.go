package supply

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/tlog"
)

// leafFormat identifies the leaf of a snapshot.
const leafFormat = tlog.SnapshotFormat

// A leaf is the data whose hash is the id of a snapshot. docs/FORMATS.md describes its bytes, so
// that anyone can make them. They never change after publication.
type leaf struct {
	Format     string    `json:"format"`
	Token      string    `json:"token"`
	AsOf       time.Time `json:"asOf"`
	MeasuredAt time.Time `json:"measuredAt"`
	Figures
	Max      *ledger.Amount `json:"maxSupply"`
	Blocks   []leafBlock    `json:"blocks"`
	Ledger   string         `json:"ledger"`
	Evidence string         `json:"evidence"`
	Previous string         `json:"previous"`
}

// leafBlock is a Block with the keys of leaves.
type leafBlock struct {
	Chain    string      `json:"-"`
	ChainID  uint64      `json:"chainId"`
	Number   uint64      `json:"number"`
	Hash     common.Hash `json:"hash"`
	Parent   common.Hash `json:"-"`
	Time     time.Time   `json:"time"`
	OnDemand bool        `json:"-"`
}

// Leaf returns the bytes whose hash is the id of the snapshot. The snapshot must have its evidence.
// No value in a leaf needs a JSON escape.
func (s *Snapshot) Leaf() []byte {
	l := leaf{Format: leafFormat, Token: s.Token, AsOf: s.AsOf, MeasuredAt: s.MeasuredAt, Figures: s.Figures, Max: s.Max,
		Blocks: []leafBlock{}, Ledger: s.LedgerHash, Evidence: s.Evidence.hash(), Previous: s.Evidence.Previous}
	for _, b := range s.Blocks {
		l.Blocks = append(l.Blocks, leafBlock(b))
	}
	return tlog.Encode(l)
}

// LeafHash returns the hash of a leaf, as RFC 6962 defines it, in hex.
func LeafHash(leaf []byte) string {
	sum := merkle.RecordHash(leaf)
	return hex.EncodeToString(sum[:])
}

// Leaves returns the leaves of the change, in order: a new ledger, granted decisions, the published
// snapshot.
func (c Change) Leaves() (leaves [][]byte) {
	if v := c.Ledger; v != nil {
		leaves = append(leaves, tlog.LedgerVersion{Token: c.Record.Token, Ledger: v.Hash, Since: *v.Since}.Leaf())
	}
	for _, d := range c.Decided {
		if d.Granted {
			leaf := tlog.Decision{Token: d.Token, Kind: string(d.Kind), Subject: d.Subject, Reason: d.Reason, At: d.At}
			leaves = append(leaves, leaf.Leaf())
		}
	}
	if s := c.Record.Snapshot; c.Publishes {
		leaves = append(leaves, s.Leaf())
	}
	return leaves
}

// hash returns the hash of the evidence without the fields that are set after hashing.
func (ev *Evidence) hash() string {
	bare := *ev
	bare.Snapshot, bare.Inclusion, bare.Correction = "", "", nil
	sum := sha256.Sum256(tlog.Encode(bare))
	return hex.EncodeToString(sum[:])
}

// errForm: a time is written in a form that some readers may misunderstand.
var errForm = errors.New("its times are not all in UTC with at most three decimals of a second")

// inForm reports whether times are written as in our documents.
func inForm(times ...time.Time) bool {
	return !slices.ContainsFunc(times, func(t time.Time) bool {
		return t.Location() != time.UTC || t.Nanosecond()%int(time.Millisecond) != 0
	})
}

// Logged is the content of a snapshot's leaf.
type Logged struct {
	ID, Token, Previous, Ledger string
	AsOf, MeasuredAt            time.Time
	Max                         *ledger.Amount
	Blocks                      []leafBlock
	Figures
}

// ParseLeaf reads the leaf of a snapshot. Its bytes must be those that Leaf writes, and its figures
// must add up.
func ParseLeaf(text []byte) (Logged, error) {
	var l leaf
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return Logged{}, fmt.Errorf("not the leaf of a snapshot: %w", err)
	}
	if l.Format != leafFormat || !bytes.Equal(tlog.Encode(l), text) {
		return Logged{}, errors.New("not the leaf of a snapshot: its bytes are not in the form that petsupply writes")
	}
	times := []time.Time{l.AsOf, l.MeasuredAt}
	for _, b := range l.Blocks {
		times = append(times, b.Time)
	}
	f := l.Figures
	switch {
	case !inForm(times...):
		return Logged{}, errForm
	case !tlog.IsHash(l.Ledger), !tlog.IsHash(l.Evidence), l.Previous != "" && !tlog.IsHash(l.Previous):
		return Logged{}, errors.New("its ledger, evidence or previous is not a hash")
	case f.Circulating.Cmp(f.Total.Sub(f.Locked).Sub(f.Reserved)) != 0:
		return Logged{}, fmt.Errorf("circulating %s is not total %s less locked %s and reserved %s",
			f.Circulating, f.Total, f.Locked, f.Reserved)
	case f.Circulating.Sign() <= 0:
		return Logged{}, fmt.Errorf("circulating is %s, but must be above 0", f.Circulating)
	case l.Max != nil && f.Total.Cmp(*l.Max) > 0:
		return Logged{}, fmt.Errorf("total %s is above the maximum %s", f.Total, *l.Max)
	}
	return Logged{ID: LeafHash(text), Token: l.Token, Previous: l.Previous, Ledger: l.Ledger, AsOf: l.AsOf,
		MeasuredAt: l.MeasuredAt, Max: l.Max, Blocks: l.Blocks, Figures: f}, nil
}
