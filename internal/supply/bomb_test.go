package supply

import (
	"bytes"
	"io"
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
	"petsupply/testkit/process"
)

// TestAFileThatGrowsInMemoryIsRefused: each item of a list takes a few bytes in the file, but may
// take many in memory.
func TestAFileThatGrowsInMemoryIsRefused(t *testing.T) {
	const most = 200 << 20 // bytes that reading 7 MB may allocate, garbage included
	for name, test := range map[string]struct {
		head, value, tail string
		read              func(io.Reader) error
	}{
		"chains":            {`{"format":"` + evidenceFormat + `","chains":[`, "{}", "]}", evidence},
		"of proofs":         {`{"format":"` + proof.Format + `","chains":[`, "null", "]}", proofs},
		"calls":             {`{"format":"` + proof.Format + `","chains":[{"calls":[`, "{}", "]}]}", proofs},
		"entries of proofs": {`{"format":"` + proof.Format + `","entries":[`, "null", "]}", proofs},
	} {
		t.Run(name, func(t *testing.T) {
			text := test.head + strings.Repeat(test.value+",", (7<<20)/(len(test.value)+1)) + test.value + test.tail
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := test.read(strings.NewReader(text))
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; err == nil || took > most {
				t.Errorf("%s: %d MB and %v", name, took>>20, err)
			}
		})
	}
}

func evidence(r io.Reader) error { _, err := ParseEvidence(r); return err }
func proofs(r io.Reader) error   { _, err := proof.Parse(r); return err }

// TestFaultsOfAFileTakeLittle: every entry may have a fault that lists all chains or bridges.
func TestFaultsOfAFileTakeLittle(t *testing.T) {
	file := func(chains, bridges, entries string) string {
		return `{"format":"` + evidenceFormat +
			`","token":"gem","symbol":"G","decimals":18,"asOf":"2026-01-01T00:00:00Z",` +
			`"measuredAt":"2026-01-01T00:00:00Z","formula":"` + formula + `","bridges":{` + bridges +
			`},"chains":[` + chains + `],"entries":[` + entries + `]}`
	}
	many := func(n int, part string) string {
		var list []string
		for i := range n {
			list = append(list, strings.ReplaceAll(part, "#", strconv.Itoa(i+1)))
		}
		return strings.Join(list, ",")
	}
	const entry = `{"entry":{"label":"e#","bucket":"issued","bridge":"b","native":"0x1"}}`
	long := `"b#` + strings.Repeat("x", 5000) + `":{"count":"sum"}`
	for name, test := range map[string]struct{ text, want string }{
		"chains":     {file(many(3000, `{"chain":"c#","chainId":#}`), "", many(3000, entry)), "3000 chains"},
		"bridges":    {file("", many(3000, `"b#":{"count":"sum"}`), many(3000, entry)), "3000 bridges"},
		"long names": {file("", many(250, long), many(300, entry)), "entries[0]"},
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			peak := process.PeakHeap(func() { err = evidence(strings.NewReader(test.text)) })
			if err == nil || !strings.Contains(err.Error(), test.want) || peak > 100<<20 {
				t.Errorf("%d MB and %.200v", peak>>20, err)
			}
		})
	}
}

// TestImpossibleDecimalsAreRefused: the amounts of a bridge are compared before they are rounded.
// With a billion decimals they would have a billion digits.
func TestImpossibleDecimalsAreRefused(t *testing.T) {
	for _, n := range []int{math.MinInt, -1, ledger.MaxDecimals + 1, 1_000_000_000, math.MaxInt} {
		text, _ := sample(t)
		ev, err := ParseEvidence(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range ev.Entries {
			if x.Entry.Bridge != "" {
				ev.Entries[i].Decimals = n
			}
		}
		if ev, err = ParseEvidence(bytes.NewReader(canonical(t, ev))); err == nil {
			Verify(t.Context(), ev, Against{}) // takes hours or panics
			t.Errorf("%d decimals are accepted", n)
		}
	}
}
