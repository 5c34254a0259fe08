package probe

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/supply/ledger"
)

// A surveyedRealm is a pet contract and how it can be read.
type surveyedRealm struct {
	pet.Realm
	chain  *surveyedChain
	next   string // what nextPetId() says, or why there is none
	sample string // one pet, in words
	start  string // where its first block comes from
}

// offsets are where the ids of a realm's own pets may begin.
var offsets = []uint64{0, pet.Band, 2 * pet.Band}

// longestStruct is tried first: of a contract that has both it tells more.
var longestStruct = pet.Structs[len(pet.Structs)-1]

// AddPets looks at a pet contract on every chain that has one there.
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
		r, err := c.lookAtPets(ctx, at)
		if err != nil {
			return fmt.Errorf("%s on %s: %w", at, c.name, err)
		}
		r.start = c.firstBlock(ctx, &r.Realm)
		s.realms = append(s.realms, r)
		s.Say("pets on %s: %s; %s", c.name, r.next, r.sample)
	}
	return nil
}

// lookAtPets finds the offset and the struct under which a pet can be read.
func (c *surveyedChain) lookAtPets(ctx context.Context, at common.Address) (surveyedRealm, error) {
	r := surveyedRealm{chain: c, Realm: pet.Realm{Key: c.name, Chain: c.name, Contract: at, Struct: longestStruct.String()}}
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
				continue // of another band
			}
			r.Offset, r.Struct = &offset, layout.String()
			if o, err := newestPet(ctx, c.dialled, c.block, r.Realm, r.NextNumber(out[0])); err != nil {
				return r, err
			} else if o != nil {
				r.sample = petText(*o)
				return r, nil
			}
		}
	}
	if n > 1 && n%pet.Band > 1 {
		return r, fmt.Errorf("nextPetId() is %d, but no pet before it can be read as any struct that is known", n)
	}
	offset := n - n%pet.Band
	r.Offset = &offset
	r.guessStruct("no pet yet")
	return r, nil
}

// asHost takes the contract for a realm that has no pets of its own.
func (r surveyedRealm) asHost(ctx context.Context) (surveyedRealm, error) {
	for _, layout := range slices.Backward(pet.Structs) {
		r.Struct = layout.String()
		o, enumerable, err := hostedPet(ctx, r.chain.dialled, r.chain.block, r.Realm)
		if err != nil {
			return r, err
		}
		if !enumerable {
			return r, fmt.Errorf("not a pet contract: neither nextPetId() nor tokenByIndex() answers")
		}
		r.next = "no nextPetId(): it hosts pets of other realms"
		if o != nil {
			r.sample = petText(*o)
			return r, nil
		}
	}
	r.guessStruct("none can be read yet")
	return r, nil
}

// guessStruct takes the longest struct where no pet tells which it is.
func (r *surveyedRealm) guessStruct(why string) {
	var choices []string
	for _, s := range pet.Structs {
		choices = append(choices, fmt.Sprintf("%s (%d fields)", s, 1+len(s.Fields())))
	}
	r.Struct, r.sample = longestStruct.String(), why+", so its struct is a guess. ? Is it "+strings.Join(choices, " or ")+"?"
}

// firstBlock finds the block in which the realm's contract was made, where nodes
// still have the states to look at, and says where the number comes from.
func (c *surveyedChain) firstBlock(ctx context.Context, r *pet.Realm) string {
	for _, l := range c.limits {
		if l.Err != nil || !l.AllState {
			return "? In which block was the contract made? Its nodes do not keep states so old"
		}
	}
	lacks, has := uint64(0), c.block.Number
	for has-lacks > 1 {
		middle := lacks + (has-lacks)/2
		block, err := c.dialled.Block(ctx, middle)
		if err != nil {
			return "? In which block was the contract made? It could not be looked for"
		}
		code, err := c.dialled.Code(ctx, block, []common.Address{r.Contract})
		if err != nil {
			return "? In which block was the contract made? It could not be looked for"
		}
		if len(code[0]) > 0 {
			has = middle
		} else {
			lacks = middle
		}
	}
	r.StartBlock = has
	return "the contract's first block"
}
