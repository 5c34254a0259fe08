package directory

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"petsupply/internal/pet"
)

func TestPageTokens(t *testing.T) {
	for _, id := range []uint64{0, 1, pet.Band, pet.MaxID} {
		if got, err := decodePageToken(encodePageToken(id)); err != nil || got != id {
			t.Errorf("page token after %d: %d, %v", id, got, err)
		}
	}
	forged := binary.BigEndian.AppendUint64(nil, 5)
	for _, s := range []string{"", "x", "AAAAAAAAAAA", string(forged), encodePageToken(5) + "=", encodePageToken(5) + "A", encodePageToken(5)[1:], encodePageToken(pet.MaxID + 1), "🐾", strings.Repeat("A", 16), strings.Repeat("A", 100000)} {
		if _, err := decodePageToken(s); !errors.Is(err, pet.ErrBadPageToken) {
			t.Errorf("page token %.20q: %v", s, err)
		}
	}
}

func FuzzPageToken(f *testing.F) {
	f.Add(encodePageToken(0))
	f.Add(encodePageToken(pet.Band))
	f.Fuzz(func(t *testing.T, s string) {
		id, err := decodePageToken(s)
		if err == nil && (encodePageToken(id) != s || id > pet.MaxID) {
			t.Errorf("%q means %d", s, id)
		}
	})
}
