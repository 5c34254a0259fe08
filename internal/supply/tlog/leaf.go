package tlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	merkle "golang.org/x/mod/sumdb/tlog"
)

// MaxLeaf is the longest leaf: its length is served in 16 bits.
const MaxLeaf = 1<<16 - 1

// maxReason bounds what an operator wrote, as it stands in a leaf.
const maxReason = 4096

// The formats of leaves, by which a reader tells them apart. That of snapshots
// is written by package supply. Their bytes are described in docs/SUPPLY.md and
// never change.
const (
	BeginFormat      = "petsupply-log/1"
	LedgerFormat     = "petsupply-ledger/1"
	ReleaseFormat    = "petsupply-release/1"
	CorrectionFormat = "petsupply-correction/1"
	CopyFormat       = "petsupply-copy/1"
	SnapshotFormat   = "petsupply-snapshot/1"
)

// A Begin is the first leaf of every log. Previous is the head of the log that
// the same service had before, as far as it is known: its database was lost, an
// old one was put back, or the key or the origin was changed.
type Begin struct {
	Format   string    `json:"format"`
	Origin   string    `json:"origin"`
	Begun    time.Time `json:"begun"`
	Reason   string    `json:"reason"`
	Previous *Head     `json:"previous"`
}

// A Head names a checkpoint in a leaf.
type Head struct {
	Origin string `json:"origin"`
	Size   int64  `json:"size"`
	Root   Hash   `json:"root"` // base64, as in the checkpoint
}

// A LedgerVersion says that figures of a token are published by another ledger
// from now on.
type LedgerVersion struct {
	Format string    `json:"format"`
	Token  string    `json:"token"`
	Ledger string    `json:"ledger"` // its hash
	Since  time.Time `json:"since"`
}

// A Release says that an operator let something through, and why.
type Release struct {
	Format    string    `json:"format"`
	Token     string    `json:"token"`
	Candidate string    `json:"candidate"` // the snapshot that was held; "" where Accept says what was let through
	Accept    string    `json:"accept"`
	Reason    string    `json:"reason"`
	At        time.Time `json:"at"`
}

// A Correction says that a figure that was published was wrong, and why.
type Correction struct {
	Format   string    `json:"format"`
	Token    string    `json:"token"`
	Snapshot string    `json:"snapshot"` // the id of the wrong one
	Reason   string    `json:"reason"`
	At       time.Time `json:"at"`
}

// A Copy says that a frozen copy of everything was made, and which.
type Copy struct {
	Format     string    `json:"format"`
	Root       string    `json:"root"`       // over its pets, as its provenance.json has it
	Provenance string    `json:"provenance"` // the SHA-256 of that file, in hexadecimal
	At         time.Time `json:"at"`
}

// Leaf returns the leaf's bytes.
func (b Begin) Leaf() []byte {
	b.Format, b.Begun = BeginFormat, millis(b.Begun)
	return Encode(b)
}

// Leaf returns the leaf's bytes.
func (v LedgerVersion) Leaf() []byte {
	v.Format, v.Since = LedgerFormat, millis(v.Since)
	return Encode(v)
}

// Leaf returns the leaf's bytes.
func (r Release) Leaf() []byte {
	r.Format, r.At, r.Reason = ReleaseFormat, millis(r.At), clip(r.Reason)
	return Encode(r)
}

// Leaf returns the leaf's bytes.
func (c Correction) Leaf() []byte {
	c.Format, c.At, c.Reason = CorrectionFormat, millis(c.At), clip(c.Reason)
	return Encode(c)
}

// Leaf returns the leaf's bytes.
func (c Copy) Leaf() []byte {
	c.Format, c.At = CopyFormat, millis(c.At)
	return Encode(c)
}

func millis(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// clip cuts what is too long for a leaf, at a whole character.
func clip(s string) string {
	if len(s) <= maxReason {
		return s
	}
	s = s[:maxReason]
	for len(s) > 0 {
		if r, n := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || n > 1 {
			break
		}
		s = s[:len(s)-1]
	}
	return s
}

// Encode is v, of strings, numbers and times, as what is hashed: compact JSON with
// no more escapes than JSON wants.
func Encode(v any) []byte {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("encoding what is hashed: %v", err)) // cannot fail
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

// ParseLeaf reads a leaf of one kind, which must be written as Leaf writes it.
func ParseLeaf[T interface{ Leaf() []byte }](leaf []byte) (T, error) {
	var v T
	d := json.NewDecoder(bytes.NewReader(leaf))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		return v, fmt.Errorf("reading a leaf: %w", err)
	}
	if !bytes.Equal(v.Leaf(), leaf) {
		return v, errors.New("its bytes are not those of its content")
	}
	return v, nil
}

// LeafHash is the hash of a leaf.
func LeafHash(leaf []byte) Hash { return merkle.RecordHash(leaf) }

// AppendEntry adds a leaf to a bundle of entries as they are served: each behind
// its length.
func AppendEntry(bundle, leaf []byte) []byte {
	bundle = append(bundle, byte(len(leaf)>>8), byte(len(leaf)))
	return append(bundle, leaf...)
}

// ParseEntries reads a bundle that must hold exactly so many leaves.
func ParseEntries(bundle []byte, count int) ([][]byte, error) {
	leaves := make([][]byte, 0, min(count, TileWidth))
	for len(bundle) > 0 {
		if len(bundle) < 2 {
			return nil, errors.New("the entries end within a length")
		}
		n := int(bundle[0])<<8 | int(bundle[1])
		if bundle = bundle[2:]; n > len(bundle) {
			return nil, errors.New("the entries end within a leaf")
		}
		leaves, bundle = append(leaves, bundle[:n:n]), bundle[n:]
	}
	if len(leaves) != count {
		return nil, fmt.Errorf("there are %d entries where %d were to be", len(leaves), count)
	}
	return leaves, nil
}
