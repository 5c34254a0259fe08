package index

import "testing"

// A search in events begins at a block that may be far above 0.
func TestTheShareOfAPhase(t *testing.T) {
	for want, p := range map[float64]Position{
		25: {Phase: phaseNatives, Next: 50, Limit: 200},
		10: {Phase: phaseEvents, Since: 1000, Next: 1010, Limit: 1100},
		50: {Phase: phaseListed, Since: 1000, Next: 100, Limit: 200},
		0:  {Phase: phaseCheck, Next: 50},
	} {
		if got := p.Share(); got != want {
			t.Errorf("%+v: %v, want %v", p, got, want)
		}
	}
}
