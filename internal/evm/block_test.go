package evm

import (
	"fmt"
	"testing"
	"time"
)

// TestSearchIsShort: searchByTime takes few round trips on chains of real length, at any pace of
// blocks.
func TestSearchIsShort(t *testing.T) {
	const top = 60_000_000
	for name, seconds := range map[string]func(n uint64) uint64{
		"even":                 func(n uint64) uint64 { return 1_600_000_000 + 2*n },
		"genesis at time zero": func(n uint64) uint64 { return min(n, 1)*1_600_000_000 + 2*n },
		"pace changed on the way": func(n uint64) uint64 {
			half := uint64(top / 2)
			return 1_600_000_000 + 5*min(n, half) + max(n, half) - half
		},
		"stood still for a month": func(n uint64) uint64 { return 1_600_000_000 + 2*n + n/40_000_000*2_600_000 },
		"two blocks a second":     func(n uint64) uint64 { return 1_600_000_000 + n/2 },
	} {
		block := func(n uint64) Block { return Block{Number: n, Time: time.Unix(int64(seconds(n)), 0)} }
		for _, want := range []uint64{top - 1, top - 2, top - 40, top - 1_001, top - 43_201, 40_000_001, 40_000_000,
			30_000_003, 12_345_679, 3, 1} {
			trips, most := 0, 0
			got, err := searchByTime(block(top), block(want).Time, func(numbers []uint64) ([]Block, error) {
				trips++
				most = max(most, len(numbers))
				var blocks []Block
				for i, n := range numbers {
					if n >= top || i > 0 && n <= numbers[i-1] {
						return nil, fmt.Errorf("asked for %v", numbers)
					}
					blocks = append(blocks, block(n))
				}
				return blocks, nil
			})
			if err != nil || got.Time != block(want).Time || !block(got.Number+1).Time.After(got.Time) {
				t.Errorf("%s: the last block of the time of %d is %d, %v", name, want, got.Number, err)
			}
			if trips > 9 || most > 48 {
				t.Errorf("%s: finding %d took %d round trips of up to %d headers", name, want, trips, most)
			}
		}
	}
}
