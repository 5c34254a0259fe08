// Package pet defines a pet: its traits and realms, how a realm's contract describes it, where it
// is, its changes, and its published document. pet/collection defines which traits there are.
// pet/directory finds pets, and pet/index keeps them in step with the chains.
package pet

import (
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet/collection"
)

var (
	// ErrBadID: an id must be decimal digits, without a sign or leading zeros.
	ErrBadID = errors.New("malformed pet id")
	// ErrNotFound: the id is in no realm's range of ids, or there is no such pet.
	ErrNotFound = errors.New("no such pet")
	// ErrBurned: the pet existed, but no realm has it any more.
	ErrBurned = fmt.Errorf("burned: %w", ErrNotFound)
	// ErrUnavailable: the store cannot be read now, or it lacks the pet and a realm was not read
	// completely lately.
	ErrUnavailable = errors.New("pet cannot be looked up now")
	// ErrBadPageToken: the page token is damaged, or was made for another order.
	ErrBadPageToken = errors.New("malformed page token")
)

// NotYetRead is the error for an id that the store lacks although a pet may have it. It is an
// ErrUnavailable.
type NotYetRead struct{ Reason string }

func (e *NotYetRead) Error() string        { return ErrUnavailable.Error() + ": " + e.Reason }
func (e *NotYetRead) Is(target error) bool { return target == ErrUnavailable }

// A Pet is one pet as published: its traits, and where it is.
type Pet struct {
	ID        uint64
	Name      string           // the name that the owner gave it, as written; see Clean
	Value     collection.Value // its traits
	Realm     string           // key of the realm where it is or last was
	Owner     common.Address   // its owner in Realm; zero if it is in transit and Realm has burned it
	InTransit bool             // between two realms: in each realm, a bridge or nobody owns it
	Burned    bool             // no realm has it any more; it is not served
	Block     uint64           // block of Realm's chain at which this state was first read
	ChangedAt time.Time        // that block's time, or the time of an import that changed the traits later
}
