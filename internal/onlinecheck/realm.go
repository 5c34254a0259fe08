package onlinecheck

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// checkRealm checks that an open realm has a contract, and that the configured getter can read one
// of its pets.
func (r *run) checkRealm(ctx context.Context, realm pet.Realm) {
	block, ok := r.blocks[realm.Chain]
	if realm.Closed || !ok {
		return // a closed realm is not read, and checkChain has reported an unreachable chain
	}
	codes, err := r.chains[realm.Chain].Code(ctx, block, []common.Address{realm.Contract})
	switch {
	case err != nil:
		r.fault("reading code on %s: %v", realm.Chain, err)
	case len(codes[0]) == 0:
		r.reportAbsent(ctx, "realm "+realm.Key, realm.Chain, realm.Contract)
	case realm.Offset == nil:
		r.checkHost(ctx, block, realm)
	default:
		r.checkNatives(ctx, block, realm)
	}
}

// checkNatives reads the newest pet of a realm that has its own range of ids (an offset). If the
// realm does not count its pets, checkNatives calls checkHost.
func (r *run) checkNatives(ctx context.Context, block evm.Block, realm pet.Realm) {
	chain, kingdom := r.chains[realm.Chain], r.cfg.Kingdom()
	count, counts := kingdom.CountCall(realm)
	if !counts {
		r.checkHost(ctx, block, realm)
		return
	}
	out, err := chain.Read(ctx, block, []evm.Call{count})
	if err != nil {
		r.fault("realm %s: %v", realm.Key, err)
		return
	}
	number, many := kingdom.NextNumber(realm, out[0]), kingdom.Collection.Many
	if len(out[0]) != 32 || number == 0 {
		r.fault("realm %s: the call that counts %s does not answer with an id; the contract is %s",
			realm.Key, many, realm.Contract)
		return
	}
	found, err := kingdom.SampleNative(ctx, chain, realm, block, number)
	switch {
	case err != nil:
		r.fault("realm %s: %v", realm.Key, err)
	case found.Unreadable != nil:
		r.misfit(realm, found)
	case found.Pet != nil:
		fmt.Fprintf(r.out, "realm %s: %s are numbered up to %d, the newest that can be read is %s\n",
			realm.Key, many, number-1, kingdom.Summary(found.Pet))
		r.checkAddresses(ctx, block, realm, found.Pet.ID)
	case number > 1:
		r.fault("realm %s: it has given out %d numbers, but none of the newest %s can be read at offset %d",
			realm.Key, number-1, many, *realm.Offset)
	default:
		r.warn("realm %s: no %s yet, so its getter could not be tried", realm.Key, many)
	}
}

func (r *run) misfit(realm pet.Realm, found pet.Sample) {
	r.fault("realm %s: its contract does not fit the collection: %v", realm.Key, found.Unreadable)
}

// checkHost reads pets of a realm that does not count them: pets that it lists, or that its
// Transfer events name.
func (r *run) checkHost(ctx context.Context, block evm.Block, realm pet.Realm) {
	kingdom, chain := r.cfg.Kingdom(), r.chains[realm.Chain]
	found, enumerable, err := kingdom.SampleHosted(ctx, chain, realm, block)
	byTransfers := realm.Offset != nil && kingdom.Collection.Count.Kind == collection.Transfers
	if err == nil && byTransfers && found == (pet.Sample{}) {
		found, err = kingdom.SampleTransferred(ctx, chain, realm, block, evm.SearchWidth(r.limits[realm.Chain]))
	}
	switch one, many := kingdom.Collection.One, kingdom.Collection.Many; {
	case err != nil:
		r.fault("realm %s: %v", realm.Key, err)
		return
	case found.Unreadable != nil:
		r.misfit(realm, found)
	case found.Pet != nil && realm.Offset != nil:
		fmt.Fprintf(r.out, "realm %s: has %s\n", realm.Key, kingdom.Summary(found.Pet))
		r.checkAddresses(ctx, block, realm, found.Pet.ID)
	case found.Pet != nil:
		fmt.Fprintf(r.out, "realm %s: hosts %s\n", realm.Key, kingdom.Summary(found.Pet))
		r.checkAddresses(ctx, block, realm, found.Pet.ID)
	case enumerable && realm.Offset == nil:
		fmt.Fprintf(r.out, "realm %s: has no %s that can be read now\n", realm.Key, one)
	case enumerable && !byTransfers, byTransfers && r.claimsERC721(ctx, block, realm):
		r.warn("realm %s: no %s yet, so nothing of its contract could be tried", realm.Key, many)
	case kingdom.Collection.Count.Kind == collection.Enumerable:
		r.fault("realm %s: tokenByIndex() does not answer, so its contract is not ERC-721 Enumerable", realm.Key)
	case realm.Offset != nil:
		r.fault("realm %s: no Transfer event of a %s was found; is %s an ERC-721 contract, and is start_block right?",
			realm.Key, one, realm.Contract)
	}
	if realm.StartBlock == 0 && (realm.Offset == nil || !enumerable) {
		r.warn("realm %s: %s are found by their events, so set start_block to the first block of its contract; "+
			"without start_block, the whole chain is searched", realm.Key, kingdom.Collection.Many)
	}
}

// claimsERC721 reports whether the contract claims, by ERC-165, to be ERC-721.
func (r *run) claimsERC721(ctx context.Context, block evm.Block, realm pet.Realm) bool {
	id := common.RightPadBytes([]byte{0x80, 0xac, 0x58, 0xcd}, 32)
	out, err := r.chains[realm.Chain].Read(ctx, block, []evm.Call{pet.View(realm.Contract, "supportsInterface(bytes4)", id)})
	if err != nil {
		return false
	}
	n, ok := pet.DecodeUint(out[0])
	return ok && n == 1
}

// checkAddresses compares tokenURI and contractURI of a contract, which wallets and marketplaces
// use, with the addresses of this service.
func (r *run) checkAddresses(ctx context.Context, block evm.Block, realm pet.Realm, id uint64) {
	word := uint256.NewInt(id).Bytes32()
	out, err := r.chains[realm.Chain].Read(ctx, block,
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
			fmt.Fprintf(r.out, "realm %s: %s is %s, the address of this service\n", realm.Key, address.call, said)
		case i == 1 && said == "":
			fmt.Fprintf(r.out, "realm %s: %s; this service has the metadata at %s\n", realm.Key, words, address.ours)
		case r.isLocal():
			fmt.Fprintf(r.out, "realm %s: %s; this service has the metadata only on this machine, at %s\n",
				realm.Key, words, address.ours)
		default:
			r.warn("realm %s: %s, but this service has the metadata at %s; %s cannot find it until both are the same",
				realm.Key, words, address.ours, address.who)
		}
	}
}

// isLocal reports whether pets are served only on this machine.
func (r *run) isLocal() bool {
	u, err := url.Parse(r.cfg.PetsURL)
	if err != nil {
		return false // unreachable: the configuration is valid
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}
