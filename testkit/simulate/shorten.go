package simulate

import (
	"slices"
	"testing"
)

// Shorten returns a scenario that breaks the same rule for the same cause, with fewer and shorter
// faults and a simpler configuration. most limits the number of runs.
func Shorten(t *testing.T, s Scenario, want *Failure, most int) Scenario {
	runs := 0
	still := func(c Scenario) bool {
		if runs >= most {
			return false
		}
		runs++
		f := Run(t, c).Failure
		return f != nil && f.Kind == want.Kind && f.Cause == want.Cause
	}
	for changed := true; changed; {
		changed = false
		for i := len(s.Faults) - 1; i >= 0; i-- {
			c := s
			c.Faults = slices.Delete(slices.Clone(s.Faults), i, i+1)
			if still(c) {
				s = c
				changed = true
			}
		}
	}
	for i := range s.Faults {
		for s.Faults[i].To-s.Faults[i].From > 60 {
			c := s
			c.Faults = slices.Clone(s.Faults)
			c.Faults[i].To -= (c.Faults[i].To - c.Faults[i].From) / 2
			if !still(c) {
				break
			}
			s = c
		}
	}
	for _, simpler := range []func(*Scenario){
		func(c *Scenario) { c.Instances = 1 },
		func(c *Scenario) { c.Busy = 300 },
		func(c *Scenario) { c.Minutes = int(want.At.Minutes()) + 1 + c.quiet()/60 },
	} {
		c := s
		simpler(&c)
		if c.Minutes <= s.Minutes && still(c) {
			s = c
		}
	}
	return s
}
