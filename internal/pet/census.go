package pet

import (
	"slices"

	"petsupply/internal/pet/collection"
)

// Numbers are the values of a few fields of a pet, in the order of the collection's
// file; the rest is 0.
type Numbers [6]uint64

// NumbersOf returns the values that a pet has of some fields.
func NumbersOf(c *collection.Collection, fields []*collection.Field, v collection.Value) (n Numbers) {
	for i, f := range fields {
		n[i] = c.Uint(v, f)
	}
	return n
}

// A Census says how many pets there are by realm and by the fields that the
// collection counts, and how many there are of each kind. It is kept with the pets,
// so that asking it costs the same however many there are.
type Census struct {
	Collection *collection.Collection
	Counts     []Count
	Kinds      map[Numbers]uint64  // by the fields of the collection's kind
	ByRealm    bool                // there are too many combinations: pets are counted by realm only
	Words      map[string][]string // by the key of a field of the type word: its words, unless they are too many
}

// MaxOffered is the number of values of a field that pages offer to choose from.
const MaxOffered = 200

// A Count is how many pets a realm has with the same values of all counted fields.
type Count struct {
	Realm string
	Numbers
	Pets uint64
}

// place returns where Numbers have a field, -1 if pets are not counted by it.
func (c *Census) place(key string) int {
	if c.ByRealm {
		return -1
	}
	return slices.IndexFunc(c.Collection.CountedFields(), func(f *collection.Field) bool { return f.Key == key })
}

// Count returns how many pets q selects. It is not known where q asks for more
// than pets are counted by: a keeper, a name, or a kind among other things.
func (c *Census) Count(q Query) (n uint64, known bool) {
	if q.Owner != nil || q.Name != "" {
		return 0, false
	}
	var want Numbers
	var places []int // in want, of the values that q filters by
	for key, value := range q.Traits {
		at := c.place(key)
		if at < 0 {
			return c.countKind(q)
		}
		places, want[at] = append(places, at), uint64(value)
	}
	for i := range c.Counts {
		have := &c.Counts[i]
		differs := func(at int) bool { return have.Numbers[at] != want[at] }
		if (q.Realm == nil || *q.Realm == have.Realm) && !slices.ContainsFunc(places, differs) {
			n += have.Pets
		}
	}
	return n, true
}

// countKind counts the pets of one kind, if q asks for exactly that.
func (c *Census) countKind(q Query) (uint64, bool) {
	fields := c.Collection.KindFields()
	if q.Realm != nil || len(fields) == 0 || len(q.Traits) != len(fields) {
		return 0, false
	}
	var kind Numbers
	for i, f := range fields {
		n, ok := q.Traits[f.Key]
		if !ok {
			return 0, false
		}
		kind[i] = uint64(n)
	}
	return c.Kinds[kind], true
}

// A Selection has one or more values of traits, by the keys of their fields, and of
// realms. Where it has none, any will do.
type Selection struct {
	Realms []string
	Traits map[string][]int
}

// facets are how many pets a Selection has: in all, and for each value of a trait and
// each realm if that was chosen in place of the trait's, or the realms', own values.
type facets struct {
	Pets   uint64
	Realms map[string]uint64
	Values map[string]map[int]uint64 // by the key of a counted field
}

// Facets counts a Selection in one pass. It is not known where pets are not counted by
// one of its traits.
func (c *Census) Facets(s Selection) (out facets, known bool) {
	fields := c.Collection.CountedFields()
	if c.ByRealm {
		fields = nil
	}
	out = facets{Realms: map[string]uint64{}, Values: map[string]map[int]uint64{}}
	wanted, found := make([][]int, len(fields)), 0
	for i, f := range fields {
		if wanted[i] = s.Traits[f.Key]; len(wanted[i]) > 0 {
			found++
		}
		out.Values[f.Key] = map[int]uint64{}
	}
	if found < len(s.Traits) {
		return facets{}, false
	}
	for i := range c.Counts {
		out.add(&c.Counts[i], s.Realms, wanted, fields)
	}
	return out, true
}

// add counts pets for what they are, and those that miss in one thing only for that.
func (o *facets) add(n *Count, realms []string, wanted [][]int, fields []*collection.Field) {
	const none, realm = -2, -1
	missed := none
	if len(realms) > 0 && !slices.Contains(realms, n.Realm) {
		missed = realm
	}
	for i, want := range wanted {
		if len(want) == 0 || slices.Contains(want, int(n.Numbers[i])) {
			continue
		}
		if missed != none {
			return
		}
		missed = i
	}
	if missed == none {
		o.Pets += n.Pets
	}
	if missed == none || missed == realm {
		o.Realms[n.Realm] += n.Pets
	}
	for i, f := range fields {
		if missed == none || missed == i {
			o.Values[f.Key][int(n.Numbers[i])] += n.Pets
		}
	}
}

// Realms returns how many pets there are in each realm.
func (c *Census) Realms() map[string]uint64 {
	out := map[string]uint64{}
	for i := range c.Counts {
		out[c.Counts[i].Realm] += c.Counts[i].Pets
	}
	return out
}
