package survey

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/supply/ledger"
)

// A realm is a pet contract and how to read it.
type realm struct {
	pet.Realm
	chain  *chain
	next   string // a remark on how its ids are counted
	sample string // a sentence about one pet
	start  string // a remark on how the first block was found
}

// offsets are the values of a realm's offset that inspectPets tries.
var offsets = []uint64{0, pet.Band, 2 * pet.Band}

// standard returns a kingdom with the default collection. Every contract is compared with it first.
func standard() *pet.Kingdom { return &pet.Kingdom{Collection: collection.Pets()} }

// getters returns the getters of the default collection. The last one comes first, because it
// returns the most fields.
func getters() (names []string) {
	for _, g := range slices.Backward(standard().Collection.Getters) {
		names = append(names, g.Name)
	}
	return names
}

// AddPets looks at the ERC-721 contract at an address, on every chain that has one. A contract that
// does not fit the default collection gets its own collection file. abi helps to draft that file;
// it may be nil.
func (s *Survey) AddPets(ctx context.Context, address string, abi ABI) error {
	at, err := ledger.ParseAddress(address)
	if err != nil {
		return fmt.Errorf("pets %q: %w", address, err)
	}
	found, err := s.find(ctx, at)
	if err != nil {
		return fmt.Errorf("pets: %w", err)
	}
	for _, c := range found {
		if err := s.addRealm(ctx, c, at, abi); err != nil {
			return fmt.Errorf("%s on %s: %w (docs/COLLECTIONS.md says what a contract must have)", at, c.name, err)
		}
	}
	return nil
}

func (s *Survey) addRealm(ctx context.Context, c *chain, at common.Address, abi ABI) error {
	first, remark := c.firstBlock(ctx, at)
	r, err := c.inspectPets(ctx, at, abi, len(s.realms) > 0 && s.own == nil)
	var own *collectionDraft
	if errors.Is(err, errOtherShape) {
		r, own, err = c.inspectOther(ctx, at, abi, first)
	}
	if err != nil {
		return err
	}
	r.StartBlock, r.start = first, remark
	if err := s.joins(r, own); err != nil {
		return err
	}
	s.realms = append(s.realms, r)
	s.own = own
	s.Print("%s on %s: %s; %s", s.many(), c.name, r.next, r.sample)
	if own != nil {
		for _, text := range own.notFound {
			s.Print("  not found: %s", oneLine(text))
		}
	}
	return nil
}

// joins rejects a realm that one service cannot serve together with the realms found before.
func (s *Survey) joins(r realm, own *collectionDraft) error {
	if len(s.realms) > 0 && (own == nil) != (s.own == nil) || own != nil && s.own != nil && !own.sameShape(s.own) {
		return fmt.Errorf("it needs another collection than %s; a service has one collection, so run init for each of the "+
			"two contracts", s.realms[0].Contract)
	}
	for _, o := range s.realms {
		if o.Offset != nil && r.Offset != nil && *o.Offset == *r.Offset {
			return fmt.Errorf("its ids overlap those of %s; each realm needs a range of %d ids of its own",
				o.Contract, uint64(pet.Band))
		}
	}
	return nil
}

// many returns the plural of the word for a token.
func (s *Survey) many() string {
	if s.own == nil {
		return standard().Collection.Many
	}
	return "tokens"
}

// errOtherShape means that a contract does not fit the default collection.
var errOtherShape = errors.New("the contract does not fit the default collection")

// inspectPets finds the offset and the getter with which pets of the default collection can be
// read. beside is true if there are other realms of that collection.
func (c *chain) inspectPets(ctx context.Context, at common.Address, abi ABI, beside bool) (realm, error) {
	r := realm{Realm: pet.Realm{Key: c.name, Chain: c.name, Contract: at, Offset: new(uint64)}, chain: c}
	next, _ := standard().CountCall(r.Realm)
	out, err := c.dialled.Read(ctx, c.block, []evm.Call{next})
	if err != nil {
		return r, err
	}
	n, counts := pet.DecodeUint(out[0])
	if !counts || n == 0 {
		r.Offset = nil
		return r.asHost(ctx, beside)
	}
	r.next = fmt.Sprintf("nextPetId() is %d", n)
	for _, offset := range offsets {
		for _, getter := range getters() {
			if n > offset+pet.Band || n > pet.Band && n < offset {
				continue // the next id is in another band
			}
			r.Offset, r.Getter = &offset, pet.Getters{getter}
			found, err := standard().SampleNative(ctx, c.dialled, r.Realm, c.block, standard().NextNumber(r.Realm, out[0]))
			if err != nil {
				return r, err
			}
			if found.Pet != nil {
				r.sample = standard().Summary(found.Pet)
				return r, nil
			}
		}
	}
	if n%pet.Band > 1 || n >= 3*pet.Band || abi != nil && !abi.has("getPet(uint256)") && !abi.has("getPetV2(uint256)") {
		return r, errOtherShape
	}
	offset := n - n%pet.Band
	r.Offset = &offset
	r.guessGetter("no pet yet")
	return r, nil
}

// asHost reads the contract as a realm that only hosts pets.
func (r realm) asHost(ctx context.Context, beside bool) (realm, error) {
	for _, getter := range getters() {
		r.Getter = pet.Getters{getter}
		found, enumerable, err := standard().SampleHosted(ctx, r.chain.dialled, r.Realm, r.chain.block)
		switch {
		case err != nil:
			return r, err
		case !enumerable:
			return r, errOtherShape
		}
		r.next = "no nextPetId(): it hosts pets of other realms"
		if found.Pet != nil {
			r.sample = standard().Summary(found.Pet)
			return r, nil
		}
	}
	if !beside {
		return r, errOtherShape
	}
	r.guessGetter("no pet can be read yet")
	return r, nil
}

// guessGetter is for a realm that has no pet to try getters with. It chooses the default
// collection's last getter, which returns the most fields, and adds a question for the operator.
func (r *realm) guessGetter(why string) {
	names := getters()
	r.Getter = pet.Getters{names[0]}
	slices.Sort(names)
	r.sample = why + ", so its getter is a guess. ? Is it " + strings.Join(names, " or ") + "?"
}

// inspectOther drafts a collection file for a contract that does not fit the default collection.
func (c *chain) inspectOther(
	ctx context.Context, at common.Address, abi ABI, start uint64,
) (realm, *collectionDraft, error) {
	r := realm{Realm: pet.Realm{Key: c.name, Chain: c.name, Contract: at}, chain: c}
	x, err := c.inspectERC721(ctx, at, abi, start)
	if err != nil {
		return r, nil, err
	}
	h, err := x.describe(ctx, abi)
	if err != nil {
		return r, nil, err
	}
	offset := x.offset()
	r.Offset, r.next, r.sample = &offset, x.why, "no token was found"
	for _, g := range h.getters {
		r.Getter = append(r.Getter, g.name)
	}
	if len(x.ids) == 0 {
		return r, h, nil
	}
	drafted, err := collection.Parse(h.file(), h.text())
	if err != nil {
		return r, nil, fmt.Errorf("the draft is not a valid collection file, which is a bug in petsupply: %w", err)
	}
	k := &pet.Kingdom{Collection: drafted, Realms: []pet.Realm{r.Realm}}
	found, err := k.Sample(ctx, c.dialled, r.Realm, c.block, x.ids)
	switch {
	case err != nil:
		return r, nil, err
	case found.Pet == nil:
		return r, nil, fmt.Errorf("no token can be read: %w", found.Unreadable)
	}
	r.sample = k.Summary(found.Pet)
	return r, h, nil
}

// firstBlock finds the first block of a contract. It returns 0 if the nodes do not keep the state
// of all blocks, or if the search fails. It also returns a remark for the file.
func (c *chain) firstBlock(ctx context.Context, at common.Address) (uint64, string) {
	for _, l := range c.limits {
		if l.Err != nil || !l.AllState {
			return 0, "? In which block was the contract made? The nodes do not keep such old states"
		}
	}
	lacks, has := uint64(0), c.block.Number
	for has-lacks > 1 {
		middle := lacks + (has-lacks)/2
		var code [][]byte
		block, err := c.dialled.Block(ctx, middle)
		if err == nil {
			code, err = c.dialled.Code(ctx, block, []common.Address{at})
		}
		switch {
		case err != nil:
			return 0, "? In which block was the contract made? The search for it failed"
		case len(code[0]) > 0:
			has = middle
		default:
			lacks = middle
		}
	}
	return has, "the contract's first block"
}
