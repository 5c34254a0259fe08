package store

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
)

// packedForm is the first byte of a packed pet.
const packedForm = 1

// packPet returns a pet in a few bytes, or no bytes for nil. The argument version is the version of
// the layout of p.Value.
func packPet(p *pet.Pet, version uint64) []byte {
	if p == nil {
		return []byte{}
	}
	b := []byte{packedForm, byte(bit(p.InTransit))}
	b = binary.AppendUvarint(b, p.Block)
	b = binary.AppendVarint(b, toMillis(p.ChangedAt))
	for _, text := range [][]byte{[]byte(p.Realm), packAddress(p.Owner), []byte(p.Name), packValue(version, p.Value)} {
		b = append(binary.AppendUvarint(b, uint64(len(text))), text...)
	}
	return b
}

var errPacked = errors.New("the past state of a pet cannot be read")

// unpackPet reads the bytes that packPet returned. It returns nil for no bytes.
func (s *Store) unpackPet(ctx context.Context, id uint64, b []byte) (*pet.Pet, error) {
	if len(b) == 0 {
		return nil, nil
	}
	if len(b) < 2 || b[0] != packedForm {
		return nil, errPacked
	}
	r := packed{rest: b[2:]}
	p := &pet.Pet{ID: id, InTransit: b[1] == 1, Block: r.number(), ChangedAt: fromMillis(r.signed()),
		Realm: string(r.text()), Owner: common.BytesToAddress(r.text()), Name: string(r.text())}
	traits := r.text()
	if r.bad {
		return nil, errPacked
	}
	var err error
	p.Value, err = s.unpackValue(ctx, traits)
	return p, err
}

// The type packed reads the values of a packed pet, one after another. The field rest has the bytes
// that are still unread.
type packed struct {
	rest []byte
	bad  bool // the bytes ended too early
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
