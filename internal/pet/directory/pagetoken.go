package directory

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"

	"petsupply/internal/pet"
)

// encodePageToken makes an opaque text that resumes a listing at a position.
func encodePageToken(order pet.Order, from pet.PagePosition) string {
	var b []byte
	if order != pet.ByID && order != pet.Newest {
		b = binary.BigEndian.AppendUint64(b, from.Key)
	}
	b = binary.BigEndian.AppendUint64(b, from.ID)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(append([]byte("pets from "+order), b...)))
	return base64.RawURLEncoding.EncodeToString(b)
}

// decodePageToken reverses encodePageToken. The error is pet.ErrBadPageToken for text that
// encodePageToken did not make, or made for another order. A token grants no rights; the checksum
// only detects typing mistakes.
func decodePageToken(order pet.Order, s string) (from pet.PagePosition, err error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(b) != 12 && len(b) != 20 {
		return from, pet.ErrBadPageToken
	}
	from.ID = binary.BigEndian.Uint64(b[len(b)-12:])
	if len(b) == 20 {
		from.Key = binary.BigEndian.Uint64(b)
	}
	if from.ID > pet.MaxID || encodePageToken(order, from) != s {
		return from, pet.ErrBadPageToken
	}
	return from, nil
}
