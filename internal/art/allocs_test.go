//go:build !race

package art

import "testing"

// TestDrawAllocates holds a picture to one allocation: its own bytes.
func TestDrawAllocates(t *testing.T) {
	for name, p := range map[string]*Pack{"palette": embedded(t), "rgba": open(t, colourful(t)), "soft": open(t, soft(t))} {
		l, v := Look{Appearance: 1}, Whole
		p.Draw(l, v)
		if n := testing.AllocsPerRun(100, func() { p.Draw(l, v) }); n > 1 {
			t.Errorf("%s: %v allocations for one picture", name, n)
		}
	}
}
