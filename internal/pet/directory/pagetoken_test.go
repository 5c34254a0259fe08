package directory

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"petsupply/internal/pet"
)

func TestPageTokens(t *testing.T) {
	for _, order := range []pet.Order{pet.ByID, pet.Newest, "rarity", "hungry"} {
		for _, id := range []uint64{1, pet.Band, pet.MaxID} {
			want := pet.PagePosition{ID: id}
			if order != pet.ByID && order != pet.Newest {
				want.Key = math.MaxUint64 - id
			}
			if got, err := decodePageToken(order, encodePageToken(order, want)); err != nil || got != want {
				t.Errorf("page token from %v in order %q: %v, %v", want, order, got, err)
			}
		}
	}
	if _, err := decodePageToken(pet.Newest, encodePageToken(pet.ByID, pet.PagePosition{ID: 5})); !errors.Is(err,
		pet.ErrBadPageToken) {
		t.Errorf("a token of another order: %v", err)
	}
	encodePageToken := func(id uint64) string { return encodePageToken(pet.ByID, pet.PagePosition{ID: id + 1}) }
	forged := binary.BigEndian.AppendUint64(nil, 5)
	for _, s := range []string{"", "x", "AAAAAAAAAAA", string(forged), encodePageToken(5) + "=",
		encodePageToken(5) + "A", encodePageToken(5)[1:], encodePageToken(pet.MaxID + 1), "🐾",
		strings.Repeat("A", 16), strings.Repeat("A", 100000)} {
		if _, err := decodePageToken(pet.ByID, s); !errors.Is(err, pet.ErrBadPageToken) {
			t.Errorf("page token %.20q: %v", s, err)
		}
	}
}

func FuzzPageToken(f *testing.F) {
	f.Add(encodePageToken(pet.ByID, pet.PagePosition{ID: 1}))
	f.Add(encodePageToken(pet.ByID, pet.PagePosition{ID: pet.Band}))
	f.Fuzz(func(t *testing.T, s string) {
		at, err := decodePageToken(pet.ByID, s)
		if err == nil && (encodePageToken(pet.ByID, at) != s || at.ID > pet.MaxID+1) {
			t.Errorf("%q means %v", s, at)
		}
	})
}
