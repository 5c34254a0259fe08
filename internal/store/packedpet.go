package store

import (
	"encoding/binary"
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"petsupply/internal/pet"
)

// packedForm is the first byte of a packed pet.
const packedForm = 1

// packPet is a pet in a few bytes, none for none.
func packPet(p *pet.Pet) []byte {
	if p == nil {
		return []byte{}
	}
	b := []byte{packedForm, byte(bit(p.InTransit)), byte(p.Struct)}
	text := func(s []byte) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	text([]byte(p.Realm))
	text(packAddress(p.Owner))
	b = binary.AppendUvarint(b, p.Block)
	b = binary.AppendVarint(b, toMillis(p.ChangedAt))
	for i := range pet.Fields {
		switch v := pet.Fields[i].Of(&p.Traits).(type) {
		case *uint8:
			b = append(b, *v)
		case *uint16:
			b = binary.AppendUvarint(b, uint64(*v))
		case *uint64:
			b = binary.AppendUvarint(b, *v)
		case *uint256.Int:
			text(v.Bytes())
		case *common.Address:
			text(packAddress(*v))
		case *string:
			text([]byte(*v))
		}
	}
	return b
}

var errPacked = errors.New("a pet of the past cannot be read")

// unpackPet reads what packPet made. Fields that came to be later are zero.
func unpackPet(id uint64, b []byte) (*pet.Pet, error) {
	if len(b) == 0 {
		return nil, nil
	}
	if len(b) < 3 || b[0] != packedForm {
		return nil, errPacked
	}
	p := &pet.Pet{ID: id, InTransit: b[1] == 1}
	p.Struct = pet.Struct(b[2])
	r := packed{rest: b[3:]}
	p.Realm, p.Owner = string(r.text()), common.BytesToAddress(r.text())
	p.Block, p.ChangedAt = r.number(), fromMillis(r.signed())
	for i := range pet.Fields {
		if len(r.rest) == 0 {
			break
		}
		switch v := pet.Fields[i].Of(&p.Traits).(type) {
		case *uint8:
			*v, r.rest = r.rest[0], r.rest[1:]
		case *uint16:
			*v = uint16(r.number())
		case *uint64:
			*v = r.number()
		case *uint256.Int:
			v.SetBytes(r.text())
		case *common.Address:
			*v = common.BytesToAddress(r.text())
		case *string:
			*v = string(r.text())
		}
	}
	if r.bad {
		return nil, errPacked
	}
	return p, nil
}

// A packed reads what is left of a packed pet.
type packed struct {
	rest []byte
	bad  bool // it ended too early
}

func (r *packed) take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.bad, r.rest = true, nil
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *packed) number() uint64 {
	v, n := binary.Uvarint(r.rest)
	r.bad = r.bad || n <= 0
	r.take(max(n, 0))
	return v
}

func (r *packed) signed() int64 {
	v, n := binary.Varint(r.rest)
	r.bad = r.bad || n <= 0
	r.take(max(n, 0))
	return v
}

func (r *packed) text() []byte { return r.take(int(min(r.number(), uint64(len(r.rest)+1)))) }
