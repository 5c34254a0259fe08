package pet

import (
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
	PageToken  string // Page.Next of the page before; empty for the first
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
