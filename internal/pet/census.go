package pet

import (
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
	Kinds      map[Numbers]uint64 // by the fields of the collection's kind
	ByRealm    bool               // there are too many combinations: pets are counted by realm only
}

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

// places returns where Numbers have each trait that q filters by, leaving one out.
func (c *Census) places(q Query, besides string) map[int]uint64 {
	out := map[int]uint64{}
	for key, n := range q.Traits {
		if key != besides {
			out[c.place(key)] = uint64(n)
		}
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
	values := c.places(q, "")
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

// Realms returns how many pets the rest of q selects in each realm.
func (c *Census) Realms(q Query) map[string]uint64 {
	out, values := map[string]uint64{}, c.places(q, "")
	for i := range c.Counts {
		if n := &c.Counts[i]; n.selects(nil, values) {
			out[n.Realm] += n.Pets
		}
	}
	return out
}

// Values returns how many pets the rest of q selects with each value of a counted
// field, by its key.
func (c *Census) Values(q Query, key string) map[int]uint64 {
	out, values, at := map[int]uint64{}, c.places(q, key), c.place(key)
	if at < 0 {
		return out
	}
	for i := range c.Counts {
		if n := &c.Counts[i]; n.selects(q.Realm, values) {
			out[int(n.Numbers[at])] += n.Pets
		}
	}
	return out
}
