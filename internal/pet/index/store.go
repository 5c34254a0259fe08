package index

import (
	"context"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
)

// Store stores the data of indexers. *store.Store implements it.
type Store interface {
	// PetWork returns the state of the realm's indexing, with at most limit wanted ids.
	PetWork(ctx context.Context, realm string, limit int) (Work, error)
	// PetIDs returns the ids in a span whose pets the realm has or once had, in ascending order. It
	// returns at most limit ids.
	PetIDs(ctx context.Context, realm string, in pet.Span, limit int) ([]uint64, error)
	// PetsInCustody returns the ids of pets that any of the realms has in custody, in ascending
	// order. It begins at the id in the parameter from, and returns at most limit ids.
	PetsInCustody(ctx context.Context, realms []string, from uint64, limit int) ([]uint64, error)
	// WritePets writes a step in one transaction. Only the leader may call it.
	WritePets(ctx context.Context, b Batch) (Written, error)
}

// The phases of indexing a realm, in order, and what each of them reads.
const (
	phaseNatives = "natives" // the realm's own ids, at one pinned block
	phaseGuests  = "guests"  // pets whose ids the realm does not count, such as those of other realms
	phaseAway    = "away"    // pets that other realms have in custody, because they may be in this realm
	phaseVerify  = "verify"  // pets that were stored before, if the realm is read from the start again
	phaseFollow  = "follow"  // the realm's events
)

// A Position is the progress of indexing a realm. It is written in one transaction with the pets of
// each step. So after a crash, indexing continues where it was.
type Position struct {
	Source  string `json:"source"` // chain, contract and getters; if they change, the realm is read from the start
	Fields  string `json:"fields"` // hash of the collection's fields; if it changes, all rows are read again
	Phase   string `json:"phase"`
	Next    uint64 `json:"next"`              // next item of Phase: a pet's number, a token index, a block or an id
	Limit   uint64 `json:"limit"`             // end of Phase, if known
	ByIndex bool   `json:"byIndex,omitempty"` // guests are found with tokenByIndex, not in events
	Guests  bool   `json:"byEvent,omitempty"` // whether to look for guests at all; ByIndex says where
	Events  uint64 `json:"events,omitempty"`  // first block of the search for guests in events
	Custody string `json:"custody,omitempty"` // custody addresses when the rows were read
	Natives uint64 `json:"natives"`           // the number that the realm's next pet will get
	Afresh  bool   `json:"afresh,omitempty"`  // the realm was read before, so there are earlier rows

	// First is the block from which events are followed. Pin is the block at which the bootstrap
	// reads: First, or a later one if the nodes dropped the state of First.
	First evm.Block `json:"first"`
	Pin   evm.Block `json:"pin"`

	Block    evm.Block  `json:"block"`              // last block that was followed
	Owed     []pet.Span `json:"owed,omitempty"`     // ids to read again
	OwedNext uint64     `json:"owedNext,omitempty"` // the next id of Owed to read
	Swept    uint64     `json:"swept,omitempty"`    // last id that the sweep read, or 0 to start again

	// Reread is the next id whose row is read again because the collection has new fields. nil
	// means none.
	Reread *uint64 `json:"reread,omitempty"`
}

// Following reports whether the bootstrap is complete and events are followed.
func (p *Position) Following() bool { return p.Phase == phaseFollow }

// share returns how much of the phase is done, in percent, or 0 if that is unknown.
func (p *Position) share() float64 {
	var begun uint64
	if p.Phase == phaseGuests && !p.ByIndex {
		begun = p.Events
	}
	if p.Limit <= begun {
		return 0
	}
	return 100 * float64(p.Next-begun) / float64(p.Limit-begun)
}

// rereading reports whether the whole realm is being read, for the first time or again. Meanwhile
// new pets and new traits are not reported as changes. At the end, one change names the realm.
func (p *Position) rereading() bool {
	return p != nil && (!p.Following() || p.Reread != nil)
}

// A BlockMark is a followed block and the pets that it touched. If the block is no longer
// canonical, these pets are read again.
type BlockMark struct {
	evm.Block // Parent is not set
	IDs       []uint64
	Spans     []pet.Span
}

// Work is the work for a realm's indexer.
type Work struct {
	Position *Position // nil if the realm was never read
	Reindex  bool      // an operator asked for a read from the start
	Wanted   []uint64  // ids that are due to be read, earliest first
	Aside    int       // ids that could not be read and are due later; the store stops counting at some number
	// Marks reads the followed blocks, in ascending order. Few steps need them.
	Marks func(ctx context.Context) ([]BlockMark, error)
}

// A Batch is one step of a realm's indexer. It is written in one transaction.
type Batch struct {
	Realm    pet.Realm
	Kingdom  *pet.Kingdom
	Position Position

	At           evm.Block // the block at which Observations and Swept were read
	Observations []pet.Observation
	Touched      map[uint64]bool      // ids in the step's events
	Swept        []pet.Observation    // read without an event; a difference is drift
	Answered     []uint64             // wanted ids that this step has read
	Want         map[uint64]time.Time // ids to read later, and the times from which they are due

	Marks []BlockMark
	Keep  uint64 // marks below this block are dropped

	// Bootstrap says that the realm is read from the start. Only its current state counts, and the
	// first sight of a pet is not a change.
	Bootstrap bool
	// Begin says that this is the first step of a bootstrap. It drops all block marks that were
	// written before.
	Begin bool
	// Reindexed says that this step begins to read the realm again, because an operator asked for
	// it, or because Position.Source changed. The step ends the operator's request.
	Reindexed bool
	// Undo is the last block that is still canonical after a reorg, or nil. UndoMore says that the
	// next step undoes more pets. A step without UndoMore drops the marks above Undo.
	Undo     *evm.Block
	UndoMore bool
	// Quiet says that the whole realm is being read. Traits that a pet did not have before are then
	// not a change.
	Quiet bool
	// Announce says that the whole realm was read. The feed gets one change that names the realm.
	Announce bool
}

// Written is the result of a Batch.
type Written struct {
	Changed []uint64 // ids whose published state changed
	Drift   int      // how many of Swept differed from the store
}
