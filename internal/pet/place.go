package pet

import (
	"fmt"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
)

// A Hold says how a realm has a pet.
type Hold uint8

const (
	Absent Hold = iota // it had the pet once
	Held               // in custody: the pet is elsewhere, or on its way
	Owned              // by somebody who plays with it
)

// A Place is what one realm last said of a pet. There is one for each realm
// that ever had it, and the pet is at exactly one of them.
type Place struct {
	Pet     // Realm is this place's own; InTransit holds only where Here
	Hold    Hold
	Here    bool      // the pet is here, or was here last
	Since   uint64    // block of the realm's chain from which it has been seen here without a break
	Arrived time.Time // when it last came to an owner here; zero: before it was watched
}

// A ObservedAt is the circumstance of a Observation.
type ObservedAt struct {
	Realm Realm
	Block uint64
	Time  time.Time
	Since uint64 // first block that speaks of the pet, 0 if Block does
	// Undo is set when what was seen above that block never happened: places
	// that only stood there vanish. With the zero Block the realm is being read
	// afresh, and only what it says now stands; what it shows for the first time
	// is no change.
	Undo *evm.Block
}

// hold says how the realm has the pet that it shows with this owner.
func (r Realm) hold(owner common.Address) Hold {
	switch {
	case owner == (common.Address{}):
		return Absent
	case r.holds(owner):
		return Held
	}
	return Owned
}

// Settle puts a observation among the places of its pet, and decides where the
// pet is. It returns the places after it, and the change in what is published,
// nil if there is none. It is pure; the store calls it inside the transaction
// that writes the outcome.
func Settle(places []Place, realms []Realm, s Observation, in ObservedAt) ([]Place, *Change) {
	in.Time = in.Time.UTC().Truncate(time.Millisecond)
	before := Published(places)
	after := make([]Place, 0, len(places)+1)
	seen := false
	for _, p := range places {
		if p.Realm != in.Realm.Key {
			after = append(after, p)
			continue
		}
		seen = true
		if p, ok := p.turn(s, in); ok {
			after = append(after, p)
		}
	}
	if hold := in.Realm.hold(s.Owner); !seen && hold != Absent {
		after = append(after, first(s, in, hold))
	}
	if forgotten(after, realms) {
		after = nil
	}
	locate(after, realms)
	return after, diff(before, Published(after), in)
}

// forgotten reports whether a pet is nowhere any more and its home, which can
// be asked, does not know that it ever was: its hatching was undone.
func forgotten(places []Place, realms []Realm) bool {
	for _, p := range places {
		if home, ok := realmNamed(realms, p.Realm); p.Hold != Absent || ok && home.Native(p.ID) {
			return false
		}
	}
	if len(places) == 0 {
		return false
	}
	home, ok := HomeRealm(realms, places[0].ID)
	return ok && !home.Closed
}

// first makes the place of a pet that the realm was not known to have. When
// it arrived is known only while following the realm's events.
func first(s Observation, in ObservedAt, hold Hold) Place {
	p := Place{
		Pet:  Pet{ID: s.ID, Traits: s.Traits, Realm: in.Realm.Key, Owner: s.Owner, Block: in.Block, ChangedAt: in.Time},
		Hold: hold, Since: in.from(),
	}
	if hold == Owned && in.Since != 0 {
		p.Arrived = in.Time
	}
	return p
}

func (in ObservedAt) from() uint64 {
	if in.Since != 0 {
		return in.Since
	}
	return in.Block
}

// turn brings a place to what the realm says now; false if nothing of it
// remains.
func (p Place) turn(s Observation, in ObservedAt) (Place, bool) {
	hold := in.Realm.hold(s.Owner)
	if in.Undo != nil {
		if hold == Absent && p.Since > in.Undo.Number {
			return p, false
		}
		if p.Arrived.After(in.Undo.Time) {
			p.Arrived = time.Time{}
		}
		if p.Since > in.Undo.Number && *in.Undo != (evm.Block{}) {
			p.Since = in.from() // when it was first seen before, it was on a fork
		} else {
			p.Since = min(p.Since, in.from())
		}
	} else if p.Hold == Absent && hold != Absent {
		p.Since = in.from()
	}
	if in.Undo == nil && hold == Owned && p.Hold != Owned {
		p.Arrived = in.Time
	}
	traits := s.Traits
	if hold == Absent {
		traits = p.Traits // the last that was known
	}
	if in.Undo != nil || hold != p.Hold || s.Owner != p.Owner || traits != p.Traits {
		p.Block, p.ChangedAt = in.Block, in.Time
	}
	p.Hold, p.Owner, p.Traits = hold, s.Owner, traits
	return p, true
}

// Install puts a pet as it was told, by import and not by a chain, among its
// places. It returns the places after it, and the change.
func Install(places []Place, realms []Realm, p Pet) ([]Place, *Change) {
	before := Published(places)
	told := Place{Pet: p, Hold: Owned, Since: p.Block, Arrived: p.ChangedAt}
	if r, _ := realmNamed(realms, p.Realm); p.InTransit || r.hold(p.Owner) != Owned {
		told.Hold = Held
	}
	after := []Place{told}
	for _, other := range places {
		if other.Realm != p.Realm {
			after = append(after, other)
		}
	}
	locate(after, realms)
	return after, diff(before, Published(after), ObservedAt{Realm: Realm{Key: p.Realm}, Block: p.Block, Time: p.ChangedAt})
}

// locate marks the one place where the pet is: the owned one; if several, the
// latest arrival; if none, the last that was, and then it is in transit.
func locate(places []Place, realms []Realm) {
	here := -1
	for i := range places {
		places[i].Here, places[i].InTransit = false, false
		if here < 0 || better(places[i], places[here], realms) {
			here = i
		}
	}
	if here >= 0 {
		places[here].Here, places[here].InTransit = true, places[here].Hold != Owned
	}
}

// better reports whether the pet is rather at a than at b. Of two whose
// arrivals were not watched, a guest's is the later: it left home for it.
func better(a, b Place, realms []Realm) bool {
	if (a.Hold == Owned) != (b.Hold == Owned) {
		return a.Hold == Owned
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

// Published returns the pet as it is shown, nil if there is none.
func Published(places []Place) *Pet {
	for i := range places {
		if places[i].Here {
			return &places[i].Pet
		}
	}
	return nil
}

// diff words the difference between two published states.
func diff(before, after *Pet, in ObservedAt) *Change {
	c := &Change{At: in.Time, Realm: in.Realm.Key, Block: in.Block}
	switch {
	case before == nil && (after == nil || in.Undo != nil && *in.Undo == evm.Block{}):
		return nil
	case before == nil:
		c.ID, c.Kind = after.ID, Appeared
		c.Fields = []Delta{{"realm", "", after.Realm}, {"owner", "", after.Owner.Hex()}}
		return c
	case after == nil:
		c.ID, c.Kind = before.ID, Gone
		return c
	}
	c.ID, c.Kind = after.ID, Changed
	from, to := facts(before), facts(after)
	for i := range from {
		if from[i].To != to[i].To {
			c.Fields = append(c.Fields, Delta{from[i].Field, from[i].To, to[i].To})
		}
	}
	if before.Name != after.Name { // compared as written, shown as fit to be
		c.Fields = append(c.Fields, Delta{"name", Clean(before.Name), Clean(after.Name)})
	}
	if len(c.Fields) == 0 {
		return nil
	}
	if before.Realm != after.Realm || before.InTransit != after.InTransit {
		c.Kind = Moved
	}
	return c
}

// facts lists everything published of a pet, in a fixed order, as Delta.To.
func facts(p *Pet) []Delta {
	u8 := func(n uint8) string { return strconv.Itoa(int(n)) }
	fed, food := "", ""
	if !p.StructV1 {
		fed, food = p.FedBy.Hex(), u8(p.FoodType)
	}
	return []Delta{
		{"realm", "", p.Realm}, {"owner", "", p.Owner.Hex()}, {"intransit", "", fmt.Sprint(p.InTransit)},
		{"originid", "", u8(p.Origin)}, {"season", "", u8(p.Season)},
		{"eggtype", "", u8(p.Egg)}, {"rarity", "", u8(p.Rarity)}, {"element", "", u8(p.Element)},
		{"bonuscount", "", u8(p.BonusCount)},
		{"profbonus", "", u8(p.Gathering)}, {"profbonusscalar", "", u8(p.GatheringScalar)},
		{"craftbonus", "", u8(p.Crafting)}, {"craftbonusscalar", "", u8(p.CraftingScalar)},
		{"combatbonus", "", u8(p.Combat)}, {"combatbonusscalar", "", u8(p.CombatScalar)},
		{"appearance", "", strconv.Itoa(int(p.Appearance))}, {"background", "", u8(p.Background)},
		{"shiny", "", u8(p.Shiny)}, {"hungryat", "", strconv.FormatUint(p.HungryAt, 10)},
		{"equippableat", "", strconv.FormatUint(p.EquippableAt, 10)}, {"equippedto", "", p.EquippedTo.Dec()},
		{"fedby", "", fed}, {"foodtype", "", food},
	}
}
