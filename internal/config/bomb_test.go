package config

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestABombCostsLittle: a file that is no configuration takes little memory, and its message is short.
func TestABombCostsLittle(t *testing.T) {
	many := func(n int, line func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"lists":        strings.Repeat("[", 100_000),
		"maps":         strings.Repeat("{", 100_000),
		"nested":       "packs: " + strings.Repeat("[{a: ", 20_000),
		"dashes":       strings.Repeat("- ", 50_000),
		"in a text":    "a: '" + strings.Repeat("[", 100_000),
		"on each line": strings.Repeat("[\n", 50_000),
		"many keys":    many(300, func(i int) string { return fmt.Sprintf("k%d: 1\n", i) }),
		"many entries": "tokens:\n  - path: a\n    ledger:\n" +
			many(500, func(i int) string { return fmt.Sprintf("      - {label: x%d, bucket: none}\n", i) }),
		"anchors": "a: &a [x]\n" +
			many(100, func(i int) string { return fmt.Sprintf("b%d: &b%d [*a, *a, *a]\n", i, i) }),
		"too long": strings.Repeat("#\n", MaxFile/2+1),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Load("p.yaml", []byte(text), env)
			if err == nil || len(err.Error()) > 64<<10 {
				t.Errorf("it is taken for a configuration, or the message is long: %.100v", err)
			}
			runtime.ReadMemStats(&after)
			if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 128 {
				t.Errorf("it took %d MB", used)
			}
		})
	}
	deep := strings.Repeat("[", 100)
	text := "collection: {name: Pets, description: \"" + deep + "\"} # " + deep + "\n"
	if _, err := Load("p.yaml", []byte(text), env); err != nil {
		t.Errorf("brackets in a text and a remark: %v", err)
	}
}
