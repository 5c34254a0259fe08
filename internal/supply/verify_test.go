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

func findings(t testing.TB, text []byte, readers map[uint64]ChainReader) Findings {
	t.Helper()
	ev, err := ParseEvidence(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return Verify(context.Background(), ev, Against{Nodes: readers})
}

func TestVerifyAcceptsOurEvidence(t *testing.T) {
	text, readers := sample(t)
	v := findings(t, text, readers)
	if !v.OK() {
		t.Errorf("the evidence is not accepted: %+v", v)
	}
	for _, want := range []string{"ledger", `chain "first" (1) block 100`, `chain "second" (2) block 5000`,
		`entry "Minted"`,
		`entry "Promised"`, "total", "circulating", "burned", "locked", "reserved", "maximum", "rules", "snapshot"} {
		found(t, v, want)
	}
}

func TestVerifyRejectsAnyAlteredCharacter(t *testing.T) {
	text, readers := sample(t)
	tried := 0
	for i, c := range text {
		altered := bytes.Clone(text)
		switch {
		case c >= '0' && c <= '9':
			altered[i] = '0' + (c-'0'+1)%10
		case c >= 'a' && c <= 'z':
			altered[i] = 'a' + (c-'a'+1)%26
		case c >= 'A' && c <= 'Z':
			altered[i] = 'A' + (c-'A'+1)%26
		default:
			continue
		}
		tried++
		ev, err := ParseEvidence(bytes.NewReader(altered))
		if err == nil && Verify(context.Background(), ev, Against{Nodes: readers}).OK() {
			t.Errorf("accepted with an altered character: …%s…", altered[max(0, i-60):min(len(altered), i+20)])
		}
	}
	if tried < 500 {
		t.Errorf("only %d characters were tried", tried)
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
	first := readers[1]
	second := readers[2].(*world)
	without := &world{id: 2, ends: errTest, head: second.head}
	for name, c := range map[string]struct {
		first, second ChainReader
		what          string
		outcome       Outcome
	}{
		"no node for a chain":            {first, nil, `chain "second" (2) block 5000`, Unproven},
		"a node of another":              {first, first, `chain "second" (2) block 5000`, Unproven},
		"a node that cannot read":        {first, without, `chain "second" (2) block 5000`, Unproven},
		"a node behind":                  {first, newWorld(2, 10, day), `chain "second" (2) block 5000`, Unproven},
		"a node without state":           {first, newWorld(2, 5000, day), `entry "Remote"`, False},
		"a fork":                         {first, fork{second, 1}, `chain "second" (2) block 5000`, False},
		"a fork after the block":         {first, fork{second, 5001}, `chain "second" (2) block 5000`, Unproven},
		"some nodes have the next block": {first, lagging{second}, `chain "second" (2) block 5000`, Unproven},
		// A figure does not hold if one of its entries is false, even if it is the evidence's own sum.
		"calls revert":          {reverting{first}, second, `entry "Locked"`, False},
		"and a figure of them":  {reverting{first}, second, "locked", Unproven},
		"and another":           {reverting{first}, second, "circulating", Unproven},
		"and the rules of them": {reverting{first}, second, "rules", Unproven},
	} {
		t.Run(name, func(t *testing.T) {
			nodes := map[uint64]ChainReader{1: c.first, 2: c.second}
			if c.second == nil {
				delete(nodes, 2)
			}
			if f := found(t, findings(t, text, nodes), c.what); f.Outcome != c.outcome {
				t.Errorf("%s is %s, want %s: %s", f.What, f.Outcome, c.outcome, f.Detail)
			}
		})
	}
}

// found returns the finding about a thing.
func found(t *testing.T, v Findings, what string) Finding {
	t.Helper()
	i := slices.IndexFunc(v, func(f Finding) bool { return f.What == what })
	if i < 0 {
		t.Fatalf("nothing is said of %s: %+v", what, v)
	}
	return v[i]
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
		chain    Outcome
	}{
		"the next block is later":      {time.Second, 1, false, nil, "", Holds},
		"the next block was made then": {2 * time.Second, 1, false, nil, Unproven, False},
		"no next block":                {time.Hour, 0, false, nil, Claimed, Holds},
		"on demand":                    {time.Minute, 5000, true, nil, Claimed, Holds},
		"on demand, far behind":        {time.Hour, 5000, true, nil, Unproven, Unproven},
		"on demand, no next":           {time.Hour, 0, true, nil, Claimed, Holds},
		"a proof":                      {time.Hour, 5000, false, &proof.Document{}, Unproven, Unproven},
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
			var v Findings
			v.addChains(t.Context(), ev, with, on)
			if v[1].Outcome != row.chain {
				t.Errorf("the chain: %+v, want %s", v[1], row.chain)
			}
			if got := on["as of"]; got.outcome != row.want ||
				strings.Contains(got.why, `chain "second"`) != (row.want != "") {
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
		v := findings(t, text, row.readers)
		for what, want := range map[string]Outcome{"total": Holds, "burned": Holds, "locked": Holds,
			"circulating": row.rest, "reserved": row.rest, "rules": row.rest, "as of": row.time} {
			t.Run(name+"/"+what, func(t *testing.T) {
				if f := found(t, v, what); f.Outcome != want {
					t.Errorf("%s, want %s: %s", f.Outcome, want, f.Detail)
				}
			})
		}
	}
}

// reverting is a node on which every call reverts.
type reverting struct{ ChainReader }

func (reverting) Read(_ context.Context, _ evm.Block, calls []evm.Call) ([][]byte, error) {
	return make([][]byte, len(calls)), nil
}

// Evidence gets its place in the log only a moment after its publication.
func TestEvidenceWithoutAPlaceInTheLog(t *testing.T) {
	text, _ := sample(t)
	ev, err := ParseEvidence(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		with Against
		want Outcome
	}{
		{Against{}, Claimed}, {Against{Key: "log+1+key"}, Unproven}, {Against{Witnesses: &tlog.Policy{}}, Unproven},
	} {
		if f := found(t, Verify(t.Context(), ev, row.with), "log"); f.Outcome != row.want {
			t.Errorf("with %+v it is %s, want %s", row.with, f.Outcome, row.want)
		}
	}
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

// A fork has other blocks from a number on, of which the next after the head is the last.
type fork struct {
	*world
	from uint64
}

func (f fork) Block(ctx context.Context, n uint64) (evm.Block, error) {
	b, err := f.world.Block(ctx, n)
	if n == f.head.Number+1 {
		b = f.block(n, f.head.Time.Add(time.Second))
		err = nil
	}
	if n >= f.from {
		b.Hash[0]++
		b.Parent[0]++
	}
	return b, err
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
		"unknown field":  {replace(`"token"`, `"extra":1,"token"`), "its form differs"},
		"two documents":  {string(good) + "{}", "not JSON"},
		"another zone":   {replace(`"asOf": "2026-11-01T12:00:00Z"`, `"asOf": "2026-11-01T13:00:00+01:00"`), "UTC"},
		"a block's zone": {replace(`"time": "2026-11-01T12:00:00Z"`, `"time": "2026-11-01T13:00:00+01:00"`), "UTC"},
		"nanoseconds": {replace(`"time": "2026-11-01T12:00:00Z"`, `"time": "2026-11-01T12:00:00.0001Z"`),
			"three decimals"},
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
		if v := Verify(context.Background(), ev, Against{Nodes: readers}); v.OK() &&
			ev.Snapshot != snapshotOf(t, good) {
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
// shows the findings.
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
