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

	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/supply/tlog"
)

// Leaf returns the bytes whose hash is the id of the snapshot.
func (s *Snapshot) Leaf() []byte {
	leaf := *s
	leaf.ID = ""
	leaf.Evidence = nil
	return tlog.Encode(leaf)
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
	bare.Snapshot = ""
	bare.Inclusion = ""
	bare.Correction = nil
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

// ParseLeaf reads the leaf of a snapshot. Its bytes must be those that Leaf writes, and its figures
// must add up. The result has its id, but no evidence.
func ParseLeaf(text []byte) (*Snapshot, error) {
	s := &Snapshot{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("not the leaf of a snapshot: %w", err)
	}
	if s.Format != tlog.SnapshotFormat || !bytes.Equal(s.Leaf(), text) {
		return nil, errors.New("not the leaf of a snapshot: its bytes are not in the form that petsupply writes")
	}
	times := []time.Time{s.AsOf, s.MeasuredAt}
	for _, b := range s.Blocks {
		times = append(times, b.Time)
	}
	switch {
	case !inForm(times...):
		return nil, errForm
	case !tlog.IsHash(s.LedgerHash), !tlog.IsHash(s.EvidenceHash), s.Previous != "" && !tlog.IsHash(s.Previous):
		return nil, errors.New("its ledger, evidence or previous is not a hash")
	case s.Circulating.Cmp(s.Total.Sub(s.Locked).Sub(s.Reserved)) != 0:
		return nil, fmt.Errorf("circulating %s is not total %s less locked %s and reserved %s",
			s.Circulating, s.Total, s.Locked, s.Reserved)
	case s.Circulating.Sign() <= 0:
		return nil, fmt.Errorf("circulating is %s, but must be above 0", s.Circulating)
	case s.Max != nil && s.Total.Cmp(*s.Max) > 0:
		return nil, fmt.Errorf("total %s is above the maximum %s", s.Total, *s.Max)
	}
	s.ID = LeafHash(text)
	return s, nil
}
