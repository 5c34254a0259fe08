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

	"petsupply/internal/pet/collection"
)

// The kinds of a Change.
const (
	Appeared = "appeared" // seen for the first time
	Changed  = "changed"  // traits, name or owner; after a reorg, perhaps only the block
	Moved    = "moved"    // to another realm, or into or out of transit
	Burned   = "burned"   // no realm has it any more
	Gone     = "gone"     // a reorg undid its hatching, or it was only in a realm that is no longer configured
	Reread   = "reread"   // names no pet: any pet of the realm may have changed
)

// NoID is the id of a change that names no pet.
const NoID = math.MaxInt64

// A Change is an observed change of one pet, or of a whole realm (Reread). It is never altered
// later.
type Change struct {
	Seq uint64 `json:"-"`
	ID  uint64 `json:"id"`
	// At is the time of the block where the change was seen. For an import, it is the time of the
	// import or, in a closed realm, the time that the file gives. For a realm that is no longer
	// configured, it is when the realm's pets were forgotten.
	At     time.Time `json:"at"`
	Realm  string    `json:"realm"`
	Block  uint64    `json:"block"`
	Kind   string    `json:"kind"`
	Fields []Delta   `json:"fields"`
}

// A FeedChange is a change in the feed of all pets, with its number.
type FeedChange struct {
	Seq uint64  `json:"seq"`
	ID  *uint64 `json:"id,omitempty"` // nil if the change covers a realm
	Change
}

// InFeed returns the change in the form of the feed.
func (c Change) InFeed() FeedChange {
	out := FeedChange{Seq: c.Seq, Change: c}
	if c.ID != NoID {
		out.ID = &c.ID
	}
	return out
}

// Mark returns a text that identifies the change. After a restore another change may have the same
// number, but not the same mark.
func (c FeedChange) Mark() string {
	text, err := json.Marshal(c)
	if err != nil {
		panic(err) // cannot happen: all values have a JSON form
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// A FeedMark identifies a change in the feed, such as the last one that a reader has seen. It has
// enough data to notice if another change has the same number, as after a restore or a failover.
type FeedMark struct {
	Seq   uint64 // 0 if there is none
	ID    uint64 // the pet; NoID if the change concerns a whole realm
	Taken int64  // Change.At in Unix milliseconds
	Block uint64
}

// ErrFeedReset: the reader's last change is no longer in the feed. Everything that the reader
// derived from the feed may be wrong.
var ErrFeedReset = errors.New("the last change that was read is no longer in the feed")

// OutsideFeed is the error for a request for changes that are no longer kept, or that never
// existed.
type OutsideFeed struct{ Oldest, Newest uint64 } // numbers of the changes that are kept; 0 if none

func (e OutsideFeed) Error() string {
	return fmt.Sprintf("only the changes from %d to %d are kept", e.Oldest, e.Newest)
}

// A Delta is one field of a change. Field is its name in rawData, or "realm", "owner", "intransit"
// or "block".
type Delta struct {
	Field string `json:"field"`
	From  string `json:"from"`
	To    string `json:"to"`
}

// diff describes the difference between two published states. It returns nil if they are equal.
func (rg *Registry) diff(before, after *Pet, in ObservedAt) *Change {
	c := &Change{At: in.Time, Realm: in.Realm.Key, Block: in.Block}
	switch {
	case before == nil && (after == nil || in.First):
		return nil
	case before == nil:
		c.ID = after.ID
		c.Kind = Appeared
		c.Fields = []Delta{{"realm", "", after.Realm}, {"owner", "", after.Owner.Hex()}}
		return c
	case after == nil:
		c.ID = before.ID
		c.Kind = Gone
		c.Fields = []Delta{}
		return c
	}
	c.ID = after.ID
	c.Kind = Changed
	add := func(field string, changed bool, from, to string) {
		if changed {
			c.Fields = append(c.Fields, Delta{field, from, to})
		}
	}
	add("realm", before.Realm != after.Realm, before.Realm, after.Realm)
	add("owner", before.Owner != after.Owner, before.Owner.Hex(), after.Owner.Hex())
	add("intransit", before.InTransit != after.InTransit, strconv.FormatBool(before.InTransit),
		strconv.FormatBool(after.InTransit))
	c.Fields = append(c.Fields, rg.traitDeltas(before, after)...)
	if len(c.Fields) == 0 && before.Block == after.Block {
		return nil
	}
	if len(c.Fields) == 0 { // after a reorg, the same state can be in another block
		c.Fields = blockDelta(before.Block, after.Block)
	}
	if before.Realm != after.Realm || before.InTransit != after.InTransit {
		c.Kind = Moved
	}
	return c
}

// blockDelta describes a change of nothing but the block. It is empty if the block was undone and the
// pet was not read again yet.
func blockDelta(from, to uint64) []Delta {
	if to == 0 {
		return []Delta{}
	}
	d := Delta{Field: "block", To: strconv.FormatUint(to, 10)}
	if from > 0 {
		d.From = strconv.FormatUint(from, 10)
	}
	return []Delta{d}
}

// traitDeltas lists the traits that differ. The name comes last. A missing trait is an empty text.
// Texts are compared as written, and listed in a form that is safe to show.
func (rg *Registry) traitDeltas(from, to *Pet) (list []Delta) {
	rg.Collection.Diff(from.Value, to.Value, func(f *collection.Field, before, after string) {
		if f.Type.IsText() {
			before = Clean(before)
			after = Clean(after)
		}
		list = append(list, Delta{f.Raw, before, after})
	})
	if from.Name != to.Name {
		list = append(list, Delta{"name", Clean(from.Name), Clean(to.Name)})
	}
	return list
}
