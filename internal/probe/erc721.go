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
func (c *Chain) inspectERC721(ctx context.Context, at common.Address, abi ABI, start uint64) (*collectionDraft, error) {
	h := &collectionDraft{Chain: c, at: at}
	out, err := c.Read(ctx, c.Block, []evm.Call{supports(at, interface721), supports(at, interfaceEnumerable),
		supports(at, interface1155), pet.View(at, "name()")})
	if err != nil {
		return nil, err
	}
	// Braces mark placeholders in the texts of a collection.
	h.title = strings.NewReplacer("{", "", "}", "").Replace(plainText(out[3]))
	words, lists, err := pet.Listed(ctx, c, at, c.Block, maxSamples)
	if err != nil {
		return nil, err
	}
	from := "tokenByIndex()"
	if lists && (len(words) > 0 || says(out[1])) {
		h.count = "enumerable"
		h.why = "tokenByIndex() lists the tokens"
	} else {
		h.count = "transfers"
		h.why = "the contract is not ERC-721 Enumerable"
		from = "a Transfer event"
		words, err = c.transferred(ctx, at, start)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			h.why += fmt.Sprintf(". ? Transfer events could not be searched: %v", err)
		case len(words) == 0:
			h.why += ". ? No Transfer event was found either"
		}
	}
	if err := h.keep(ctx, words, from); err != nil {
		return nil, err
	}
	switch {
	case len(h.ids) == 0 && !says(out[0]) && says(out[2]):
		return nil, fmt.Errorf("%w: it is ERC-1155, whose tokens have several owners", errNotERC721)
	case len(h.ids) == 0 && !says(out[0]) && !abi.has("ownerOf(uint256)"):
		return nil, fmt.Errorf("%w: supportsInterface() does not name ERC-721, and ownerOf() answers for no token",
			errNotERC721)
	}
	return h, h.checkBand()
}

// keep sets h.ids to those of the given ids, words of 32 bytes, whose tokens have an owner. It
// rejects ids that are too large. The error begins with from, the place where the id was found.
func (h *collectionDraft) keep(ctx context.Context, words [][]byte, from string) error {
	var ids []uint64
	for _, w := range words {
		id, ok := pet.DecodeUint(w)
		switch {
		case len(w) == 32 && (!ok || id > pet.MaxID):
			return fmt.Errorf("%s gives the id %s, but ids may be at most %d (2^53 - 1), "+
				"the largest that is exact in JavaScript", from, new(big.Int).SetBytes(w), uint64(pet.MaxID))
		case ok:
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	bare := &pet.Registry{Collection: &collection.Collection{}}
	r := pet.Realm{Contract: h.at}
	answers, err := h.Read(ctx, h.Block, bare.StateCalls(r, ids))
	if err != nil {
		return err
	}
	seen, _, _ := bare.Observations(r, ids, answers) // if ownerOf makes no sense, no token has an owner
	for _, o := range seen {
		if o.Owner != (common.Address{}) {
			h.ids = append(h.ids, o.ID)
		}
	}
	return nil
}

// checkBand rejects a contract whose ids do not fit into one realm.
func (h *collectionDraft) checkBand() error {
	if len(h.ids) == 0 {
		return nil
	}
	low := h.ids[0]
	high := h.ids[len(h.ids)-1]
	offset := h.offset()
	if high-offset >= pet.Band || offset > pet.MaxID-pet.Band {
		return fmt.Errorf("its ids go from %d to %d; "+
			"a realm has at most %d ids, counted from its offset, and none above %d",
			low, high, uint64(pet.Band), uint64(pet.MaxID))
	}
	return nil
}

// offset returns the largest multiple of pet.Band that is not above any of the ids. It returns 0 if
// there are no ids.
func (h *collectionDraft) offset() uint64 {
	if len(h.ids) == 0 {
		return 0
	}
	return h.ids[0] - h.ids[0]%pet.Band
}
