package pet

import (
	"context"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
)

// A chainReader reads the state of a chain at a block. *evm.Chain is one.
type chainReader interface {
	Read(ctx context.Context, at evm.Block, calls []evm.Call) ([][]byte, error)
}

// maxSampled is how many of a realm's newest pets SampleNative tries.
const maxSampled = 20

// A Sample is what a look at some of a realm's pets found.
type Sample struct {
	Pet        *Observation // nil: none can be read
	Unreadable error        // why one that has an owner cannot be read; nil: there is no such pet
}

// SampleNative returns the newest readable pet of the realm itself. next is the
// number of the realm's next pet.
func (k *Kingdom) SampleNative(ctx context.Context, c chainReader, r Realm, at evm.Block, next uint64) (Sample, error) {
	var ids []uint64
	for n := next; n > 1 && len(ids) < maxSampled; n-- {
		ids = append(ids, *r.Offset+n-1)
	}
	return k.Sample(ctx, c, r, at, ids)
}

// SampleHosted returns the first pet that the contract lists. enumerable reports
// whether the contract can list its pets at all.
func (k *Kingdom) SampleHosted(ctx context.Context, c chainReader, r Realm, at evm.Block) (s Sample, enumerable bool, err error) {
	calls := []evm.Call{r.TotalSupplyCall(), r.TokenByIndexCall(0)}
	for i := range calls {
		calls[i].MayRevert = true
	}
	out, err := c.Read(ctx, at, calls)
	if err != nil {
		return s, false, err
	}
	total, counts := DecodeUint(out[0])
	id, lists := DecodeUint(out[1])
	if !lists {
		return s, counts && total == 0, nil
	}
	s, err = k.Sample(ctx, c, r, at, []uint64{id})
	return s, true, err
}

// Sample returns the first of the pets that is in the realm and can be read.
func (k *Kingdom) Sample(ctx context.Context, c chainReader, r Realm, at evm.Block, ids []uint64) (s Sample, err error) {
	if len(ids) == 0 {
		return s, nil
	}
	out, err := c.Read(ctx, at, k.StateCalls(r, ids))
	if err != nil {
		return s, err
	}
	getters := k.getters(r)
	for i, id := range ids {
		o := Observation{ID: id}
		err := k.observe(&o, getters, out[i*(1+len(getters)):(i+1)*(1+len(getters))])
		switch {
		case err == nil && o.Owner != (common.Address{}):
			return Sample{Pet: &o}, nil
		case err != nil && s.Unreadable == nil:
			s.Unreadable = err
		}
	}
	return s, nil
}

// Summary describes an observed pet in a few words: its first traits that listings
// select by, and its owner.
func (k *Kingdom) Summary(o *Observation) string {
	words := []string{fmt.Sprintf("%s %d:", k.Collection.One, o.ID)}
	for _, f := range k.Collection.Columns() {
		if len(words) < 5 && f.Filter {
			words = append(words, f.Key+" "+k.Collection.Text(o.Value, f)+",")
		}
	}
	return strings.Join(append(words, "owner "+o.Owner.Hex()), " ")
}
