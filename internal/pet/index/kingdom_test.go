package index_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/pet/index"
	"petsupply/internal/store"
	"petsupply/testkit/anvil"
	"petsupply/testkit/contracts"
	"petsupply/testkit/traits"
)

var (
	custody = common.HexToAddress("0x00000000000000000000000000000000000c0570")
	alice   = common.HexToAddress("0xa11ce")
	bob     = common.HexToAddress("0xb0b")
)

// traitsOf returns the traits that the store should have for b.
func traitsOf(b contracts.Pet, v1 bool) collection.Value {
	all := []any{"originid", b.OriginId, "season", b.Season, "egg", b.EggType, "rarity", b.Rarity, "element", b.Element,
		"bonuscount", b.BonusCount, "profbonus", b.ProfBonus, "profbonusscalar", b.ProfBonusScalar, "craftbonus",
		b.CraftBonus,
		"craftbonusscalar", b.CraftBonusScalar, "combatbonus", b.CombatBonus, "combatbonusscalar", b.CombatBonusScalar,
		"appearance", b.Appearance, "background", b.Background, "shiny", b.Shiny, "hungryat", b.HungryAt,
		"equippableat", b.EquippableAt, "equippedto", b.EquippedTo}
	if v1 {
		return traits.V1(all...)
	}
	return traits.V2(append(all, "fedby", b.FedBy.Hex(), "foodtype", b.FoodType)...)
}

// realmsOf returns a registry of these realms with the default collection.
func realmsOf(realms ...pet.Realm) *pet.Registry {
	return &pet.Registry{Collection: traits.Pets(), Realms: realms}
}

// A land is one realm on its node.
type land struct {
	*anvil.Node
	realm pet.Realm
	evm   evm.Config
}

// A kingdom is several realms, each on its own node.
type kingdom struct {
	lands  []*land
	realms []pet.Realm
	abi    abi.ABI
}

func offset(n uint64) *uint64 { return &n }

// found starts a kingdom with one land for each of the options. A land without an offset has no pets
// of its own, only those of other lands.
func found(t testing.TB, finality string, all ...contracts.Options) *kingdom {
	t.Helper()
	c, err := contracts.Load("Pets")
	if err != nil {
		t.Fatal(err)
	}
	k := &kingdom{abi: c.ABI}
	for i, o := range all {
		key := []string{"first", "second", "third", "arena"}[i]
		// Tests make blocks faster than one a second, so the chain begins in the past.
		node := anvil.Test(t, anvil.Options{Chain: uint64(7000 + i), Manual: true,
			Genesis: time.Now().Add(-24 * time.Hour)})
		r := pet.Realm{Key: key, Name: strings.ToUpper(key), Chain: key,
			Getter: fmt.Sprintf("v%d", o.Version), Custody: []common.Address{custody}}
		if o.Offset != nil {
			r.Offset = offset(o.Offset.Uint64())
		} else {
			o.Offset = new(big.Int).Lsh(big.NewInt(1), 200) // nothing is native here
		}
		o.Custody = custody
		if r.Contract, err = node.Deploy(t.Context(), "Pets", o); err != nil {
			t.Fatal(err)
		}
		l := &land{Node: node, realm: r, evm: evm.Config{
			Name: key, ID: uint64(7000 + i), Providers: []evm.Provider{{Name: "anvil", URL: node.URL}},
			Quorum: 1, Finality: finality, Timeout: 20 * time.Second, MaxLag: 72 * time.Hour,
			Multicall: anvil.Multicall3,
		}}
		k.lands, k.realms = append(k.lands, l), append(k.realms, r)
	}
	return k
}

// four is the usual kingdom, with every kind of contract.
func four(t testing.TB, finality string) *kingdom {
	return found(t, finality,
		contracts.Options{Version: 1, Offset: big.NewInt(0)},
		contracts.Options{Version: 2, Offset: big.NewInt(pet.Band), Relative: true, KeepGuests: true},
		contracts.Options{Version: 2, Offset: big.NewInt(2 * pet.Band), Refresh: true, Quiet: true},
		contracts.Options{Version: 2, Enumerable: true, Refresh: true})
}

func (l *land) do(t testing.TB, method string, args ...any) {
	t.Helper()
	if err := l.Send(t.Context(), l.realm.Contract, method, args...); err != nil {
		t.Fatalf("%s in %s: %v", method, l.realm.Key, err)
	}
}

func (l *land) tx(method string, args ...any) anvil.Tx {
	return anvil.Tx{To: l.realm.Contract, Method: method, Args: args}
}

func num(n uint64) *big.Int { return new(big.Int).SetUint64(n) }

// dial opens the land's chain for the duration of the test.
func (l *land) dial(t testing.TB) *evm.Chain {
	t.Helper()
	c, err := evm.Dial(l.evm, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// An archive is a kingdom's store with one indexer for each land.
type archive struct {
	*store.Store
	k        *kingdom
	indexers []*index.Indexer
}

// index opens an archive on a new SQLite file.
func (k *kingdom) index(t testing.TB) *archive {
	t.Helper()
	return k.indexAt(t, "sqlite://"+filepath.Join(t.TempDir(), "pets.db"))
}

func (k *kingdom) indexAt(t testing.TB, url string) *archive {
	t.Helper()
	s, err := store.Open(t.Context(), url, 10*time.Second, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if ok, err := s.Campaign(t.Context(), "test", time.Minute); err != nil || !ok {
		t.Fatalf("taking the lease: %v, %v", ok, err)
	}
	a := &archive{Store: s, k: k}
	for _, l := range k.lands {
		x := index.New(l.realm, realmsOf(k.realms...), l.dial(t), s, slog.New(slog.DiscardHandler))
		x.SweepEvery = 0
		a.indexers = append(a.indexers, x)
	}
	return a
}

// catchUp steps all indexers until none has work left.
func (a *archive) catchUp(t testing.TB) {
	t.Helper()
	for round, busy := 0, true; busy; round++ {
		busy = false
		for _, x := range a.indexers {
			if a.settle(t, x) > 1 {
				busy = true
			}
		}
		for _, l := range a.k.lands {
			w, err := a.PetWork(t.Context(), l.realm.Key, 1)
			if err != nil {
				t.Fatal(err)
			}
			busy = busy || len(w.Wanted) > 0
		}
		if round > 100 {
			t.Fatal("the indexers never catch up")
		}
	}
}

// settle steps one indexer until it has caught up, and returns the number of steps.
func (a *archive) settle(t testing.TB, x *index.Indexer) int {
	t.Helper()
	for n := 1; ; n++ {
		err := step(t, x)
		switch {
		case errors.Is(err, errCaughtUp):
			return n
		case err == nil, errors.Is(err, errUndid):
		default:
			t.Fatal(err)
		}
		if n > 100_000 {
			t.Fatal("an indexer never catches up")
		}
	}
}

// truth is a land's state of a pet at a block.
type truth struct {
	owner  common.Address
	name   string
	traits collection.Value
}

// ask reads pets from the land at the block, without any of our code except the contract's ABI.
func (k *kingdom) ask(t testing.TB, l *land, at evm.Block, ids []uint64) map[uint64]truth {
	t.Helper()
	get := "getPetV2"
	if l.realm.Getter == "v1" {
		get = "getPet"
	}
	var calls []rpc.BatchElem
	for _, id := range ids {
		for _, method := range []string{"ownerOf", get} {
			data, err := k.abi.Pack(method, num(id))
			if err != nil {
				t.Fatal(err)
			}
			tx := map[string]any{"to": l.realm.Contract, "data": hexutil.Bytes(data)}
			calls = append(calls,
				rpc.BatchElem{Method: "eth_call", Args: []any{tx, rpc.BlockNumberOrHashWithHash(at.Hash, true)},
					Result: new(hexutil.Bytes)})
		}
	}
	for part := range slices.Chunk(calls, 500) {
		if err := l.RPC.BatchCallContext(t.Context(), part); err != nil {
			t.Fatal(err)
		}
	}
	known := make(map[uint64]truth)
	for i, id := range ids {
		owner, pets := calls[2*i], calls[2*i+1]
		if owner.Error != nil {
			if !strings.Contains(owner.Error.Error(), "nonexistent") {
				t.Fatalf("asking %s for pet %d at block %d: %v", l.realm.Key, id, at.Number, owner.Error)
			}
			continue
		}
		values, err := k.abi.Unpack(get, *pets.Result.(*hexutil.Bytes))
		if err != nil {
			t.Fatal(err)
		}
		b := contracts.PetOf(values[0])
		known[id] = truth{common.BytesToAddress(*owner.Result.(*hexutil.Bytes)), b.Name,
			traitsOf(b, l.realm.Getter == "v1")}
	}
	return known
}

// check compares every pet of the store with the lands at the blocks of the cursors: none is lost,
// none is doubled, each has one place, and all traits are equal.
func (a *archive) check(t testing.TB) (pets int) {
	t.Helper()
	return a.checkAmong(t, a.k.everyID(t), true)
}

// checkAmong is check for some pets, or for all.
func (a *archive) checkAmong(t testing.TB, ids []uint64, all bool) (pets int) {
	t.Helper()
	truths := make(map[string]map[uint64]truth)
	for _, l := range a.k.lands {
		w, err := a.PetWork(t.Context(), l.realm.Key, 10)
		if err != nil || w.Position == nil || w.Position.Phase != "follow" || len(w.Wanted) > 0 || w.Span != nil {
			t.Fatalf("%s is not caught up: %+v, %v", l.realm.Key, w, err)
		}
		truths[l.realm.Key] = a.k.ask(t, l, w.Position.Block, ids)
	}
	stored := a.everyPet(t)
	for _, id := range ids {
		p, known := stored[id]
		delete(stored, id)
		var owned, there []string
		for realm, truth := range truths {
			if at, ok := truth[id]; ok {
				there = append(there, realm)
				if at.owner != custody {
					owned = append(owned, realm)
				}
			}
		}
		if known != (len(there) > 0) {
			t.Errorf("pet %d is in %v by the chains, in the store: %v (%+v)", id, there, known, p)
		}
		if !known {
			continue
		}
		pets++
		if p.InTransit != (len(owned) == 0) || len(owned) > 0 && !slices.Contains(owned, p.Realm) {
			t.Errorf("pet %d is in %s (in transit: %v) by the store, owned in %v and held in %v by the chains", id,
				p.Realm, p.InTransit, owned, there)
		}
		if at, ok := truths[p.Realm][id]; ok && (at.owner != p.Owner || at.name != p.Name || at.traits != p.Value) {
			t.Errorf("pet %d in %s:\nstore %+v\nchain %+v", id, p.Realm, p, at)
		}
	}
	for id, p := range stored {
		if !all {
			break
		}
		t.Errorf("pet %d is in the store and nowhere else: %+v", id, p)
	}
	return pets
}

// everyID lists all ids that may be native to a land, hatched or undone.
func (k *kingdom) everyID(t testing.TB) []uint64 {
	t.Helper()
	var ids []uint64
	for _, l := range k.lands {
		if l.realm.Offset == nil {
			continue
		}
		next, err := l.Uint(t.Context(), l.realm.Contract, "nextPetId")
		if err != nil {
			t.Fatal(err)
		}
		n := next.Uint64()
		if n >= *l.realm.Offset {
			n -= *l.realm.Offset
		}
		for i := range n + 50 { // and ids that a reorg may have undone
			ids = append(ids, *l.realm.Offset+i)
		}
	}
	return ids
}

// everyPet returns all pets of the store.
func (a *archive) everyPet(t testing.TB) map[uint64]pet.Pet {
	t.Helper()
	all := make(map[uint64]pet.Pet)
	for from := (pet.PagePosition{}); ; {
		pets, next, err := a.ListPets(t.Context(), pet.Query{Limit: 100}, from)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pets {
			if _, twice := all[p.ID]; twice {
				t.Errorf("pet %d is listed twice", p.ID)
			}
			all[p.ID] = p
		}
		if from = next; next == (pet.PagePosition{}) {
			break
		}
	}
	counted := map[pet.Count]uint64{}
	c := traits.Pets()
	for _, p := range all {
		counted[pet.Count{Realm: p.Realm}]++
		for _, f := range c.CountedFields() {
			if c.Has(p.Value, f) {
				counted[pet.Count{Realm: p.Realm, Field: f.Key, Value: c.Uint(p.Value, f)}]++
			}
		}
	}
	census, err := a.PetCensus(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(census.Counts, counted) {
		t.Errorf("the census says %v, counting %v", census.Counts, counted)
	}
	return all
}

// bodyOf returns a pet as the land's contract has it now, to bridge it.
func (l *land) bodyOf(ctx context.Context, id uint64) (contracts.Pet, error) {
	get := "getPetV2"
	if l.realm.Getter == "v1" {
		get = "getPet"
	}
	out, err := l.Call(ctx, l.realm.Contract, get, num(id))
	if err != nil {
		return contracts.Pet{}, err
	}
	return contracts.PetOf(out[0]), nil
}

// bridge moves a pet from one land to another, in one block of each.
func (k *kingdom) bridge(t testing.TB, id uint64, from, to int) {
	t.Helper()
	b, err := k.lands[from].bodyOf(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	k.lands[from].do(t, "send", num(id), num(uint64(to)))
	k.lands[to].do(t, "arrive", bob, b)
}

// Results of step that are not faults.
var (
	errCaughtUp = errors.New("caught up")
	errUndid    = errors.New("undid blocks")
)

// step does one step of an indexer. The error is errUndid if the step undid blocks, and errCaughtUp
// if there is nothing more to do.
func step(t testing.TB, x *index.Indexer) error {
	t.Helper()
	result, err := x.Step(t.Context())
	switch {
	case err != nil:
		return err
	case result.Did == index.DidUndo:
		return errUndid
	case !result.More:
		return errCaughtUp
	}
	return nil
}

// want adds a pet to the queue of a land's realm.
func (a *archive) want(t testing.TB, l *land, id uint64) {
	t.Helper()
	w, err := a.PetWork(t.Context(), l.realm.Key, 1)
	must(t, err)
	_, err = a.WritePets(t.Context(), &index.Following{Step: index.Step{
		Registry: realmsOf(a.k.realms...), Realm: l.realm,
		Position: *w.Position, At: w.Position.Block, Later: map[uint64]time.Time{id: time.Now()}}})
	must(t, err)
}
