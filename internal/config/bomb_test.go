package config

import (
	"fmt"
	"strings"
	"testing"
)

// A file that is no configuration, however much of it there is, is refused in
// few words.
func TestWhatIsNoConfigurationIsRefusedInFewWords(t *testing.T) {
	repeat := func(n int, line func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"deep lists":   "a: " + strings.Repeat("[", 5000),
		"deep maps":    repeat(1000, func(i int) string { return strings.Repeat(" ", i) + "a:\n" }),
		"many keys":    repeat(5000, func(i int) string { return fmt.Sprintf("k%d: 1\n", i) }),
		"many entries": "tokens:\n  - path: a\n    ledger:\n" + repeat(2000, func(i int) string { return fmt.Sprintf("      - {label: x%d, bucket: none}\n", i) }),
		"anchors":      "a: &a [x]\n" + repeat(100, func(i int) string { return fmt.Sprintf("b%d: &b%d [*a, *a, *a]\n", i, i) }),
		"too long":     strings.Repeat("#\n", MaxFile/2+1),
	} {
		_, err := Load("x", []byte(text), func(string) string { return "" })
		if err == nil {
			t.Errorf("%s: taken for a configuration", name)
		} else if said := err.Error(); len(said) > 64<<10 {
			t.Errorf("%s: %d bytes are said of it", name, len(said))
		}
	}
}
