package compose

import (
	"slices"
	"testing"
	"time"
)

// The chart of 7 days begins with a figure that is at most half a day older, so that pages do not
// call the same span 8 days.
func TestTheDemoHasAFigureOfAWeekAgo(t *testing.T) {
	start := time.Date(2027, 2, 20, 9, 30, 0, 0, time.UTC)
	for hour := range 24 {
		until := start.Add(time.Duration(hour) * time.Hour)
		ago := until.Add(-7 * day)
		if !slices.ContainsFunc(moments(until), func(at time.Time) bool {
			return !at.After(ago) && ago.Sub(at) < day/2
		}) {
			t.Errorf("at %s, no figure is from about %s", until, ago)
		}
	}
}
