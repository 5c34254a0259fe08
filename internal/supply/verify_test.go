package supply

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/tlog"
)

// sample returns the evidence of a token on two chains as a file, and readers that confirm it.
func sample(t testing.TB) ([]byte, map[uint64]ChainReader) {
	t.Helper()
	token, first, second := bridged(t, ledger.CountSource)
	maximum, declared := ledger.Whole(5000, 18), ledger.Whole(7, 0)
	token.MaxSupply = &maximum
	token.Ledger = append(token.Ledger,
		ledger.Entry{Label: "Locked", Bucket: ledger.Locked, Chain: "first", Call: "lockOf(address)",
			To: addr("coin"), Args: []string{addr("x")}, Reason: "Vesting", Since: "2024-01-01"},
		ledger.Entry{Label: "Treasury", Bucket: ledger.Reserved, Chain: "second", Native: addr("treasury")},
		ledger.Entry{Label: "Promised", Bucket: ledger.Reserved, Amount: &declared})
	first.set(t, token.Ledger[3], "50", 18)
	second.set(t, token.Ledger[4], "3", 18)
	s := measured(t, token, map[string]Chain{"first": first, "second": second}, day)
	text, err := json.MarshalIndent(s.Evidence, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return text, map[uint64]ChainReader{1: first, 2: second}
}

func verdict(t testing.TB, text []byte, readers map[uint64]ChainReader) Verdict {
	t.Helper()
	ev, err := ParseEvidence(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return Verify(context.Background(), ev, Against{Nodes: readers})
}

func TestVerifyAcceptsOurEvidence(t *testing.T) {
	text, readers := sample(t)
	v := verdict(t, text, readers)
	if !v.OK() {
		t.Errorf("the evidence is not accepted: %+v", v)
	}
	for _, want := range []string{"ledger", `chain "first" (1) block 100`, `chain "second" (2) block 5000`,
		`entry "Minted"`,
		`entry "Promised"`, "total", "circulating", "burned", "locked", "reserved", "maximum", "rules", "snapshot"} {
		found := false
		for _, f := range v {
			found = found || f.What == want
		}
		if !found {
			t.Errorf("nothing is said of %s", want)
		}
	}
}

func TestVerifyRejectsAnyAlteredDigit(t *testing.T) {
	text, readers := sample(t)
	ev, err := ParseEvidence(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	free := map[int]bool{} // digits of the measuring time, which no node can check
	for _, s := range []string{ev.AsOf.Format(time.RFC3339)} {
		at := bytes.Index(text, []byte(`"asOf": "`+s))
		for i := range len(s) {
			free[at+len(`"asOf": "`)+i] = true
		}
	}
	tried := 0
	for i, c := range text {
		if c < '0' || c > '9' || free[i] {
			continue
		}
		altered := bytes.Clone(text)
		altered[i] = '0' + (c-'0'+1)%10
		ev, err := ParseEvidence(bytes.NewReader(altered))
		if err != nil {
			tried++
			continue
		}
		if bytes.Equal(canonical(t, ev), text) {
			continue // the digit has no meaning, such as a trailing zero
		}
		tried++
		if Verify(context.Background(), ev, Against{Nodes: readers}).OK() {
			t.Errorf("accepted with an altered digit: …%s…", altered[max(0, i-60):min(len(altered), i+20)])
		}
	}
	if tried < 500 {
		t.Errorf("only %d digits were tried", tried)
	}
}

func canonical(t *testing.T, ev *Evidence) []byte {
	t.Helper()
	text, err := json.MarshalIndent(ev, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestVerifyRejectsWhatANodeDoesNotConfirm(t *testing.T) {
	text, readers := sample(t)
	first := readers[1].(*world)
	for name, c := range map[string]struct {
		readers map[uint64]ChainReader
		what    string
		outcome Outcome
	}{
		"no node for a chain": {map[uint64]ChainReader{1: first}, `chain "second"`, Unproven},
		"a node of another":   {map[uint64]ChainReader{1: first, 2: first}, `chain "second"`, Unproven},
		"a node that is not": {map[uint64]ChainReader{1: first,
			2: &world{id: 2, ends: errTest, head: readers[2].(*world).head}},
			`chain "second"`, Unproven},
		"a node behind":        {map[uint64]ChainReader{1: first, 2: newWorld(2, 10, day)}, `chain "second"`, Unproven},
		"a node without state": {map[uint64]ChainReader{1: first, 2: newWorld(2, 5000, day)}, `entry "Remote"`, False},
		"a fork":               {map[uint64]ChainReader{1: first, 2: fork{readers[2].(*world)}}, `chain "second"`, False},
	} {
		t.Run(name, func(t *testing.T) {
			v := verdict(t, text, c.readers)
			for _, f := range v {
				if strings.HasPrefix(f.What, c.what) && f.Outcome == c.outcome {
					return
				}
			}
			t.Errorf("nothing is said against %s: %+v", c.what, v)
		})
	}
}

// Only a later block shows that a block was the last of its chain at asOf. If the chain makes blocks
// on demand, nobody but the service knows.
func TestAnOlderBlockDoesNotShowATime(t *testing.T) {
	for name, row := range map[string]struct {
		age      time.Duration // of the block of the second chain
		later    int           // blocks that its node has after it
		onDemand bool
		proof    *proof.Document // instead of nodes
		want     Outcome
	}{
		"the next block is later": {time.Second, 1, false, nil, ""},
		"no next block":           {time.Hour, 0, false, nil, Claimed},
		"on demand":               {time.Minute, 5000, true, nil, Claimed},
		"on demand, far behind":   {time.Hour, 5000, true, nil, Unproven},
		"on demand, no next":      {time.Hour, 0, true, nil, Claimed},
		"a proof":                 {time.Hour, 5000, false, &proof.Document{}, Unproven},
	} {
		t.Run(name, func(t *testing.T) {
			token, first, second := bridged(t, ledger.CountSource)
			ev := measured(t, token, map[string]Chain{"first": first, "second": second}, day).Evidence
			second.head = second.block(5000, day.Add(-row.age))
			ev.Chains[1].Time, ev.Chains[1].OnDemand = second.head.Time, row.onDemand
			second.advance(row.later)
			with := Against{Proof: row.proof, Nodes: map[uint64]ChainReader{1: first, 2: second}}
			if row.proof != nil {
				with.Nodes = nil
			}
			on := basis{}
			new(Verdict).addChains(t.Context(), ev, with, on)
			if got := on["as of"]; got.outcome != row.want || strings.Contains(got.why, `chain "second"`) != (row.want != "") {
				t.Errorf("as of rests on %+v, want %q", got, row.want)
			}
		})
	}
}

// A figure holds only if all its amounts are confirmed, and asOf only if all its blocks are.
func TestAFigureRestsOnItsEntries(t *testing.T) {
	text, readers := sample(t) // 7 tokens are declared as reserved
	for name, row := range map[string]struct {
		readers map[uint64]ChainReader
		rest    Outcome // of figures that depend on the treasury and a remote supply, which are on the other chain
		time    Outcome
	}{
		"all nodes": {readers, Claimed, Holds},
		"one node":  {map[uint64]ChainReader{1: readers[1]}, Unproven, Unproven},
	} {
		v := verdict(t, text, row.readers)
		for what, want := range map[string]Outcome{"total": Holds, "burned": Holds, "locked": Holds,
			"circulating": row.rest, "reserved": row.rest, "rules": row.rest, "as of": row.time} {
			t.Run(name+"/"+what, func(t *testing.T) {
				i := slices.IndexFunc(v, func(f Finding) bool { return f.What == what })
				if f := v[i]; f.Outcome != want {
					t.Errorf("%s, want %s: %s", f.Outcome, want, f.Detail)
				}
			})
		}
	}
}

// A figure does not hold if one of its entries is false, even if the figure is the evidence's own
// sum.
func TestAFigureWithAFalseEntryDoesNotHold(t *testing.T) {
	text, readers := sample(t)
	v := verdict(t, text, map[uint64]ChainReader{1: reverting{readers[1]}, 2: readers[2]})
	for _, what := range []string{`entry "Locked"`, "total", "locked", "circulating", "rules"} {
		i := slices.IndexFunc(v, func(f Finding) bool { return f.What == what })
		if f := v[i]; f.Outcome == Holds || f.Outcome == Claimed {
			t.Errorf("%s is %s: %s", what, f.Outcome, f.Detail)
		}
	}
}

// reverting is a node on which every call reverts.
type reverting struct{ ChainReader }

func (reverting) Read(_ context.Context, _ evm.Block, calls []evm.Call) ([][]byte, error) {
	return make([][]byte, len(calls)), nil
}

// Verify shows that the service has corrected its figures.
func TestVerifyShowsACorrection(t *testing.T) {
	text, readers := sample(t)
	ev, err := ParseEvidence(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	ev.Correction = &Correction{Reason: "an entry was missing", At: day}
	v := Verify(t.Context(), ev, Against{Nodes: readers})
	if !slices.ContainsFunc(v, func(f Finding) bool {
		return f.Outcome == Claimed && strings.Contains(f.Detail, `wrong: "an entry was missing"`)
	}) {
		t.Errorf("no finding has the correction: %+v", v)
	}
}

// fork has different blocks at the same numbers.
type fork struct{ *world }

func (f fork) Block(ctx context.Context, n uint64) (evm.Block, error) {
	b, err := f.world.Block(ctx, n)
	b.Hash[0]++
	return b, err
}

// A block of another fork does not show that the evidence's block was the last at its time.
func TestTheNextBlockMustFollow(t *testing.T) {
	text, readers := sample(t)
	readers[2].(*world).advance(1)
	for want, reader := range map[Outcome]ChainReader{Holds: readers[2], Unproven: forkAfter{readers[2].(*world), 5000}} {
		for _, f := range verdict(t, text, map[uint64]ChainReader{1: readers[1], 2: reader}) {
			if strings.HasPrefix(f.What, `chain "second"`) && f.Outcome != want {
				t.Errorf("%s, want %s: %s", f.Outcome, want, f.Detail)
			}
		}
	}
}

// If only some nodes of a chain have the next block, they do not agree that there is none.
func TestALaggingNodeDoesNotHideTheNextBlock(t *testing.T) {
	text, readers := sample(t)
	for _, f := range verdict(t, text, map[uint64]ChainReader{1: readers[1], 2: lagging{readers[2]}}) {
		if strings.HasPrefix(f.What, `chain "second"`) && f.Outcome != Unproven {
			t.Errorf("%s, want %s: %s", f.Outcome, Unproven, f.Detail)
		}
	}
}

// lagging are nodes of which one lacks the newest block.
type lagging struct{ ChainReader }

func (l lagging) Block(ctx context.Context, n uint64) (evm.Block, error) {
	b, err := l.ChainReader.Block(ctx, n)
	if errors.Is(err, evm.ErrAbsent) {
		err = fmt.Errorf("asking for block %d: %w", n, evm.ErrLagging)
	}
	return b, err
}

// forkAfter changes to another fork after it was asked for block n.
type forkAfter struct {
	*world
	n uint64
}

func (f forkAfter) Block(ctx context.Context, n uint64) (evm.Block, error) {
	b, err := f.world.Block(ctx, n)
	if n > f.n {
		b.Hash[0]++
		b.Parent[0]++
	}
	return b, err
}

func TestBadEvidenceFilesGiveClearErrors(t *testing.T) {
	good, _ := sample(t)
	replace := func(old, now string) string {
		if !strings.Contains(string(good), old) {
			t.Fatalf("the evidence has no %s", old)
		}
		return strings.Replace(string(good), old, now, 1)
	}
	for name, c := range map[string]struct{ text, want string }{
		"empty":          {"", "not JSON"},
		"a page":         {"<html>", "not JSON"},
		"another format": {`{"format":"x/1"}`, `format "x/1"`},
		"nothing in it":  {`{"format":"petsupply-evidence/2"}`, "formula"},
		"no token":       {replace(`"token": "coin"`, `"token": ""`), "path"},
		"unknown field":  {replace(`"token"`, `"extra":1,"token"`), "unknown field"},
		"two documents":  {string(good) + "{}", "not JSON"},
		"another zone":   {replace(`"asOf": "2026-11-01T12:00:00Z"`, `"asOf": "2026-11-01T13:00:00+01:00"`), "UTC"},
		"a block's zone": {replace(`"time": "2026-11-01T12:00:00Z"`, `"time": "2026-11-01T13:00:00+01:00"`), "UTC"},
		"nanoseconds":    {replace(`"time": "2026-11-01T12:00:00Z"`, `"time": "2026-11-01T12:00:00.0001Z"`), "three decimals"},
		"short return":   {replace(`"return": "0x00`, `"return": "0x`), "32 bytes"},
		"calldata":       {replace(`"calldata": "0x18160ddd"`, `"calldata": "0x18160dde"`), "calldata"},
		"a bucket":       {replace(`"bucket": "locked"`, `"bucket": "lost"`), "entries[3].bucket"},
		"an amount":      {replace(`"amount": "1000"`, `"amount": "1e3"`), "amount"},
		"chain unnamed":  {replace(`"chain": "second"`, `"chain": "third"`), "second"},
		"a snapshot":     {replace(`"snapshot": "`, `"snapshot": "x`), "not the id of a snapshot"},
		"chain id twice": {replace(`"chainId": 2`, `"chainId": 1`), "the id of another chain"},
		"decimals":       {replace(`"decimals": 18`, `"decimals": 999`), "decimals"},
		"too large":      {strings.Repeat(" ", 32<<20+1), "larger than"},
	} {
		t.Run(name, func(t *testing.T) {
			ev, err := ParseEvidence(strings.NewReader(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v, %v; want an error with %q", ev, err, c.want)
			}
		})
	}
}

func FuzzEvidence(f *testing.F) {
	good, readers := sample(f)
	f.Add(good)
	f.Add([]byte(`{"format":"petsupply-evidence/2"}`))
	f.Add(bytes.Replace(good, []byte(`"first"`), []byte(`""`), 3))
	f.Add(bytes.Replace(good, []byte(`"count": "source"`), []byte(`"count": "sum"`), 1))
	f.Fuzz(func(t *testing.T, text []byte) {
		ev, err := ParseEvidence(bytes.NewReader(text))
		if err != nil {
			return
		}
		if v := Verify(context.Background(), ev, Against{Nodes: readers}); v.OK() && ev.Snapshot != snapshotOf(t, good) {
			t.Errorf("accepted evidence that was not measured: %s", text)
		}
	})
}

// snapshotOf returns the id of the only evidence that the fuzz target's readers confirm.
func snapshotOf(t *testing.T, text []byte) string {
	ev, err := ParseEvidence(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return ev.Snapshot
}

// TestANameWithControlCharactersIsRefused: no name in a verified file can control the terminal that
// shows the verdict.
func TestANameWithControlCharactersIsRefused(t *testing.T) {
	text, _ := sample(t)
	for _, name := range []string{`\u001b[2J`, `\n`, `\u009b`, `\u007f`, `\u202e`, `\u2028`, "\xff"} {
		for _, old := range []string{"Treasury", "first", "portal", "COIN"} {
			altered := bytes.ReplaceAll(text, []byte(`"`+old+`"`), []byte(`"x`+name+`"`))
			if bytes.Equal(altered, text) {
				t.Fatalf("%s is not in the evidence", old)
			}
			if _, err := ParseEvidence(bytes.NewReader(altered)); err == nil ||
				!strings.Contains(err.Error(), "control characters") {
				t.Errorf("%s called %q: %v", old, name, err)
			}
		}
	}
}

// Foreign names are quoted and cut in findings, so that they cannot imitate other findings.
func TestForeignNamesAreQuotedAndCut(t *testing.T) {
	text, readers := sample(t)
	long := "x (1) block 1  ok  total" + strings.Repeat(" 9", 1000)
	for _, old := range []string{"first", "Treasury", "COIN"} {
		ev, err := ParseEvidence(bytes.NewReader(bytes.ReplaceAll(text, []byte(`"`+old+`"`), []byte(`"`+long+`"`))))
		if err != nil {
			continue // the evidence is refused
		}
		for _, with := range []Against{{}, {Nodes: readers}, {Proof: &proof.Document{}}} {
			for _, f := range Verify(t.Context(), ev, with) {
				if len(f.What) > 200 || len(f.Detail) > 500 || strings.HasPrefix(f.What, "chain x") {
					t.Errorf("%s: %.300s: %.600s", old, f.What, f.Detail)
				}
			}
			for _, line := range Believed(ev, with) {
				if len(line) > 400 || strings.Contains(line, "chain x") {
					t.Errorf("%s: %.500s", old, line)
				}
			}
		}
	}
}

// A node may answer a call at another block than it was asked for, and nothing shows it.
func TestNodesAreBelieved(t *testing.T) {
	text, readers := sample(t)
	ev, err := ParseEvidence(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, with := range []Against{{}, {Nodes: readers}} {
		believed := strings.Join(Believed(ev, with), "\n")
		if strings.Contains(believed, "does not say of which block it is") != (with.Nodes != nil) {
			t.Errorf("with %d nodes: %s", len(with.Nodes), believed)
		}
	}
}

// Evidence in which other readers see other values than we do is rejected. The lie is the first or
// only value under the key that others use.
func TestEvidenceMeansTheSameToAll(t *testing.T) {
	text, _ := sample(t)
	for name, change := range map[string][2]string{
		"figures in two cases":     {`"figures": {`, `"figures": {"total": "999"}, "FIGURES": {`},
		"figures twice":            {`"figures": {`, `"figures": {"total": "999"}, "figures": {`},
		"a total in two cases":     {`"figures": {`, `"figures": {"Total": "999", `},
		"figures in another case":  {`"figures": {`, `"Figures": {`},
		"a key with an escape":     {`"figures": {`, `"f\u0069gures": {`},
		"a letter that folds to s": {`"figures": {`, `"figure\u017f": {`},
		"an entry in two cases":    {`"return": "`, `"Return": "0x00", "return": "`},
		"a member that is unknown": {`"figures": {`, `"figure": {}, "figures": {`},
		"a time in another form":   {`Z"`, `+00:00"`},
		"something after it":       {"\n}", "\n} {}"},
		"no list of bridges":       {`"bridges":{}`, `"bridges":null`},
		// Most readers keep numbers as doubles, so they read 2^53 + 1 as 2^53, which is another chain.
		"a large chain id": {`"chainId": 1,`, `"chainId": 9007199254740993,`},
		"a large number":   {`"number": 100,`, `"number": 9007199254740993,`},
	} {
		t.Run(name, func(t *testing.T) {
			text := text
			if name == "no list of bridges" {
				token, w := gem(t)
				text = tlog.Encode(measured(t, token, map[string]Chain{"first": w}, day).Evidence)
			}
			altered := bytes.Replace(text, []byte(change[0]), []byte(change[1]), 1)
			if bytes.Equal(altered, text) {
				t.Fatal("nothing was changed")
			}
			if _, err := ParseEvidence(bytes.NewReader(altered)); err == nil {
				t.Error("the evidence was accepted")
			}
		})
	}
}
