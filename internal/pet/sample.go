package pet

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
)

// A chainReader reads the state of a chain at a block. *evm.Chain is one.
type chainReader interface {
	Read(ctx context.Context, at evm.Block, calls []evm.Call) ([][]byte, error)
}

// maxSampled is how many of a realm's newest pets SampleNative tries.
const maxSampled = 20

// SampleNative returns the newest readable pet of the realm itself, or nil if none
// of the newest can be read. next is the number of the realm's next pet.
func (r Realm) SampleNative(ctx context.Context, c chainReader, at evm.Block, next uint64) (*Observation, error) {
	var ids []uint64
	for n := next; n > 1 && len(ids) < maxSampled; n-- {
		ids = append(ids, *r.Offset+n-1)
	}
	return r.sample(ctx, c, at, ids)
}

// SampleHosted returns the first pet that the contract lists, or nil if that cannot
// be read. enumerable reports whether the contract can list its pets at all.
func (r Realm) SampleHosted(ctx context.Context, c chainReader, at evm.Block) (o *Observation, enumerable bool, err error) {
	calls := []evm.Call{r.TotalSupplyCall(), r.TokenByIndexCall(0)}
	for i := range calls {
		calls[i].MayRevert = true
	}
	out, err := c.Read(ctx, at, calls)
	if err != nil {
		return nil, false, err
	}
	total, counts := DecodeUint(out[0])
	id, lists := DecodeUint(out[1])
	if !lists {
		return nil, counts && total == 0, nil
	}
	o, err = r.sample(ctx, c, at, []uint64{id})
	return o, true, err
}

// sample returns the first of the pets that is in the realm and can be read.
func (r Realm) sample(ctx context.Context, c chainReader, at evm.Block, ids []uint64) (*Observation, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	out, err := c.Read(ctx, at, r.StateCalls(ids))
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		o := Observation{ID: id}
		if r.observe(&o, out[2*i], out[2*i+1]) == nil && o.Owner != (common.Address{}) {
			return &o, nil
		}
	}
	return nil, nil
}

// Summary describes the pet in a few words.
func (o *Observation) Summary() string {
	return fmt.Sprintf("pet %d: %s, %s, appearance %d, owner %s",
		o.ID, RarityName(o.Rarity), ElementName(o.Element), o.Appearance, o.Owner)
}
