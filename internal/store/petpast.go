package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"petsupply/internal/pet"
)

// A pastChange is a change with what it changed: the packed pet as it was
// published before, or no bytes where there was none.
type pastChange struct {
	pet.Change
	was []byte
}

// PetAt returns a pet as it was at a time, by the changes that were seen: as the
// last of them left it that is not of a later time. Before it was first seen the
// error is a *pet.BeforeFirst; pet.ErrBurned if it was burned by then, and
// pet.ErrNotFound if it was not there, or is not known at all.
func (s *Store) PetAt(ctx context.Context, id uint64, at time.Time) (pet.Pet, error) {
	leave, err := s.listings.enter(ctx)
	if err != nil {
		return pet.Pet{}, fmt.Errorf("reading the past of pet %d: %w", id, err)
	}
	defer leave()
	// What is published now is read first: a change that comes in between tells
	// what it was before.
	now, err := s.PetsByID(ctx, []uint64{id})
	if err != nil {
		return pet.Pet{}, err
	}
	var past petPast
	if err := s.readPast(ctx, id, at, &past); err != nil {
		return pet.Pet{}, fmt.Errorf("reading the past of pet %d: %w", id, err)
	}
	if p, ok := now[id]; ok && !p.Burned && past.next == nil {
		past.pet = &p
	}
	return past.at(at)
}

// A petPast is what there is to know of a pet at one time.
type petPast struct {
	last, next *pastMark // the last change not after it, and the one after that; nil: none
	pet        *pet.Pet  // as last left it; nil: it was not there
}

type pastMark struct {
	seq   uint64
	kind  string
	taken time.Time
	was   []byte
}

func readPastMark(scan scanFunc, m *pastMark) error {
	var taken int64
	err := scan(&m.seq, &m.kind, &taken, &m.was)
	m.taken = fromMillis(taken)
	return err
}

// readPast reads the changes of a pet around a time.
func (s *Store) readPast(ctx context.Context, id uint64, at time.Time, past *petPast) error {
	one := func(condition string, args ...any) (*pastMark, error) {
		found, err := list(ctx, s.db, readPastMark, `SELECT seq, kind, taken, was FROM pet_change WHERE id = $1 AND `+condition+` LIMIT 1`, args...)
		if err != nil || len(found) == 0 {
			return nil, err
		}
		return &found[0], nil
	}
	var err error
	if past.last, err = one(`taken <= $2 ORDER BY seq DESC`, int64(id), at.UnixMilli()); err != nil {
		return err
	}
	after := uint64(0)
	if past.last != nil {
		after = past.last.seq
	}
	if past.next, err = one(`seq > $2 ORDER BY seq`, int64(id), int64(after)); err != nil || past.next == nil {
		return err
	}
	past.pet, err = unpackPet(id, past.next.was)
	return err
}

// at decides what the pet was.
func (p petPast) at(at time.Time) (pet.Pet, error) {
	gone := p.last != nil && (p.last.kind == pet.Burned || p.last.kind == pet.Gone)
	switch {
	case gone && p.last.kind == pet.Burned && (p.pet == nil || p.pet.ChangedAt.After(at)):
		return pet.Pet{}, pet.ErrBurned
	case gone && p.pet != nil && p.pet.ChangedAt.After(at):
		return pet.Pet{}, pet.ErrNotFound
	case p.pet == nil && p.last == nil && p.next != nil:
		return pet.Pet{}, &pet.BeforeFirst{First: p.next.taken}
	case p.pet == nil:
		return pet.Pet{}, pet.ErrNotFound
	case p.last == nil && p.pet.ChangedAt.After(at):
		return pet.Pet{}, &pet.BeforeFirst{First: p.pet.ChangedAt}
	}
	return *p.pet, nil
}

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
