package index_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/pet/index"
	"petsupply/internal/store"
)

// A stillChain never gets a new block. Its contract has some things. All fields of a thing equal
// its number.
type stillChain struct {
	things uint64
	fields int          // fields that the getter returns after the id
	reads  atomic.Int64 // reads of things
	unfit  uint64       // answers for lower things lack a word
	broken bool         // ownerOf reverts
	away   error        // of all reads
}

func (c *stillChain) Pin(context.Context, time.Time) (evm.Block, error) { return oldBlock(5), nil }
func (c *stillChain) Blocks(_ context.Context, numbers ...uint64) ([]evm.Block, error) {
	return oldBlocks(numbers), nil
}
func (c *stillChain) Logs(context.Context, evm.LogQuery) ([]evm.Log, error) { return nil, nil }

func (c *stillChain) Read(_ context.Context, _ evm.Block, calls []evm.Call) ([][]byte, error) {
	word := func(n uint64) []byte { w := uint256.NewInt(n).Bytes32(); return w[:] }
	if c.away != nil {
		return nil, c.away
	}
	out := make([][]byte, len(calls))
	for i, call := range calls {
		switch {
		case len(call.Data) == 4:
			out[i] = word(c.things)
		case i%2 == 0 && c.broken:
		case i%2 == 0:
			out[i] = word(0xa11ce)
			c.reads.Add(1)
		default:
			id := new(uint256.Int).SetBytes(call.Data[4:]).Uint64()
			out[i] = word(id)
			for n := range c.fields {
				if id < c.unfit && n == 0 {
					continue
				}
				out[i] = append(out[i], word(id%200)...)
			}
		}
	}
	return out, nil
}

// thingStore opens a store and leads it.
func thingStore(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), "sqlite://"+t.TempDir()+"/x.db", 10*time.Second, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if ok, err := s.Campaign(t.Context(), "test", time.Minute); err != nil || !ok {
		t.Fatalf("taking the lease: %v, %v", ok, err)
	}
	return s
}

// thingIndexer makes the indexer of a realm of things. They have these fields besides the first.
func thingIndexer(t *testing.T, s interface {
	index.Store
	SetCollection(*collection.Collection)
}, chain index.Chain, fields string) *index.Indexer {
	t.Helper()
	offset := uint64(0)
	realm := pet.Realm{Key: "only", Offset: &offset, Chain: "c", Getter: "g", Contract: common.Address{1}}
	c, err := collection.Parse("things.yaml",
		[]byte("name: Things\ngetters: {g: {call: get(uint256), returns: values}}\n"+
			"count: {next: next()}\nfields: [{name: id, type: uint256, is: id}, "+
			"{name: a, type: uint8, filter: true}"+fields+"]\n"))
	if err != nil {
		t.Fatal(err)
	}
	s.SetCollection(c)
	x := index.New(realm, &pet.Registry{Collection: c, Realms: []pet.Realm{realm}}, chain, s, nil)
	x.SweepEvery = 0
	return x
}

// A collection gets a field. The realm is read again in steps while it is followed, and the feed
// reports this once.
func TestANewFieldIsReadInTheBackground(t *testing.T) {
	s, chain := thingStore(t), &stillChain{things: 4500, fields: 1}
	indexer := func(fields string) *index.Indexer { return thingIndexer(t, s, chain, fields) }
	// run calls Step until there is nothing to do. It returns the kinds of the changes after since, and
	// the number of steps.
	run := func(x *index.Indexer, since uint64) (kinds []string, steps int) {
		t.Helper()
		for steps = 1; ; steps++ {
			if err := step(t, x); errors.Is(err, errCaughtUp) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		changes, err := s.ChangesSince(t.Context(), &since, 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range changes {
			kinds = append(kinds, fmt.Sprintf("%d %s %s", c.Seq, c.Kind, c.Realm))
		}
		return kinds, steps
	}
	if kinds, _ := run(indexer(""), 0); !slices.Equal(kinds, []string{"1 reread only"}) {
		t.Errorf("after the first reading the feed says %v", kinds)
	}
	chain.fields = 2
	chain.reads.Store(0)
	x := indexer(", {name: b, type: uint16}")
	chain.away = errors.New("the node is away")
	failed := 0
	for range 4 { // what could not be read stays in the queue
		if err := step(t, x); errors.Is(err, chain.away) {
			failed++
		}
	}
	if failed == 0 {
		t.Error("no step has failed")
	}
	chain.away = nil
	kinds, steps := run(x, 1)
	if !slices.Equal(kinds, []string{"2 reread only"}) || steps < 3 || chain.reads.Load() < 4500 ||
		chain.reads.Load() > 10_000 {
		t.Errorf("after %d steps and %d reads the feed says %v", steps, chain.reads.Load(), kinds)
	}
	found, err := s.PetsByID(t.Context(), []uint64{0, 4499})
	if err != nil || len(found) != 2 || len(found[0].Value) != 1+1+2 || len(found[4499].Value) != 1+1+2 {
		t.Errorf("found %+v, %v", found, err)
	}
	chain.reads.Store(0)
	if kinds, _ := run(x, 2); len(kinds) > 0 || chain.reads.Load() > 0 {
		t.Errorf("after that, with %d reads: %v", chain.reads.Load(), kinds)
	}
	if _, err := s.Reindex(t.Context(), []string{"only"}); err != nil {
		t.Fatal(err)
	}
	if kinds, _ := run(x, 2); !slices.Equal(kinds, []string{"3 reread only"}) || chain.reads.Load() < 4500 {
		t.Errorf("after it was asked for, with %d reads: %v", chain.reads.Load(), kinds)
	}
}
