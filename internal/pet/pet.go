// Package pet defines a pet: its traits, the realms that it lives in, how a
// realm's contract describes it, where it is, what changed in it, and the document
// that is published of it. Which traits there are is the business of
// pet/collection. Pets are found by pet/directory and kept true to the chains by
// pet/index.
package pet

import (
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet/collection"
)

var (
	// ErrBadID: not decimal digits without sign or leading zero.
	ErrBadID = errors.New("malformed pet id")
	// ErrNotFound: outside every realm's band, or no such pet.
	ErrNotFound = errors.New("no such pet")
	// ErrBurned: there was such a pet, and no realm has it any more.
	ErrBurned = fmt.Errorf("burned: %w", ErrNotFound)
	// ErrUnavailable: not known here, and the chain cannot be asked now.
	ErrUnavailable = errors.New("pet cannot be looked up now")
	// ErrBadPageToken: a listing's page token that was not made here.
	ErrBadPageToken = errors.New("malformed cursor")
)

// A Pet is one pet as it is published: its traits, and where it is.
type Pet struct {
	ID        uint64
	Name      string           // that its owner gave, as written: see Clean
	Value     collection.Value // its traits
	Realm     string           // key of the realm where it is, or was last
	Owner     common.Address   // in Realm; zero while it is in transit after a burn
	InTransit bool             // no realm shows an owner, one has it in custody: it is between two
	Burned    bool             // no realm has it any more: nothing else is known of it, and it is not served
	Block     uint64           // of Realm's chain, at which this state was read
	ChangedAt time.Time        // that block's time
}
