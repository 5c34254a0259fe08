package directory

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"petsupply/internal/pet"
)

// encodePageToken makes the opaque text that resumes a listing after id.
func encodePageToken(after uint64) string {
	b := binary.BigEndian.AppendUint64(nil, after)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(append([]byte("pets after "), b...)))
	return base64.RawURLEncoding.EncodeToString(b)
}

// decodePageToken undoes encodePageToken; text that it did not make is pet.ErrBadPageToken.
// A token holds no right to anything: the checksum only tells a typing
// mistake from a place in the listing.
func decodePageToken(s string) (uint64, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(b) != 12 {
		return 0, fmt.Errorf("%w", pet.ErrBadPageToken)
	}
	after := binary.BigEndian.Uint64(b)
	if after > pet.MaxID || encodePageToken(after) != s {
		return 0, fmt.Errorf("%w", pet.ErrBadPageToken)
	}
	return after, nil
}
