package index_test

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/index"
	"petsupply/testkit/traits"
)

// form identifies the fields of the default collection and no custody address, as in a Position.
var form = fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(traits.Pets().Layout.String()+" []")))

// oldChain ends at block 5.
type oldChain struct{ index.Chain }

func (oldChain) Pin(context.Context, time.Time) (evm.Block, error) { return oldBlock(5), nil }
func (oldChain) Blocks(_ context.Context, numbers ...uint64) ([]evm.Block, error) {
	return oldBlocks(numbers), nil
}

func oldBlocks(numbers []uint64) (list []evm.Block) {
	for _, n := range numbers {
		list = append(list, oldBlock(n))
	}
	return list
}

func oldBlock(n uint64) evm.Block {
	return evm.Block{Number: n, Hash: common.Hash{byte(n)}, Parent: common.Hash{byte(n - 1)}}
}

// marked returns the marks of a store that followed these blocks.
func marked(numbers ...uint64) func(context.Context) ([]index.BlockMark, error) {
	return func(context.Context) (marks []index.BlockMark, err error) {
		for _, n := range numbers {
			marks = append(marks, index.BlockMark{Block: oldBlock(n)})
		}
		return marks, nil
	}
}

// aheadStore has two marks, and has followed up to the second. A step that writes fails the test.
type aheadStore struct {
	index.Store
	first, last uint64
}

func (s aheadStore) PetWork(context.Context, string, int) (index.Work, error) {
	return index.Work{Position: &index.Position{Source: "c/" + common.Address{}.Hex() + "/v2", Form: form,
		Phase: "follow", Block: oldBlock(s.last)}, Marks: marked(s.first, s.last)}, nil
}

// Nodes that are behind all remembered blocks prove nothing, so the indexer waits. It reads nothing
// at their old head.
func TestNodesFarBehindAreWaitedFor(t *testing.T) {
	realm := pet.Realm{Key: "second", Chain: "c", Getter: "v2"}
	x := index.New(realm, &pet.Registry{Collection: traits.Pets(), Realms: []pet.Realm{realm}}, oldChain{},
		aheadStore{first: 800, last: 900}, nil)
	for range 3 {
		if err := step(t, x); !errors.Is(err, errCaughtUp) {
			t.Errorf("a step with nodes at block 5 says %v", err)
		}
	}
	if _, why, _ := x.Progress().StandsStill(); !strings.Contains(why, "petsupply reindex") {
		t.Errorf("the reason does not say what to do: %s", why)
	}
}

func TestARealmWhoseNodesStayBehindStandsStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		realm := pet.Realm{Key: "second", Chain: "c", Getter: "v2"}
		x := index.New(realm, &pet.Registry{Collection: traits.Pets(), Realms: []pet.Realm{realm}}, oldChain{},
			aheadStore{first: 4, last: 9}, nil)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go x.Run(ctx)
		time.Sleep(4 * time.Minute)
		if _, why, still := x.Progress().StandsStill(); still {
			t.Errorf("after four minutes: %s", why)
		}
		time.Sleep(2 * time.Minute)
		d, why, still := x.Progress().StandsStill()
		if !still || d < 5*time.Minute || !strings.Contains(why, "behind") {
			t.Errorf("after six minutes: %v, %v, %s", still, d, why)
		}
	})
}

// A lateChain has nodes that lack the newest block.
type lateChain struct {
	oldChain
	asked *int
}

func (c lateChain) Logs(context.Context, evm.LogQuery) ([]evm.Log, error) {
	*c.asked++
	return nil, evm.ErrAbsent
}

func TestABlockThatNodesLackIsAskedForAgainSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		realm := pet.Realm{Key: "second", Chain: "c", Getter: "v2"}
		registry := &pet.Registry{Collection: traits.Pets(), Realms: []pet.Realm{realm}}
		x := index.New(realm, registry, lateChain{asked: &asked}, guestStore{}, nil)
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		if err := x.Run(ctx); err != nil || asked < 25 {
			t.Errorf("in a minute the indexer asked %d times, and said %v", asked, err)
		}
	})
}

// deafChain finds no logs.
type deafChain struct{ oldChain }

var errDeaf = errors.New("no logs today")

func (deafChain) Logs(context.Context, evm.LogQuery) ([]evm.Log, error) { return nil, errDeaf }

// guestStore searches the logs of blocks 3 to 5 for guests. It fails the test if something is written.
type guestStore struct{ index.Store }

func (guestStore) PetWork(context.Context, string, int) (index.Work, error) {
	return index.Work{Position: &index.Position{Source: "c/" + common.Address{}.Hex() + "/v2", Form: form,
		Phase: "events", Next: 3, Limit: 6, Pin: oldBlock(5), First: oldBlock(5)}, Marks: marked(5)}, nil
}

func TestAFailedSearchForGuestsIsNotOver(t *testing.T) {
	realm := pet.Realm{Key: "second", Chain: "c", Getter: "v2"}
	registry := &pet.Registry{Collection: traits.Pets(), Realms: []pet.Realm{realm}}
	x := index.New(realm, registry, deafChain{}, guestStore{}, nil)
	if err := step(t, x); !errors.Is(err, errDeaf) {
		t.Errorf("a step without logs says %v", err)
	}
	if p := x.Progress(); !p.Moved.IsZero() || !errors.Is(p.Fault, errDeaf) {
		t.Errorf("after it the realm has moved at %s, and its fault is %v", p.Moved, p.Fault)
	}
}
