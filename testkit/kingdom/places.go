package kingdom

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"

	"petsupply/testkit/anvil"
	"petsupply/testkit/contracts"
)

// A Place says where a pet is.
type Place struct {
	Realm   *Realm // where it is, or where it was last if it is in transit
	Owner   common.Address
	Transit bool
}

// Places returns the kingdom's own record of every pet. Reorg reads it again from the chains.
func (k *Kingdom) Places() map[uint64]Place {
	places := map[uint64]Place{}
	for _, b := range k.pets.list {
		places[b.id] = Place{Realm: b.at, Owner: b.owner, Transit: b.away != nil}
	}
	return places
}

// Reorg replaces the last blocks of a realm's chain with empty ones, and reads again where the pets
// are. A pet that crossed a bridge in those blocks may then be in two places, or in none until it
// arrives again.
func (k *Kingdom) Reorg(ctx context.Context, at *Realm, depth int) error {
	if len(k.coins) > 0 {
		return errors.New("reorganising a kingdom with tokens: its bridges would mint tokens that were never sent")
	}
	if err := at.Chain.Reorg(ctx, depth); err != nil {
		return fmt.Errorf("reorganising %s: %w", at.Name, err)
	}
	return k.learn(ctx)
}

// learn reads the kingdom's record again from the chains.
func (k *Kingdom) learn(ctx context.Context) error {
	before := k.pets.byID
	k.pets = &petSet{byID: map[uint64]*petState{}}
	for _, r := range k.Realms {
		if r.Hosts {
			continue
		}
		next, err := r.Chain.Uint(ctx, r.Contract, "nextPetId")
		if err != nil {
			return fmt.Errorf("counting the pets of %s: %w", r.Name, err)
		}
		r.hatched = next.Uint64()%1e12 - 1
	}
	for _, r := range k.Realms {
		var ids []uint64
		for n := range r.hatched {
			ids = append(ids, r.Offset+n+1)
		}
		if err := k.locate(ctx, r, ids, before); err != nil {
			return err
		}
	}
	return nil
}

// locate finds out where the natives of one realm are. If two realms have a pet, it counts where
// the kingdom saw it last. If no realm has it, it is on its way home.
func (k *Kingdom) locate(ctx context.Context, home *Realm, ids []uint64, before map[uint64]*petState) error {
	found := map[uint64]*petState{}
	for _, r := range k.Realms {
		owners, err := r.Owners(ctx, ids)
		if err != nil {
			return err
		}
		for i, id := range ids {
			if owners[i] == (common.Address{}) || owners[i] == r.Custody {
				continue
			}
			if old := before[id]; found[id] == nil || old != nil && old.at == r {
				found[id] = &petState{id: id, at: r, owner: owners[i]}
			}
		}
	}
	for _, id := range ids {
		b := found[id]
		if b == nil {
			pet, err := k.Read(ctx, home, id)
			if err != nil {
				return err
			}
			b = &petState{id: id, at: home, owner: home.Custody, away: &voyage{pet: pet, to: home, left: 1}}
		} else {
			pet, err := k.Read(ctx, b.at, id)
			if err != nil {
				return err
			}
			b.hidden = pet.Appearance == 0
		}
		k.pets.add(b)
	}
	return nil
}

// Owners returns the owner of each pet in the realm at the latest block. The owner is the zero
// address if the realm does not have the pet.
func (r *Realm) Owners(ctx context.Context, ids []uint64) ([]common.Address, error) {
	pets, err := contracts.Load("Pets")
	if err != nil {
		return nil, err
	}
	type call struct {
		Target       common.Address
		AllowFailure bool
		CallData     []byte
	}
	calls := make([]call, len(ids))
	for i, id := range ids {
		data, err := pets.ABI.Pack("ownerOf", new(big.Int).SetUint64(id))
		if err != nil {
			return nil, err
		}
		calls[i] = call{r.Contract, true, data}
	}
	owners := make([]common.Address, 0, len(ids))
	for len(calls) > 0 {
		part := calls[:min(len(calls), 1000)]
		calls = calls[len(part):]
		more, err := r.aggregate(ctx, part)
		if err != nil {
			return nil, fmt.Errorf("reading %d owners in %s: %w", len(ids), r.Name, err)
		}
		owners = append(owners, more...)
	}
	return owners, nil
}

// aggregate sends many calls at once, each of which returns an address.
func (r *Realm) aggregate(ctx context.Context, calls any) ([]common.Address, error) {
	out, err := r.Chain.Call(ctx, anvil.Multicall3, "aggregate3", calls)
	if err != nil {
		return nil, err
	}
	results := *abi.ConvertType(out[0], new([]struct {
		Success    bool
		ReturnData []byte
	})).(*[]struct {
		Success    bool
		ReturnData []byte
	})
	owners := make([]common.Address, len(results))
	for i, x := range results {
		if x.Success {
			owners[i] = common.BytesToAddress(x.ReturnData)
		}
	}
	return owners, nil
}
