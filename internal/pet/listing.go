package pet

import (
	"github.com/ethereum/go-ethereum/common"
)

// MaxLimit limits the pets on a page of a listing.
const MaxLimit = 100

// A Query selects pets for a listing. A pet must meet all conditions. A condition with several
// values is met by any of them. Fields that are nil or empty are no condition.
type Query struct {
	Realms    []string         // keys of realms; the pet is in one of them
	Traits    map[string][]int // allowed values, by the key of a field that listings filter by
	Owner     *common.Address
	Name      string // beginning of the pet's given name; if set, there is one page, in the order of names
	Order     Order
	From      PagePosition // start of the first page
	PageToken string       // Page.Next of the previous page; empty for the first
	Limit     int          // at most MaxLimit; 0 means 50
}

// An Order is the order of a listing: ByID, Newest, or the key of a field that listings sort by.
// Among equal values, a descending field lists the newest pets first, and an ascending field the
// oldest.
type Order string

// The orders that every collection has.
const (
	ByID   Order = ""
	Newest Order = "newest" // the highest id first
)

// A PagePosition says where a listing continues. In the order ByID it continues with the pet that
// has this ID, and in other orders after that pet. Key is that pet's value of the field that the
// listing is sorted by, and 0 in the orders ByID and Newest. The zero PagePosition is the start.
type PagePosition struct{ Key, ID uint64 }

// A Page is a part of a listing. The work for a page is bounded, so a query that few pets match can
// give a short or even empty page that still has a Next.
type Page struct {
	Pets []Pet
	// Next is the token of the next page, or empty for the last page. If the Query has a Name,
	// there is no next page, and a Next that is not empty says only that more pets may match.
	Next string
}

// Found is the result for one id of a batch.
type Found struct {
	ID  uint64
	Pet Pet
	Err error // ErrNotFound, ErrBurned or ErrUnavailable
}
