package pet

import (
	"math"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet/collection"
)

// A Presence says whether a realm has a pet, and whether a bridge owns it there.
type Presence uint8

const (
	absent    Presence = iota // without an owner: it left, was burned, or never came
	InCustody                 // owned by a bridge: the pet is in another realm or in transit
	owned                     // with an owner who is not a bridge
)

// A Place is a realm's last known state of a pet. A pet has a Place for each realm that ever had
// it. Here is set in exactly one of these places, or in none if the pet was burned.
type Place struct {
	Pet      // Realm is the realm of this place; InTransit is valid only if Here is set
	Presence Presence
	Here     bool   // the pet is in this realm, or is in transit and last had an owner here
	Since    uint64 // block of the realm's chain where the pet was first seen
	// Arrived is when the pet last got an owner in this realm. It is zero if the realm was not
	// followed then. When such a pet leaves, Arrived becomes its last ChangedAt, the latest time at
	// which the pet is known to have been here.
	Arrived time.Time
}

// An ObservedAt says where and when an Observation was made.
type ObservedAt struct {
	Realm Realm
	Block uint64
	Time  time.Time
	Event bool // the pet's id is in an event of this step

	// Afresh says that the realm is read from the start. Only its current state counts, and the
	// first sight of a pet is not a change.
	Afresh bool
	// Counted says that Next is known. The realm's own pets are then those with numbers below Next.
	Counted bool
	Next    uint64
	// Undo is the last block that is still canonical after a reorg, or nil. A place that was first
	// seen in a later block vanishes if the realm no longer has the pet.
	Undo *evm.Block
	// Unread says that some other realm has not been read yet. It may be a realm whose key has
	// changed, and whose pets still have places under the old key. So places in realms that are no
	// longer configured still count.
	Unread bool
	// Quiet says that the whole realm is being read, for the first time or again. Traits that the
	// pet did not have before are then not a change. At the end, one change names the realm.
	Quiet bool
}

// presence returns a pet's presence in the realm, given its owner there.
func (r Realm) presence(owner common.Address) Presence {
	switch {
	case owner == (common.Address{}):
		return absent
	case slices.Contains(r.Custody, owner):
		return InCustody
	}
	return owned
}

// Settle applies an observation to the places of its pet and decides where the pet is. It returns
// the new places, and the change in the published pet, or nil. It has no side effects; the store
// calls it inside the transaction that writes the result.
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
			undone = in.Realm.Native(s.ID) // the pet's home no longer has it: its hatching was undone
		}
	}
	presence := in.Realm.presence(s.Owner)
	// A pet of this realm was surely minted if the realm's count includes it, or if some realm had
	// it by the time of this observation. If such a pet has no owner here, it was burned here, and
	// perhaps minted in another realm.
	burnedHere := in.Realm.Native(s.ID) && slices.ContainsFunc(places, func(p Place) bool {
		return in.Counted && !in.unhatched(s.ID) || !p.ChangedAt.After(in.Time)
	})
	if !seen && (presence != absent || burnedHere) {
		after = append(after, newPlace(s, in, presence))
	}
	if undone && !lives(after, k.Realms, in.Unread) {
		after = nil
	}
	// A burned pet stays burned until one of these happens: a reorg; a realm that does not lag
	// behind shows an owner who is not a bridge; or a bridge owns the pet at its home. A bridge in
	// another realm does not count, because it may still own a pet that has returned home.
	stays := before == nil && len(places) > 0 && in.Undo == nil
	if !stays || presence == owned && !k.cameHome(after, in.Realm) || presence == InCustody && in.Realm.Native(s.ID) {
		locate(after, k.Realms, in.Unread)
	}
	return after, k.change(places, after, in)
}

// clockSkew is the largest expected difference between the clocks of two chains.
const clockSkew = time.Minute

// cameHome reports whether the pet came to the given realm and later got an owner at its home. If
// the given realm then still shows an owner, its chain lags behind.
func (k *Kingdom) cameHome(places []Place, realm Realm) bool {
	home, _ := HomeRealm(k.Realms, places[0].ID)
	var came, back time.Time
	for _, p := range places {
		switch {
		case p.Realm == home.Key:
			back = p.Arrived
		case p.Realm == realm.Key && p.Arrived.IsZero():
			came = p.ChangedAt
		case p.Realm == realm.Key:
			came = p.Arrived
		}
	}
	return realm.Key != home.Key && came.Add(clockSkew).Before(back)
}

// change returns the difference between the published pet before and after an observation. before
// and after are all places of the pet.
func (k *Kingdom) change(before, after []Place, in ObservedAt) *Change {
	was := Published(before)
	if was == nil && len(before) > 0 && len(after) == 0 {
		was = &before[0].Pet // the pet was burned, and now nothing of it remains
	}
	c := k.diff(was, Published(after), in)
	if c != nil && c.Kind == Gone && len(after) > 0 {
		c.Kind = Burned
	}
	return c
}

// fill adds the traits of v that a pet's place in the realm lacks, so that they do not count as a
// change. A place without any traits also gets the name.
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

// newPlace makes the place of a pet that is new in the realm. The arrival time is known only if
// in.Event is set.
func newPlace(s Observation, in ObservedAt, presence Presence) Place {
	p := Place{
		Pet: Pet{ID: s.ID, Name: s.Name, Value: s.Value, Realm: in.Realm.Key, Owner: s.Owner, Block: in.Block,
			ChangedAt: in.Time},
		Presence: presence, Since: in.Block,
	}
	if presence == owned && in.Event {
		p.Arrived = in.Time
	}
	return p
}

// update changes a place to the realm's current state. It returns false if nothing of the place
// remains.
func (p Place) update(s Observation, in ObservedAt) (Place, bool) {
	presence := in.Realm.presence(s.Owner)
	switch {
	case in.Afresh || in.Undo != nil:
		if in.Afresh || p.Since > in.Undo.Number { // the pet may have been first seen on a fork
			if presence == absent && (!in.Afresh || in.unhatched(p.ID)) {
				return p, false
			}
			p.Since = in.Block
		}
		if in.Afresh || p.Arrived.After(in.Undo.Time) {
			p.Arrived = time.Time{}
		}
	case presence == owned && p.Presence != owned, presence == absent && p.Presence == InCustody:
		p.Arrived = in.Time // a pet that went from custody to absent had an owner in between, who burned it
	case p.Presence == owned && presence != owned && p.Arrived.IsZero():
		p.Arrived = p.ChangedAt // the arrival is not known, but the pet was here at this time
	}
	if presence == absent {
		s.Name, s.Value = p.Name, p.Value // the last known values
	}
	if p.Block > in.lastValid() || presence != p.Presence || s.Owner != p.Owner || s.Name != p.Name || s.Value != p.Value {
		p.Block, p.ChangedAt = in.Block, in.Time
	}
	p.Presence, p.Owner, p.Name, p.Value = presence, s.Owner, s.Name, s.Value
	return p, true
}

// unhatched reports whether id is one of the realm's own ids and was not assigned yet.
func (in ObservedAt) unhatched(id uint64) bool {
	return in.Counted && in.Realm.Native(id) && in.Realm.Number(id) >= in.Next
}

// lastValid returns the highest block whose observations are still valid. If the realm is read from
// the start, this is in.Block. Otherwise, after a reorg, it is in.Undo, the last block that is still
// canonical. In all other cases every block is valid.
func (in ObservedAt) lastValid() uint64 {
	switch {
	case in.Afresh:
		return in.Block
	case in.Undo != nil:
		return in.Undo.Number
	}
	return math.MaxUint64
}

// Install applies an imported pet to its places. If its home is open and contracts return no
// traits, only the name and traits of its places change. The argument now is the time of the
// import. Install returns the new places and the change. Traits that the pet did not have before
// are not part of the change. If only such traits are new, the change is nil, and the import ends
// with one change for the whole realm.
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
	at := p.ChangedAt
	if at.IsZero() { // the import does not say when the pet changed
		at = now.UTC().Truncate(time.Millisecond)
		for _, old := range places {
			if old.Realm != p.Realm {
				continue
			}
			imported.ChangedAt = old.ChangedAt
			if old.Name != p.Name || old.Value != p.Value || old.Owner != p.Owner {
				imported.ChangedAt = at
			}
		}
	}
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
	return after,
		k.diff(before, Published(after), ObservedAt{Realm: Realm{Key: p.Realm}, Block: p.Block, Time: at})
}

// setTraits sets the imported name and traits in the places of a pet.
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

// Forget drops a pet's places in realms that are no longer configured. It returns the other places
// and the change. If no configured realm has the pet, it counts as burned. If its home is not
// configured either, nothing remains.
func (k *Kingdom) Forget(places []Place, now time.Time) ([]Place, *Change) {
	before := Published(places)
	after := slices.DeleteFunc(slices.Clone(places), func(p Place) bool {
		_, configured := realmNamed(k.Realms, p.Realm)
		return !configured
	})
	if _, hatched := HomeRealm(k.Realms, places[0].ID); !hatched && !lives(after, k.Realms, false) {
		after = nil // no configured realm has the pet
	}
	locate(after, k.Realms, false)
	in := ObservedAt{Time: now.UTC().Truncate(time.Millisecond)}
	if before != nil {
		in.Realm.Key, in.Block = before.Realm, before.Block
	}
	return after, k.change(places, after, in)
}

// locate marks the one place where the pet is: the place with an owner. Of several such places,
// those in open realms have precedence, then the latest arrival. If no place has an owner, the pet
// is in transit, and the last place that had an owner is marked. If the pet was burned, no place is
// marked. A pet without a place in its open home does not count as burned, because its home was not
// read yet, or lags behind.
func locate(places []Place, realms []Realm, unread bool) {
	here := -1
	for i := range places {
		places[i].Here, places[i].InTransit = false, false
		if here < 0 || preferred(places[i], places[here], realms, unread) {
			here = i
		}
	}
	if here >= 0 && (lives(places, realms, unread) || unheard(places, realms)) {
		places[here].Here, places[here].InTransit = true, places[here].Presence != owned
	}
}

// lives reports whether any realm still has the pet, with an owner or in custody. There are two
// exceptions. A realm that is no longer configured counts only if no configured realm ever had the
// pet, or if unread is set (see ObservedAt.Unread). Custody of a closed realm counts only if no
// open realm ever had the pet. A closed realm is not read any more, so its custody stays even if
// the pet was burned in an open realm.
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

// unheard reports whether the home of a pet is open, and has not been read for the pet yet.
func unheard(places []Place, realms []Realm) bool {
	home, ok := HomeRealm(realms, places[0].ID)
	return ok && !home.Closed && !slices.ContainsFunc(places, func(p Place) bool { return p.Realm == home.Key })
}

// preferred reports whether the pet is more likely at a than at b. The higher rank decides, and
// then the later arrival. If neither arrival was seen, the place away from home counts as the later
// one, because the pet left home to get there.
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

// rank orders the places of a pet. From the highest to the lowest:
//   - an owner in an open realm
//   - an imported owner in a closed realm
//   - a configured realm without an owner
//   - an owner in a realm that is no longer configured
//   - no owner in a realm that is no longer configured
//
// The argument unread swaps the third and the fourth (see ObservedAt.Unread).
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

// Published returns the pet as published, or nil if it is burned or unknown.
func Published(places []Place) *Pet {
	for i := range places {
		if places[i].Here {
			return &places[i].Pet
		}
	}
	return nil
}
