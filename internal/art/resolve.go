package art

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"petsupply/internal/art/petpack"
)

// A slot is one layer of every picture. Its table says which asset is drawn for each combination of
// the classes of its traits (see trait).
type slot struct {
	name   string
	toggle string  // "background" or "frame": the switch that removes the slot from a picture; "" if there is none
	by     []int   // the traits that select among the slot's assets, as indexes into Pack.traits
	stride []int   // how far apart neighbouring classes of each trait are in the table; one for each element of by
	table  []int32 // indexes into Pack.assets
}

// shows reports whether the slot is part of a view.
func (s *slot) shows(v View) bool {
	return s.toggle == "" || s.toggle == "background" && v.Background || s.toggle == "frame" && v.Frame
}

// at returns the index of the asset for a tuple of classes.
func (s *slot) at(classes *tuple) int32 {
	i := 0
	for k, t := range s.by {
		i += classes[t] * s.stride[k]
	}
	return s.table[i]
}

// place returns the asset that a slot shows for a tuple of classes, and where the top left corner
// of its file goes.
func (p *Pack) place(slot int, classes *tuple) (a *asset, x, y int) {
	a = &p.assets[p.slots[slot].at(classes)]
	if a.At == "" {
		return a, a.X, a.Y
	}
	at := p.assets[p.slots[p.anchorSlot].at(classes)].Anchors[a.At]
	return a, a.X + at[0], a.Y + at[1]
}

// A placement is one file of a picture.
type placement struct {
	File string // path in the pack; the first of its frames is used
	X, Y int    // where its top left corner goes, in pixels of the grid
}

// Resolve returns the files of a picture, back to front, for programs that compose it themselves.
func (p *Pack) Resolve(l Look, v View) []placement {
	var out []placement
	classes := p.classes(&l)
	for i := range p.slots {
		a, x, y := p.place(i, &classes)
		if a.File != "" && p.slots[i].shows(v) {
			out = append(out, placement{a.File, x, y})
		}
	}
	return out
}

const unresolved = -1

// newSlot makes a slot and fills its table. Assets that name the most traits come first, and the
// others get only free entries. Two assets that name the same number of traits and want the same
// entry are an error.
func newSlot(m *petpack.Manifest, e petpack.Slot, traits []trait) (slot, error) {
	entries := m.Assets
	s := slot{name: e.Name, toggle: e.Switch, by: e.By}
	size := 1
	for _, t := range e.By {
		s.stride = append(s.stride, size)
		size *= traits[t].size
		if size > maxTable {
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
	work := 0
	for _, i := range mine {
		work += s.combinations(entries[i].When, traits)
		if work > maxWork {
			return s, fmt.Errorf("slot %q: %d assets over %d combinations are more than this program can handle",
				e.Name, len(mine), size)
		}
	}
	slices.SortStableFunc(mine, func(a, b int) int {
		return cmp.Compare(len(entries[b].When), len(entries[a].When))
	})
	for _, i := range mine {
		if err := s.assign(i, traits, entries); err != nil {
			return s, err
		}
	}
	return s, s.fillGaps(traits)
}

// combinations returns how many entries of the table an asset fits.
func (s *slot) combinations(when map[string][]int, traits []trait) int {
	n := 1
	for _, t := range s.by {
		if values := when[traits[t].Name]; values != nil {
			n *= len(values)
		} else {
			n *= traits[t].size
		}
	}
	return n
}

// assign writes asset i into the entries of the table that its When allows, unless they have another
// asset already. It returns an error if that other asset names as many traits.
func (s *slot) assign(i int, traits []trait, entries []petpack.Asset) error {
	offsets := []int{0}
	for k, t := range s.by {
		classes := entries[i].When[traits[t].Name]
		var next []int
		for _, o := range offsets {
			if classes == nil {
				for c := range traits[t].size {
					next = append(next, o+c*s.stride[k])
				}
			}
			for _, v := range classes {
				next = append(next, o+traits[t].class(uint64(v))*s.stride[k])
			}
		}
		offsets = next
	}
	for _, o := range offsets {
		old := s.table[o]
		if old != unresolved && len(entries[old].When) == len(entries[i].When) {
			return fmt.Errorf(
				"slot %q is ambiguous: %s and %s are equally specific for %s; name another trait in one of them",
				s.name, entries[old].Where(), entries[i].Where(), s.describe(o, traits))
		}
		if old == unresolved {
			s.table[o] = int32(i)
		}
	}
	return nil
}

// fillGaps fills gaps in the table with fallbacks. It returns an error if a gap is left.
func (s *slot) fillGaps(traits []trait) error {
	for o := range s.table {
		if s.table[o] == unresolved {
			s.table[o] = s.fallback(o, traits)
		}
		if s.table[o] == unresolved {
			return fmt.Errorf("slot %q: no layer for %s; add one, or a layer without traits, which fits every token",
				s.name, s.describe(o, traits))
		}
	}
	return nil
}

// fallback returns an asset for the empty entry o of the table, or unresolved. It is the asset of
// the entry that is like o, except that one trait is 0. This trait is the first open one (see
// trait.open) whose value in o is not 0. If there is none, it is the last trait whose value the
// pack does not know. The other entry comes before o in the table, so it is filled already.
func (s *slot) fallback(o int, traits []trait) int32 {
	at := o
	for k, t := range s.by {
		class := o / s.stride[k] % traits[t].size
		zero := traits[t].class(0)
		if traits[t].open && class > 0 {
			return s.table[o-class*s.stride[k]]
		}
		if class >= len(traits[t].named) {
			at = o - (class-zero)*s.stride[k]
		}
	}
	return s.table[at]
}

// describe names the trait values of an entry of the table.
func (s *slot) describe(o int, traits []trait) string {
	if len(s.by) == 0 {
		return "any look"
	}
	var parts []string
	for k, t := range s.by {
		class := o / s.stride[k] % traits[t].size
		parts = append(parts, fmt.Sprintf("%s %d", traits[t].Name, traits[t].value(class)))
	}
	return strings.Join(parts, ", ")
}
