package art

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"petsupply/internal/art/petpack"
)

// A slot is one layer of every picture, and a table that says for each
// combination of its traits which asset is drawn there.
type slot struct {
	name   string
	toggle string  // "background" or "frame": the switch that takes it out of a picture
	by     []int   // traits
	stride []int   // step in table for each of by
	table  []int32 // place in Pack.assets
}

// shows reports whether the slot is part of a view.
func (s *slot) shows(v View) bool {
	return s.toggle == "" || s.toggle == "background" && v.Background || s.toggle == "frame" && v.Frame
}

// traitSpace is what a pack knows of the traits. All values of a trait that it
// does not know are one class, so that no value a chain may hold makes a picture
// of its own; an appearance that it does not know counts as 0.
type traitSpace struct {
	known      [traitCount]int // values of each trait, from 0
	size       [traitCount]int // classes: those, and one for the rest if there is any
	appearance []uint16        // from value to place in named; 0 unknown
	named      []int           // appearance values, ascending, 0 first
}

func newTraitSpace(m *petpack.Manifest) traitSpace {
	s := traitSpace{known: traitDomain, named: []int{0}}
	for _, a := range m.Assets {
		for t, trait := range petpack.Traits {
			values := a.When[trait.Name]
			switch {
			case t == traitAppearance:
				s.named = append(s.named, values...)
			case len(values) > 0:
				s.known[t] = max(s.known[t], slices.Max(values)+1)
			}
		}
	}
	for t := range s.size {
		s.size[t] = min(s.known[t], petpack.Traits[t].Max) + 1
	}
	slices.Sort(s.named)
	s.named = slices.Compact(s.named)
	s.known[traitAppearance], s.size[traitAppearance] = len(s.named), len(s.named)
	s.appearance = make([]uint16, s.named[len(s.named)-1]+1)
	for i, v := range s.named {
		s.appearance[v] = uint16(i)
	}
	return s
}

// class returns the place of a trait's value among those known, or behind them.
func (s *traitSpace) class(trait, value int) int {
	if trait == traitAppearance {
		if value >= len(s.appearance) {
			return 0
		}
		return int(s.appearance[value])
	}
	return min(value, s.size[trait]-1)
}

// value is the inverse of class; of a class of values that are not known it is
// the first.
func (s *traitSpace) value(trait, class int) int {
	if trait == traitAppearance {
		return s.named[class]
	}
	return class
}

func (s *traitSpace) classes(l Look) [traitCount]int {
	v := l.values()
	for t := range v {
		v[t] = s.class(t, v[t])
	}
	return v
}

// next steps class to the next combination of the given traits, and reports
// whether there was one.
func (s *traitSpace) next(class *[traitCount]int, traits []int) bool {
	for _, t := range traits {
		if class[t]++; class[t] < s.size[t] {
			return true
		}
		class[t] = 0
	}
	return false
}

// at returns the asset for a tuple of classes.
func (s *slot) at(class *[traitCount]int) int32 {
	i := 0
	for k, t := range s.by {
		i += class[t] * s.stride[k]
	}
	return s.table[i]
}

// place returns the asset that is drawn in a slot for a tuple of classes, and
// where the top left corner of its file goes.
func (p *Pack) place(slot int, class *[traitCount]int) (a *asset, x, y int) {
	a = &p.assets[p.slots[slot].at(class)]
	if a.At == "" {
		return a, a.X, a.Y
	}
	at := p.assets[p.slots[p.anchorSlot].at(class)].Anchors[a.At]
	return a, a.X + at[0], a.Y + at[1]
}

// A Placement is one file of a picture.
type Placement struct {
	File string // path in the pack; the first of its frames is meant
	Swap string // the palette that it is drawn in; "" is its own
	X, Y int    // where its top left corner goes, in pixels of the grid
}

// Resolve returns what a picture is made of, back to front, for programs that
// compose it themselves.
func (p *Pack) Resolve(l Look, v View) []Placement {
	var out []Placement
	class := p.space.classes(l)
	for i := range p.slots {
		a, x, y := p.place(i, &class)
		if a.File != "" && p.slots[i].shows(v) {
			out = append(out, Placement{a.File, a.Swap, x, y})
		}
	}
	return out
}

const unresolved = -1

// newSlot fills the table: assets that name the most traits first, so that the
// rest only takes the places still free; two that name equally many and want
// the same place are an error.
func newSlot(m *petpack.Manifest, e petpack.Slot, space *traitSpace) (slot, error) {
	entries := m.Assets
	s := slot{name: e.Name, toggle: e.Switch, by: e.By}
	size := 1
	for _, t := range e.By {
		s.stride = append(s.stride, size)
		if size *= space.size[t]; size > maxTable {
			return s, fmt.Errorf("slot %q: its traits have more than %d combinations", e.Name, maxTable)
		}
	}
	s.table = slices.Repeat([]int32{unresolved}, size)

	var mine []int
	for i, a := range entries {
		if a.Slot == e.Name {
			mine = append(mine, i)
		}
	}
	if size*len(mine) > maxWork {
		return s, fmt.Errorf("slot %q: %d assets over %d combinations are more than this program sorts out",
			e.Name, len(mine), size)
	}
	slices.SortStableFunc(mine, func(a, b int) int {
		return cmp.Compare(len(entries[b].When), len(entries[a].When))
	})
	for _, i := range mine {
		if err := s.place(i, space, m); err != nil {
			return s, err
		}
	}
	return s, s.fillGaps(space)
}

// place gives asset i every place that its when allows and that no more
// specific one has.
func (s *slot) place(i int, space *traitSpace, m *petpack.Manifest) error {
	entries := m.Assets
	offsets := []int{0}
	for k, t := range s.by {
		classes := entries[i].When[petpack.Traits[t].Name]
		var next []int
		for _, o := range offsets {
			if classes == nil {
				for c := range space.size[t] {
					next = append(next, o+c*s.stride[k])
				}
			}
			for _, v := range classes {
				next = append(next, o+space.class(t, v)*s.stride[k])
			}
		}
		offsets = next
	}
	for _, o := range offsets {
		old := s.table[o]
		if old != unresolved && len(entries[old].When) == len(entries[i].When) {
			return fmt.Errorf("slot %q is ambiguous: %s and %s are equally specific for %s; name one trait more in one of them",
				s.name, m.Where(&entries[old]), m.Where(&entries[i]), s.describe(o, space))
		}
		if old == unresolved {
			s.table[o] = int32(i)
		}
	}
	return nil
}

// fillGaps fills the gaps that fallbacks are for, and refuses a table that still
// has one.
func (s *slot) fillGaps(space *traitSpace) error {
	for o := range s.table {
		if s.table[o] == unresolved {
			s.table[o] = s.fallback(o, space)
		}
		if s.table[o] == unresolved {
			return fmt.Errorf("slot %q: no layer for %s, and none without a trait to fall back on", s.name, s.describe(o, space))
		}
	}
	return nil
}

// fallback is the asset for a place that has none: that of appearance 0, the
// unrevealed one, or else that of 0 in place of a value that is not known. Both
// come before o in the table, so they are filled in already.
func (s *slot) fallback(o int, space *traitSpace) int32 {
	at := o
	for k, t := range s.by {
		class := o / s.stride[k] % space.size[t]
		if t == traitAppearance && class > 0 {
			return s.table[o-class*s.stride[k]]
		}
		if class >= space.known[t] {
			at = o - class*s.stride[k]
		}
	}
	return s.table[at]
}

// describe names the trait values of a place in the table.
func (s *slot) describe(o int, space *traitSpace) string {
	if len(s.by) == 0 {
		return "every look"
	}
	var parts []string
	for k, t := range s.by {
		class := o / s.stride[k] % space.size[t]
		parts = append(parts, fmt.Sprintf("%s %d", petpack.Traits[t].Name, space.value(t, class)))
	}
	return strings.Join(parts, ", ")
}

// appearances returns, by egg type, the appearances that look unlike all that
// the pack does not know.
func (p *Pack) appearances() [][]int {
	out := make([][]int, p.space.known[traitEgg])
	for egg := range out {
		for c, a := range p.space.named {
			class := [traitCount]int{traitEgg: egg, traitAppearance: c}
			zero := [traitCount]int{traitEgg: egg}
			for i := range p.slots {
				if a == 0 || p.slots[i].at(&class) != p.slots[i].at(&zero) {
					out[egg] = append(out[egg], a)
					break
				}
			}
		}
	}
	return out
}
