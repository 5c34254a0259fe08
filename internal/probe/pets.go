package probe

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/supply/ledger"
)

// A realm is a pet contract and how to read it.
type realm struct {
	pet.Realm
	chain  *Chain
	next   string // a remark on how its ids are counted
	sample string // a sentence about one pet
	start  string // a remark on how the first block was found
}

// standard returns a registry with the default collection. Every contract is compared with it first.
func standard() *pet.Registry { return &pet.Registry{Collection: collection.Pets()} }

// AddPets reads the ERC-721 contract at an address, on every chain that has one. A contract that
// does not fit the default collection gets its own collection file. abi helps to draft that file;
// it may be nil.
func (f *Facts) AddPets(ctx context.Context, address string, abi ABI) error {
	at, err := ledger.ParseAddress(address)
	if err != nil {
		return fmt.Errorf("pets %q: %w", address, err)
	}
	found, err := f.find(ctx, at)
	if err != nil {
		return fmt.Errorf("pets: %w", err)
	}
	for _, c := range found {
		if err := f.addRealm(ctx, c, at, abi); err != nil {
			return fmt.Errorf("%s on %s: %w (docs/COLLECTIONS.md says what a contract must have)", at, c.Name, err)
		}
	}
	return nil
}

func (f *Facts) addRealm(ctx context.Context, c *Chain, at common.Address, abi ABI) error {
	first, remark := c.firstBlock(ctx, at)
	r, err := c.inspectPets(ctx, at, abi)
	var own *collectionDraft
	if errors.Is(err, errOtherShape) {
		r, own, err = c.inspectOther(ctx, at, abi, first)
	}
	if err != nil {
		return err
	}
	r.StartBlock = first
	r.start = remark
	if err := f.joins(r, own); err != nil {
		return err
	}
	f.realms = append(f.realms, r)
	f.own = own
	f.Print("%s on %s: %s; %s", f.many(), c.Name, r.next, r.sample)
	if own != nil {
		for _, text := range own.notFound {
			f.Print("  not found: %s", oneLine(text))
		}
	}
	return nil
}

// joins rejects a realm that one service cannot serve together with the realms found before.
func (f *Facts) joins(r realm, own *collectionDraft) error {
	if len(f.realms) > 0 && (own != nil || f.own != nil) {
		return fmt.Errorf("init drafts one collection file, for one contract, and %s is drafted already; "+
			"run init for each of the two contracts", f.realms[0].Contract)
	}
	for _, o := range f.realms {
		if o.Offset != nil && r.Offset != nil && *o.Offset == *r.Offset {
			return fmt.Errorf("its ids overlap those of %s; each realm needs a range of %d ids of its own",
				o.Contract, uint64(pet.Band))
		}
	}
	return nil
}

// many returns the plural of the word for a token.
func (f *Facts) many() string {
	if f.own == nil {
		return standard().Collection.Many
	}
	return "tokens"
}

// errOtherShape means that a contract does not fit the default collection.
var errOtherShape = errors.New("the contract does not fit the default collection")

// inspectPets finds the offset and the getter with which pets of the default collection can be
// read. Without an offset, a contract hosts pets of other realms.
func (c *Chain) inspectPets(ctx context.Context, at common.Address, abi ABI) (realm, error) {
	k := standard()
	var empty *realm // the realm if there is no pet yet
	for _, offset := range []*uint64{new(uint64), new(uint64(pet.Band)), new(uint64(2 * pet.Band)), nil} {
		for _, getter := range slices.Backward(k.Collection.Getters) { // the last one returns the most fields
			r := c.realm(at)
			r.Offset = offset
			r.Getter = getter.Name
			x, err := c.readContract(ctx, k, r.Realm)
			if err != nil {
				return r, err
			}
			r.next = "no nextPetId(): it hosts pets of other realms"
			if x.counts {
				r.next = fmt.Sprintf("nextPetId() is %d", x.count)
			}
			if x.sample.Pet != nil && x.next < pet.Band { // else the next id is in another band
				r.sample = k.Summary(x.sample.Pet)
				return r, nil
			}
			if empty == nil && x.next == 1 {
				r.sample = "no pet yet, so its getter is a guess. ? Is it right?"
				empty = &r
			}
		}
	}
	if empty == nil || abi != nil && !abi.has("getPet(uint256)") && !abi.has("getPetV2(uint256)") {
		return realm{}, errOtherShape
	}
	return *empty, nil
}

// realm returns a realm of the contract at an address.
func (c *Chain) realm(at common.Address) realm {
	return realm{Realm: pet.Realm{Key: c.Name, Chain: c.Name, Contract: at}, chain: c}
}

// inspectOther drafts a collection file for a contract that does not fit the default collection.
func (c *Chain) inspectOther(
	ctx context.Context, at common.Address, abi ABI, start uint64,
) (realm, *collectionDraft, error) {
	r := c.realm(at)
	h, err := c.inspectERC721(ctx, at, abi, start)
	if err != nil {
		return r, nil, err
	}
	if err := h.describe(ctx, abi); err != nil {
		return r, nil, err
	}
	r.Offset = new(h.offset())
	r.next = h.why
	r.sample = "no token was found"
	r.Getter = h.getter.name
	if len(h.ids) == 0 {
		return r, h, nil
	}
	text := h.text()
	drafted, err := collection.Parse(h.file(), text)
	if err != nil {
		return r, nil, fmt.Errorf("the draft is not a valid collection file, which is a bug in petsupply: %w", err)
	}
	rg := &pet.Registry{Collection: drafted, Realms: []pet.Realm{r.Realm}}
	found, err := rg.Sample(ctx, c, r.Realm, c.Block, h.ids)
	switch {
	case err != nil:
		return r, nil, err
	case found.Pet == nil:
		return r, nil, fmt.Errorf("no token can be read: %w", found.Unreadable)
	}
	r.sample = rg.Summary(found.Pet)
	return r, h, nil
}
