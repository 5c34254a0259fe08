package supply

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// maxDuration is the longest time that has a meaning here.
const maxDuration = 100 * 365 * 24 * time.Hour

// longUnits are what Go's durations lack.
var longUnits = map[byte]time.Duration{'d': 24 * time.Hour, 'w': 7 * 24 * time.Hour}

// ParseDuration reads a length of time, above 0: Go's durations, such as 90s,
// 10m or 24h, and whole days and weeks, such as 7d or 8w.
func ParseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if n := len(s) - 1; n > 0 && longUnits[s[n]] > 0 && digitsOnly(s[:n]) {
		unit := longUnits[s[n]]
		count, _ := strconv.ParseInt(s[:n], 10, 32) // the largest, where it is larger
		d, err = time.Duration(min(count, int64(maxDuration/unit)+1))*unit, nil
	}
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is not a length of time; write it like 90s, 10m, 24h, 7d or 8w", clip(s))
	case d < 0:
		return 0, errors.New("a length of time cannot be negative")
	case d == 0 || d > maxDuration:
		return 0, fmt.Errorf("%q: want a length of time above 0 and at most 100 years", clip(s))
	}
	return d, nil
}

func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// formatMillis is a moment as documents have it.
func formatMillis(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
