package pet

import (
	"github.com/ethereum/go-ethereum/common"
)

// Limits of a listing's page.
const (
	DefaultLimit = 50
	MaxLimit     = 100
)

// A Query selects pets for a listing. What is nil does not filter; what is given
// must all hold.
type Query struct {
	Realm     *string        // key of the realm where the pet is
	Traits    map[string]int // by the column of a Field that is a Filter
	Owner     *common.Address
	PageToken string // Page.Next of the page before; empty for the first
	Limit     int    // 0: DefaultLimit; at most MaxLimit
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
	Err error // ErrNotFound, perhaps as ErrBurned, or ErrUnavailable
}
