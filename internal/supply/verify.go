package supply

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
)

// ParseEvidence reads an evidence file. It is strict: what it returns is whole
// and could have come from a measurement, but nothing in it is believed yet.
func ParseEvidence(r io.Reader) (*Evidence, error) {
	text, err := proof.ReadBounded(r)
	if err != nil {
		return nil, fmt.Errorf("reading evidence: %w", err)
	}
	var tag struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(text, &tag); err != nil {
		return nil, fmt.Errorf("reading evidence: not JSON: %w", err)
	}
	if tag.Format != evidenceFormat {
		return nil, fmt.Errorf("reading evidence: format %q, want %q", ledger.Clip(tag.Format), evidenceFormat)
	}
	ev := &Evidence{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(ev); err != nil {
		return nil, fmt.Errorf("reading evidence: %w", err)
	}
	if err := ev.validate(); err != nil {
		return nil, fmt.Errorf("reading evidence of %q: %w", ledger.Clip(ev.Token), err)
	}
	return ev, nil
}

// idForm is how snapshots are named; "" where there is none.
var idForm = regexp.MustCompile(`^([0-9a-f]{64})?$`)

// validate returns why ev cannot have come from a measurement, if so.
func (ev *Evidence) validate() error {
	if ev.Formula != Formula {
		return errors.New("the formula is not that of this format")
	}
	if ev.MeasuredAt.IsZero() {
		return errors.New("measuredAt is missing")
	}
	for _, id := range []string{ev.Snapshot, ev.Previous} {
		if !idForm.MatchString(id) {
			return fmt.Errorf("%q is not the id of a snapshot", ledger.Clip(id))
		}
	}
	names, ids := []string{}, map[uint64]bool{}
	for _, c := range ev.Chains {
		if c.Chain == "" || c.ChainID == 0 || ids[c.ChainID] {
			return fmt.Errorf("chain %q: want a name and an id of its own", ledger.Clip(c.Chain))
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
		call, onChain, err := x.Entry.ChainCall()
		if err != nil {
			return fmt.Errorf("entries[%d]: %w", i, err)
		}
		word := func(b []byte, want bool) bool { return want && len(b) == 32 || !want && len(b) == 0 }
		switch {
		case !word(x.Return, onChain), !word(x.DecimalsReturn, x.Entry.ERC20 != ""):
			return fmt.Errorf("entries[%d] %q: a return is not exactly 32 bytes", i, ledger.Clip(x.Entry.Label))
		case onChain != (x.Contract != nil), onChain && *x.Contract != call.To, !bytes.Equal(x.Calldata, call.Data):
			return fmt.Errorf("entries[%d] %q: contract or calldata is not what its source says", i, ledger.Clip(x.Entry.Label))
		}
	}
	return nil
}

// token is the part of the token's configuration that ev repeats.
func (ev *Evidence) token() *ledger.Token {
	t := &ledger.Token{Path: ev.Token, Symbol: ev.Symbol, Name: ev.Symbol, Decimals: ev.Decimals,
		MaxSupply: ev.MaxSupply, Bridges: ev.Bridges}
	for _, x := range ev.Entries {
		t.Ledger = append(t.Ledger, x.Entry)
	}
	return t
}

// ChainReader is any node's view of a chain. *evm.Chain is one.
type ChainReader interface {
	// ID is the number of the chain that the reader answers for, and no other.
	ID() uint64
	// Block returns the chain's block of that number.
	Block(ctx context.Context, number uint64) (evm.Block, error)
	// Read answers all calls at block, or none.
	Read(ctx context.Context, at evm.Block, calls []evm.Call) ([][]byte, error)
}

// A Finding is one thing that was compared, or that could not be.
type Finding struct {
	What    string `json:"what"` // such as `entry "Treasury"`
	OK      bool   `json:"ok"`
	Claimed bool   `json:"claimed,omitempty"` // nothing speaks against it, and nothing for it but the evidence
	Detail  string `json:"detail"`            // what agrees, or what differs
}

// A Verdict is everything that was compared, in the order of the evidence.
type Verdict []Finding

// OK says whether everything agreed that can be compared.
func (v Verdict) OK() bool {
	return len(v) > 0 && !slices.ContainsFunc(v, func(f Finding) bool { return !f.OK })
}

// add adds a finding; it agrees, as detail says, unless there is an error.
func (v *Verdict) add(what, detail string, err error) {
	if err != nil {
		detail = err.Error()
	}
	*v = append(*v, Finding{What: what, OK: err == nil, Detail: detail})
}

// claim adds what only the evidence says.
func (v *Verdict) claim(what, detail string) {
	*v = append(*v, Finding{What: what, OK: true, Claimed: true, Detail: detail})
}

// compare adds a finding that two texts agree; differs says how they do not.
func (v *Verdict) compare(what, own, said, differs string) {
	var err error
	if own != said {
		err = fmt.Errorf(differs, own, ledger.Clip(said))
	}
	v.add(what, own, err)
}

// Verify recomputes ev from the given readers, by chain id, and believes
// nothing that it says: blocks and returns are read again, amounts follow from
// returns, figures from amounts, and the hashes from what they cover. What no
// chain can say is claimed.
func Verify(ctx context.Context, ev *Evidence, readers map[uint64]ChainReader) Verdict {
	return ev.verify("read", func(c Block) (*chainRead, error) { return ev.reread(ctx, c, readers[c.ChainID]) })
}

// verify recomputes ev from what reread answers of each chain. known says how
// entries are known whose reads agree.
func (ev *Evidence) verify(known string, reread func(Block) (*chainRead, error)) Verdict {
	var v Verdict
	t := ev.token()
	v.claim("symbol", ev.Symbol)
	v.compare("ledger", t.LedgerHash(), ev.LedgerHash, "its hash is %s, not %s")
	reads := map[string]*chainRead{}
	for _, c := range ev.Chains {
		r, err := reread(c)
		v.add(fmt.Sprintf("chain %s (%d) block %d", c.Chain, c.ChainID, c.Number), c.Hash.Hex(), err)
		if r != nil && r.err == nil {
			reads[c.Chain] = r
		}
	}
	v.addTimes(ev)
	again := *ev
	again.LedgerHash, again.Entries = t.LedgerHash(), slices.Clone(ev.Entries)
	for i, x := range ev.Entries {
		own, err := x.recompute(t, reads)
		what := fmt.Sprintf("entry %q", x.Entry.Label)
		if x.Entry.Amount != nil && err == nil {
			v.claim(what, own.Amount.String()+", "+proof.Declared)
		} else {
			v.add(what, own.Amount.String()+", "+known, err)
		}
		again.Entries[i].Amount = own.Amount
	}
	again.Figures = again.sum()
	said := ev.Figures.amounts()
	for i, own := range again.Figures.amounts() {
		v.compare(amountNames[i], own.String(), said[i].String(), "it is %s, the evidence says %s")
	}
	v.add("rules", "0 < circulating ≤ total ≤ maximum, every bridge conserves", again.check())
	if ev.Previous != "" {
		v.claim("previous", ev.Previous)
	}
	v.compare("snapshot", again.snapshot().ID, ev.Snapshot, "its id is %s, not %s")
	return v
}

// addTimes compares asOf with the times of the blocks, which are compared with
// the chains' own.
func (v *Verdict) addTimes(ev *Evidence) {
	said, clock := ev.AsOf, ev.MeasuredAt
	switch moment, onDemand := ev.moment(); {
	case said.After(clock):
		v.add("as of", "", fmt.Errorf("%s is after it was measured, %s", formatMillis(said), formatMillis(clock)))
	case moment.IsZero(), said.Before(moment) && (onDemand || said.Equal(clock)):
		v.claim("as of", formatMillis(said)+", by the clock of whoever measured")
	case !said.Equal(moment):
		v.add("as of", "", fmt.Errorf("the blocks are of %s, the evidence says %s", formatMillis(moment), formatMillis(said)))
	default:
		v.add("as of", formatMillis(said)+", by the blocks", nil)
	}
	v.claim("measured", formatMillis(clock))
}

// moment is the earliest moment of a group of chains that say it by their own
// blocks. Zero: every chain makes blocks on demand, as some do where onDemand.
func (ev *Evidence) moment() (least time.Time, onDemand bool) {
	for _, group := range ev.token().BridgedChains() {
		at, some := ev.momentOf(group)
		onDemand = onDemand || some
		if !at.IsZero() && (least.IsZero() || at.Before(least)) {
			least = at
		}
	}
	return least, onDemand
}

// momentOf is the moment at which the chains of a group were read: one of them
// was at its newest block.
func (ev *Evidence) momentOf(group []string) (latest time.Time, onDemand bool) {
	for _, c := range ev.Chains {
		if !slices.Contains(group, c.Chain) {
			continue
		}
		if c.OnDemand {
			onDemand = true
		} else if c.Time.After(latest) {
			latest = c.Time
		}
	}
	return latest, onDemand
}

// reread asks a node for everything that ev says of chain c.
func (ev *Evidence) reread(ctx context.Context, c Block, r ChainReader) (*chainRead, error) {
	if r == nil {
		return nil, fmt.Errorf("no node was given for it: use --rpc %d=URL", c.ChainID)
	}
	if r.ID() != c.ChainID {
		return nil, fmt.Errorf("the node is of chain %d", r.ID())
	}
	b, err := r.Block(ctx, c.Number)
	if err == nil {
		err = c.is(b)
	}
	if err != nil {
		return nil, err
	}
	if err := ev.checkLast(ctx, c, r); err != nil {
		return nil, err
	}
	read := ev.reads(c, b)
	read.run(ctx, r.Read)
	return read, read.err
}

// checkLast checks that c was the last block of its chain before the moment at
// which that and the chains that it is joined with were read. Of a chain that
// makes blocks on demand nobody knows when the next one was first seen.
func (ev *Evidence) checkLast(ctx context.Context, c Block, r ChainReader) error {
	if c.OnDemand {
		return nil
	}
	moment, _ := ev.momentOf(ledger.Joined(ev.token().BridgedChains(), c.Chain))
	next, err := r.Block(ctx, c.Number+1)
	switch {
	case errors.Is(err, evm.ErrAbsent):
		return nil
	case err == nil && next.Time.Before(moment):
		return fmt.Errorf("it was not the last one at %s: block %d is of %s", formatMillis(moment), next.Number, formatTime(next.Time))
	}
	return err
}

// recompute reads x again and compares all that it claims.
func (x EvidenceEntry) recompute(t *ledger.Token, reads map[string]*chainRead) (EvidenceEntry, error) {
	r := reads[x.Entry.Chain]
	if x.Entry.Chain != "" && r == nil {
		return x, errors.New("not compared: its chain could not be read")
	}
	own, err := newEntryPlan(x.Entry).evidence(t, x.Entry, r)
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
