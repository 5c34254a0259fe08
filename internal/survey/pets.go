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

// longestStruct is tried first: of a contract that has several it has most fields.
var longestStruct = pet.Structs[len(pet.Structs)-1]

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

// inspectPets finds the offset and the struct under which a pet can be read.
func (c *chain) inspectPets(ctx context.Context, at common.Address) (realm, error) {
	contract := pet.Realm{Key: c.name, Chain: c.name, Contract: at, Struct: longestStruct.String()}
	r := realm{Realm: contract, chain: c}
	next := r.NextIDCall()
	next.MayRevert = true
	out, err := c.dialled.Read(ctx, c.block, []evm.Call{next})
	if err != nil {
		return r, err
	}
	n, counts := pet.DecodeUint(out[0])
	if !counts || n == 0 {
		return r.asHost(ctx)
	}
	r.next = fmt.Sprintf("nextPetId() is %d", n)
	for _, offset := range offsets {
		for _, layout := range slices.Backward(pet.Structs) {
			if n > offset+pet.Band || n > pet.Band && n < offset {
				continue // nextPetId() is in another band
			}
			r.Offset, r.Struct = &offset, layout.String()
			o, err := r.SampleNative(ctx, c.dialled, c.block, r.NextNumber(out[0]))
			if err != nil {
				return r, err
			}
			if o != nil {
				r.sample = o.Summary()
				return r, nil
			}
		}
	}
	if n > 1 && n%pet.Band > 1 {
		return r, fmt.Errorf("nextPetId() is %d, but no pet before it can be read as any known struct", n)
	}
	offset := n - n%pet.Band
	r.Offset = &offset
	r.guessStruct("no pet yet")
	return r, nil
}

// asHost reads the contract as a realm that has no pets of its own.
func (r realm) asHost(ctx context.Context) (realm, error) {
	for _, layout := range slices.Backward(pet.Structs) {
		r.Struct = layout.String()
		o, enumerable, err := r.SampleHosted(ctx, r.chain.dialled, r.chain.block)
		if err != nil {
			return r, err
		}
		if !enumerable {
			return r, errors.New("not a pet contract: neither nextPetId() nor tokenByIndex() answers")
		}
		r.next = "no nextPetId(): it hosts pets of other realms"
		if o != nil {
			r.sample = o.Summary()
			return r, nil
		}
	}
	r.guessStruct("none can be read yet")
	return r, nil
}

// guessStruct takes the longest struct, and asks the reader, where there is no pet
// to try.
func (r *realm) guessStruct(why string) {
	var choices []string
	for _, s := range pet.Structs {
		choices = append(choices, fmt.Sprintf("%s (%d fields)", s, 1+len(s.Fields())))
	}
	r.Struct = longestStruct.String()
	r.sample = why + ", so its struct is a guess. ? Is it " + strings.Join(choices, " or ") + "?"
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
