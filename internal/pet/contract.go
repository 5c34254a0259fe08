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

// decodeTraits reads the contract's answer to getPet or getPetV2 for id. An
// answer of another shape, or for another id, is an error, never a pet.
func decodeTraits(structure string, id uint64, data []byte) (Traits, error) {
	r := structOf(data)
	told := r.number(math.MaxUint64)
	t := Traits{
		Origin: r.uint8(), Name: r.text(), Season: r.uint8(),
		Egg: r.uint8(), Rarity: r.uint8(), Element: r.uint8(), BonusCount: r.uint8(),
		Gathering: r.uint8(), GatheringScalar: r.uint8(),
		Crafting: r.uint8(), CraftingScalar: r.uint8(),
		Combat: r.uint8(), CombatScalar: r.uint8(),
		Appearance: uint16(r.number(math.MaxUint16)), Background: r.uint8(), Shiny: r.uint8(),
		HungryAt: r.number(math.MaxUint64), EquippableAt: r.number(math.MaxUint64), EquippedTo: r.uint256(),
		StructV1: structure == "v1",
	}
	if !t.StructV1 {
		t.FedBy, t.FoodType = r.address(), r.uint8()
	}
	if r.bad {
		return Traits{}, fmt.Errorf("pet %d: decoding struct %s of %d bytes: %w", id, structure, len(data), errStruct)
	}
	if told != id {
		return Traits{}, fmt.Errorf("pet %d: the contract answered for pet %d: %w", id, told, errStruct)
	}
	return t, nil
}

// A reader reads a struct of a contract's answer, a word of 32 bytes at a time.
type reader struct {
	data []byte // of the struct
	at   int    // where the next word begins
	bad  bool   // a word was missing, or was not what it should be
}

// structOf returns a reader of the struct that is all of an answer.
func structOf(data []byte) reader {
	r := reader{data: data, bad: len(data)%32 != 0}
	r.bad = r.number(32) != 32 || r.bad
	return reader{data: data[min(32, len(data)):], bad: r.bad}
}

func (r *reader) word() (w [32]byte) {
	if r.at+32 > len(r.data) {
		r.bad = true
		return w
	}
	copy(w[:], r.data[r.at:])
	r.at += 32
	return w
}

// number reads a number that is at most limit.
func (r *reader) number(limit uint64) uint64 {
	w := r.word()
	n := binary.BigEndian.Uint64(w[24:])
	if [24]byte(w[:]) != ([24]byte{}) || n > limit {
		r.bad = true
	}
	return n
}

func (r *reader) uint8() uint8 { return uint8(r.number(math.MaxUint8)) }

func (r *reader) uint256() (n uint256.Int) {
	w := r.word()
	n.SetBytes32(w[:])
	return n
}

func (r *reader) address() common.Address {
	w := r.word()
	if [12]byte(w[:]) != ([12]byte{}) {
		r.bad = true
	}
	return common.Address(w[12:])
}

// text reads a name, which lies where its word points to, after its length.
func (r *reader) text() string {
	from := r.number(uint64(len(r.data)))
	if r.bad {
		return ""
	}
	rest := reader{data: r.data[from:]}
	n := rest.number(uint64(len(rest.data)))
	if rest.bad || n > uint64(len(rest.data)-32) {
		r.bad = true
		return ""
	}
	return clip(string(rest.data[32:32+n]), MaxName)
}

// selector returns the first four bytes of a call of the given signature.
func selector(signature string) []byte { return crypto.Keccak256([]byte(signature))[:4] }

var (
	selGetPet       = selector("getPet(uint256)")
	selGetPetV2     = selector("getPetV2(uint256)")
	selOwnerOf      = selector("ownerOf(uint256)")
	selNextPetID    = selector("nextPetId()")
	selTotalSupply  = selector("totalSupply()")
	selTokenByIndex = selector("tokenByIndex(uint256)")
)

// NextIDCall asks r for the id that its next pet will have; see NextNumber.
func (r Realm) NextIDCall() evm.Call { return evm.Call{To: r.Contract, Data: selNextPetID} }

// TotalSupplyCall asks r how many pets it has, of any realm.
func (r Realm) TotalSupplyCall() evm.Call { return evm.Call{To: r.Contract, Data: selTotalSupply} }

// TokenByIndexCall asks r for the id of its i-th pet, of any realm.
func (r Realm) TokenByIndexCall(i uint64) evm.Call {
	return evm.Call{To: r.Contract, Data: word(selTokenByIndex, i)}
}

// word makes a call with one number.
func word(sel []byte, n uint64) []byte {
	w := uint256.NewInt(n).Bytes32()
	return append(append(make([]byte, 0, 36), sel...), w[:]...)
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
	get := selGetPetV2
	if r.Struct == "v1" {
		get = selGetPet
	}
	calls := make([]evm.Call, 0, 2*len(ids))
	for _, id := range ids {
		calls = append(calls,
			evm.Call{To: r.Contract, Data: word(selOwnerOf, id), MayRevert: true},
			evm.Call{To: r.Contract, Data: word(get, id), MayRevert: true})
	}
	return calls
}

// Observations reads the answers to StateCalls. A pet whose ownerOf reverts or
// answers zero is not in the realm. A pet that has an owner but whose answer
// is not understood is odd: it is left out of the list, never taken for gone.
// If most are odd, the node is, and that is an error.
func (r Realm) Observations(ids []uint64, answers [][]byte) (list []Observation, odd []uint64, err error) {
	if len(answers) != 2*len(ids) {
		return nil, nil, fmt.Errorf("reading %d pets of %s: %d answers to %d calls", len(ids), r.Key, len(answers), 2*len(ids))
	}
	list = make([]Observation, 0, len(ids))
	for i, id := range ids {
		s, e := r.Observation(id, answers[2*i], answers[2*i+1])
		if e != nil {
			odd, err = append(odd, id), fmt.Errorf("in %s: %w", r.Key, e)
			continue
		}
		list = append(list, s)
	}
	if 2*len(odd) > len(ids) && len(odd) > 1 {
		return nil, nil, fmt.Errorf("reading %d pets of %s: %d answers make no sense: %w", len(ids), r.Key, len(odd), err)
	}
	return list, odd, nil
}

// Observation reads the answers to the two StateCalls for one id.
func (r Realm) Observation(id uint64, owner, body []byte) (Observation, error) {
	s := Observation{ID: id}
	if owner == nil {
		return s, nil
	}
	if len(owner) != 32 || common.BytesToHash(owner[:12]) != (common.Hash{}) {
		return s, fmt.Errorf("pet %d: ownerOf answered %d bytes: %w", id, len(owner), errStruct)
	}
	s.Owner = common.BytesToAddress(owner)
	if s.Owner == (common.Address{}) {
		return s, nil
	}
	var err error
	s.Traits, err = decodeTraits(r.Struct, id, body)
	return s, err
}
