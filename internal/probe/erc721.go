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
)

// An erc721 describes an ERC-721 contract.
type erc721 struct {
	*Chain
	at    common.Address
	title string   // name()
	count string   // how its tokens are found, in the syntax of a collection file
	why   string   // the reason for the value of count
	ids   []uint64 // ids of some tokens, in order; may be empty
}

var errNotERC721 = errors.New("not an ERC-721 contract")

// Interfaces of ERC-165.
const (
	interface721        = 0x80ac58cd
	interfaceEnumerable = 0x780e9d63
	interface1155       = 0xd9b67a26
)

func word(n uint64) []byte { return common.LeftPadBytes(new(big.Int).SetUint64(n).Bytes(), 32) }

func (c *erc721) call(signature string, words ...[]byte) evm.Call {
	return pet.View(c.at, signature, words...)
}

// says reports whether a contract answered true (the number 1).
func says(answer []byte) bool { n, ok := pet.DecodeUint(answer); return ok && n == 1 }

// inspectERC721 finds out how to list the tokens of a contract. start is its first block, or 0 if
// unknown. It rejects contracts that are not ERC-721, and ids that no realm can have.
func (c *Chain) inspectERC721(ctx context.Context, at common.Address, abi ABI, start uint64) (*erc721, error) {
	x := &erc721{Chain: c, at: at}
	out, err := c.Read(ctx, c.Block, []evm.Call{supports(at, interface721), supports(at, interfaceEnumerable),
		supports(at, interface1155), x.call("name()"), x.call("totalSupply()"), x.call("tokenByIndex(uint256)", word(0))})
	if err != nil {
		return nil, err
	}
	// Braces mark placeholders in the texts of a collection.
	x.title = strings.NewReplacer("{", "", "}", "").Replace(plainText(out[3]))
	if err := x.byIndex(ctx, says(out[1]), out[4], out[5]); err != nil {
		return nil, err
	}
	if x.count == "" {
		if err := x.byTransfers(ctx, start); err != nil {
			return nil, err
		}
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

// owned returns which of the ids have an owner.
func (c *erc721) owned(ctx context.Context, ids []uint64) (map[uint64]bool, error) {
	var calls []evm.Call
	for _, id := range ids {
		calls = append(calls, c.call("ownerOf(uint256)", word(id)))
	}
	out, err := c.Read(ctx, c.Block, calls)
	if err != nil {
		return nil, err
	}
	owned := map[uint64]bool{}
	for i, answer := range out {
		if len(answer) == 32 && [12]byte(answer) == ([12]byte{}) && common.BytesToAddress(answer) != (common.Address{}) {
			owned[ids[i]] = true
		}
	}
	return owned, nil
}

// maxSamples is the largest number of tokens that are read.
const maxSamples = 100

// keep sets c.ids to the given ids that have owners.
func (c *erc721) keep(ctx context.Context, ids []uint64) error {
	slices.Sort(ids)
	ids = slices.Compact(ids)
	owned, err := c.owned(ctx, ids)
	c.ids = slices.DeleteFunc(ids, func(id uint64) bool { return !owned[id] })
	return err
}

// byIndex finds the tokens of a contract that is ERC-721 Enumerable. It does nothing for other
// contracts. claims is true if supportsInterface() says that the contract is Enumerable. supply and
// first are the contract's answers to totalSupply() and tokenByIndex(0).
func (c *erc721) byIndex(ctx context.Context, claims bool, supply, first []byte) error {
	total, counts := pet.DecodeUint(supply)
	if !counts || len(first) != 32 && (!claims || total > 0) {
		return nil
	}
	var calls []evm.Call
	for _, i := range pet.Spread(total, maxSamples) {
		calls = append(calls, c.call("tokenByIndex(uint256)", word(i)))
	}
	out, err := c.Read(ctx, c.Block, calls)
	if err != nil {
		return err
	}
	c.count = "enumerable"
	c.why = fmt.Sprintf("totalSupply() is %d, and tokenByIndex() lists the tokens", total)
	return c.keepWords(ctx, out, "tokenByIndex()")
}

// keepWords does the same as keep, with ids that a node returned as words of 32 bytes. It rejects
// ids that are too large. The error begins with from, the place where the id was found.
func (c *erc721) keepWords(ctx context.Context, words [][]byte, from string) error {
	var ids []uint64
	for _, w := range words {
		id, ok := pet.DecodeUint(w)
		if len(w) == 32 && (!ok || id > pet.MaxID) {
			return tooLarge(new(big.Int).SetBytes(w), from)
		}
		if ok {
			ids = append(ids, id)
		}
	}
	return c.keep(ctx, ids)
}

// byTransfers looks for tokens by their Transfer events.
func (c *erc721) byTransfers(ctx context.Context, start uint64) error {
	c.count = "transfers"
	c.why = "the contract is not ERC-721 Enumerable"
	words, err := pet.Transferred(ctx, c, c.at, start, c.Block.Number, evm.SearchWidth(c.Limits), maxSamples)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		c.why += fmt.Sprintf(". ? Transfer events could not be searched: %v", err)
		return nil
	case len(words) == 0:
		c.why += ". ? No Transfer event was found either"
	}
	return c.keepWords(ctx, words, "a Transfer event")
}

// tooLarge returns the error for an id that is too large.
func tooLarge(id *big.Int, from string) error {
	return fmt.Errorf("%s gives the id %s, but ids may be at most %d (2^53 - 1), the largest that is exact in JavaScript",
		from, id, uint64(pet.MaxID))
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
