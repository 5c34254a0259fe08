package pet

import (
	"context"
	"errors"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/testkit/stubnode"
)

// answersTo is a chain that gives these answers to any calls.
type answersTo func(calls []evm.Call) ([][]byte, error)

func (f answersTo) Read(_ context.Context, _ evm.Block, calls []evm.Call) ([][]byte, error) {
	return f(calls)
}

func TestSampleNative(t *testing.T) {
	owner := stubnode.Address(common.Address{1})
	for _, test := range []struct {
		name    string
		next    uint64
		asked   int // calls
		answers map[int][]byte
		want    uint64 // 0: none
	}{
		{"no pets yet", 1, 0, nil, 0},
		{"the newest", 4, 6, map[int][]byte{0: owner, 1: stubnode.Pet(3, 20), 2: owner, 3: stubnode.Pet(2, 20)}, 3},
		{"the newest is burned", 4, 6, map[int][]byte{2: owner, 3: stubnode.Pet(2, 20)}, 2},
		{"the newest is of another struct", 4, 6, map[int][]byte{0: owner, 1: stubnode.Pet(3, 22), 2: owner, 3: stubnode.Pet(2, 20)}, 2},
		{"none can be read", 100, 2 * maxSampled, nil, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			asked := 0
			chain := answersTo(func(calls []evm.Call) ([][]byte, error) {
				asked = len(calls)
				out := make([][]byte, len(calls))
				for i, answer := range test.answers {
					out[i] = answer
				}
				return out, nil
			})
			found, err := testKingdom.SampleNative(t.Context(), chain, Realm{Offset: new(uint64), Getter: Getters{"v1"}}, evm.Block{}, test.next)
			o := found.Pet
			if err != nil || asked != test.asked || (o == nil) != (test.want == 0) || o != nil && o.ID != test.want {
				t.Errorf("%+v and %v after %d calls, want pet %d after %d", o, err, asked, test.want, test.asked)
			}
		})
	}
}

func TestSampleFails(t *testing.T) {
	away := errors.New("away")
	chain := answersTo(func([]evm.Call) ([][]byte, error) { return nil, away })
	r := Realm{Offset: new(uint64), Getter: Getters{"v1"}}
	if _, err := testKingdom.SampleNative(t.Context(), chain, r, evm.Block{}, 2); !errors.Is(err, away) {
		t.Error(err)
	}
	if _, _, err := testKingdom.SampleHosted(t.Context(), chain, r, evm.Block{}); !errors.Is(err, away) {
		t.Error(err)
	}
}
