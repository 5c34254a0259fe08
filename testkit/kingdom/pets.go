package kingdom

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/testkit/anvil"
	"petsupply/testkit/contracts"
)

// A Realm is a pet contract on one of the chains.
type Realm struct {
	Key, Name string
	Offset    uint64
	Hosts     bool // has no pets of its own
	Struct    int  // 1 or 2
	Chain     *Chain
	Contract  common.Address
	Custody   common.Address
	Start     uint64 // the block of its deployment

	hatched uint64
}

// A petState is the kingdom's own record of a pet.
type petState struct {
	id     uint64
	at     *Realm
	owner  common.Address
	hidden bool // not revealed since its reroll
	away   *voyage
}

// A voyage is a pet's journey from one realm to the next.
type voyage struct {
	pet  contracts.Pet
	to   *Realm
	left int // rounds until it arrives
}

// settle deploys the realms and hatches the first pets. Each realm has some peculiarity that
// readers have to handle.
func (k *Kingdom) settle(ctx context.Context, pets int) error {
	keep := common.HexToAddress("0x000000000000000000000000000000000000ca6e") // custody in a separate contract
	for i, o := range []contracts.Options{
		{Version: 1},
		{Version: 2, Offset: big.NewInt(1e12), Relative: true, Custody: keep},
		{Version: 2, Offset: big.NewInt(2e12), Refresh: true},
		{Version: 2, Enumerable: true, KeepGuests: true, Offset: big.NewInt(9e12)},
	} {
		if o.Offset == nil {
			o.Offset = new(big.Int)
		}
		r := &Realm{Chain: k.Chains[i], Key: k.Chains[i].Name, Struct: int(o.Version), Offset: o.Offset.Uint64(),
			Custody: o.Custody}
		r.Name = []string{"First Realm", "Second Realm", "Third Realm", "Arena"}[i]
		r.Hosts = o.Enumerable
		var err error
		if r.Contract, err = r.Chain.Deploy(ctx, "Pets", o); err != nil {
			return fmt.Errorf("settling %s: %w", r.Name, err)
		}
		if r.Custody == (common.Address{}) {
			r.Custody = r.Contract
		}
		if r.Start, err = r.Chain.Height(ctx); err != nil {
			return err
		}
		k.Realms = append(k.Realms, r)
		if r.Hosts {
			continue
		}
		first := &round{txs: map[*Chain][]anvil.Tx{}, touched: map[uint64]bool{}}
		for range pets {
			k.hatch(first, r)
		}
		if _, err := r.Chain.Do(ctx, first.txs[r.Chain]...); err != nil {
			return fmt.Errorf("settling %s: %w", r.Name, err)
		}
	}
	return nil
}

func (k *Kingdom) hatch(r *round, at *Realm) {
	owner := k.person(at)
	at.hatched++
	b := &petState{id: at.Offset + at.hatched, at: at, owner: owner}
	k.pets = append(k.pets, b)
	r.touched[b.id] = true
	r.do(at.Chain, anvil.Tx{To: at.Contract, Method: "hatch", Args: []any{owner, big.NewInt(1),
		new(big.Int).SetUint64(k.dice.Uint64())}})
	r.say("pet %d hatches in %s", b.id, at.Name)
}

// person returns one of the accounts that own and feed pets, but never the crown.
func (k *Kingdom) person(at *Realm) common.Address {
	return at.Chain.Accounts[1+k.dice.IntN(len(at.Chain.Accounts)-1)]
}

// Read returns a pet's struct in a realm at the latest block.
func (k *Kingdom) Read(ctx context.Context, at *Realm, id uint64) (contracts.Pet, error) {
	method := "getPetV2"
	if at.Struct == 1 {
		method = "getPet"
	}
	out, err := at.Chain.Call(ctx, at.Contract, method, new(big.Int).SetUint64(id))
	if err != nil {
		return contracts.Pet{}, fmt.Errorf("reading pet %d in %s: %w", id, at.Name, err)
	}
	return contracts.PetOf(out[0]), nil
}

// A Place says where a pet is.
type Place struct {
	Realm   *Realm // where it is, or where it was last if it is in transit
	Owner   common.Address
	Transit bool
}

// Places returns the kingdom's own record of every pet.
func (k *Kingdom) Places() map[uint64]Place {
	places := map[uint64]Place{}
	for _, b := range k.pets {
		places[b.id] = Place{Realm: b.at, Owner: b.owner, Transit: b.away != nil}
	}
	return places
}
