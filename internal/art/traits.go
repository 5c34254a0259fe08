package art

import (
	"math"
	"slices"

	"petsupply/internal/art/petpack"
	"petsupply/internal/pet/collection"
)

// A trait is a field that a pack selects layers by, or the token's id, with the values that the
// pack knows. Each known value is a class of its own. All values that the pack does not know form
// one class, so that they share one picture.
type trait struct {
	petpack.Trait
	field *collection.Field // nil means the id
	// open marks a field such as the number of a design. Every pack knows its value 0, and may know
	// others. A value that the pack does not know counts as 0. The collection file declares such a
	// field with "values: 1".
	open  bool
	named []int // the known values, ascending
	size  int   // number of classes: one for each known value, and perhaps one for all others (see newTrait)
}

// idTrait is the name of a token's id in packs.
const idTrait = "id"

// traitsOf lists the traits that packs of a collection can select layers by: the fields that are
// numbers of at most 64 bits, those with "is: look" first, and then the id.
func traitsOf(c *collection.Collection) ([]petpack.Trait, map[string]*collection.Field) {
	var looks, others []petpack.Trait
	fields := map[string]*collection.Field{}
	for i := range c.Fields {
		f := &c.Fields[i]
		most, ok := f.Most()
		if !ok {
			continue
		}
		t := petpack.Trait{Name: f.Key, Max: min(most, math.MaxInt64), Bool: isBool(f)}
		if t.Bool {
			t.Max = 1
		}
		fields[f.Key] = f
		if f.Look {
			looks = append(looks, t)
		} else {
			others = append(others, t)
		}
	}
	others = append(others, petpack.Trait{Name: idTrait, Max: math.MaxInt64})
	return append(looks, others...), fields
}

// newTrait finds the values of a trait that a pack knows: those that are in use, which every pack
// must draw, and those that the pack's assets name. Each known value is a class. Other values, if
// there are any, together form one more class. An open trait has no such class, because its other
// values count as 0.
func newTrait(m *petpack.Manifest, t petpack.Trait, field *collection.Field) trait {
	out := trait{Trait: t, field: field}
	inUse := 0
	if field != nil {
		inUse = field.Values
	}
	if t.Bool {
		inUse = 2
	}
	out.open = inUse == 1
	for n := range inUse {
		if uint64(n) <= t.Max {
			out.named = append(out.named, n)
		}
	}
	for _, a := range m.Assets {
		out.named = append(out.named, a.When[t.Name]...)
	}
	slices.Sort(out.named)
	out.named = slices.Compact(out.named)
	out.size = len(out.named)
	if !out.open && uint64(out.size) <= t.Max {
		out.size++
	}
	return out
}

// class returns the class of a value: its index in t.named, or the class of all unknown values.
func (t *trait) class(value uint64) int {
	// As an int, a value that is too large is negative, and so unknown.
	class, known := slices.BinarySearch(t.named, int(value))
	switch {
	case known:
		return class
	case t.open:
		return 0
	}
	return t.size - 1
}

// value is the inverse of class. For the class of unknown values it returns one such value.
func (t *trait) value(class int) uint64 {
	if class < len(t.named) {
		return uint64(t.named[class])
	}
	for n := range t.named {
		if t.named[n] != n {
			return uint64(n)
		}
	}
	return uint64(len(t.named))
}

// truth returns a value as pictures use it: for a trait that is true or false, it is 0 or 1.
func (t *trait) truth(value uint64) uint64 {
	if t.Bool && value > 1 {
		return 1
	}
	return value
}

// A tuple has one class for each of a pack's traits.
type tuple [maxTraits]int

func (p *Pack) classes(l *Look) (out tuple) {
	for i := range p.traits {
		out[i] = p.traits[i].class(l.values[i])
	}
	return out
}

// lookIn returns a look with these classes.
func (p *Pack) lookIn(classes tuple) (l Look) {
	for i := range p.traits {
		l.values[i] = p.traits[i].value(classes[i])
	}
	return l
}

// next advances classes to the next combination of the given traits, and reports whether there was
// one. If known is true, next skips values that the pack does not know.
func (p *Pack) next(classes *tuple, traits []int, known bool) bool {
	for _, t := range traits {
		size := p.traits[t].size
		if known {
			size = len(p.traits[t].named)
		}
		classes[t]++
		if classes[t] < size {
			return true
		}
		classes[t] = 0
	}
	return false
}

// traitNamed returns the index of a trait, or none.
func (p *Pack) traitNamed(name string) int {
	return slices.IndexFunc(p.traits, func(t trait) bool { return t.Name == name })
}
