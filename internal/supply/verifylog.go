package supply

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/tlog"
)

// Logged is what a snapshot's leaf says.
type Logged struct {
	ID, Token, Previous string
	AsOf                time.Time
	Figures
}

// ParseLeaf reads the leaf of a snapshot, which must be written as Leaf writes
// it, and add up.
func ParseLeaf(text []byte) (Logged, error) {
	var l leaf
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return Logged{}, fmt.Errorf("not the leaf of a snapshot: %w", err)
	}
	if l.Format != leafFormat || !bytes.Equal(tlog.Encode(l), text) {
		return Logged{}, errors.New("not the leaf of a snapshot: its bytes are not those of its content")
	}
	f := l.Figures
	switch {
	case f.Circulating.Cmp(f.Total.Sub(f.Locked).Sub(f.Reserved)) != 0:
		return Logged{}, fmt.Errorf("circulating %s is not total %s less locked %s and reserved %s", f.Circulating, f.Total, f.Locked, f.Reserved)
	case f.Circulating.Sign() <= 0, l.Max != nil && f.Total.Cmp(*l.Max) > 0:
		return Logged{}, fmt.Errorf("circulating %s and total %s break the rule 0 < circulating ≤ total ≤ maximum", f.Circulating, f.Total)
	}
	return Logged{ID: LeafHash(text), Token: l.Token, Previous: l.Previous, AsOf: l.AsOf, Figures: f}, nil
}

// CheckLogged says whether ev, as far as it can be recomputed without a chain,
// is what a snapshot of that id was published with: entries, figures and rules.
func (ev *Evidence) CheckLogged(id string) error {
	again := *ev
	if sum := again.sum(); !sum.Equal(ev.Figures) {
		return fmt.Errorf("the entries of the evidence add up to %s, it says %s", sum.Total, ev.Figures.Total)
	}
	if own := again.token().LedgerHash(); own != ev.LedgerHash {
		return fmt.Errorf("the hash of the ledger in the evidence is %s, it says %s", own, ledger.Clip(ev.LedgerHash))
	}
	if own := again.snapshot().ID; own != id {
		return fmt.Errorf("the evidence is that of snapshot %s", own)
	}
	return ev.check()
}

// VerifyInclusion says whether the snapshot of ev is in the log whose verifier
// key is given. Without a key the proof leads to a root of which only it says
// that somebody signed it. What was not logged is claimed.
func VerifyInclusion(ev *Evidence, key string) Finding {
	const what = "log"
	if ev.Inclusion == "" && key == "" {
		return Finding{What: what, OK: true, Claimed: true, Detail: "the evidence does not say that it is in one"}
	}
	bad := func(err error) Finding { return Finding{What: what, Detail: err.Error()} }
	again := *ev
	index, c, err := tlog.CheckInclusion(ev.Inclusion, merkle.RecordHash(again.snapshot().Leaf()), key)
	if err != nil {
		return bad(err)
	}
	f := Finding{What: what, OK: true, Claimed: key == "", Detail: fmt.Sprintf("leaf %d of %d in %s", index, c.N, ledger.Clip(c.Origin))}
	if f.Claimed {
		f.Detail += "; who signed it was not compared: give --key"
	}
	return f
}
