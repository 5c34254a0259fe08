package art

import (
	"fmt"
	"slices"
	"strings"
)

// kindTraits returns the traits that define the collection's kinds. If the pack selects layers by
// none of these traits, kindTraits returns up to two others: the first that select layers in the
// main slot and are not booleans.
func (p *Pack) kindTraits() []int {
	var out []int
	for _, f := range p.collection.KindFields() {
		if t := p.traitNamed(f.Key); t != none {
			out = append(out, t)
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, t := range p.slots[p.mainSlot()].by {
		if !p.traits[t].Bool && len(out) < 2 {
			out = append(out, t)
		}
	}
	return out
}

// mainSlot returns the slot whose anchors other slots use, or else the one with the most layers.
func (p *Pack) mainSlot() int {
	if p.anchorSlot != none {
		return p.anchorSlot
	}
	count := make([]int, len(p.slots))
	for i := range p.slots {
		for _, a := range p.m.Assets {
			if a.Slot == p.slots[i].name {
				count[i]++
			}
		}
	}
	return slices.Index(count, slices.Max(count))
}

// maxKinds bounds the kinds that a sheet shows.
const maxKinds = 2000

// kinds lists the kinds of token that the pack draws, at most maxKinds, in groups. The kinds of a
// group differ only in the last of their traits. If this trait is open (see trait.open), kinds
// leaves out the values that are drawn like 0.
func (p *Pack) kinds() [][]tuple {
	traits := p.kindTraits()
	if len(traits) == 0 {
		return [][]tuple{{{}}}
	}
	var groups [][]tuple
	last := traits[len(traits)-1]
	total := 0
	for classes, more := (tuple{}), true; more; more = p.next(&classes, traits[:len(traits)-1], true) {
		var group []tuple
		zero := classes
		for c := range p.traits[last].named {
			one := classes
			one[last] = c
			if (c == 0 || !p.traits[last].open || p.differ(&one, &zero)) && total < maxKinds {
				group = append(group, one)
				total++
			}
		}
		groups = append(groups, group)
	}
	return groups
}

// differ reports whether two tuples are drawn with different layers.
func (p *Pack) differ(a, b *tuple) bool {
	return slices.ContainsFunc(p.slots, func(s slot) bool { return s.at(a) != s.at(b) })
}

// kindNumbers returns the values of the collection's kind fields, or nil if the pack does not
// select layers by all these fields.
func (p *Pack) kindNumbers(classes *tuple) []uint64 {
	var out []uint64
	for _, f := range p.collection.KindFields() {
		t := p.traitNamed(f.Key)
		if t == none {
			return nil
		}
		out = append(out, p.traits[t].value(classes[t]))
	}
	return out
}

// kindName returns the name of a kind.
func (p *Pack) kindName(classes *tuple) string {
	if numbers := p.kindNumbers(classes); numbers != nil {
		return p.texts.KindNumbered(numbers).Name
	}
	traits := p.kindTraits()
	if len(traits) == 0 {
		return p.collection.Name
	}
	return p.valueName(traits[len(traits)-1], classes)
}

// groupName returns the name that the kinds of a group share.
func (p *Pack) groupName(classes *tuple) string {
	traits := p.kindTraits()
	if len(traits) < 2 {
		return p.collection.Name
	}
	var parts []string
	for _, t := range traits[:len(traits)-1] {
		parts = append(parts, p.valueName(t, classes))
	}
	return strings.Join(parts, ", ")
}

// valueName returns the word for the value of trait t, or the trait's name and the number.
func (p *Pack) valueName(t int, classes *tuple) string {
	x := &p.traits[t]
	n := x.value(classes[t])
	plain := fmt.Sprint(n)
	if x.field != nil {
		if word := p.texts.FieldWord(x.field, n); word != plain && !x.Bool {
			return word
		}
	}
	return x.Name + " " + plain
}
