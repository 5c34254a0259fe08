package collection

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestBits(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		raw := make([]byte, dice.IntN(33))
		for i := range raw {
			raw[i] = byte(dice.Uint32())
		}
		low, width := uint(dice.IntN(256)), uint(1+dice.IntN(63))
		n := new(big.Int).SetBytes(raw)
		want := n.And(n.Rsh(n, low), new(big.Int).SetUint64(1<<width-1)).Uint64()
		if got := sliceBits(string(raw), low, width); got != want {
			t.Fatalf("%d bits from %d of %x are %x, want %x", width, low, raw, got, want)
		}
	}
}
