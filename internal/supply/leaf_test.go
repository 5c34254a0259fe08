package supply

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/tlog"
)

// TestTheIDIsTheHashOfALeafThatAnyoneCanWrite writes the bytes by hand, as docs/FORMATS.md describes
// them.
func TestTheIDIsTheHashOfALeafThatAnyoneCanWrite(t *testing.T) {
	token, w := gem(t)
	token.Ledger[0].Reason = "Größe < 1 & \"quoted\""
	chains := map[string]Chain{"first": w}
	first, _, err := Record{}.Judge(&token, measured(t, token, chains, day), five)
	if err != nil {
		t.Fatal(err)
	}
	if id := LeafHash(first.Snapshot.Leaf()); first.Snapshot.ID != id || first.Snapshot.Evidence.Snapshot != id {
		t.Errorf("the id is %q, in the evidence %q", first.Snapshot.ID, first.Snapshot.Evidence.Snapshot)
	}
	w.advance(60)
	w.set(t, token.Ledger[0], "1000.5", 18)
	r, _, err := first.Judge(&token, measured(t, token, chains, day.Add(61*time.Second+20*time.Millisecond)), five)
	if err != nil {
		t.Fatal(err)
	}
	s := r.Snapshot
	served := tlog.Encode(s.Evidence)
	bare := bytes.Replace(served, []byte(`"snapshot":"`+s.ID+`",`), nil, 1)
	evidence := sha256.Sum256(bare)
	want := `{"format":"petsupply-snapshot/1","token":"gem","asOf":"2026-11-01T12:01:00Z","measuredAt":"2026-11-01T12:01:01.02Z",` +
		`"totalSupply":"900.5","circulatingSupply":"650.5","burnedSupply":"100","lockedSupply":"200","reservedSupply":"50","maxSupply":null,` +
		`"blocks":[{"chain":"first","chainId":1,"number":160,"hash":"` + w.head.Hash.Hex() + `","parentHash":"` +
		w.head.Parent.Hex() + `","time":"2026-11-01T12:01:00Z"}],` +
		`"ledger":"` + token.LedgerHash() + `","evidence":"` + hex.EncodeToString(evidence[:]) + `","previous":"` +
		first.Snapshot.ID + `"}`
	if got := string(s.Leaf()); got != want {
		t.Errorf("the leaf is\n%s\nwant\n%s", got, want)
	}
	decided := []Decision{{Kind: Right, Token: "gem", Granted: true}, {Kind: Wrong, Token: "gem"}}
	leaves := (Change{Record: r, Decided: decided}).Leaves()
	if len(leaves) != 1 || !bytes.Contains(leaves[0], []byte(`"right"`)) {
		t.Errorf("a change that publishes nothing, but grants one of two decisions, has the leaves %s", leaves)
	}
	sum := sha256.Sum256([]byte("\x00" + want))
	if s.ID != hex.EncodeToString(sum[:]) || s.Evidence.Snapshot != s.ID {
		t.Errorf("the id is %s (evidence: %s), want %x", s.ID, s.Evidence.Snapshot, sum)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var kept Record
	if err := json.Unmarshal(text, &kept); err != nil || string(kept.Snapshot.Leaf()) != want {
		t.Errorf("through the store it is\n%s, %v", kept.Snapshot.Leaf(), err)
	}
}

// A leaf has its times in UTC, because some readers cut off the zone.
func TestALeafInAnotherZone(t *testing.T) {
	token, w := gem(t)
	s := measured(t, token, map[string]Chain{"first": w}, day)
	if _, err := ParseLeaf(s.Leaf()); err != nil {
		t.Error(err)
	}
	s.AsOf = s.AsOf.In(time.FixedZone("", 3600))
	if _, err := ParseLeaf(s.Leaf()); err == nil {
		t.Errorf("accepted: %s", s.Leaf())
	}
}

func TestTheLargestLeafFits(t *testing.T) {
	most := ledger.Amount{Units: ledger.Whole(1, 77).Units.Mul(ledger.Whole(1, 77).Units, ledger.Whole(1, 1).Units),
		Decimals: 77}
	s := &Snapshot{Token: strings.Repeat("a", 32), AsOf: day.Add(123 * time.Millisecond),
		MeasuredAt: day.Add(123 * time.Millisecond),
		LedgerHash: strings.Repeat("f", 64), Figures: Figures{most, most, most, most, most}, Max: &most,
		Evidence: &Evidence{Previous: strings.Repeat("f", 64)}}
	for range ledger.MaxChains {
		s.Blocks = append(s.Blocks, Block{ChainID: 1<<64 - 1, Block: evm.Block{Number: 1<<64 - 1, Time: day}})
	}
	if n := len(s.Leaf()); n > 65_535 {
		t.Errorf("%d bytes", n)
	}
	token := ledger.Token{Path: "wide", Symbol: "W", Name: "W", Ledger: []ledger.Entry{}}
	var names []string
	for i := range ledger.MaxChains + 1 {
		names = append(names, fmt.Sprint("c", i))
		token.Ledger = append(token.Ledger,
			ledger.Entry{Label: names[i], Bucket: ledger.Issued, Chain: names[i], ERC20: addr("x")})
	}
	if faults := token.Validate(names); len(faults) != 1 || !strings.Contains(faults[0].Error(), "at most 128") {
		t.Errorf("the faults are %v", faults)
	}
}

// A change of anything in the evidence changes the id, so nothing can be replaced under the same
// id.
func TestVerifyBelievesNoFieldThatItPrints(t *testing.T) {
	text, readers := sample(t)
	for name, change := range map[string][2]string{
		"asOf, later":      {`"asOf": "2026-11-01T12:00:00Z"`, `"asOf": "2026-11-01T12:00:01Z"`},
		"previous":         {`"ledger"`, `"previous": "` + strings.Repeat("a", 64) + `", "ledger"`},
		"a chain's name":   {`"first"`, `"worst"`},
		"blocks on demand": {`"time": "2026-11-01T12:00:00Z"`, `"time": "2026-11-01T12:00:00Z", "onDemand": true`},
	} {
		t.Run(name, func(t *testing.T) {
			altered := bytes.ReplaceAll(text, []byte(change[0]), []byte(change[1]))
			if bytes.Equal(altered, text) {
				t.Fatal("nothing was changed")
			}
			ev, err := ParseEvidence(bytes.NewReader(altered))
			if err != nil {
				return
			}
			if v := Verify(t.Context(), ev, Against{Nodes: readers}); v.OK() {
				t.Errorf("accepted: %+v", v)
			}
		})
	}
	for _, f := range findings(t, text, readers) {
		claimed := []string{"symbol", "measured", `entry "Promised"`, "circulating", "reserved", "maximum", "rules",
			"log"}
		if (f.Outcome == Claimed) != slices.Contains(claimed, f.What) {
			t.Errorf("%s is %s", f.What, f.Outcome)
		}
	}
	// A forger who computes a new id still cannot choose the moment, because the blocks have their
	// own times. The forger can choose the symbol, which is marked as claimed.
	ev, err := ParseEvidence(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	ev.AsOf = ev.AsOf.Add(-time.Hour)
	ev.snapshot()
	if v := Verify(t.Context(), ev, Against{Nodes: readers}); v.OK() {
		t.Errorf("another moment was accepted: %+v", v)
	}
}
