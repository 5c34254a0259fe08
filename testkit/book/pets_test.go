package book

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"petsupply/internal/evm"
	"petsupply/internal/world"
	"petsupply/testkit/anvil"
	"petsupply/testkit/contracts"
)

// petTypes are the types of the second struct; the first lacks the last two.
var petTypes = strings.Fields("uint256 uint8 string uint8 uint8 uint8 uint8 uint8 uint8 uint8 uint8 uint8 uint8 " +
	"uint8 uint16 uint8 uint8 uint64 uint64 uint256 address uint8")

// petFields returns the fields of a pet without its id.
func petFields(p contracts.Pet) []any {
	n := func(v uint8) any { return uint64(v) }
	return []any{n(p.OriginId), p.Name, n(p.Season), n(p.EggType), n(p.Rarity), n(p.Element), n(p.BonusCount),
		n(p.ProfBonus), n(p.ProfBonusScalar), n(p.CraftBonus), n(p.CraftBonusScalar), n(p.CombatBonus),
		n(p.CombatBonusScalar),
		uint64(p.Appearance), n(p.Background), n(p.Shiny), p.HungryAt, p.EquippableAt, p.EquippedTo, p.FedBy, n(p.FoodType)}
}

// A petTwin is the same history of two contracts of pets on a real node and in the
// model.
type petTwin struct {
	twin
	node  *anvil.Node
	pets  [2]*Pets // by the version of the struct
	chain *world.Chain
}

// newPetTwin deploys the contracts. The first keeps guests in custody, the second burns
// them.
func newPetTwin(t *testing.T) *petTwin {
	t.Helper()
	n := anvil.Test(t, anvil.Options{Chain: 53935, Manual: true})
	tw := &petTwin{node: n, twin: twin{real: n.RPC}, chain: &world.Chain{Name: "model", ID: 53935,
		Multicall: anvil.Multicall3}}
	tw.chain.Blocks = world.OnDemand{time.Unix(0, 0)}
	book := New(tw.chain)
	for i, c := range []PetContract{
		{Getter: "getPet", Types: petTypes[:20], Hatched: "PetHatched", Updated: "PetUpdated", KeepGuests: true},
		{Getter: "getPetV2", Types: petTypes, Hatched: "PetHatchedV2", Updated: "PetUpdatedV2", Offset: 1e12, Relative: true,
			Older:   map[string]int{"getPet": 20},
			Custody: common.HexToAddress("0xca6e")},
	} {
		var err error
		c.Address, err = n.Deploy(t.Context(), "Pets", contracts.Options{Version: uint8(i + 1),
			Offset: new(big.Int).SetUint64(c.Offset), Relative: c.Relative, KeepGuests: c.KeepGuests, Custody: c.Custody})
		if err != nil {
			t.Fatal(err)
		}
		tw.pets[i] = book.AddPets(c)
	}
	return tw
}

// A petStep is a transaction, with its effect in the model.
type petStep struct {
	tx    anvil.Tx
	model func(world.Block) bool
}

// play does the steps in one block, on the node and in the model. If reorg is not 0, the block
// replaces this many of the last blocks.
func (tw *petTwin) play(t *testing.T, reorg int, steps ...petStep) {
	t.Helper()
	var txs []anvil.Tx
	for _, s := range steps {
		txs = append(txs, s.tx)
	}
	var err error
	at := world.Block{Branch: len(tw.chain.Reorgs)}
	if reorg > 0 {
		height, e := tw.node.Height(t.Context())
		at.Number = height - uint64(reorg) + 1
		at.Branch++
		tw.chain.Reorgs = append(tw.chain.Reorgs, world.Reorg{From: at.Number})
		if err = e; err == nil {
			err = tw.node.Reorg(t.Context(), reorg, txs...)
		}
	} else {
		var receipts []anvil.Receipt
		if receipts, err = tw.node.Do(t.Context(), txs...); err == nil {
			at.Number = uint64(receipts[0].Block)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	b, err := tw.node.Block(t.Context(), rpc.BlockNumber(at.Number))
	if err != nil {
		t.Fatal(err)
	}
	at.Time = time.Unix(int64(b.Time), 0)
	for _, s := range steps {
		if !s.model(at) {
			t.Fatalf("the model refuses %s", s.tx.Method)
		}
	}
}

func word(id uint64) *big.Int { return new(big.Int).SetUint64(id) }

// The functions below return steps of a pet in contract i.

func (tw *petTwin) hatch(i int, to common.Address, pet contracts.Pet) petStep {
	return petStep{anvil.Tx{To: tw.pets[i].Address, Method: "hatchAs", Args: []any{to, pet}},
		func(at world.Block) bool { return tw.pets[i].Hatch(at, to, petFields(pet)...) > 0 }}
}

func (tw *petTwin) arrive(i int, to common.Address, pet contracts.Pet) petStep {
	return petStep{anvil.Tx{To: tw.pets[i].Address, Method: "arrive", Args: []any{to, pet}},
		func(at world.Block) bool { return tw.pets[i].Arrive(at, pet.Id.Uint64(), to, petFields(pet)...) }}
}

func (tw *petTwin) send(i int, id uint64) petStep {
	return petStep{anvil.Tx{To: tw.pets[i].Address, Method: "send", Args: []any{word(id), big.NewInt(7)}},
		func(at world.Block) bool { return tw.pets[i].Send(at, id, 7) }}
}

func (tw *petTwin) burn(i int, id uint64) petStep {
	return petStep{anvil.Tx{To: tw.pets[i].Address, Method: "burn", Args: []any{word(id)}},
		func(at world.Block) bool { return tw.pets[i].Transfer(at, id, common.Address{}) }}
}

func (tw *petTwin) give(i int, id uint64, from, to common.Address) petStep {
	return petStep{anvil.Tx{To: tw.pets[i].Address, Method: "transferFrom", Args: []any{from, to, word(id)}},
		func(at world.Block) bool { return tw.pets[i].Transfer(at, id, to) }}
}

func (tw *petTwin) rename(i int, id uint64, name string) petStep {
	return petStep{anvil.Tx{To: tw.pets[i].Address, Method: "rename", Args: []any{word(id), name}},
		func(at world.Block) bool {
			fields := append([]any{}, tw.pets[i].Pet(at, id).Fields...)
			fields[1] = name
			return tw.pets[i].Update(at, id, world.Log{}, fields...)
		}}
}

func (tw *petTwin) feed(i int, id uint64, food uint8) petStep {
	return petStep{anvil.Tx{From: bob, To: tw.pets[i].Address, Method: "feed", Args: []any{word(id), food}},
		func(at world.Block) bool {
			hungry := uint64(at.Time.Add(24 * time.Hour).Unix())
			fields := append([]any{}, tw.pets[i].Pet(at, id).Fields...)
			fields[16], fields[19], fields[20] = hungry, bob, uint64(food)
			return tw.pets[i].Update(at, id,
				world.NewLog(tw.pets[i].Address, "PetFed(address,uint256,uint8,uint64)", 1, bob, id, uint64(food), hungry),
				fields...)
		}}
}

// TestPetsEqualThoseOfANode compares the model's pets with those of a real node with the same
// history.
func TestPetsEqualThoseOfANode(t *testing.T) {
	tw := newPetTwin(t)
	pet := func(id uint64, name string) contracts.Pet {
		return contracts.Pet{Id: new(big.Int).SetUint64(id), Name: name, Season: 2, EggType: 3, Appearance: 300, Shiny: 1,
			HungryAt: 1 << 40, EquippedTo: new(big.Int).Lsh(big.NewInt(1), 200), FedBy: alice, FoodType: 4}
	}
	const far = 1e12
	tw.play(t, 0, tw.hatch(0, alice, pet(0, "")),
		tw.hatch(0, alice, pet(0, "A name that is longer than one word of 32 bytes")), tw.hatch(1, bob, pet(0, "Pip")),
		tw.hatch(1, bob, pet(0, "さくら")), tw.hatch(1, alice, pet(0, "Moss")))
	tw.play(t, 0, tw.rename(0, 1, "Bramble"), tw.feed(0, 1, 2), tw.feed(1, far+1, 3), tw.give(1, far+2, bob, alice))
	tw.play(t, 0, tw.send(0, 2), tw.send(1, far+1))
	tw.play(t, 0, tw.arrive(1, alice, pet(2, "Two")), tw.arrive(0, bob, pet(far+1, "Pip")))
	tw.play(t, 0, tw.send(1, 2), tw.send(0, far+1), tw.burn(0, 1))
	tw.play(t, 2, tw.burn(1, far+2), tw.hatch(0, bob, pet(0, "Other")), tw.rename(1, far+3, ""))
	tw.play(t, 0, tw.arrive(1, bob, pet(2, "Back")))
	var err error
	if tw.head, err = tw.node.Height(t.Context()); err != nil {
		t.Fatal(err)
	}
	times := blockTimes(t, tw.node, tw.head)
	tw.chain.Blocks, tw.chain.Reorgs[0].At = times, times[tw.head]
	tw.serve(t, tw.node.URL, tw.chain)

	var calls []evm.Call
	for _, p := range tw.pets {
		calls = append(calls, evm.Call{To: p.Address, Data: nextPetID[:]})
		for _, id := range []uint64{0, 1, 2, 3, 4, far + 1, far + 2, far + 3, far + 4, 1 << 63} {
			for _, view := range [][4]byte{ownerOf, selector("getPet(uint256)"), selector("getPetV2(uint256)")} {
				calls = append(calls, evm.Call{To: p.Address, Data: append(view[:], world.Encode(id)...), MayRevert: true})
			}
		}
		calls = append(calls, evm.Call{To: p.Address, Data: append(ownerOf[:], common.MaxHash[:]...), MayRevert: true})
	}
	for number := hexutil.Uint64(4); number <= hexutil.Uint64(tw.head); number++ {
		t.Run(fmt.Sprintf("block %d", number), func(t *testing.T) {
			for _, c := range calls {
				tw.same(t, nil, "eth_call", map[string]any{"to": c.To, "data": hexutil.Bytes(c.Data)}, number)
			}
			tw.same(t, []string{"address", "topics", "data", "blockNumber", "logIndex"}, "eth_getLogs",
				map[string]any{"fromBlock": number, "toBlock": number})
		})
	}
	tw.sameReads(t, calls)
}
