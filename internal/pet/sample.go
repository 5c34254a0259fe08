package pet

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet/collection"
)

// A chainReader reads the state of a chain at a block. *evm.Chain implements it.
type chainReader interface {
	Read(ctx context.Context, at evm.Block, calls []evm.Call) ([][]byte, error)
}

// A logSearcher searches logs. *evm.Chain implements it.
type logSearcher interface {
	Logs(ctx context.Context, q evm.LogQuery) ([]evm.Log, error)
}

// maxSampled is how many of a realm's newest pets are sampled. The same number of older pets,
// evenly spread, is sampled too.
const maxSampled = 20

// A Sample is the result of reading some of a realm's pets.
type Sample struct {
	Pet        *Observation // the first readable pet that has an owner, or nil
	Unreadable error        // why the first unreadable pet cannot be read or served, or nil
}

// Spread returns at most limit numbers below n, evenly spread, including the first and the last.
func Spread(n, limit uint64) (list []uint64) {
	steps := min(n, limit)
	for i := range steps {
		high, low := bits.Mul64(n-1, i)
		quotient, _ := bits.Div64(high, low, max(1, steps-1))
		list = append(list, quotient)
	}
	return list
}

// SampleNative samples the realm's own pets, newest first. next is the number that the realm's next
// pet will get.
func (rg *Registry) SampleNative(ctx context.Context, c chainReader, r Realm, at evm.Block,
	next uint64) (Sample, error) {
	var ids []uint64
	for n := next; n > 1 && len(ids) < maxSampled; n-- {
		ids = append(ids, *r.Offset+n-1)
	}
	for _, n := range slices.Backward(Spread(next-min(next, uint64(len(ids))), maxSampled)) {
		ids = append(ids, *r.Offset+n)
	}
	return rg.Sample(ctx, c, r, at, ids)
}

// Listed returns at most limit ids of the tokens that an ERC-721 contract lists, evenly spread, as
// 32-byte words. lists reports whether the contract can list its tokens (ERC-721 Enumerable).
func Listed(ctx context.Context, c chainReader, contract common.Address, at evm.Block,
	limit uint64) (words [][]byte, lists bool, err error) {
	r := Realm{Contract: contract}
	calls := []evm.Call{r.TotalSupplyCall(), r.TokenByIndexCall(0)}
	calls[1].MayRevert = true
	out, err := c.Read(ctx, at, calls)
	if err != nil {
		return nil, false, err
	}
	total, counts := DecodeUint(out[0])
	if total == 0 || len(out[1]) != 32 {
		return nil, counts && total == 0, nil
	}
	calls = nil
	for _, i := range Spread(total, limit) {
		call := r.TokenByIndexCall(i)
		call.MayRevert = true
		calls = append(calls, call)
	}
	words, err = c.Read(ctx, at, calls)
	return words, true, err
}

// SampleWords samples the pets whose ids are the given 32-byte words. If pets hatch in r, an id
// outside every realm's range counts as unreadable.
func (rg *Registry) SampleWords(ctx context.Context, c chainReader, r Realm, at evm.Block,
	words [][]byte) (Sample, error) {
	var ids []uint64
	var outside error
	for _, w := range words {
		id, ok := DecodeUint(w)
		if len(w) == 32 && outside == nil {
			outside = rg.Outside(r, w)
		}
		if ok && id <= MaxID {
			ids = append(ids, id)
		}
	}
	s, err := rg.Sample(ctx, c, r, at, ids)
	if outside != nil {
		s.Unreadable = outside
	}
	return s, err
}

// maxSearches limits the searches of Transferred.
const maxSearches = 50

// Transferred returns at most limit ids from Transfer events of an ERC-721 contract, as 32-byte
// words. It searches forward from the block start to the block head, or backward from the block
// head if start is 0. width is the number of blocks in a search. After maxSearches searches,
// Transferred returns the ids that it has found.
func Transferred(ctx context.Context, c logSearcher, contract common.Address, start, head, width uint64,
	limit int) ([][]byte, error) {
	var words [][]byte
	q := evm.LogQuery{From: start, To: min(head, start+width-1), Addresses: []common.Address{contract},
		Topics: [][]common.Hash{{transfer}}}
	if start == 0 {
		q.From = head - min(head, width-1)
		q.To = head
	}
	for range maxSearches {
		logs, err := c.Logs(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, l := range logs {
			if id := TransferID(l); id != nil && len(words) < limit {
				words = append(words, id)
			}
		}
		switch {
		case len(words) == limit, start > 0 && q.To >= head, start == 0 && q.From == 0:
			return words, nil
		case start > 0:
			q.From = q.To + 1
			q.To = min(head, q.To+width)
		default:
			q.To = q.From - 1
			q.From -= min(q.From, width)
		}
	}
	return words, nil
}

// Sample reads the pets with the given ids. The result has the first readable one with an owner,
// and the error of the first unreadable one.
func (rg *Registry) Sample(ctx context.Context, c chainReader, r Realm, at evm.Block,
	ids []uint64) (s Sample, err error) {
	if len(ids) == 0 {
		return s, nil
	}
	out, err := c.Read(ctx, at, rg.StateCalls(r, ids))
	if err != nil {
		return s, err
	}
	getter := rg.getter(r)
	each := len(out) / len(ids)
	for i, id := range ids {
		o := Observation{ID: id}
		err := rg.observe(&o, getter, out[each*i:each*(i+1)])
		switch {
		case err == nil && o.Owner != (common.Address{}) && s.Pet == nil:
			s.Pet = &o
		case err != nil && s.Unreadable == nil:
			s.Unreadable = err
		}
	}
	return s, nil
}

// Summary describes an observed pet in a few words: its first filterable traits and its owner.
func (rg *Registry) Summary(o *Observation) string {
	words := []string{fmt.Sprintf("%s %d:", rg.Collection.One, o.ID)}
	for _, f := range rg.Collection.Columns() {
		if text := rg.Collection.Text(o.Value, f); len(words) < 5 && f.Filter && text != "" {
			words = append(words, f.Key+" "+text+",")
		}
	}
	return strings.Join(append(words, "owner "+o.Owner.Hex()), " ")
}

// maxContractText is how many characters of a contract's texts are shown.
const maxContractText = 200

// ContractText reads a string or bytes32 that a contract returned, in a form that is safe to show
// in one line.
func ContractText(answer []byte) string {
	if len(answer) >= 64 {
		n := binary.BigEndian.Uint64(answer[56:64])
		answer = answer[64 : 64+min(n, uint64(len(answer)-64))]
	}
	return collection.Clean(strings.TrimRight(string(answer), "\x00"), maxContractText)
}
