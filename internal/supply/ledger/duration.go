package ledger

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// MaxDuration is the longest duration that is accepted.
const MaxDuration = 100 * 365 * 24 * time.Hour

// longUnits are the units that Go's durations lack.
var longUnits = map[byte]time.Duration{'d': 24 * time.Hour, 'w': 7 * 24 * time.Hour}

// ParseDuration reads a duration above 0: Go's durations, such as 90s, 10m or 24h, and whole days
// and weeks, such as 7d or 8w.
func ParseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if n := len(s) - 1; n > 0 && longUnits[s[n]] > 0 && digitsOnly(s[:n]) {
		unit := longUnits[s[n]]
		count, _ := strconv.ParseInt(s[:n], 10, 32) // ParseInt clamps a number that is too large
		d = time.Duration(min(count, int64(MaxDuration/unit)+1)) * unit
		err = nil
	}
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is not a length of time; write it like 90s, 10m, 24h, 7d or 8w", Clip(s))
	case d < 0:
		return 0, errors.New("a length of time cannot be negative")
	case d == 0 || d > MaxDuration:
		return 0, fmt.Errorf("%q: want a length of time above 0 and at most 100 years", Clip(s))
	}
	return d, nil
}
