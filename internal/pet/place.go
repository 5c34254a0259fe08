package pet

import (
	"math"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet/collection"
)

// A Presence says how a realm has a pet.
type Presence uint8

const (
	absent    Presence = iota // nobody owns it there: it left, was burned, or never came
	InCustody                 // in custody: the pet is elsewhere, or on its way
	owned                     // by somebody who plays with it
)

// A Place is what one realm last said of a pet. There is one for each realm
// that ever had it, and the pet is at exactly one of them, unless it does not live any
// more: then it was burned.
type Place struct {
	Pet      // Realm is this place's own; InTransit holds only where Here
	Presence Presence
	Here     bool      // the pet is here, or was here last
	Since    uint64    // block of the realm's chain at which it was first seen here
	Arrived  time.Time // when it last came to an owner here; zero: before it was watched
}

// An ObservedAt says where and when an Observation was made.
type ObservedAt struct {
	Realm Realm
	Block uint64
	Time  time.Time
	Event bool // an event spoke of the pet

	// Afresh: the realm is read from the start. Only what it says now counts, and a
	// pet that it shows for the first time is no change.
	Afresh bool
	// Counted: the realm's own pets are those with numbers below Next.
	Counted bool
	Next    uint64
	// Undo, unless nil, is the last block that still counts. Places that were first
	// seen above it vanish.
	Undo *evm.Block
	// Unread: another realm has not been read yet. Perhaps it had another key, so the
	// word of realms that are no longer configured still counts.
	Unread bool
	// Quiet: the realm is being read again, and the feed will say so. A trait that the
	// pet lacked until now is no change.
	Quiet bool
}

// presence says how the realm has the pet that it shows with this owner.
func (r Realm) presence(owner common.Address) Presence {
	switch {
	case owner == (common.Address{}):
		return absent
	case slices.Contains(r.Custody, owner):
		return InCustody
	}
	return owned
}

// Settle puts an observation among the places of its pet, and decides where the
// pet is. It returns the places after it, and the change in what is published,
// nil if there is none. It is pure; the store calls it inside the transaction
// that writes the outcome.
func (k *Kingdom) Settle(places []Place, s Observation, in ObservedAt) ([]Place, *Change) {
	in.Time = in.Time.UTC().Truncate(time.Millisecond)
	if in.Quiet {
		places = k.fill(places, in.Realm.Key, s.Name, s.Value)
	}
	before := Published(places)
	after := make([]Place, 0, len(places)+1)
	seen, undone := false, false
	for _, p := range places {
		if p.Realm != in.Realm.Key {
			after = append(after, p)
			continue
		}
		seen = true
		if p, ok := p.update(s, in); ok {
			after = append(after, p)
		} else {
			undone = in.Realm.Native(s.ID) // its hatching
		}
	}
	presence := in.Realm.presence(s.Owner)
	burnedHere := len(places) > 0 && in.Counted && in.Realm.Native(s.ID) && !in.unhatched(s.ID) // unless it is elsewhere
	if !seen && (presence != absent || burnedHere) {
		after = append(after, newPlace(s, in, presence))
	}
	if undone && !lives(after, k.Realms, in.Unread) {
		after = nil
	}
	locate(after, k.Realms, in.Unread)
	return after, k.change(before, after, in)
}

// change is the difference between what was published of a pet and its places now.
func (k *Kingdom) change(before *Pet, after []Place, in ObservedAt) *Change {
	c := k.diff(before, Published(after), in)
	if c != nil && c.Kind == Gone && len(after) > 0 {
		c.Kind = Burned
	}
	return c
}

// fill gives the places that a realm has of a pet the traits that they lack; so these
// are no change. If a place has no traits at all, it gets the name too.
func (k *Kingdom) fill(places []Place, realm, name string, v collection.Value) []Place {
	places = slices.Clone(places)
	for i := range places {
		p := &places[i]
		if p.Realm != realm || v == "" {
			continue
		}
		if p.Value == "" {
			p.Name = name
		}
		p.Value = k.Collection.Fill(p.Value, v)
	}
	return places
}

// newPlace makes the place of a pet that the realm was not known to have. When
// it arrived is known only while following the realm's events.
func newPlace(s Observation, in ObservedAt, presence Presence) Place {
	p := Place{
		Pet:      Pet{ID: s.ID, Name: s.Name, Value: s.Value, Realm: in.Realm.Key, Owner: s.Owner, Block: in.Block, ChangedAt: in.Time},
		Presence: presence, Since: in.Block,
	}
	if presence == owned && in.Event {
		p.Arrived = in.Time
	}
	return p
}

// update brings a place to what the realm says now; false if nothing of it
// remains.
func (p Place) update(s Observation, in ObservedAt) (Place, bool) {
	presence := in.Realm.presence(s.Owner)
	switch {
	case in.Afresh || in.Undo != nil:
		if in.Afresh || p.Since > in.Undo.Number { // it may have been first seen on a fork
			if presence == absent && (!in.Afresh || in.unhatched(p.ID)) {
				return p, false
			}
			p.Since = in.Block
		}
		if in.Afresh || p.Arrived.After(in.Undo.Time) {
			p.Arrived = time.Time{}
		}
	case presence == owned && p.Presence != owned:
		p.Arrived = in.Time
	}
	if presence == absent {
		s.Name, s.Value = p.Name, p.Value // the last that was known
	}
	if p.Block > in.lastValid() || presence != p.Presence || s.Owner != p.Owner || s.Name != p.Name || s.Value != p.Value {
		p.Block, p.ChangedAt = in.Block, in.Time
	}
	p.Presence, p.Owner, p.Name, p.Value = presence, s.Owner, s.Name, s.Value
	return p, true
}

// unhatched reports whether the realm has not given out the id, which is its own.
func (in ObservedAt) unhatched(id uint64) bool {
	return in.Counted && in.Realm.Native(id) && in.Realm.Number(id) >= in.Next
}

// lastValid is the highest block that still counts.
func (in ObservedAt) lastValid() uint64 {
	switch {
	case in.Afresh:
		return in.Block
	case in.Undo != nil:
		return in.Undo.Number
	}
	return math.MaxUint64
}

// Install puts an imported pet among its places. Where its home is open and contracts
// have no traits, its places get its name and traits and stay what they are
// otherwise. now is the time of the import. It returns the places after it, and the change.
// Traits that the pet lacked are no change: an import ends with one that names the realm.
func (k *Kingdom) Install(places []Place, p Pet, now time.Time) ([]Place, *Change) {
	home, _ := realmNamed(k.Realms, p.Realm)
	if !home.Closed && k.Untraited() {
		for _, at := range places {
			places = k.fill(places, at.Realm, p.Name, p.Value)
		}
		return k.setTraits(places, p, now)
	}
	places = k.fill(places, p.Realm, p.Name, p.Value)
	before := Published(places)
	imported := Place{Pet: p, Presence: owned, Since: p.Block, Arrived: p.ChangedAt}
	if p.InTransit || home.presence(p.Owner) != owned {
		imported.Presence = InCustody
	}
	after := []Place{imported}
	for _, other := range places {
		if other.Realm != p.Realm {
			after = append(after, other)
		}
	}
	locate(after, k.Realms, false)
	return after, k.diff(before, Published(after), ObservedAt{Realm: Realm{Key: p.Realm}, Block: p.Block, Time: p.ChangedAt})
}

// setTraits gives the places of a pet its imported name and traits.
func (k *Kingdom) setTraits(places []Place, p Pet, now time.Time) ([]Place, *Change) {
	now = now.UTC().Truncate(time.Millisecond)
	after := slices.Clone(places)
	for i := range after {
		if at := &after[i]; at.Name != p.Name || at.Value != p.Value {
			at.Name, at.Value, at.ChangedAt = p.Name, p.Value, now
		}
	}
	published := Published(after)
	if published == nil {
		return after, nil
	}
	return after, k.diff(Published(places), published,
		ObservedAt{Realm: Realm{Key: published.Realm}, Block: published.Block, Time: now})
}

// Forget drops what realms that are no longer configured say of a pet. It returns the
// places that remain, and the change. If no other realm has the pet, it was burned; if its
// home is not configured either, nothing remains.
func (k *Kingdom) Forget(places []Place, now time.Time) ([]Place, *Change) {
	before := Published(places)
	after := slices.DeleteFunc(slices.Clone(places), func(p Place) bool {
		_, configured := realmNamed(k.Realms, p.Realm)
		return !configured
	})
	if _, hatched := HomeRealm(k.Realms, places[0].ID); !hatched && !lives(after, k.Realms, false) {
		after = nil // no configured realm has it
	}
	locate(after, k.Realms, false)
	in := ObservedAt{Time: now.UTC().Truncate(time.Millisecond)}
	if before != nil {
		in.Realm.Key, in.Block = before.Realm, before.Block
	}
	return after, k.change(before, after, in)
}

// locate marks the one place where the pet is: the owned one; if several, one of
// an open realm, the latest arrival; if none, the last that was, and then it is
// in transit. A pet that does not live is nowhere.
func locate(places []Place, realms []Realm, unread bool) {
	here := -1
	for i := range places {
		places[i].Here, places[i].InTransit = false, false
		if here < 0 || preferred(places[i], places[here], realms, unread) {
			here = i
		}
	}
	if here >= 0 && lives(places, realms, unread) {
		places[here].Here, places[here].InTransit = true, places[here].Presence != owned
	}
}

// lives reports whether a realm still has the pet, with an owner or in custody. Two words
// count less. A realm that is no longer configured counts only if no configured one ever
// had the pet, or while a realm is unread. The custody of a closed realm counts only if no
// open one ever had the pet: a closed realm cannot tell that its guest was burned.
func lives(places []Place, realms []Realm, unread bool) bool {
	known, open, held, forgotten := false, false, false, false
	for _, p := range places {
		r, configured := realmNamed(realms, p.Realm)
		known = known || configured
		open = open || configured && !r.Closed
		switch {
		case p.Presence == absent:
		case !configured:
			forgotten = true
		case r.Closed && p.Presence == InCustody:
			held = true
		default:
			return true
		}
	}
	return held && !open || forgotten && (!known || unread)
}

// preferred reports whether the pet is rather at a than at b. Of two whose
// arrivals were not watched, a guest's is the later: it left home for it.
func preferred(a, b Place, realms []Realm, unread bool) bool {
	if ra, rb := a.rank(realms, unread), b.rank(realms, unread); ra != rb {
		return ra > rb
	}
	if !a.Arrived.Equal(b.Arrived) {
		return a.Arrived.After(b.Arrived)
	}
	home, _ := HomeRealm(realms, a.ID)
	if (a.Realm == home.Key) != (b.Realm == home.Key) {
		return b.Realm == home.Key
	}
	return a.Realm < b.Realm
}

// rank is how much a place's word weighs. An owner in an open realm weighs more than one
// that was imported of a closed realm, and a realm that is no longer configured weighs
// least. While a realm is unread, an owner in a realm that is no longer configured weighs
// more than a configured realm without an owner.
func (p Place) rank(realms []Realm, unread bool) int {
	r, configured := realmNamed(realms, p.Realm)
	has := p.Presence == owned
	switch {
	case configured && has && !r.Closed:
		return 5
	case configured && has:
		return 4
	case has && unread:
		return 3
	case configured:
		return 2
	case has:
		return 1
	}
	return 0
}

// Published returns the pet as it is shown, nil if there is none.
func Published(places []Place) *Pet {
	for i := range places {
		if places[i].Here {
			return &places[i].Pet
		}
	}
	return nil
}
