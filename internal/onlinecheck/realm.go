package onlinecheck

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
)

// checkRealm checks that an open realm has a contract, and that one of its pets can
// be read as the configured struct.
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
	chain, next := r.chains[realm.Chain], realm.NextIDCall()
	next.MayRevert = true
	out, err := chain.Read(ctx, block, []evm.Call{next})
	if err != nil {
		r.fault("realm %s: %v", realm.Key, err)
		return
	}
	number := realm.NextNumber(out[0])
	if len(out[0]) != 32 || number == 0 {
		r.fault("realm %s: nextPetId() of %s does not answer with the id of a next pet", realm.Key, realm.Contract)
		return
	}
	o, err := realm.SampleNative(ctx, chain, block, number)
	switch {
	case err != nil:
		r.fault("realm %s: %v", realm.Key, err)
	case o != nil:
		fmt.Fprintf(r.out, "realm %s: %d pets, the newest that can be read is %s\n", realm.Key, number-1, o.Summary())
	case number > 1:
		r.fault("realm %s: nextPetId() promises %d pets, but none of the newest can be read as struct %s at offset %d",
			realm.Key, number-1, realm.Struct, *realm.Offset)
	default:
		r.warn("realm %s: no pets yet, so its struct %s could not be tried", realm.Key, realm.Struct)
	}
}

// checkHost reads a pet of a realm that only hosts, if it can list them.
func (r *run) checkHost(ctx context.Context, block evm.Block, realm pet.Realm) {
	o, enumerable, err := realm.SampleHosted(ctx, r.chains[realm.Chain], block)
	switch {
	case err != nil:
		r.fault("realm %s: %v", realm.Key, err)
		return
	case o != nil:
		fmt.Fprintf(r.out, "realm %s: hosts %s\n", realm.Key, o.Summary())
	case enumerable:
		fmt.Fprintf(r.out, "realm %s: hosts no pet that can be read now\n", realm.Key)
	}
	if realm.StartBlock == 0 {
		r.warn("realm %s: only hosts, and needs start_block, the first block of its contract; "+
			"without it earlier pets are missed, or the whole chain is searched", realm.Key)
	}
}
