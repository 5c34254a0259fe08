package probe

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// compareRealm checks that an open realm has a contract, and that the configured getter can read
// one of its pets.
func (r *comparison) compareRealm(ctx context.Context, realm pet.Realm) {
	c := r.chain(realm.Chain)
	if realm.Closed || c == nil || !r.has(ctx, c, "realm "+realm.Key, realm.Contract) {
		return // a closed realm is not read, and compareChain has reported an unreachable chain
	}
	registry := r.cfg.Registry()
	x, err := c.readContract(ctx, registry, realm)
	switch {
	case err != nil:
		r.fault("realm %s: %v", realm.Key, err)
		return
	case x.sample.Unreadable != nil:
		r.fault("realm %s: its contract does not fit the collection: %v", realm.Key, x.sample.Unreadable)
	case x.counts && x.sample.Pet != nil:
		r.Print("realm %s: %s are numbered up to %d, the newest that can be read is %s",
			realm.Key, registry.Collection.Many, x.next-1, registry.Summary(x.sample.Pet))
	case x.sample.Pet != nil && realm.Offset != nil:
		r.Print("realm %s: has %s", realm.Key, registry.Summary(x.sample.Pet))
	case x.sample.Pet != nil:
		r.Print("realm %s: hosts %s", realm.Key, registry.Summary(x.sample.Pet))
	default:
		r.compareEmpty(ctx, c, realm, x)
	}
	if x.sample.Unreadable == nil && x.sample.Pet != nil {
		r.compareAddresses(ctx, c, realm, x.sample.Pet.ID)
	}
	if !x.counts && realm.StartBlock == 0 && (realm.Offset == nil || !x.listed) {
		r.warn("realm %s: %s are found by their events, so set start_block to the first block of its contract; "+
			"without start_block, the whole chain is searched", realm.Key, registry.Collection.Many)
	}
}

// compareEmpty reports why no pet of a realm was found.
func (r *comparison) compareEmpty(ctx context.Context, c *Chain, realm pet.Realm, x contract) {
	of := r.cfg.Registry().Collection
	byEvents := foundByEvents(r.cfg.Registry(), realm)
	switch {
	case x.counts && x.next == 0:
		r.fault("realm %s: the call that counts %s does not answer with an id; the contract is %s",
			realm.Key, of.Many, realm.Contract)
	case x.next > 1:
		r.fault("realm %s: it has given out %d numbers, but none of the newest %s can be read at offset %d",
			realm.Key, x.next-1, of.Many, *realm.Offset)
	case x.counts:
		r.warn("realm %s: no %s yet, so its getter could not be tried", realm.Key, of.Many)
	case x.listed && realm.Offset == nil:
		r.Print("realm %s: has no %s that can be read now", realm.Key, of.One)
	case x.listed && !byEvents, byEvents && c.claimsERC721(ctx, realm):
		r.warn("realm %s: no %s yet, so nothing of its contract could be tried", realm.Key, of.Many)
	case of.Count.Kind == collection.Enumerable:
		r.fault("realm %s: tokenByIndex() does not answer, so its contract is not ERC-721 Enumerable", realm.Key)
	case realm.Offset != nil:
		r.fault("realm %s: no Transfer event of a %s was found; is %s an ERC-721 contract, and is start_block right?",
			realm.Key, of.One, realm.Contract)
	}
}

// claimsERC721 reports whether the contract claims, by ERC-165, to be ERC-721.
func (c *Chain) claimsERC721(ctx context.Context, realm pet.Realm) bool {
	out, err := c.Read(ctx, c.Block, []evm.Call{supports(realm.Contract, interface721)})
	return err == nil && says(out[0])
}

// compareAddresses compares tokenURI and contractURI of a contract, which wallets and marketplaces
// use, with the addresses of this service.
func (r *comparison) compareAddresses(ctx context.Context, c *Chain, realm pet.Realm, id uint64) {
	word := uint256.NewInt(id).Bytes32()
	out, err := c.Read(ctx, c.Block,
		[]evm.Call{pet.View(realm.Contract, "tokenURI(uint256)", word[:]), pet.View(realm.Contract, "contractURI()")})
	if err != nil {
		r.fault("realm %s: %v", realm.Key, err)
		return
	}
	for i, address := range []struct{ call, ours, who string }{
		{fmt.Sprintf("tokenURI(%d)", id), fmt.Sprintf("%s/token/%d", r.cfg.PetsURL, id), "wallets"},
		{"contractURI()", r.cfg.PetsURL + "/contract", "marketplaces"},
	} {
		said := pet.ContractText(out[i])
		words := fmt.Sprintf("%s is %q", address.call, said)
		if said == "" {
			words = address.call + " gives no address"
		}
		switch {
		case said == address.ours:
			r.Print("realm %s: %s is %s, the address of this service", realm.Key, address.call, said)
		case i == 1 && said == "":
			r.Print("realm %s: %s; this service has the metadata at %s", realm.Key, words, address.ours)
		case r.isLocal():
			r.Print("realm %s: %s; this service has the metadata only on this machine, at %s",
				realm.Key, words, address.ours)
		default:
			r.warn("realm %s: %s, but this service has the metadata at %s; %s cannot find it until both are the same",
				realm.Key, words, address.ours, address.who)
		}
	}
}

// supports asks a contract by ERC-165 whether it has an interface.
func supports(contract common.Address, id uint32) evm.Call {
	word := common.RightPadBytes(binary.BigEndian.AppendUint32(nil, id), 32)
	return pet.View(contract, "supportsInterface(bytes4)", word)
}
