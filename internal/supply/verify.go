package supply

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"petsupply/internal/evm"
)

// maxEvidence bounds an evidence file: a ledger of 20,000 entries fits.
const maxEvidence = 32 << 20

// ParseEvidence reads an evidence file. It is strict: what it returns is whole
// and could have come from a measurement, but nothing in it is believed yet.
func ParseEvidence(r io.Reader) (*Evidence, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxEvidence+1))
	if err != nil {
		return nil, fmt.Errorf("reading evidence: %w", err)
	}
	if len(text) > maxEvidence {
		return nil, fmt.Errorf("reading evidence: larger than %d MB", maxEvidence>>20)
	}
	var tag struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(text, &tag); err != nil {
		return nil, fmt.Errorf("reading evidence: not JSON: %w", err)
	}
	if tag.Format != EvidenceFormat {
		return nil, fmt.Errorf("reading evidence: format %q, want %q", clip(tag.Format), EvidenceFormat)
	}
	ev := &Evidence{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(ev); err != nil {
		return nil, fmt.Errorf("reading evidence: %w", err)
	}
	if err := ev.validate(); err != nil {
		return nil, fmt.Errorf("reading evidence of %q: %w", clip(ev.Token), err)
	}
	return ev, nil
}

// validate returns why ev cannot have come from a measurement, if so.
func (ev *Evidence) validate() error {
	if ev.Formula != Formula {
		return errors.New("the formula is not that of this format")
	}
	names, ids := []string{}, map[uint64]bool{}
	for _, c := range ev.Chains {
		if c.Chain == "" || c.ChainID == 0 || ids[c.ChainID] {
			return fmt.Errorf("chain %q: want a name and an id of its own", clip(c.Chain))
		}
		names, ids[c.ChainID] = append(names, c.Chain), true
	}
	t := ev.token()
	if faults := t.Validate(names); len(faults) > 0 {
		return errors.New(strings.Replace(faults[0].Error(), "ledger[", "entries[", 1))
	}
	if used := t.Chains(); len(used) != len(names) {
		return fmt.Errorf("%d chains are listed, %d are used", len(names), len(used))
	}
	for i, x := range ev.Entries {
		call, onChain, err := x.Entry.Read()
		if err != nil {
			return fmt.Errorf("entries[%d]: %w", i, err)
		}
		word := func(b []byte, want bool) bool { return want && len(b) == 32 || !want && len(b) == 0 }
		switch {
		case !word(x.Return, onChain), !word(x.DecimalsReturn, x.Entry.ERC20 != ""):
			return fmt.Errorf("entries[%d] %q: a return is not exactly 32 bytes", i, clip(x.Entry.Label))
		case onChain != (x.Contract != nil), onChain && *x.Contract != call.To, !bytes.Equal(x.Calldata, call.Data):
			return fmt.Errorf("entries[%d] %q: contract or calldata is not what its source says", i, clip(x.Entry.Label))
		}
	}
	return nil
}

// token is the part of the token's configuration that ev repeats.
func (ev *Evidence) token() *Token {
	t := &Token{Path: ev.Token, Symbol: ev.Symbol, Name: ev.Symbol, Decimals: ev.Decimals,
		MaxSupply: ev.MaxSupply, Bridges: ev.Bridges}
	for _, x := range ev.Entries {
		t.Ledger = append(t.Ledger, x.Entry)
	}
	return t
}

// Reader is any node's view of a chain. *evm.Chain is one.
type ChainReader interface {
	// ID is the number of the chain that the reader answers for, and no other.
	ID() uint64
	// Block returns the chain's block of that number.
	Block(ctx context.Context, number uint64) (evm.Block, error)
	// Read answers all calls at block, or none.
	Read(ctx context.Context, at evm.Block, calls []evm.Call) ([][]byte, error)
}

// A Finding is one thing that was compared.
type Finding struct {
	What   string // such as `entry "Treasury"`
	OK     bool
	Detail string // what agrees, or what differs
}

// A Verdict is everything that was compared, in the order of the evidence.
type Verdict []Finding

// OK says whether everything agreed.
func (v Verdict) OK() bool {
	for _, f := range v {
		if !f.OK {
			return false
		}
	}
	return len(v) > 0
}

func (v *Verdict) say(ok bool, what, good, bad string) {
	f := Finding{what, ok, good}
	if !ok {
		f.Detail = bad
	}
	*v = append(*v, f)
}

// Verify recomputes ev from the given readers, by chain id, and believes
// nothing that it says: blocks and returns are read again, amounts follow from
// returns, figures from amounts, and the hashes from what they cover.
func Verify(ctx context.Context, ev *Evidence, readers map[uint64]ChainReader) Verdict {
	var v Verdict
	t := ev.token()
	ledger := t.LedgerHash()
	v.say(ev.LedgerHash == ledger, "ledger", ledger, fmt.Sprintf("its hash is %s, not %s", ledger, clip(ev.LedgerHash)))
	plans := map[string]*plan{}
	for _, c := range ev.Chains {
		p, err := ev.reread(ctx, c, readers[c.ChainID])
		what := fmt.Sprintf("chain %s (%d) block %d", c.Chain, c.ChainID, c.Number)
		v.say(err == nil, what, c.Hash.Hex(), fmt.Sprint(err))
		if err == nil {
			plans[c.Chain] = p
		}
	}
	again := *ev
	again.Entries = append([]EvidenceEntry(nil), ev.Entries...)
	for i, x := range ev.Entries {
		what := fmt.Sprintf("entry %q", x.Entry.Label)
		own, err := x.recompute(t, plans)
		v.say(err == nil, what, own.Amount.String(), fmt.Sprint(err))
		again.Entries[i].Amount = own.Amount
	}
	again.Figures = again.tally().figures()
	v.compareFigures(ev.Figures, again.Figures)
	err := again.tally().check(again.Figures)
	v.say(err == nil, "rules", "0 < circulating ≤ total ≤ maximum, every bridge conserves", fmt.Sprint(err))
	id := again.snapshot().ID
	v.say(ev.Snapshot == id, "snapshot", id, fmt.Sprintf("its id is %s, not %s", id, clip(ev.Snapshot)))
	return v
}

// reread asks a node for everything that ev says of chain c.
func (ev *Evidence) reread(ctx context.Context, c EvidenceBlock, r ChainReader) (*plan, error) {
	if r == nil {
		return nil, fmt.Errorf("no node was given for it: use --rpc %d=URL", c.ChainID)
	}
	if r.ID() != c.ChainID {
		return nil, fmt.Errorf("the node is of chain %d", r.ID())
	}
	b, err := r.Block(ctx, c.Number)
	if err != nil {
		return nil, err
	}
	switch {
	case b.Hash != c.Hash:
		return nil, fmt.Errorf("its hash is %s, not %s", b.Hash, c.Hash)
	case b.Parent != c.Parent:
		return nil, fmt.Errorf("its parent is %s, not %s", b.Parent, c.Parent)
	case !b.Time.Equal(c.Time):
		return nil, fmt.Errorf("its time is %s, not %s", stamp(b.Time), stamp(c.Time))
	}
	p := &plan{index: map[callKey]int{}, id: c.ChainID, block: b}
	for _, x := range ev.Entries {
		if x.Entry.Chain == c.Chain {
			p.want(newLine(x.Entry))
		}
	}
	p.run(ctx, c.Chain, r.Read)
	return p, p.err
}

// recompute reads x again and compares all that it claims.
func (x EvidenceEntry) recompute(t *Token, plans map[string]*plan) (EvidenceEntry, error) {
	p := plans[x.Entry.Chain]
	if x.Entry.Chain != "" && p == nil {
		return x, errors.New("not compared: its chain could not be read")
	}
	own, err := newLine(x.Entry).read(t, x.Entry, p)
	switch {
	case err != nil:
		return x, err
	case !bytes.Equal(own.Return, x.Return):
		return own, fmt.Errorf("the node returns %s, the evidence says %s", own.Return, x.Return)
	case !bytes.Equal(own.DecimalsReturn, x.DecimalsReturn), own.Decimals != x.Decimals:
		return own, fmt.Errorf("it has %d decimals, the evidence says %d", own.Decimals, x.Decimals)
	case own.Amount.Cmp(x.Amount) != 0:
		return own, fmt.Errorf("it amounts to %s, the evidence says %s", own.Amount, x.Amount)
	case own.Counted != x.Counted:
		return own, fmt.Errorf("counted is %v, the evidence says %v", own.Counted, x.Counted)
	}
	return own, nil
}

func (v *Verdict) compareFigures(said, own Figures) {
	for _, x := range []struct {
		name      string
		said, own Amount
	}{
		{"total", said.Total, own.Total},
		{"circulating", said.Circulating, own.Circulating},
		{"burned", said.Burned, own.Burned},
		{"locked", said.Locked, own.Locked},
		{"reserved", said.Reserved, own.Reserved},
	} {
		v.say(x.said.Cmp(x.own) == 0, x.name, x.own.String(),
			fmt.Sprintf("it is %s, the evidence says %s", x.own, x.said))
	}
}
