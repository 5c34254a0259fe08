package pet

import (
	"slices"

	"petsupply/internal/pet/collection"
)

// Numbers are the values of a few fields of a pet, in the order of the collection file. If there
// are fewer fields, the rest are 0.
type Numbers [6]uint64

// NumbersOf returns a pet's values of some fields.
func NumbersOf(c *collection.Collection, fields []*collection.Field, v collection.Value) (n Numbers) {
	for i, f := range fields {
		n[i] = c.Uint(v, f)
	}
	return n
}

// A Census says how many pets there are, by realm and counted fields, and by kind. It is stored
// with the pets, so reading it costs the same for any number of pets.
type Census struct {
	Collection *collection.Collection
	Counts     []Count
	Kinds      map[Numbers]uint64  // by the values of KindFields
	ByRealm    bool                // pets are counted only by realm, because the counted fields have too many combinations
	Words      map[string][]string // for each filter of type word, by key: the words that pets have or had, unless there are too many
	Values     map[string][]int    // for each other filter that is not counted, by key: the numbers that pets have, unless there are too many
}

// MaxOffered limits the values of a field that pages offer.
const MaxOffered = 200

// A Count is the number of pets of a realm that have the same values of all counted fields.
type Count struct {
	Realm string
	Numbers
	Pets uint64
}

// place returns the index of a field in Numbers, or -1 if the census does not count by it.
func (c *Census) place(key string) int {
	if c.ByRealm {
		return -1
	}
	return slices.IndexFunc(c.Collection.CountedFields(), func(f *collection.Field) bool { return f.Key == key })
}

// Count returns how many pets q selects. known is false if q has an owner, a name, or a trait that
// is not counted. But if q asks for kinds and nothing else, known is true, because every kind
// has a count.
func (c *Census) Count(q Query) (n uint64, known bool) {
	if q.Owner != nil || q.Name != "" {
		return 0, false
	}
	var want [len(Numbers{})][]int
	for key, values := range q.Traits {
		at := c.place(key)
		if at < 0 {
			return c.countKinds(q)
		}
		want[at] = values
	}
	for i := range c.Counts {
		have := &c.Counts[i]
		fits := len(q.Realms) == 0 || slices.Contains(q.Realms, have.Realm)
		for at, values := range want {
			fits = fits && (len(values) == 0 || slices.Contains(values, int(have.Numbers[at])))
		}
		if fits {
			n += have.Pets
		}
	}
	return n, true
}

// countKinds returns the number of pets of some kinds, if q has values of all fields that decide the
// kind, and of no other.
func (c *Census) countKinds(q Query) (n uint64, known bool) {
	fields := c.Collection.KindFields()
	if len(q.Realms) > 0 || len(fields) == 0 || len(q.Traits) != len(fields) {
		return 0, false
	}
	kinds := []Numbers{{}}
	for i, f := range fields {
		if len(q.Traits[f.Key]) == 0 {
			return 0, false
		}
		var next []Numbers
		for _, kind := range kinds {
			for _, value := range q.Traits[f.Key] {
				kind[i] = uint64(value)
				next = append(next, kind)
			}
		}
		kinds = next
	}
	for _, kind := range kinds {
		n += c.Kinds[kind]
	}
	return n, true
}

// facets are the counts for a Query: the total, and a count for each realm and for each value of a
// counted field. The count of a realm is the number of pets that would match if this realm replaced
// the realms of the Query. The count of a value is the number that would match if this value
// replaced the values that the Query has for the field.
type facets struct {
	Pets   uint64
	Realms map[string]uint64
	Values map[string]map[int]uint64 // by the key of a counted field
}

// Facets returns the facets of q. It ignores q's owner and name. known is false if one of q's
// traits is not counted.
func (c *Census) Facets(q Query) (out facets, known bool) {
	fields := c.Collection.CountedFields()
	if c.ByRealm {
		fields = nil
	}
	out = facets{Realms: map[string]uint64{}, Values: map[string]map[int]uint64{}}
	wanted, found := make([][]int, len(fields)), 0
	for i, f := range fields {
		if wanted[i] = q.Traits[f.Key]; len(wanted[i]) > 0 {
			found++
		}
		out.Values[f.Key] = map[int]uint64{}
	}
	if found < len(q.Traits) {
		return facets{}, false
	}
	for i := range c.Counts {
		out.add(&c.Counts[i], q.Realms, wanted, fields)
	}
	return out, true
}

// add adds the pets of n to all counts if they meet all conditions. If they miss only the condition
// on the realm, it adds them to Realms alone. If they miss only the condition on one field, it adds
// them to the Values of this field alone.
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

// Realms returns the number of pets in each realm.
func (c *Census) Realms() map[string]uint64 {
	out := map[string]uint64{}
	for i := range c.Counts {
		out[c.Counts[i].Realm] += c.Counts[i].Pets
	}
	return out
}
