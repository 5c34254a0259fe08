package pet

import (
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"petsupply/internal/evm"
	"petsupply/internal/pet/collection"
)

// selector returns the first four bytes of a call of the given method.
func selector(signature string) []byte { return crypto.Keccak256([]byte(signature))[:4] }

// call returns a call of a method of the realm's contract, with numbers as arguments.
func (r Realm) call(selector []byte, args ...uint64) evm.Call {
	data := append(make([]byte, 0, 36), selector...)
	for _, n := range args {
		w := uint256.NewInt(n).Bytes32()
		data = append(data, w[:]...)
	}
	return evm.Call{To: r.Contract, Data: data}
}

// View returns a call of a contract's method, which may revert. words are the encoded arguments.
func View(at common.Address, signature string, words ...[]byte) evm.Call {
	return evm.Call{To: at, MayRevert: true, Data: append(selector(signature), slices.Concat(words...)...)}
}

// CountCall returns the call that asks r for its highest or next id. ok is false if the
// collection's contracts have no such call, or if r has no pets of its own.
func (rg *Registry) CountCall(r Realm) (call evm.Call, ok bool) {
	count := rg.Collection.Count
	if r.Offset == nil || count.Kind != collection.Next && count.Kind != collection.Last {
		return evm.Call{}, false
	}
	return evm.Call{To: r.Contract, Data: count.Call, MayRevert: true}, true
}

// NextNumber reads the answer to CountCall and returns the number that the realm's next pet will
// get, or 0 if the answer is not a number. Some contracts count from the realm's offset, others
// from zero.
func (rg *Registry) NextNumber(r Realm, answer []byte) uint64 {
	n, ok := DecodeUint(answer)
	if !ok || r.Offset == nil {
		return 0
	}
	if n >= *r.Offset {
		n -= *r.Offset
	}
	if rg.Collection.Count.Kind == collection.Last {
		n++
	}
	return min(n, Band)
}

// TotalSupplyCall asks r how many pets it has, including pets whose home is another realm.
func (r Realm) TotalSupplyCall() evm.Call { return View(r.Contract, "totalSupply()") }

// TokenByIndexCall asks r for the id of pet i in its list of all pets that TotalSupplyCall counts.
func (r Realm) TokenByIndexCall(i uint64) evm.Call {
	return r.call(selector("tokenByIndex(uint256)"), i)
}

// DecodeUint reads an answer that is one number of up to 64 bits. It returns false for other
// answers.
func DecodeUint(b []byte) (uint64, bool) {
	if len(b) != 32 {
		return 0, false
	}
	n := new(uint256.Int).SetBytes32(b)
	return n.Uint64(), n.IsUint64()
}

// An Observation is the state of one pet in one realm at one block.
type Observation struct {
	ID    uint64
	Owner common.Address // zero if the realm does not have the pet
	Name  string
	Value collection.Value
}

// getter returns the getter of a realm's contract, or nil if the collection has none.
func (rg *Registry) getter(r Realm) *collection.Getter {
	for i := range rg.Collection.Getters {
		g := &rg.Collection.Getters[i]
		if r.Getter == g.Name || r.Getter == "" && len(rg.Collection.Getters) == 1 {
			return g
		}
	}
	return nil
}

// Untraited reports whether contracts return only the owner of a pet. If so, traits are imported.
func (rg *Registry) Untraited() bool { return len(rg.Collection.Getters) == 0 }

// StateCalls returns the calls that ask r for the owner of each pet and for the result of r's getter.
func (rg *Registry) StateCalls(r Realm, ids []uint64) []evm.Call {
	owner := selector("ownerOf(uint256)")
	getter := rg.getter(r)
	calls := make([]evm.Call, 0, 2*len(ids))
	for _, id := range ids {
		calls = append(calls, r.call(owner, id))
		if getter != nil {
			calls = append(calls, evm.Call{To: r.Contract, Data: getter.Calldata(id)})
		}
	}
	for i := range calls {
		calls[i].MayRevert = true
	}
	return calls
}

// Unreadable are pets that a realm seems to have, but whose owner or traits cannot be read.
type Unreadable struct {
	IDs   []uint64
	First error // why the first of them cannot be read
}

// Add adds others to u.
func (u *Unreadable) Add(others Unreadable) {
	u.IDs = append(u.IDs, others.IDs...)
	if u.First == nil {
		u.First = others.First
	}
}

// Observations reads the answers to StateCalls. A pet whose ownerOf reverts or returns zero is not
// in the realm. A pet is unreadable if its owner is not an address, or if the getter reverts or its
// answer does not fit the collection. Such a pet is left out of the list but does not count as
// gone. If most answers to ownerOf, and at least two, have the wrong size, the node is at fault.
// Observations then returns an error.
func (rg *Registry) Observations(r Realm, ids []uint64,
	answers [][]byte) (list []Observation, bad Unreadable, err error) {
	getter := rg.getter(r)
	each := 1
	if getter != nil {
		each = 2
	}
	if len(answers) != each*len(ids) {
		return nil, bad, fmt.Errorf("reading %d pets of %s: got %d answers to %d calls", len(ids), r.Key,
			len(answers), each*len(ids))
	}
	list = make([]Observation, 0, len(ids))
	senseless := 0
	for i, id := range ids {
		list = append(list, Observation{ID: id})
		part := answers[each*i : each*i+each]
		if e := rg.observe(&list[len(list)-1], getter, part); e != nil {
			list = list[:len(list)-1]
			bad.Add(Unreadable{IDs: []uint64{id}, First: e})
			if len(part[0]) != 32 {
				senseless++
				err = e
			}
		}
	}
	if 2*senseless > len(ids) && senseless > 1 {
		return nil, bad, fmt.Errorf("reading %d pets of %s: %d answers are invalid: %w", len(ids), r.Key,
			senseless, err)
	}
	return list, bad, nil
}

// observe reads the answers for o.ID: the owner, and the result of the getter, if there is one.
func (rg *Registry) observe(o *Observation, getter *collection.Getter, answers [][]byte) (err error) {
	owner := answers[0]
	if owner == nil {
		return nil
	}
	if len(owner) != 32 || [12]byte(owner) != ([12]byte{}) {
		return fmt.Errorf("pet %d: ownerOf answered %d bytes that are not an address", o.ID, len(owner))
	}
	o.Owner = common.BytesToAddress(owner)
	if o.Owner == (common.Address{}) || getter == nil {
		return nil
	}
	o.Value, o.Name, err = rg.Collection.Decode(getter, o.ID, answers[1])
	return err
}
