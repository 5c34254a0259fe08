package probe

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
)

// checkRealms holds every open realm against its contract: there is one, it
// counts its pets, and one of them can be read as the configured struct.
func (a *audit) checkRealms(ctx context.Context) {
	for _, r := range a.cfg.Realms {
		block, ok := a.blocks[r.Chain]
		if r.Closed || !ok {
			continue // that a chain cannot be reached has been said
		}
		codes, err := a.chains[r.Chain].Code(ctx, block, []common.Address{r.Contract})
		switch {
		case err != nil:
			a.fault("reading code on %s: %v", r.Chain, err)
		case len(codes[0]) == 0:
			a.fault("realm %s: no contract at %s on %s", r.Key, r.Contract, r.Chain)
		case r.Offset == nil:
			a.checkHost(ctx, block, r)
		default:
			a.checkNatives(ctx, block, r)
		}
	}
}

// checkNatives reads the newest pet of a realm that has its own.
func (a *audit) checkNatives(ctx context.Context, block evm.Block, r pet.Realm) {
	chain, next := a.chains[r.Chain], r.NextIDCall()
	next.MayRevert = true
	out, err := chain.Read(ctx, block, []evm.Call{next})
	if err != nil {
		a.fault("realm %s: %v", r.Key, err)
		return
	}
	number := r.NextNumber(out[0])
	if len(out[0]) != 32 || number == 0 {
		a.fault("realm %s: nextPetId() of %s does not answer with the id of a next pet", r.Key, r.Contract)
		return
	}
	o, err := newestPet(ctx, chain, block, r, number)
	switch {
	case err != nil:
		a.fault("realm %s: %v", r.Key, err)
	case o != nil:
		fmt.Fprintf(a.out, "realm %s: %d pets, the newest that can be read is %s\n", r.Key, number-1, petText(*o))
	case number > 1:
		a.fault("realm %s: nextPetId() promises %d pets, but none of the newest can be read as struct %s at offset %d", r.Key, number-1, r.Struct, *r.Offset)
	default:
		a.warn("realm %s: no pets yet, so its struct %s could not be tried", r.Key, r.Struct)
	}
}

// checkHost reads a pet of a realm that only hosts, where it can list them.
func (a *audit) checkHost(ctx context.Context, block evm.Block, r pet.Realm) {
	o, enumerable, err := hostedPet(ctx, a.chains[r.Chain], block, r)
	switch {
	case err != nil:
		a.fault("realm %s: %v", r.Key, err)
		return
	case o != nil:
		fmt.Fprintf(a.out, "realm %s: hosts %s\n", r.Key, petText(*o))
	case enumerable:
		fmt.Fprintf(a.out, "realm %s: hosts no pet that can be read now\n", r.Key)
	}
	if r.StartBlock == 0 {
		a.warn("realm %s: only hosts, and wants start_block, the block of its contract: without it pets that came before are missed or all of the chain is searched", r.Key)
	}
}

// newest is how many of a realm's newest pets are tried.
const newest = 20

// newestPet is the newest pet before number that the realm has and that can be
// read, nil if there is none among the newest.
func newestPet(ctx context.Context, chain *evm.Chain, at evm.Block, r pet.Realm, number uint64) (*pet.Observation, error) {
	var ids []uint64
	for n := number; n > 1 && len(ids) < newest; n-- {
		ids = append(ids, *r.Offset+n-1)
	}
	return readablePet(ctx, chain, at, r, ids)
}

// hostedPet is the first pet that a contract lists and that can be read; enumerable
// says whether it can list them at all.
func hostedPet(ctx context.Context, chain *evm.Chain, at evm.Block, r pet.Realm) (o *pet.Observation, enumerable bool, err error) {
	calls := []evm.Call{r.TotalSupplyCall(), r.TokenByIndexCall(0)}
	for i := range calls {
		calls[i].MayRevert = true
	}
	out, err := chain.Read(ctx, at, calls)
	if err != nil {
		return nil, false, err
	}
	total, counts := pet.DecodeUint(out[0])
	id, lists := pet.DecodeUint(out[1])
	if !lists {
		return nil, counts && total == 0, nil
	}
	o, err = readablePet(ctx, chain, at, r, []uint64{id})
	return o, true, err
}

// readablePet is the first of the pets that is there and can be read.
func readablePet(ctx context.Context, chain *evm.Chain, at evm.Block, r pet.Realm, ids []uint64) (*pet.Observation, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	out, err := chain.Read(ctx, at, r.StateCalls(ids))
	if err != nil {
		return nil, err
	}
	for i, id := range ids { // one by one: unreadable ones are no error here
		list, _, err := r.Observations([]uint64{id}, out[2*i:2*i+2])
		if err == nil && len(list) == 1 && list[0].Owner != (common.Address{}) {
			return &list[0], nil
		}
	}
	return nil, nil
}

// petText is a pet in a few words.
func petText(o pet.Observation) string {
	return fmt.Sprintf("pet %d: %s, %s, appearance %d, owner %s", o.ID, pet.RarityName(o.Rarity), pet.ElementName(o.Element), o.Appearance, o.Owner)
}
