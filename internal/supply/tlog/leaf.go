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

// MaxLeaf is the size of the longest leaf, in bytes. Tiles store the length of a leaf in 16 bits.
const MaxLeaf = 1<<16 - 1

// MaxReason limits an operator's reason in a leaf, in bytes.
const MaxReason = 4096

// The formats of leaves. docs/FORMATS.md describes their bytes, which never change. Package supply
// writes the leaves of snapshots.
const (
	BeginFormat    = "petsupply-log/1"
	ledgerFormat   = "petsupply-ledger/1"
	DecisionFormat = "petsupply-decision/1"
	SnapshotFormat = "petsupply-snapshot/1"
)

// A Begin is the first leaf of every log. Previous is the last known head of the service's previous
// log, or nil if there was none. That log ended because the database was lost or an old one was
// restored, or because the key or the origin changed.
type Begin struct {
	Format   string    `json:"format"`
	Origin   string    `json:"origin"`
	Begun    time.Time `json:"begun"`
	Reason   string    `json:"reason"`
	Previous *head     `json:"previous"`
}

// A head identifies a checkpoint. Its JSON is part of a Begin leaf.
type head struct {
	Origin string      `json:"origin"`
	Log    string      `json:"log"` // the address of its log
	Size   int64       `json:"size"`
	Root   merkle.Hash `json:"root"` // base64, as in the checkpoint
}

// A LedgerVersion announces a ledger of a token. Since is when the first figure that was published
// with this ledger was measured.
type LedgerVersion struct {
	Format string    `json:"format"`
	Token  string    `json:"token"`
	Ledger string    `json:"ledger"` // the ledger's hash
	Since  time.Time `json:"since"`
}

// A Decision is an operator's decision with its reason. Package supply defines the kinds.
type Decision struct {
	Format  string    `json:"format"`
	Token   string    `json:"token"`
	Kind    string    `json:"kind"`
	Subject string    `json:"subject"` // the id of a snapshot, or the root of a frozen copy
	Reason  string    `json:"reason"`
	At      time.Time `json:"at"`
}

// Leaf returns the leaf's bytes.
func (b Begin) Leaf() []byte {
	b.Format = BeginFormat
	b.Begun = millis(b.Begun)
	return Encode(b)
}

// Leaf returns the leaf's bytes.
func (v LedgerVersion) Leaf() []byte {
	v.Format = ledgerFormat
	v.Since = millis(v.Since)
	return Encode(v)
}

// Leaf returns the leaf's bytes.
func (d Decision) Leaf() []byte {
	d.Format = DecisionFormat
	d.At = millis(d.At)
	if len(d.Reason) > MaxReason {
		d.Reason = strings.ToValidUTF8(d.Reason[:MaxReason], "") // drops a character that was cut in two
	}
	return Encode(d)
}

// millis returns t in UTC and whole milliseconds, as leaves have it. It returns the zero time if
// the year in UTC is not between 0 and 9999, because JSON cannot have such a year. Only a hostile
// leaf, with a time in another time zone, leads to such a year.
func millis(t time.Time) time.Time {
	t = t.UTC().Truncate(time.Millisecond)
	if t.Year() < 0 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

// Encode returns v in the form that is hashed: compact JSON with only the necessary escapes. It
// panics if encoding/json cannot encode v, which is impossible for our types.
func Encode(v any) []byte {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("encoding a leaf: %v", err)) // cannot fail
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

// ParseLeaf reads a leaf of any format except SnapshotFormat. Its bytes must be those that Leaf
// writes.
func ParseLeaf(format string, leaf []byte) (any, error) {
	switch format {
	case BeginFormat:
		b, err := parseLeaf[Begin](leaf)
		if err == nil && b.Previous != nil && b.Previous.Size < 1 { // functions of x/mod would panic
			err = fmt.Errorf("the previous log cannot have %d leaves", b.Previous.Size)
		}
		return b, err
	case ledgerFormat:
		v, err := parseLeaf[LedgerVersion](leaf)
		if err == nil && !IsHash(v.Ledger) {
			err = fmt.Errorf("%.80q is not the hash of a ledger", v.Ledger)
		}
		return v, err
	case DecisionFormat:
		return parseLeaf[Decision](leaf)
	}
	return nil, fmt.Errorf("unknown format %.60q", format)
}

// IsHash reports whether text has the form of the ids and hashes in leaves: 64 hex digits in lower
// case.
func IsHash(text string) bool {
	return len(text) == 2*merkle.HashSize && strings.Trim(text, "0123456789abcdef") == ""
}

func parseLeaf[T interface{ Leaf() []byte }](leaf []byte) (T, error) {
	var v T
	d := json.NewDecoder(bytes.NewReader(leaf))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		return v, fmt.Errorf("reading a leaf: %w", err)
	}
	if !bytes.Equal(v.Leaf(), leaf) {
		return v, errors.New("its bytes are not in the form that petsupply writes")
	}
	return v, nil
}
