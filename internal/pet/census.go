package pet

import "slices"

// A Census says how many pets there are. It is stored with the pets, so reading it costs the same
// for any number of pets.
type Census struct {
	Counts map[Count]uint64
	Fields []string // keys of the fields that pets are counted by
}

// A Count names the pets of a realm that have one value of a field. If Field is empty, it names all
// pets of the realm.
type Count struct {
	Realm, Field string // Field is the field's key
	Value        uint64
}

// Count returns how many pets q selects. known is false if q has an owner, a name, several fields,
// or a field that pets are not counted by.
func (c *Census) Count(q Query) (n uint64, known bool) {
	if q.Owner != nil || q.Name != "" || len(q.Traits) > 1 {
		return 0, false
	}
	field := ""
	values := []int{0}
	for field, values = range q.Traits {
		if !slices.Contains(c.Fields, field) {
			return 0, false
		}
	}
	for of, pets := range c.Counts {
		if of.Field == field && slices.Contains(values, int(of.Value)) &&
			(len(q.Realms) == 0 || slices.Contains(q.Realms, of.Realm)) {
			n += pets
		}
	}
	return n, true
}

// Realms returns the number of pets in each realm.
func (c *Census) Realms() map[string]uint64 {
	out := map[string]uint64{}
	for of, pets := range c.Counts {
		if of.Field == "" {
			out[of.Realm] = pets
		}
	}
	return out
}
