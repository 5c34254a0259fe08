package index_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"petsupply/internal/evm"
	"petsupply/internal/pet/index"
	"petsupply/internal/store"
)

// catchUp steps an indexer until it has nothing to do, and reports whether it followed the chain
// all the time.
func catchUp(t *testing.T, x *index.Indexer) (followed bool) {
	t.Helper()
	followed = true
	for range 100 {
		err := step(t, x)
		switch {
		case errors.Is(err, errCaughtUp):
			return followed
		case err != nil && !errors.Is(err, errUndid):
			t.Fatal(err)
		}
		followed = followed && x.Progress().Following()
	}
	t.Fatal("the indexer never catches up")
	return false
}

// Unreadable pets do not delay others, even if they are the only ones in their realm or in a
// sample.
func TestARealmBeginsWithPetsThatCannotBeRead(t *testing.T) {
	for name, things := range map[string]uint64{"alone": 1, "among others": 5000} {
		t.Run(name, func(t *testing.T) {
			s, chain := thingStore(t), &stillChain{things: things, fields: 2, unfit: min(things, 4990)}
			x := thingIndexer(t, s, chain, ", {name: b, type: uint16}")
			catchUp(t, x)
			p := x.Progress()
			if !p.Following() || p.Misfit() == nil || p.Aside != int(chain.unfit) {
				t.Errorf("the progress is %+v", p)
			}
			found, err := s.PetsByID(t.Context(), []uint64{0, 4990})
			if err != nil || len(found) != int(min(things-1, 1)) {
				t.Errorf("found %v, %v", found, err)
			}
		})
	}
}

// A forkedChain is a quiet chain whose blocks from fork on are different.
type forkedChain struct {
	*stillChain
	head, fork uint64
}

func (c *forkedChain) block(n uint64) evm.Block {
	hash := func(n uint64) common.Hash {
		if n >= c.fork {
			return common.Hash{byte(n), 1}
		}
		return common.Hash{byte(n), 2}
	}
	return evm.Block{Number: n, Hash: hash(n), Parent: hash(n - 1)}
}

func (c *forkedChain) Blocks(_ context.Context, numbers ...uint64) (list []evm.Block, err error) {
	for _, n := range numbers {
		list = append(list, c.block(n))
	}
	return list, nil
}

func (c *forkedChain) Pin(context.Context, time.Time) (evm.Block, error) { return c.block(c.head), nil }

// If a small reorg follows right after a quiet realm was read, the indexer does not read everything
// again.
func TestAQuietRealmIsNotReadAfreshAfterASmallReorg(t *testing.T) {
	for name, fork := range map[string]uint64{"one block": 200, "two": 199, "a hundred": 101} {
		t.Run(name, func(t *testing.T) {
			chain := &forkedChain{stillChain: &stillChain{things: 5000, fields: 1}, head: 200, fork: 250}
			x := thingIndexer(t, thingStore(t), chain, "")
			catchUp(t, x)
			chain.fork = fork
			chain.reads.Store(0)
			if !catchUp(t, x) || chain.reads.Load() > 0 {
				t.Errorf("%d things were read again", chain.reads.Load())
			}
		})
	}
}

// An upgrade of the contract makes ownerOf revert for all pets. No pet counts as burned. Once the
// contract is repaired, the realm continues.
func TestABrokenContractBurnsNoPets(t *testing.T) {
	s, chain := thingStore(t), &stillChain{things: 5000, fields: 1}
	x := thingIndexer(t, s, chain, "")
	catchUp(t, x)
	chain.broken, x.SweepEvery = true, time.Nanosecond
	refused := 0
	for range 10 { // every second step follows the chain
		if err := step(t, x); err != nil && !errors.Is(err, errCaughtUp) {
			refused++
		}
		if refused > 0 && x.Progress().Fault == nil {
			t.Error("a step that followed the chain has cleared the fault")
		}
	}
	if refused < 4 {
		t.Errorf("%d of 10 steps were refused", refused)
	}
	all := make([]uint64, 5000)
	for id := range all {
		all[id] = uint64(id)
	}
	found, err := s.PetsByID(t.Context(), all)
	if err != nil || len(found) != 5000 {
		t.Fatalf("%d are found, %v", len(found), err)
	}
	for id, p := range found {
		if p.Burned {
			t.Fatalf("%d counts as burned", id)
		}
	}
	chain.broken = false
	for range 2 {
		if err := step(t, x); err != nil && !errors.Is(err, errCaughtUp) {
			t.Error(err)
		}
	}
	if fault := x.Progress().Fault; fault != nil {
		t.Errorf("once it is repaired, the fault is %v", fault)
	}
	chain.broken = true // this time the pets are gone, and an operator asks for a reindex
	if _, err := s.Reindex(t.Context(), []string{"only"}); err != nil {
		t.Fatal(err)
	}
	x.SweepEvery = 0
	catchUp(t, x)
	if found, err := s.PetsByID(t.Context(), all[:1]); err != nil || !found[0].Burned {
		t.Errorf("after it was read from the start: %+v, %v", found, err)
	}
}

// A busyChain has a hundred transfers in each block.
type busyChain struct{ *forkedChain }

func (c busyChain) Logs(_ context.Context, q evm.LogQuery) (logs []evm.Log, err error) {
	transfer := crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)"))
	for n := q.From; n <= q.To; n++ {
		for i := range uint64(100) {
			id := uint256.NewInt((n*100 + i) % c.things).Bytes32()
			logs = append(logs,
				evm.Log{Address: common.Address{1}, Topics: []common.Hash{transfer, {}, {1}, id}, Block: n,
					Hash: c.block(n).Hash})
		}
	}
	return logs, nil
}

// A prunedChain has no state of blocks before kept.
type prunedChain struct {
	*forkedChain
	kept uint64
}

func (c *prunedChain) Read(ctx context.Context, at evm.Block, calls []evm.Call) ([][]byte, error) {
	if at.Number < c.kept {
		return nil, evm.ErrUnavailable
	}
	return c.forkedChain.Read(ctx, at, calls)
}

// The nodes drop the state of the block at which a realm is read. Reading continues at a newer
// block, not from the start.
func TestARealmThatGoesOnAtANewerBlockIsReadOnce(t *testing.T) {
	chain := &prunedChain{forkedChain: &forkedChain{stillChain: &stillChain{things: 5000, fields: 1}, head: 200,
		fork: 250}}
	s := &measuringStore{Store: thingStore(t)}
	x := thingIndexer(t, s, chain, "")
	if err := step(t, x); err != nil {
		t.Fatal(err)
	}
	chain.head, chain.kept = 210, 205
	catchUp(t, x)
	if p := x.Progress(); s.begun != 1 || p.Block != 210 {
		t.Errorf("the realm was begun %d times, and is at block %d", s.begun, p.Block)
	}
}

// A realm was read at a newer block than the one from which events are followed. If a reorg removes
// the newer block, no event tells which pets were read on the removed branch, so the realm is read
// from the start.
func TestARealmThatWasReadAtARemovedBlockIsReadAgain(t *testing.T) {
	chain := &prunedChain{forkedChain: &forkedChain{stillChain: &stillChain{things: 5000, fields: 1}, head: 200,
		fork: 250}}
	s := &measuringStore{Store: thingStore(t)}
	x := thingIndexer(t, s, chain, "")
	must(t, step(t, x))
	chain.head, chain.kept = 210, 205
	var p index.Position
	for p.Block.Number == 0 { // until events are followed
		must(t, step(t, x))
		w, err := s.PetWork(t.Context(), "only", 1)
		must(t, err)
		p = *w.Position
	}
	if p.Block.Number != 200 || p.Pin.Number != 210 {
		t.Fatalf("events are followed from %d, and pets were read at %d", p.Block.Number, p.Pin.Number)
	}
	chain.fork = 206
	catchUp(t, x)
	if s.begun != 2 {
		t.Errorf("the realm was begun %d times", s.begun)
	}
}

// A measuringStore records the largest numbers of pets that one transaction writes and undoes, and how
// often a realm was begun.
type measuringStore struct {
	*store.Store
	pets, undone, begun int
}

func (s *measuringStore) WritePets(ctx context.Context, b index.Batch) (index.Written, error) {
	pets := 0
	switch b := b.(type) {
	case *index.Reading:
		if b.Begin {
			s.begun++
		}
		pets = len(b.Pets)
	case *index.Following:
		pets = len(b.Pets)
	case *index.Rereading:
		pets = len(b.Pets)
	case *index.Undoing:
		s.undone = max(s.undone, len(b.Later))
	}
	s.pets = max(s.pets, pets)
	return s.Store.WritePets(ctx, b)
}

// A reorg of many blocks that touched many pets is undone in steps, and the new blocks are followed
// in steps. A store may need a second for a thousand pets that are far apart.
func TestADeepReorgIsUndoneInSteps(t *testing.T) {
	chain := busyChain{&forkedChain{stillChain: &stillChain{things: 100_000, fields: 1}, head: 200, fork: 250}}
	s := &measuringStore{Store: thingStore(t)}
	x := thingIndexer(t, s, chain, "")
	catchUp(t, x)
	chain.fork, s.pets = 101, 0
	chain.reads.Store(0)
	if !catchUp(t, x) || chain.reads.Load() < 100*100 || s.pets > 500 || s.undone > 500+100 {
		t.Errorf("%d were read again, up to %d in one transaction; up to %d were undone in one", chain.reads.Load(),
			s.pets, s.undone)
	}
}
