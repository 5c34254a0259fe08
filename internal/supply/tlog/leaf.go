package tlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	merkle "golang.org/x/mod/sumdb/tlog"
)

// MaxLeaf is the size of the longest leaf: tiles have its length in 16 bits.
const MaxLeaf = 1<<16 - 1

// maxReason bounds an operator's reason in a leaf.
const maxReason = 4096

// The formats of leaves. docs/SUPPLY.md describes their bytes, which never change.
// Package supply writes those of snapshots.
const (
	BeginFormat    = "petsupply-log/1"
	ledgerFormat   = "petsupply-ledger/1"
	decisionFormat = "petsupply-decision/1"
	SnapshotFormat = "petsupply-snapshot/1"
)

// A Begin is the first leaf of every log. Previous is the head of the log that
// the same service had before, as far as it is known: its database was lost, an
// old one was put back, or the key or the origin was changed.
type Begin struct {
	Format   string    `json:"format"`
	Origin   string    `json:"origin"`
	Begun    time.Time `json:"begun"`
	Reason   string    `json:"reason"`
	Previous *head     `json:"previous"`
}

// A head names a checkpoint in a leaf.
type head struct {
	Origin string      `json:"origin"`
	Log    string      `json:"log"` // the address of its log
	Size   int64       `json:"size"`
	Root   merkle.Hash `json:"root"` // base64, as in the checkpoint
}

// A LedgerVersion says that figures of a token are published by another ledger
// from now on.
type LedgerVersion struct {
	Format string    `json:"format"`
	Token  string    `json:"token"`
	Ledger string    `json:"ledger"` // its hash
	Since  time.Time `json:"since"`
}

// A Decision says what an operator decided, and why. Package supply has the kinds.
type Decision struct {
	Format  string    `json:"format"`
	Token   string    `json:"token"`
	Kind    string    `json:"kind"`
	Subject string    `json:"subject"` // the id of a snapshot, or the root of a copy
	Reason  string    `json:"reason"`
	At      time.Time `json:"at"`
}

// Leaf returns the leaf's bytes.
func (b Begin) Leaf() []byte {
	b.Format, b.Begun = BeginFormat, millis(b.Begun)
	return Encode(b)
}

// Leaf returns the leaf's bytes.
func (v LedgerVersion) Leaf() []byte {
	v.Format, v.Since = ledgerFormat, millis(v.Since)
	return Encode(v)
}

// Leaf returns the leaf's bytes.
func (d Decision) Leaf() []byte {
	d.Format, d.At = decisionFormat, millis(d.At)
	if len(d.Reason) > maxReason {
		d.Reason = strings.ToValidUTF8(d.Reason[:maxReason], "") // without half a character
	}
	return Encode(d)
}

func millis(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// Encode returns v, made of strings, numbers and times, in the form that is hashed:
// compact JSON with no more escapes than JSON demands.
func Encode(v any) []byte {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("encoding a leaf: %v", err)) // cannot fail
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

// ParseLeaf reads a leaf of any format but SnapshotFormat. It must be written as
// its type's Leaf writes it.
func ParseLeaf(format string, leaf []byte) (any, error) {
	switch format {
	case BeginFormat:
		return parseLeaf[Begin](leaf)
	case ledgerFormat:
		return parseLeaf[LedgerVersion](leaf)
	case decisionFormat:
		return parseLeaf[Decision](leaf)
	}
	return nil, fmt.Errorf("of no kind that is known: %.60q", format)
}

func parseLeaf[T interface{ Leaf() []byte }](leaf []byte) (T, error) {
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
