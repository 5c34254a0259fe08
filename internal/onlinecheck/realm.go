package onlinecheck

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// checkRealm checks that an open realm has a contract, and that one of its pets can
// be read by the configured getter.
func (r *run) checkRealm(ctx context.Context, realm pet.Realm) {
	block, ok := r.blocks[realm.Chain]
	if realm.Closed || !ok {
		return // checkChain has reported a chain that cannot be reached
	}
	codes, err := r.chains[realm.Chain].Code(ctx, block, []common.Address{realm.Contract})
	switch {
	case err != nil:
		r.fault("reading code on %s: %v", realm.Chain, err)
	case len(codes[0]) == 0:
		r.fault("realm %s: no contract at %s on %s in block %d (%s)", realm.Key, realm.Contract, realm.Chain,
			block.Number, r.cfg.Chains[realm.Chain].Finality)
	case realm.Offset == nil:
		r.checkHost(ctx, block, realm)
	default:
		r.checkNatives(ctx, block, realm)
	}
}

// checkNatives reads the newest pet of a realm that has pets of its own.
func (r *run) checkNatives(ctx context.Context, block evm.Block, realm pet.Realm) {
	chain, kingdom := r.chains[realm.Chain], r.cfg.Kingdom()
	count, counts := kingdom.CountCall(realm)
	if !counts {
		r.checkHost(ctx, block, realm)
		return
	}
	count.MayRevert = true
	out, err := chain.Read(ctx, block, []evm.Call{count})
	if err != nil {
		r.fault("realm %s: %v", realm.Key, err)
		return
	}
	number, many := kingdom.NextNumber(realm, out[0]), kingdom.Collection.Many
	if len(out[0]) != 32 || number == 0 {
		r.fault("realm %s: the call that counts %s does not answer with an id at %s", realm.Key, many, realm.Contract)
		return
	}
	found, err := kingdom.SampleNative(ctx, chain, realm, block, number)
	switch {
	case err != nil:
		r.fault("realm %s: %v", realm.Key, err)
	case found.Unreadable != nil:
		r.fault("realm %s: its contract does not fit the collection: %v", realm.Key, found.Unreadable)
	case found.Pet != nil:
		fmt.Fprintf(r.out, "realm %s: %d %s, the newest that can be read is %s\n", realm.Key, number-1, many, kingdom.Summary(found.Pet))
	case number > 1:
		r.fault("realm %s: it has given out %d numbers, but none of the newest %s can be read at offset %d",
			realm.Key, number-1, many, *realm.Offset)
	default:
		r.warn("realm %s: no %s yet, so its getter could not be tried", realm.Key, many)
	}
}

// checkHost reads a pet of a realm whose pets cannot be counted, if it can list
// them.
func (r *run) checkHost(ctx context.Context, block evm.Block, realm pet.Realm) {
	kingdom := r.cfg.Kingdom()
	found, enumerable, err := kingdom.SampleHosted(ctx, r.chains[realm.Chain], realm, block)
	switch {
	case err != nil:
		r.fault("realm %s: %v", realm.Key, err)
		return
	case found.Unreadable != nil:
		r.fault("realm %s: its contract does not fit the collection: %v", realm.Key, found.Unreadable)
	case found.Pet != nil && realm.Offset != nil:
		fmt.Fprintf(r.out, "realm %s: has %s\n", realm.Key, kingdom.Summary(found.Pet))
	case found.Pet != nil:
		fmt.Fprintf(r.out, "realm %s: hosts %s\n", realm.Key, kingdom.Summary(found.Pet))
	case enumerable:
		fmt.Fprintf(r.out, "realm %s: has no %s that can be read now\n", realm.Key, kingdom.Collection.One)
	case kingdom.Collection.Count.Kind == collection.Enumerable:
		r.fault("realm %s: tokenByIndex() does not answer, so its contract is not ERC-721 Enumerable", realm.Key)
	}
	if realm.StartBlock == 0 && (realm.Offset == nil || !enumerable) {
		r.warn("realm %s: %s are found by their events, which needs start_block, the first block of its contract; "+
			"without it earlier ones are missed, or the whole chain is searched", realm.Key, kingdom.Collection.Many)
	}
}
