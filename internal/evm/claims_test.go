package evm

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

func TestAProviderIsLeftOutAfterTwoClaimsThatNobodyConfirms(t *testing.T) {
	start := time.Now()
	block := func(n uint64) Block { return Block{Number: n, Hash: common.BigToHash(common.Big1)} }
	type step struct {
		after         time.Duration
		head, reached uint64
		due           bool // it is compared with the others
		confirmed     bool
		out           bool
	}
	minutes := func(n int) time.Duration { return time.Duration(n) * time.Minute }
	tests := map[string][]step{
		"ahead and right": {{0, 12, 10, false, false, false}, {minutes(1), 22, 20, true, true, false}, {minutes(2), 32, 30, false, false, false},
			{minutes(3), 42, 40, false, false, false}, {minutes(15), 52, 50, true, true, false}},
		"wrong once": {{0, 12, 10, false, false, false}, {minutes(1), 22, 20, true, false, false}, {minutes(2), 30, 30, true, true, false}},
		"never reached": {{0, 1 << 40, 10, false, false, false}, {minutes(1), 1 << 40, 20, true, false, false},
			{minutes(2), 1 << 40, 30, false, false, false}, {minutes(3), 1 << 40, 40, true, false, true}},
		"right again": {{0, 99, 10, false, false, false}, {minutes(1), 99, 20, true, false, false}, {minutes(2), 30, 30, true, false, true},
			{minutes(3), 39, 40, true, true, false}},
		"asked too soon": {{0, 12, 10, false, false, false}, {5 * time.Second, 12, 10, false, false, false}},
		"never ahead":    {{0, 10, 10, false, false, false}, {minutes(1), 9, 20, false, false, false}},
		"silent":         {{0, 12, 10, false, false, false}, {minutes(30), 0, 10, false, false, false}},
	}
	for name, steps := range tests {
		t.Run(name, func(t *testing.T) {
			h := health{}
			for i, s := range steps {
				now := start.Add(s.after)
				if s.head > 0 {
					h.head, h.headAt = block(s.head), now
				}
				if _, due := h.toCheck(s.reached, now); due != s.due {
					t.Fatalf("step %d is compared: %v", i, due)
				}
				if s.due {
					h.settle(s.confirmed, now)
				}
				if h.leftOut() != s.out {
					t.Fatalf("step %d: left out %v", i, h.leftOut())
				}
			}
		})
	}
}
