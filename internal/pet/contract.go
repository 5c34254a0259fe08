package pet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"petsupply/internal/evm"
)

// errStruct: a contract's answer is not the struct that it should be.
var errStruct = errors.New("not a pet")

// decodeTraits reads the contract's answer for id, a struct of the given kind.
// An answer of another shape, or for another id, is an error, never a pet.
func decodeTraits(t *Traits, s Struct, id uint64, data []byte) error {
	r := structOf(data)
	r.words = 1 + structs[s].fields
	told := r.number(math.MaxUint64)
	t.Struct = s
	for i := range s.Fields() {
		r.field(&Fields[i], t)
	}
	if r.bad {
		return fmt.Errorf("pet %d: decoding struct %s of %d bytes: %w", id, structs[s].name, len(data), errStruct)
	}
	if told != id {
		return fmt.Errorf("pet %d: the contract answered for pet %d: %w", id, told, errStruct)
	}
	return nil
}

// A reader reads a struct of a contract's answer, a word of 32 bytes at a time.
type reader struct {
	data  []byte // of the struct
	words int    // that it has; its one text follows them, and nothing else does
	at    int    // where the next word begins
	bad   bool   // a word was missing, or was not what it should be
}

// structOf returns a reader of the struct that is all of an answer.
func structOf(data []byte) reader {
	r := reader{data: data, bad: len(data)%32 != 0}
	r.bad = r.number(32) != 32 || r.bad
	return reader{data: data[min(32, len(data)):], bad: r.bad}
}

// word returns the next word, which is the data's own.
func (r *reader) word() *[32]byte {
	if r.at+32 > len(r.data) {
		r.bad = true
		return new([32]byte)
	}
	w := (*[32]byte)(r.data[r.at:])
	r.at += 32
	return w
}

// number reads a number that is at most limit.
func (r *reader) number(limit uint64) uint64 {
	w := r.word()
	n := binary.BigEndian.Uint64(w[24:])
	if binary.BigEndian.Uint64(w[:])|binary.BigEndian.Uint64(w[8:])|binary.BigEndian.Uint64(w[16:]) != 0 || n > limit {
		r.bad = true
	}
	return n
}

// field reads the next word into a field of t.
func (r *reader) field(f *Field, t *Traits) {
	switch v := f.Of(t).(type) {
	case *uint8:
		*v = uint8(r.number(math.MaxUint8))
	case *uint16:
		*v = uint16(r.number(math.MaxUint16))
	case *uint64:
		*v = r.number(math.MaxUint64)
	case *uint256.Int:
		v.SetBytes32(r.word()[:])
	case *common.Address:
		w := r.word()
		r.bad = r.bad || [12]byte(w[:]) != ([12]byte{})
		*v = common.Address(w[12:])
	case *string:
		*v = r.text()
	}
}

// text reads a name, which lies behind the struct's words, after its length. That
// its word points there, and that the answer ends with it, tells a struct from
// one that has a field more or less.
func (r *reader) text() string {
	from := r.number(uint64(len(r.data)))
	if r.bad || from != uint64(32*r.words) {
		r.bad = true
		return ""
	}
	rest := reader{data: r.data[from:]}
	n := rest.number(uint64(len(rest.data)))
	if rest.bad || 32+(n+31)/32*32 != uint64(len(rest.data)) {
		r.bad = true
		return ""
	}
	return clip(string(rest.data[32:32+n]), maxName)
}

// selector returns the first four bytes of a call of the given method.
func selector(signature string) []byte { return crypto.Keccak256([]byte(signature))[:4] }

// call calls a method of the realm's contract with at most one number.
func (r Realm) call(selector []byte, args ...uint64) evm.Call {
	data := append(make([]byte, 0, 36), selector...)
	for _, n := range args {
		w := uint256.NewInt(n).Bytes32()
		data = append(data, w[:]...)
	}
	return evm.Call{To: r.Contract, Data: data}
}

// NextIDCall asks r for the id that its next pet will have; see NextNumber.
func (r Realm) NextIDCall() evm.Call { return r.call(selector("nextPetId()")) }

// TotalSupplyCall asks r how many pets it has, of any realm.
func (r Realm) TotalSupplyCall() evm.Call { return r.call(selector("totalSupply()")) }

// TokenByIndexCall asks r for the id of its i-th pet, of any realm.
func (r Realm) TokenByIndexCall(i uint64) evm.Call {
	return r.call(selector("tokenByIndex(uint256)"), i)
}

// DecodeUint reads an answer that is one number; false if it is not.
func DecodeUint(b []byte) (uint64, bool) {
	if len(b) != 32 {
		return 0, false
	}
	n := new(uint256.Int).SetBytes32(b)
	return n.Uint64(), n.IsUint64()
}

// NextNumber reads the answer to nextPetId as a number within the realm; some
// contracts count from their offset, others from zero.
func (r Realm) NextNumber(answer []byte) uint64 {
	n, ok := DecodeUint(answer)
	if !ok || r.Offset == nil {
		return 0
	}
	if n >= *r.Offset {
		n -= *r.Offset
	}
	return min(n, Band)
}

// An Observation is what one realm says of one pet at one block.
type Observation struct {
	ID    uint64
	Owner common.Address // zero: the realm has no such pet
	Traits
}

// StateCalls asks r for the owner and the struct of each id.
func (r Realm) StateCalls(ids []uint64) []evm.Call {
	owner, get := selector("ownerOf(uint256)"), selector(structs[r.layout()].getter)
	calls := make([]evm.Call, 0, 2*len(ids))
	for _, id := range ids {
		calls = append(calls, r.call(owner, id), r.call(get, id))
	}
	for i := range calls {
		calls[i].MayRevert = true
	}
	return calls
}

// Observations reads the answers to StateCalls. A pet whose ownerOf reverts or
// answers zero is not in the realm. A pet that has an owner but whose answer
// is not understood, or whose getter reverts, is unreadable: it is left out of the
// list, never taken for gone. If most owners are not understood, the node is not,
// and that is an error.
func (r Realm) Observations(ids []uint64, answers [][]byte) (list []Observation, unreadable []uint64, err error) {
	if len(answers) != 2*len(ids) {
		return nil, nil, fmt.Errorf("reading %d pets of %s: %d answers to %d calls", len(ids), r.Key, len(answers), 2*len(ids))
	}
	list = make([]Observation, 0, len(ids))
	senseless := 0
	for i, id := range ids {
		list = append(list, Observation{ID: id})
		if e := r.observe(&list[len(list)-1], answers[2*i], answers[2*i+1]); e != nil {
			list = list[:len(list)-1]
			if unreadable = append(unreadable, id); len(answers[2*i]) != 32 {
				senseless, err = senseless+1, e
			}
		}
	}
	if 2*senseless > len(ids) && senseless > 1 {
		return nil, nil, fmt.Errorf("reading %d pets of %s: %d answers make no sense: %w", len(ids), r.Key, senseless, err)
	}
	return list, unreadable, nil
}

// observe reads the answers to the two StateCalls for o.ID.
func (r Realm) observe(o *Observation, owner, body []byte) error {
	if owner == nil {
		return nil
	}
	if len(owner) != 32 || [12]byte(owner) != ([12]byte{}) {
		return fmt.Errorf("pet %d: ownerOf answered %d bytes: %w", o.ID, len(owner), errStruct)
	}
	if o.Owner = common.BytesToAddress(owner); o.Owner == (common.Address{}) {
		return nil
	}
	return decodeTraits(&o.Traits, r.layout(), o.ID, body)
}
