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
		due           bool // the head is compared with the others
		confirmed     bool
		out           bool
	}
	minutes := func(n int) time.Duration { return time.Duration(n) * time.Minute }
	tests := map[string][]step{
		"ahead and right": {{0, 12, 10, false, false, false}, {minutes(1), 22, 20, true, true, false},
			{minutes(2), 32, 30, false, false, false},
			{minutes(3), 42, 40, false, false, false}, {minutes(15), 52, 50, true, true, false}},
		"wrong once": {{0, 12, 10, false, false, false}, {minutes(1), 22, 20, true, false, false},
			{minutes(2), 30, 30, true, true, false}},
		"never reached": {{0, 1 << 40, 10, false, false, false}, {minutes(1), 1 << 40, 20, true, false, false},
			{minutes(2), 1 << 40, 30, false, false, false}, {minutes(3), 1 << 40, 40, true, false, true}},
		"right again": {{0, 99, 10, false, false, false}, {minutes(1), 99, 20, true, false, false},
			{minutes(2), 30, 30, true, false, true},
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

// A claim is true if the others have the block, and false if they have a different one. Without an
// answer the claim stays open.
func TestClaimsAreComparedWithTheBlocksOfOthers(t *testing.T) {
	now := time.Now().Truncate(time.Second).UTC()
	block := func(n uint64, hash byte) Block {
		return Block{Number: n, Hash: common.Hash{hash}, Parent: common.Hash{1}, Time: now.Add(-time.Minute)}
	}
	head := block(12, 12)
	tests := map[string]struct {
		second, third []Block // the blocks of these providers
		refuted       int
		pending       bool
	}{
		"they have it":            {[]Block{block(10, 10)}, []Block{block(10, 10)}, 0, false},
		"they have another":       {[]Block{block(10, 66)}, []Block{block(10, 66)}, 1, false},
		"each has another":        {[]Block{block(10, 66)}, []Block{block(10, 77)}, 1, false},
		"they cannot show theirs": {nil, nil, 0, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := dial(t, Config{ID: 1}, headNode(t, 0, head, block(10, 10)), headNode(t, 0, head, tt.second...),
				headNode(t, 0, head, tt.third...))
			p := c.providers[0]
			p.head, p.headAt = head, time.Now()
			p.claims = claims{pending: block(10, 10), at: time.Now().Add(-2 * claimTime)}
			c.judgeClaims(t.Context(), head.Number)
			if p.claims.refuted != tt.refuted || (p.claims.pending != Block{}) != tt.pending {
				t.Errorf("the claims are %+v", p.claims)
			}
		})
	}
}

// With quorum 1, one provider decides which block was reached. If that provider is behind, the
// others are not excluded.
func TestAProviderThatIsBehindLeavesOutNobody(t *testing.T) {
	c := dial(t, Config{ID: 1, Quorum: 1}, "http://127.0.0.1:1", "http://127.0.0.1:2", "http://127.0.0.1:3")
	for i, n := range []uint64{10, 30, 30} {
		p := c.providers[i]
		p.head, p.headAt = Block{Number: n, Hash: common.Hash{byte(n)}}, time.Now()
		if i > 0 {
			p.claims = claims{pending: Block{Number: n - 10, Hash: common.Hash{1}}, at: time.Now().Add(-2 * claimTime)}
		}
	}
	c.judgeClaims(t.Context(), 10)
	for _, p := range c.providers {
		if p.claims.refuted > 0 {
			t.Errorf("%s has refuted claims: %+v", p.name, p.claims)
		}
	}
}
