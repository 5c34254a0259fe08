package pet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/testkit/stubnode"
)

// answersTo is a chain that answers calls with a function.
type answersTo func(calls []evm.Call) ([][]byte, error)

func (f answersTo) Read(_ context.Context, _ evm.Block, calls []evm.Call) ([][]byte, error) {
	return f(calls)
}

func TestSampleNative(t *testing.T) {
	owner := stubnode.Address(common.Address{1})
	for _, test := range []struct {
		name    string
		next    uint64
		asked   int // number of calls
		answers map[int][]byte
		want    uint64 // 0: none
		unfit   string // prefix of the reason why one cannot be read
	}{
		{"no pets yet", 1, 2, nil, 0, ""},
		{"the newest", 4, 8, map[int][]byte{0: owner, 1: stubnode.Pet(3, 20), 2: owner, 3: stubnode.Pet(2, 20)}, 3, ""},
		{"the newest is burned", 4, 8, map[int][]byte{2: owner, 3: stubnode.Pet(2, 20)}, 2, ""},
		{"the newest is of another struct", 4, 8,
			map[int][]byte{0: owner, 1: stubnode.Pet(3, 22), 2: owner, 3: stubnode.Pet(2, 20)}, 2,
			"token 3: v1 answered 24 words"},
		{"an older one is of another struct", 4, 8,
			map[int][]byte{0: owner, 1: stubnode.Pet(3, 20), 4: owner, 5: stubnode.Pet(1, 22)}, 3,
			"token 1: v1 answered 24 words"},
		{"none can be read", 100, 4 * maxSampled, nil, 0, ""},
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
			found, err := testRegistry.SampleNative(t.Context(), chain,
				Realm{Offset: new(uint64), Getter: "v1"}, evm.Block{}, test.next)
			o := found.Pet
			if err != nil || asked != test.asked || (o == nil) != (test.want == 0) || o != nil && o.ID != test.want {
				t.Errorf("%+v and %v after %d calls, want pet %d after %d", o, err, asked, test.want, test.asked)
			}
			if why := fmt.Sprint(found.Unreadable); (found.Unreadable != nil) != (test.unfit != "") ||
				!strings.HasPrefix(why, test.unfit) && test.unfit != "" {
				t.Errorf("unreadable: %s, want %s", why, test.unfit)
			}
		})
	}
}

func TestSampleFails(t *testing.T) {
	away := errors.New("away")
	chain := answersTo(func([]evm.Call) ([][]byte, error) { return nil, away })
	r := Realm{Offset: new(uint64), Getter: "v1"}
	if _, err := testRegistry.SampleNative(t.Context(), chain, r, evm.Block{}, 2); !errors.Is(err, away) {
		t.Error(err)
	}
	if _, _, err := Listed(t.Context(), chain, r.Contract, evm.Block{}, 1); !errors.Is(err, away) {
		t.Error(err)
	}
}

func TestSpread(t *testing.T) {
	for _, test := range []struct {
		n, most uint64
		want    string
	}{{0, 5, "[]"}, {1, 5, "[0]"}, {3, 5, "[0 1 2]"}, {11, 3, "[0 5 10]"},
		{1<<63 + 1, 3, "[0 4611686018427387904 9223372036854775808]"}} {
		if got := fmt.Sprint(Spread(test.n, test.most)); got != test.want {
			t.Errorf("%d of %d: %s, want %s", test.most, test.n, got, test.want)
		}
	}
}
