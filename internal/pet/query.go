package pet

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// Limits of a listing's page.
const (
	DefaultLimit = 50
	MaxLimit     = 100
)

// A Query selects pets for a listing. Nil fields do not filter; what is given
// must all hold.
type Query struct {
	Realm      *string // key of the realm where the pet is
	Egg        *int
	Rarity     *int
	Element    *int
	Shiny      *int // 0 or 1
	Background *int
	Owner      *common.Address
	Cursor     string // Page.Next of the page before; empty for the first
	Limit      int    // 0: DefaultLimit; at most MaxLimit
}

// A Page is a part of a listing, in the order of ids. The work for a page is
// bounded, so a rare combination can give a short or even empty page that
// still has a Next.
type Page struct {
	Pets []Pet
	Next string // empty: this was the last
}

// Found is what was found for one id of a batch.
type Found struct {
	ID  uint64
	Pet Pet
	Err error // ErrNotFound or ErrUnavailable
}

// The kinds of a Change.
const (
	Appeared = "appeared" // seen for the first time
	Changed  = "changed"  // traits or owner
	Moved    = "moved"    // to another realm, or into transit and out of it
	Gone     = "gone"     // undone by the chain
)

// A Change is one difference that was seen in a pet, and never altered after.
type Change struct {
	Seq    uint64    `json:"-"`
	ID     uint64    `json:"id"`
	At     time.Time `json:"at"` // time of the block at which it was seen
	Realm  string    `json:"realm"`
	Block  uint64    `json:"block"`
	Kind   string    `json:"kind"`
	Fields []Delta   `json:"fields"`
}

// A Delta is one field of a change, under its name in rawData, or realm,
// owner, intransit.
type Delta struct {
	Field string `json:"field"`
	From  string `json:"from"`
	To    string `json:"to"`
}

// encodeCursor makes the opaque text that resumes a listing after id.
func encodeCursor(after uint64) string {
	b := binary.BigEndian.AppendUint64(nil, after)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(append([]byte("pets after "), b...)))
	return base64.RawURLEncoding.EncodeToString(b)
}

// decodeCursor undoes encodeCursor; text that it did not make is ErrBadCursor.
// A cursor holds no right to anything: the checksum only tells a typing
// mistake from a place in the listing.
func decodeCursor(s string) (uint64, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(b) != 12 {
		return 0, fmt.Errorf("%w", ErrBadCursor)
	}
	after := binary.BigEndian.Uint64(b)
	if after > MaxID || encodeCursor(after) != s {
		return 0, fmt.Errorf("%w", ErrBadCursor)
	}
	return after, nil
}
