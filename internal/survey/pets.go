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

// A realm is a pet contract and how it can be read.
type realm struct {
	pet.Realm
	chain  *chain
	next   string // the answer to nextPetId(), or why there is none
	sample string // one pet, in words
	start  string // how the first block was found
}

// offsets are the numbers at which the ids of a realm's own pets may begin.
var offsets = []uint64{0, pet.Band, 2 * pet.Band}

// kingdom has the collection that contracts are compared with. The last of its
// getters is tried first: of a contract that has several it returns most fields.
var kingdom = &pet.Kingdom{Collection: collection.Pets()}

// getters are those of the collection, the last one first.
func getters() (names []string) {
	for _, g := range slices.Backward(kingdom.Collection.Getters) {
		names = append(names, g.Name)
	}
	return names
}

// AddPets looks at the pet contract at an address, on every chain that has one.
func (s *Survey) AddPets(ctx context.Context, address string) error {
	at, err := ledger.ParseAddress(address)
	if err != nil {
		return fmt.Errorf("pets %q: %w", address, err)
	}
	found, err := s.find(ctx, at)
	if err != nil {
		return fmt.Errorf("pets: %w", err)
	}
	for _, c := range found {
		r, err := c.inspectPets(ctx, at)
		if err != nil {
			return fmt.Errorf("%s on %s: %w", at, c.name, err)
		}
		r.start = c.firstBlock(ctx, &r.Realm)
		s.realms = append(s.realms, r)
		s.Print("pets on %s: %s; %s", c.name, r.next, r.sample)
	}
	return nil
}

// inspectPets finds the offset and the getter by which a pet can be read.
func (c *chain) inspectPets(ctx context.Context, at common.Address) (realm, error) {
	r := realm{Realm: pet.Realm{Key: c.name, Chain: c.name, Contract: at, Offset: new(uint64)}, chain: c}
	next, _ := kingdom.CountCall(r.Realm)
	next.MayRevert = true
	out, err := c.dialled.Read(ctx, c.block, []evm.Call{next})
	if err != nil {
		return r, err
	}
	n, counts := pet.DecodeUint(out[0])
	if !counts || n == 0 {
		r.Offset = nil
		return r.asHost(ctx)
	}
	r.next = fmt.Sprintf("nextPetId() is %d", n)
	for _, offset := range offsets {
		for _, getter := range getters() {
			if n > offset+pet.Band || n > pet.Band && n < offset {
				continue // nextPetId() is in another band
			}
			r.Offset, r.Getter = &offset, pet.Getters{getter}
			found, err := kingdom.SampleNative(ctx, c.dialled, r.Realm, c.block, kingdom.NextNumber(r.Realm, out[0]))
			if err != nil {
				return r, err
			}
			if found.Pet != nil {
				r.sample = kingdom.Summary(found.Pet)
				return r, nil
			}
		}
	}
	if n > 1 && n%pet.Band > 1 {
		return r, fmt.Errorf("nextPetId() is %d, but no pet before it can be read by any getter of the collection", n)
	}
	offset := n - n%pet.Band
	r.Offset = &offset
	r.guessGetter("no pet yet")
	return r, nil
}

// asHost reads the contract as a realm that has no pets of its own.
func (r realm) asHost(ctx context.Context) (realm, error) {
	for _, getter := range getters() {
		r.Getter = pet.Getters{getter}
		found, enumerable, err := kingdom.SampleHosted(ctx, r.chain.dialled, r.Realm, r.chain.block)
		if err != nil {
			return r, err
		}
		if !enumerable {
			return r, errors.New("not a pet contract: neither nextPetId() nor tokenByIndex() answers")
		}
		r.next = "no nextPetId(): it hosts pets of other realms"
		if found.Pet != nil {
			r.sample = kingdom.Summary(found.Pet)
			return r, nil
		}
	}
	r.guessGetter("none can be read yet")
	return r, nil
}

// guessGetter takes the last getter, and asks the reader, where there is no pet to
// try.
func (r *realm) guessGetter(why string) {
	names := getters()
	r.Getter = pet.Getters{names[0]}
	slices.Sort(names)
	r.sample = why + ", so its getter is a guess. ? Is it " + strings.Join(names, " or ") + "?"
}

// firstBlock finds the first block of the realm's contract, if the nodes have old
// enough states. It returns a remark about the number.
func (c *chain) firstBlock(ctx context.Context, r *pet.Realm) string {
	for _, l := range c.limits {
		if l.Err != nil || !l.AllState {
			return "? In which block was the contract made? Its nodes do not keep states that old"
		}
	}
	lacks, has := uint64(0), c.block.Number
	for has-lacks > 1 {
		middle := lacks + (has-lacks)/2
		var code [][]byte
		block, err := c.dialled.Block(ctx, middle)
		if err == nil {
			code, err = c.dialled.Code(ctx, block, []common.Address{r.Contract})
		}
		switch {
		case err != nil:
			return "? In which block was the contract made? The search for it failed"
		case len(code[0]) > 0:
			has = middle
		default:
			lacks = middle
		}
	}
	r.StartBlock = has
	return "the contract's first block"
}
