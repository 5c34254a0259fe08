package supply

import (
	"fmt"
	"strconv"
	"time"
)

// maxSpan is the longest span that has a meaning here.
const maxSpan = 100 * 365 * 24 * time.Hour

var spanUnits = map[byte]time.Duration{'m': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}

// ParseSpan reads a whole number of minutes, hours, days or weeks: 90m, 24h,
// 30d, 8w.
func ParseDuration(s string) (time.Duration, error) {
	if len(s) >= 2 && digitsOnly(s[:len(s)-1]) {
		unit := spanUnits[s[len(s)-1]]
		n, err := strconv.ParseInt(s[:len(s)-1], 10, 32)
		if err == nil && unit > 0 && n > 0 && n <= int64(maxSpan/unit) {
			return time.Duration(n) * unit, nil
		}
	}
	return 0, fmt.Errorf("span %q: want a number of m, h, d or w, such as 24h or 30d", clip(s))
}
