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
	// PetsToCheck returns the ids in a span whose pets a bridge owns in any realm, and those that
	// PetIDs returns, in ascending order. It returns at most limit ids. If realm is empty, it leaves
	// out those of PetIDs.
	PetsToCheck(ctx context.Context, realm string, in pet.Span, limit int) ([]uint64, error)
	// WritePets writes a step in one transaction. Only the leader may call it.
	WritePets(ctx context.Context, b Batch) (Written, error)
}

// The phases of indexing a realm, in order, and what each of them reads.
const (
	phaseNatives = "natives" // the realm's own ids, at one pinned block
	phaseListed  = "listed"  // the pets that the contract lists, if it cannot count them
	phaseEvents  = "events"  // pets in the contract's events, if it neither counts nor lists them
	phaseCheck   = "check"   // pets that were stored before, or that a bridge owns in another realm
	phaseFollow  = "follow"  // the realm's events
)

// A Position is the progress of indexing a realm. It is written in one transaction with the pets of
// each step. So after a crash, indexing continues where it was.
type Position struct {
	Source  string `json:"source"` // chain, contract and getter; if they change, the realm is read from the start
	Form    string `json:"form"`   // fields and custody addresses; if they change, all rows are read again
	Phase   string `json:"phase"`
	Next    uint64 `json:"next"`            // next item of Phase: a pet's number, a token index, a block or an id
	Limit   uint64 `json:"limit"`           // end of Phase, if known
	Since   uint64 `json:"since"`           // first block of phaseEvents
	Again   bool   `json:"again,omitempty"` // the realm was read before, so there are earlier rows
	Natives uint64 `json:"natives"`         // the number that the realm's next pet will get

	// First is the block from which events are followed. Pin is the block at which the first reading
	// reads: First, or a later one if the nodes dropped the state of First.
	First evm.Block `json:"first"`
	Pin   evm.Block `json:"pin"`

	Block evm.Block `json:"block"`           // last block that was followed
	Swept uint64    `json:"swept,omitempty"` // the id at which the next sweep begins
	// RereadAll says that Form changed, so all rows of the realm were queued, and some still are.
	RereadAll bool `json:"whole,omitempty"`
}

// Following reports whether the first reading is complete and events are followed.
func (p *Position) Following() bool { return p.Phase == phaseFollow }

// OldestMark returns the lowest block that needs a mark.
func (p *Position) OldestMark() uint64 {
	newest := p.First.Number
	if p.Following() {
		newest = p.Block.Number
	}
	return newest - min(newest, depth-1)
}

// Share returns how much of the phase is done, in percent, or 0 if that is unknown.
func (p *Position) Share() float64 {
	var begun uint64
	if p.Phase == phaseEvents {
		begun = p.Since
	}
	if p.Limit <= begun {
		return 0
	}
	return 100 * float64(p.Next-begun) / float64(p.Limit-begun)
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
	Wanted   []uint64  // single ids of the queue that are due, earliest first
	Span     *pet.Span // the span of the queue that is due first, or nil
	Aside    int       // ids that could not be read and are due later; the store stops counting at some number
	// Compared is how long ago the leader of this term last compared the realm with its chain's
	// newest block. If it never did, Compared is a long time.
	Compared time.Duration
	// Marks reads the followed blocks, in ascending order. Few steps need them.
	Marks func(ctx context.Context) ([]BlockMark, error)
}

// A Batch is one step of a realm's indexer: a *Reading, *Following, *Rereading or *Undoing. It is
// written in one transaction.
type Batch interface{ common() *Step }

// A Step is what all batches have.
type Step struct {
	Registry *pet.Registry
	Realm    pet.Realm
	Position Position
	At       evm.Block // the block at which Pets were read
	Pets     []pet.Observation
	Later    map[uint64]time.Time // single ids for the queue, and the times from which they are due
	Spans    []pet.Span           // spans for the queue
}

func (s *Step) common() *Step { return s }

// A Reading is a step of the first reading. Only the realm's current state counts, and the first
// sight of a pet is not a change.
type Reading struct {
	Step
	Begin bool        // the first step; it drops all older marks, and ends the operator's request
	Marks []BlockMark // of the first step
}

// A Following has followed some blocks.
type Following struct {
	Step
	Touched map[uint64]bool // ids in the events of these blocks
	Done    []uint64        // single ids of the queue that were read
	Marks   []BlockMark
	// Compared is when Position.Block was known to be the newest block. It is zero if there may be
	// newer ones.
	Compared time.Time
}

// A Rereading has read a span, although no event named its pets. Spans come from the queue and from
// sweeps.
type Rereading struct {
	Step
	Done pet.Span
}

// An Undoing takes back blocks that a reorg removed. The last block that stays is Position.Block. No
// pet was read. Those that the blocks touched are in Later.
type Undoing struct{ Step }

// Written is the result of a Batch.
type Written struct {
	Changed int // changes in the feed
	Drift   int // pets of a Rereading that differed from the store
}
