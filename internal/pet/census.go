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
	for i, f := range c.Collection.CountedFields() {
		if f.Key == key {
			return i
		}
	}
	return -1
}

// places returns where Numbers have each trait that q filters by.
func (c *Census) places(q Query) map[int]uint64 {
	out := map[int]uint64{}
	for key, n := range q.Traits {
		out[c.place(key)] = uint64(n)
	}
	return out
}

// selects reports whether a count has the values, and the realm where q names one.
func (n *Count) selects(realm *string, values map[int]uint64) bool {
	if realm != nil && *realm != n.Realm {
		return false
	}
	for i, want := range values {
		if i < 0 || n.Numbers[i] != want {
			return false
		}
	}
	return true
}

// Count returns how many pets q selects. It is not known where q asks for more
// than pets are counted by: a keeper, a name, or a kind among other things.
func (c *Census) Count(q Query) (n uint64, known bool) {
	if q.Owner != nil || q.Name != "" {
		return 0, false
	}
	values := c.places(q)
	if _, uncounted := values[-1]; uncounted {
		return c.countKind(q)
	}
	for i := range c.Counts {
		if c.Counts[i].selects(q.Realm, values) {
			n += c.Counts[i].Pets
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

// Facets are how many pets a Selection has: in all, and for each value of a trait and
// each realm if that was chosen in place of the trait's, or the realms', own values.
type Facets struct {
	Pets   uint64
	Realms map[string]uint64
	Values map[string]map[int]uint64 // by the key of a counted field
}

// Facets counts a Selection in one pass. It is not known where pets are not counted by
// one of its traits.
func (c *Census) Facets(s Selection) (out Facets, known bool) {
	fields := c.Collection.CountedFields()
	if c.ByRealm {
		fields = nil
	}
	out = Facets{Realms: map[string]uint64{}, Values: map[string]map[int]uint64{}}
	wanted, found := make([][]int, len(fields)), 0
	for i, f := range fields {
		if wanted[i] = s.Traits[f.Key]; len(wanted[i]) > 0 {
			found++
		}
		out.Values[f.Key] = map[int]uint64{}
	}
	if found < len(s.Traits) {
		return Facets{}, false
	}
	for i := range c.Counts {
		out.add(&c.Counts[i], s.Realms, wanted, fields)
	}
	return out, true
}

// add counts pets for what they are, and those that miss in one thing only for that.
func (o *Facets) add(n *Count, realms []string, wanted [][]int, fields []*collection.Field) {
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

// Realms returns how many pets the rest of q selects in each realm.
func (c *Census) Realms(q Query) map[string]uint64 {
	out, values := map[string]uint64{}, c.places(q)
	for i := range c.Counts {
		if n := &c.Counts[i]; n.selects(nil, values) {
			out[n.Realm] += n.Pets
		}
	}
	return out
}
