package index

import (
	"context"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
)

// Store is where an indexer keeps what it saw. *store.Store is one.
type Store interface {
	// PetWork returns how far the realm's indexing has come, with at most limit
	// of the ids that are wanted of it.
	PetWork(ctx context.Context, realm string, limit int) (Work, error)
	// PetIDs returns ids within a span that the realm has or had, ascending, at
	// most limit.
	PetIDs(ctx context.Context, realm string, in pet.Span, limit int) ([]uint64, error)
	// PetsInCustody returns ids from one on that any of the realms has in custody,
	// ascending, at most limit.
	PetsInCustody(ctx context.Context, realms []string, from uint64, limit int) ([]uint64, error)
	// WritePets writes a step, all of it or nothing, and only while this
	// process may.
	WritePets(ctx context.Context, b Batch) (Written, error)
}

// The phases of indexing a realm, in their order.
const (
	phaseNatives = "natives" // the realm's own band, at one pinned block
	phaseGuests  = "guests"  // pets of other realms that are here
	phaseAway    = "away"    // pets that other realms have in custody
	phaseVerify  = "verify"  // rows from before, when a realm is read afresh
	phaseFollow  = "follow"  // the realm's events
)

// A Position is how far the indexing of a realm has come. It is written together
// with the pets that it speaks of, so a process may die at any moment.
type Position struct {
	Source  string `json:"source"` // what is read: chain, contract, getters; another one starts afresh
	Fields  string `json:"fields"` // a hash of the collection's fields; with others all rows are read again
	Phase   string `json:"phase"`
	Next    uint64 `json:"next"`              // what Phase does next: a number, a token index, a block or an id
	Limit   uint64 `json:"limit"`             // where Phase ends, where it knows
	ByIndex bool   `json:"byIndex,omitempty"` // guests are listed by the contract itself
	ByEvent bool   `json:"byEvent,omitempty"` // or by their events, from the block Events
	Events  uint64 `json:"events,omitempty"`
	Custody string `json:"custody,omitempty"` // addresses that rows were judged by
	Natives uint64 `json:"natives"`           // numbers that the realm had given out, plus one
	Afresh  bool   `json:"afresh,omitempty"`  // there were rows before

	// First is the block from which events are followed. Pin is the block that
	// the bootstrap reads at: First, or a later one if the nodes no longer had
	// the state of the one before.
	First evm.Block `json:"first"`
	Pin   evm.Block `json:"pin"`

	Block    evm.Block  `json:"block"`              // last followed
	Owed     []pet.Span `json:"owed,omitempty"`     // ids that are yet to be read again
	OwedNext uint64     `json:"owedNext,omitempty"` // from which of them on
	Swept    uint64     `json:"swept,omitempty"`    // last id that the sweep read, 0: it begins anew

	// Reread is the id from which on rows are yet to be read again because the
	// collection has new fields; nil: none.
	Reread *uint64 `json:"reread,omitempty"`
}

// Following reports whether the realm has been read, and its events are followed.
func (p *Position) Following() bool { return p.Phase == phaseFollow }

// rereading reports whether the realm is being read as a whole. What that finds out
// is no change of each pet: one change that names the realm follows.
func (p *Position) rereading() bool {
	return p != nil && (!p.Following() || p.Reread != nil)
}

// A BlockMark is a followed block: what must still be so, and which pets must be
// read again if it is not.
type BlockMark struct {
	evm.Block // without Parent
	IDs       []uint64
	Spans     []pet.Span
}

// Work is what a realm's indexer finds to do.
type Work struct {
	Position *Position // nil: never begun
	Reindex  bool      // an operator asks for the realm to be read from the start
	Wanted   []uint64  // asked for by others, oldest first, bounded
	Aside    int       // wanted later: could not be read lately
	// Marks reads the followed blocks, ascending. Few steps need them.
	Marks func(ctx context.Context) ([]BlockMark, error)
}

// A Batch is one step of a realm's indexer: all of it is written, or nothing.
type Batch struct {
	Realm    pet.Realm
	Kingdom  *pet.Kingdom
	Position Position

	At           evm.Block // at which Observations and Swept were read
	Observations []pet.Observation
	Touched      map[uint64]bool      // ids that the step's events spoke of
	Swept        []pet.Observation    // read without any event's word: a difference is drift
	Answered     []uint64             // no longer wanted here
	Want         map[uint64]time.Time // ids to be read later, from then on

	Marks []BlockMark
	Keep  uint64 // marks below this block are dropped

	// Bootstrap: the realm is read from the start. Only what it says now counts, and
	// a pet seen for the first time is no change.
	Bootstrap bool
	// Begin: this is the first step of a bootstrap. All earlier marks are dropped.
	Begin bool
	// Reindexed: with this step the realm is read from the start, as was asked for.
	Reindexed bool
	// Undo, unless nil, is the last block that still counts. The marks above it are
	// dropped, unless more pets are to be undone first.
	Undo     *evm.Block
	UndoMore bool
	// Quiet: the realm is being read as a whole. A trait that a pet lacked is no change.
	Quiet bool
	// Announce: the realm has been read as a whole. The feed gets one change that names
	// the realm.
	Announce bool
}

// Written is what a Batch did.
type Written struct {
	Changed []uint64 // ids whose published state changed
	Drift   int      // of Swept, how many differed from what was stored
}
