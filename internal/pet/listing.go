package pet

import (
	"github.com/ethereum/go-ethereum/common"
)

// MaxLimit bounds the pets of a listing's page.
const MaxLimit = 100

// A Query selects pets for a listing. What is nil or empty does not filter; what
// is given must all hold.
type Query struct {
	Realm     *string        // key of the realm where the pet is
	Traits    map[string]int // by the key of a field with filter
	Or        []Query        // of each Realm and Traits: pets that have these instead are listed too
	Owner     *common.Address
	Name      string // what the name that a keeper gave begins with; by itself, and one page only
	Order     Order
	From      PagePosition // where the first page begins
	PageToken string       // Page.Next of the page before; empty for the first
	Limit     int          // 0: 50; at most MaxLimit
}

// An Order is what a listing is sorted by: ByID, Newest, or the key of a field that
// has sort. Of equal values the newest come first where the field is sorted
// descending, and the oldest where it is ascending.
type Order string

// The orders of every collection.
const (
	ByID   Order = ""
	Newest Order = "newest" // the highest id first
)

// A PagePosition is where a listing goes on: by id with the pet of that id, in the
// other orders behind it. Only orders by a field have keys. The zero PagePosition is
// the start.
type PagePosition struct{ Key, ID uint64 }

// A Page is a part of a listing. The work for a page is bounded, so a rare
// combination can give a short or even empty page that still has a Next.
type Page struct {
	Pets []Pet
	Next string // empty: this was the last
}

// Found is what was found for one id of a batch.
type Found struct {
	ID  uint64
	Pet Pet
	Err error // ErrNotFound, perhaps as ErrBurned, or ErrUnavailable
}
