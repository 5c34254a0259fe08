package main

import (
	"image"
	"image/color"
	"image/draw"
	"slices"
)

// card lays the layers that the traits select over each other, as a renderer
// would, so that a sheet can show pets in their places.
func card(all []layer, traits map[string]int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, grid, grid))
	pet := choose(all, "pet", traits)
	for _, s := range slots {
		l := choose(all, s.Name, traits)
		if l == nil || l.img == nil {
			continue
		}
		at := image.Pt(l.x, l.y)
		if l.at != "" && pet != nil {
			a := pet.anchors[l.at]
			at = at.Add(image.Pt(a[0], a[1]))
		}
		draw.Draw(out, l.img.Rect.Add(at), l.img, l.img.Rect.Min, draw.Over)
	}
	return out
}

// choose returns the slot's layer whose when names the most of the traits.
func choose(all []layer, slot string, traits map[string]int) *layer {
	var best *layer
	for i, l := range all {
		if l.slot != slot || !matches(l.when, traits) {
			continue
		}
		if best == nil || len(l.when) > len(best.when) {
			best = &all[i]
		}
	}
	return best
}

func matches(when map[string][]int, traits map[string]int) bool {
	for name, values := range when {
		if !slices.Contains(values, traits[name]) {
			return false
		}
	}
	return true
}

// cards shows whole pictures at twice their size: every appearance of the egg
// type, each in another place, frame and element.
func cards(egg int) *image.NRGBA {
	const cell, cols, count = 2 * grid, 7, 25
	all := layers()
	sheet := blank(cols*cell, (count+cols-1)/cols*cell, paper)
	for n := range count {
		img := card(all, map[string]int{"egg": egg, "appearance": n, "background": (n + egg) % 11,
			"rarity": n % 5, "element": n % 9, "shiny": min(n%6/5, 1)})
		put(sheet, n%cols*cell, n/cols*cell, 2, img, nil, paper)
	}
	return sheet
}

// poster draws one card for each family, the eggs below one another: the
// picture that the project shows of itself.
func poster() *image.NRGBA {
	const cols, scale, gap = 8, 2, 6
	all := layers()
	nests := nests()
	pitch := scale*grid + gap
	sheet := image.NewNRGBA(image.Rect(0, 0, cols*pitch-gap, len(nests)*pitch-gap))
	for egg, nest := range nests {
		for i := range nest {
			n := egg*cols + i
			img := card(all, map[string]int{
				"egg": egg, "appearance": 3*i + 3 - (egg+i)%2, "shiny": (n % 9) / 8, "rarity": (3*i + 2*egg) % 5,
				"element": (5*i + 3*egg) % 8, "background": (4*i + 7*egg) % 11,
			})
			put(sheet, i*pitch, egg*pitch, scale, img, nil, color.NRGBA{})
		}
	}
	return sheet
}
