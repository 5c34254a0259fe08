package pet

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
)

// The kinds of a Change.
const (
	Appeared = "appeared" // seen for the first time
	Changed  = "changed"  // traits or owner
	Moved    = "moved"    // to another realm, or into transit and out of it
	Burned   = "burned"   // no realm has it any more
	Gone     = "gone"     // undone by the chain, or only known to a realm that is no longer configured
	Reread   = "reread"   // it names no pet: any pet of its realm may differ
)

// NoID is the id of changes that name no pet.
const NoID = math.MaxInt64

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

// A FeedChange is a change as the feed of all pets has it, with its number.
type FeedChange struct {
	Seq uint64  `json:"seq"`
	ID  *uint64 `json:"id,omitempty"` // nil: it names a realm
	Change
}

// InFeed returns the change as the feed has it.
func (c Change) InFeed() FeedChange {
	out := FeedChange{Seq: c.Seq, Change: c}
	if c.ID != NoID {
		out.ID = &c.ID
	}
	return out
}

// Mark returns a text that tells the change from any other that may get its number after a
// backup was put back.
func (c FeedChange) Mark() string {
	text, err := json.Marshal(c)
	if err != nil {
		panic(err) // it has no value that JSON lacks
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// A FeedMark is the last change that a reader of the feed has seen, with enough
// of it to tell whether it is still the same: a database that was restored, or
// failed over to, may give its number to another.
type FeedMark struct {
	Seq   uint64 // 0: none
	ID    uint64 // NoID: a realm was read again
	Taken int64
	Block uint64
}

// BeforeFirst is the error of a time before a pet was first seen, and names the
// first of which it can be told.
type BeforeFirst struct{ First time.Time }

func (e *BeforeFirst) Error() string {
	return "nothing was seen of this pet by then; the earliest is of " + e.First.UTC().Format(time.RFC3339Nano)
}

// ErrFeedReset: the last change that was seen is not in the feed any more, so
// nothing that was concluded from it may be.
var ErrFeedReset = errors.New("the feed of changes went back")

// OutsideFeed is the error of whoever asks for the changes after one that is not
// kept any more, or that never was.
type OutsideFeed struct{ Oldest, Newest uint64 } // that are kept; 0: there are none

func (e OutsideFeed) Error() string {
	return fmt.Sprintf("the changes that are kept are those from %d to %d", e.Oldest, e.Newest)
}

// A Delta is one field of a change, under its name in rawData, or realm, owner,
// intransit.
type Delta struct {
	Field string `json:"field"`
	From  string `json:"from"`
	To    string `json:"to"`
}

// diff words the difference between two published states, nil if there is none.
func (k *Kingdom) diff(before, after *Pet, in ObservedAt) *Change {
	c := &Change{At: in.Time, Realm: in.Realm.Key, Block: in.Block}
	switch {
	case before == nil && (after == nil || in.Afresh):
		return nil
	case before == nil:
		c.ID, c.Kind = after.ID, Appeared
		c.Fields = []Delta{{"realm", "", after.Realm}, {"owner", "", after.Owner.Hex()}}
		return c
	case after == nil:
		c.ID, c.Kind, c.Fields = before.ID, Gone, []Delta{}
		return c
	}
	c.ID, c.Kind = after.ID, Changed
	add := func(field string, changed bool, from, to string) {
		if changed {
			c.Fields = append(c.Fields, Delta{field, from, to})
		}
	}
	add("realm", before.Realm != after.Realm, before.Realm, after.Realm)
	add("owner", before.Owner != after.Owner, before.Owner.Hex(), after.Owner.Hex())
	add("intransit", before.InTransit != after.InTransit, strconv.FormatBool(before.InTransit), strconv.FormatBool(after.InTransit))
	c.Fields = append(c.Fields, k.traitDeltas(before, after)...)
	if len(c.Fields) == 0 { // at a block that was taken back it changed for nothing
		add("block", before.Block != after.Block, strconv.FormatUint(before.Block, 10), strconv.FormatUint(after.Block, 10))
	}
	if len(c.Fields) == 0 {
		return nil
	}
	if before.Realm != after.Realm || before.InTransit != after.InTransit {
		c.Kind = Moved
	}
	return c
}

// traitDeltas lists the traits that differ, the name last. A trait that a pet lacks
// is an empty text. Texts are compared as written and listed as they can be shown.
func (k *Kingdom) traitDeltas(from, to *Pet) (list []Delta) {
	for _, d := range k.Collection.Diff(from.Value, to.Value) {
		if k.Collection.FieldNamed(d.Field).Type.IsText() {
			d.From, d.To = Clean(d.From), Clean(d.To)
		}
		list = append(list, Delta(d))
	}
	if from.Name != to.Name {
		list = append(list, Delta{"name", Clean(from.Name), Clean(to.Name)})
	}
	return list
}
