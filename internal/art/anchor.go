package art

import (
	"fmt"
	"slices"

	"petsupply/internal/art/petpack"
)

// checkAnchors makes sure that wherever an asset placed at an anchor can be
// drawn, the asset that it stands on has that anchor. The slot with the anchors
// cannot itself stand on one, so nothing goes round in circles.
func (l *loader) checkAnchors() error {
	p := l.pack
	for i := range p.slots {
		placed := slices.ContainsFunc(p.slots[i].table, func(a int32) bool { return p.assets[a].At != "" })
		switch {
		case !placed:
			continue
		case p.anchorSlot == none:
			return fmt.Errorf("%s: slot %q stands on an anchor, and no asset has any", petpack.ManifestFile, p.slots[i].name)
		case i == p.anchorSlot:
			return fmt.Errorf("%s: slot %q stands on its own anchors", petpack.ManifestFile, p.slots[i].name)
		}
		if err := l.checkStanding(&p.slots[i]); err != nil {
			return err
		}
	}
	return nil
}

// checkStanding goes through every combination of the traits that select in
// either of the two slots.
func (l *loader) checkStanding(s *slot) error {
	p := l.pack
	base := &p.slots[p.anchorSlot]
	traits := slices.Clone(s.by)
	size := len(s.table)
	for _, t := range base.by {
		if !slices.Contains(traits, t) {
			traits = append(traits, t)
			if size *= p.space.size[t]; size > maxWork {
				return fmt.Errorf("%s: slots %q and %q have more combinations than this program sorts out", petpack.ManifestFile, s.name, base.name)
			}
		}
	}
	var class [traitCount]int
	for {
		top, under := &p.assets[s.at(&class)], &p.assets[base.at(&class)]
		if _, ok := under.Anchors[top.At]; !ok && top.At != "" && top.File != "" {
			return fmt.Errorf("%s: %s of slot %q has no anchor %q, which %s of slot %q is placed at",
				petpack.ManifestFile, l.m.Where(&under.Asset), base.name, top.At, l.m.Where(&top.Asset), s.name)
		}
		if !p.space.next(&class, traits) {
			return nil
		}
	}
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
