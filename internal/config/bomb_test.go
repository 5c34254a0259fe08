package config

import (
	"fmt"
	"strings"
	"testing"
)

// A large file that is not a configuration is refused with a short error.
func TestAFileThatIsNoConfigurationIsRefusedBriefly(t *testing.T) {
	repeat := func(n int, line func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"deep lists": "a: " + strings.Repeat("[", 5000),
		"deep maps":  repeat(1000, func(i int) string { return strings.Repeat(" ", i) + "a:\n" }),
		"many keys":  repeat(1500, func(i int) string { return fmt.Sprintf("k%d: 1\n", i) }),
		"many entries": "tokens:\n  - path: a\n    ledger:\n" + repeat(2000,
			func(i int) string { return fmt.Sprintf("      - {label: x%d, bucket: none}\n", i) }),
		"anchors": "a: &a [x]\n" + repeat(100, func(i int) string {
			return fmt.Sprintf("b%d: &b%d [*a, *a, *a]\n", i,
				i)
		}),
		"too long": strings.Repeat("#\n", MaxFile/2+1),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Load("x", []byte(text), func(string) string { return "" })
			if err == nil {
				t.Error("it is taken for a configuration")
			} else if n := len(err.Error()); n > 64<<10 {
				t.Errorf("the error has %d bytes", n)
			}
		})
	}
}
