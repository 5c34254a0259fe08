package probe

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// An erc721 describes an ERC-721 contract.
type erc721 struct {
	*Chain
	at    common.Address
	title string   // name()
	count string   // how its tokens are found, in the syntax of a collection file
	why   string   // the reason for the value of count
	ids   []uint64 // ids of some tokens, in order; each has an owner
}

var errNotERC721 = errors.New("not an ERC-721 contract")

// Interfaces of ERC-165.
const (
	interface721        = 0x80ac58cd
	interfaceEnumerable = 0x780e9d63
	interface1155       = 0xd9b67a26
)

// says reports whether a contract answered true (the number 1).
func says(answer []byte) bool { n, ok := pet.DecodeUint(answer); return ok && n == 1 }

// inspectERC721 finds out how to list the tokens of a contract. start is its first block, or 0 if
// unknown. It rejects contracts that are not ERC-721, and ids that no realm can have.
func (c *Chain) inspectERC721(ctx context.Context, at common.Address, abi ABI, start uint64) (*erc721, error) {
	x := &erc721{Chain: c, at: at}
	out, err := c.Read(ctx, c.Block, []evm.Call{supports(at, interface721), supports(at, interfaceEnumerable),
		supports(at, interface1155), pet.View(at, "name()")})
	if err != nil {
		return nil, err
	}
	// Braces mark placeholders in the texts of a collection.
	x.title = strings.NewReplacer("{", "", "}", "").Replace(plainText(out[3]))
	words, lists, err := pet.Listed(ctx, c, at, c.Block, maxSamples)
	if err != nil {
		return nil, err
	}
	from := "tokenByIndex()"
	if lists && (len(words) > 0 || says(out[1])) {
		x.count = "enumerable"
		x.why = "tokenByIndex() lists the tokens"
	} else {
		x.count = "transfers"
		x.why = "the contract is not ERC-721 Enumerable"
		from = "a Transfer event"
		words, err = c.transferred(ctx, at, start)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			x.why += fmt.Sprintf(". ? Transfer events could not be searched: %v", err)
		case len(words) == 0:
			x.why += ". ? No Transfer event was found either"
		}
	}
	if err := x.keep(ctx, words, from); err != nil {
		return nil, err
	}
	switch {
	case len(x.ids) == 0 && !says(out[0]) && says(out[2]):
		return nil, fmt.Errorf("%w: it is ERC-1155, whose tokens have several owners", errNotERC721)
	case len(x.ids) == 0 && !says(out[0]) && !abi.has("ownerOf(uint256)"):
		return nil, fmt.Errorf("%w: supportsInterface() does not name ERC-721, and ownerOf() answers for no token",
			errNotERC721)
	}
	return x, x.checkBand()
}

// keep sets c.ids to those of the given ids, words of 32 bytes, whose tokens have an owner. It
// rejects ids that are too large. The error begins with from, the place where the id was found.
func (c *erc721) keep(ctx context.Context, words [][]byte, from string) error {
	var ids []uint64
	for _, w := range words {
		id, ok := pet.DecodeUint(w)
		switch {
		case len(w) == 32 && (!ok || id > pet.MaxID):
			return fmt.Errorf("%s gives the id %s, but ids may be at most %d (2^53 - 1), the largest that is exact in JavaScript",
				from, new(big.Int).SetBytes(w), uint64(pet.MaxID))
		case ok:
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	bare := &pet.Kingdom{Collection: &collection.Collection{}}
	r := pet.Realm{Contract: c.at}
	answers, err := c.Read(ctx, c.Block, bare.StateCalls(r, ids))
	if err != nil {
		return err
	}
	seen, _, _ := bare.Observations(r, ids, answers) // if ownerOf makes no sense, no token has an owner
	for _, o := range seen {
		if o.Owner != (common.Address{}) {
			c.ids = append(c.ids, o.ID)
		}
	}
	return nil
}

// checkBand rejects a contract whose ids do not fit into one realm.
func (c *erc721) checkBand() error {
	if len(c.ids) == 0 {
		return nil
	}
	low := c.ids[0]
	high := c.ids[len(c.ids)-1]
	offset := c.offset()
	if high-offset >= pet.Band || offset > pet.MaxID-pet.Band {
		return fmt.Errorf("its ids go from %d to %d; a realm has at most %d ids, counted from its offset, and none above %d",
			low, high, uint64(pet.Band), uint64(pet.MaxID))
	}
	return nil
}

// offset returns the largest multiple of pet.Band that is not above any of the ids. It returns 0 if
// there are no ids.
func (c *erc721) offset() uint64 {
	if len(c.ids) == 0 {
		return 0
	}
	return c.ids[0] - c.ids[0]%pet.Band
}
