package supply

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/tlog"
)

// ParseEvidence reads an evidence file. It is strict: the result is complete and could have come
// from a measurement, but nothing in it is verified yet.
func ParseEvidence(r io.Reader) (*Evidence, error) {
	text, err := proof.ReadBounded(r)
	if err != nil {
		return nil, fmt.Errorf("reading evidence: %w", err)
	}
	ev := &Evidence{}
	if err := json.Unmarshal(text, ev); err != nil {
		return nil, fmt.Errorf("reading evidence: not JSON of this form: %w", err)
	}
	if ev.Format != evidenceFormat {
		return nil, fmt.Errorf("reading evidence: format %q, want %q", ledger.Clip(ev.Format), evidenceFormat)
	}
	if err := ev.validate(); err != nil {
		return nil, fmt.Errorf("reading evidence of %q: %w", ledger.Clip(ev.Token), err)
	}
	if err := ev.checkBytes(text); err != nil {
		return nil, fmt.Errorf("reading evidence of %q: %w", ledger.Clip(ev.Token), err)
	}
	return ev, nil
}

// checkBytes checks that text is the published form of ev, apart from white space. So the hash of
// ev is that of the received bytes, and all readers see the same values. encoding/json alone is not
// enough, because it ignores the case of keys.
func (ev *Evidence) checkBytes(text []byte) error {
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	own := tlog.Encode(ev)
	if bytes.Equal(compact.Bytes(), own) {
		return nil
	}
	received := compact.Bytes()
	at := 0
	for at < min(len(own), len(received)) && own[at] == received[at] {
		at++
	}
	return fmt.Errorf("its form differs from that of published evidence near %q",
		ledger.Clip(string(received[max(0, at-20):])))
}

// idForm matches the id of a snapshot, or "" for none.
var idForm = regexp.MustCompile(`^([0-9a-f]{64})?$`)

// validate returns an error if ev cannot have come from a measurement.
func (ev *Evidence) validate() error {
	if ev.Formula != formula {
		return errors.New("\"formula\" differs from the formula of this format")
	}
	if ev.MeasuredAt.IsZero() {
		return errors.New("measuredAt is missing")
	}
	if ev.Bridges == nil { // a ledger with null would have the same hash as one with {}
		return errors.New("\"bridges\" is null; if there are none, it must be {}")
	}
	for _, id := range []string{ev.Snapshot, ev.Previous} {
		if !idForm.MatchString(id) {
			return fmt.Errorf("%q is not the id of a snapshot", ledger.Clip(id))
		}
	}
	if n := len(ev.Chains); n > ledger.MaxChains { // the list must be short, because it is searched for each entry
		return fmt.Errorf("it lists %d chains; at most %d are allowed", n, ledger.MaxChains)
	}
	names := []string{}
	ids := map[uint64]bool{}
	times := []time.Time{ev.AsOf, ev.MeasuredAt}
	for _, c := range ev.Chains {
		times = append(times, c.Time)
		if c.Chain == "" || c.ChainID == 0 || ids[c.ChainID] {
			return fmt.Errorf("chain %q has no name, no id, or the id of another chain", ledger.Clip(c.Chain))
		}
		if max(c.ChainID, c.Number) > ledger.MaxExact {
			return fmt.Errorf("the id or the block of chain %q is a number that other programs round",
				ledger.Clip(c.Chain))
		}
		names = append(names, c.Chain)
		ids[c.ChainID] = true
	}
	if !inForm(times...) {
		return errForm
	}
	t := ev.token()
	if faults := t.Validate(names); len(faults) > 0 {
		return errors.New(strings.Replace(faults[0].Error(), "ledger[", "entries[", 1))
	}
	if used := t.Chains(); len(used) != len(names) {
		return fmt.Errorf("it lists %d chains, but its entries use %d", len(names), len(used))
	}
	for i, x := range ev.Entries {
		if err := x.validate(); err != nil {
			return fmt.Errorf("entries[%d] %q: %w", i, ledger.Clip(x.Entry.Label), err)
		}
	}
	return nil
}

// validate returns an error if the members of x do not fit its entry of the ledger.
func (x EvidenceEntry) validate() error {
	call, onChain, err := x.Entry.ChainCall()
	if err != nil {
		return err
	}
	isWord := func(b []byte, want bool) bool { return want && len(b) == 32 || !want && len(b) == 0 }
	switch {
	case !isWord(x.Return, onChain), !isWord(x.DecimalsReturn, x.Entry.Whole().ERC20 != ""),
		!isWord(x.SharesReturn, x.Entry.Share != nil), !isWord(x.SharesTotalReturn, x.Entry.Share != nil):
		return errors.New("a return is missing, unexpected or not 32 bytes")
	case onChain != (x.Contract != nil), onChain && *x.Contract != call.To, !bytes.Equal(x.Calldata, call.Data):
		return errors.New("contract or calldata does not match its source")
	case x.Decimals < 0 || x.Decimals > ledger.MaxDecimals: // otherwise computing with them could take hours
		return fmt.Errorf("%d decimals: want 0 to %d", x.Decimals, ledger.MaxDecimals)
	}
	return nil
}

// token returns the token as far as ev describes it.
func (ev *Evidence) token() *ledger.Token {
	t := &ledger.Token{Path: ev.Token, Symbol: ev.Symbol, Name: ev.Symbol, Decimals: ev.Decimals,
		MaxSupply: ev.MaxSupply, Bridges: ev.Bridges}
	for _, x := range ev.Entries {
		t.Ledger = append(t.Ledger, x.Entry)
	}
	return t
}
