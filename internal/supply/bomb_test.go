package supply

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"petsupply/internal/supply/proof"
)

// TestAFileThatGrowsInMemoryIsRefused: a few bytes in a list may each become a large value.
func TestAFileThatGrowsInMemoryIsRefused(t *testing.T) {
	const most = 200 << 20 // bytes that reading 8 MB may allocate, garbage included
	for name, test := range map[string]struct {
		head, value, tail string
		read              func(io.Reader) error
	}{
		"entries":           {`{"format":"` + evidenceFormat + `","entries":[`, "null", "]}", evidence},
		"chains":            {`{"format":"` + evidenceFormat + `","chains":[`, "{}", "]}", evidence},
		"of proofs":         {`{"format":"` + proof.Format + `","chains":[`, "null", "]}", proofs},
		"calls":             {`{"format":"` + proof.Format + `","chains":[{"calls":[`, "{}", "]}]}", proofs},
		"entries of proofs": {`{"format":"` + proof.Format + `","entries":[`, "null", "]}", proofs},
	} {
		t.Run(name, func(t *testing.T) {
			text := test.head + strings.Repeat(test.value+",", (8<<20)/(len(test.value)+1)) + test.value + test.tail
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
