package main

import "image"

// A layer is one PNG of the pack together with what pack.json says of it.
type layer struct {
	slot    string            // one of the slots in main.go
	file    string            // path inside the pack, such as "pet/river-otter-1.png"
	when    map[string][]int  // trait to the values that select it; empty is the slot's fallback
	at      string            // anchor of the chosen pet layer that img's origin is placed on; "" is the grid's origin
	x, y    int               // where img's top left pixel goes, from the grid's origin or the anchor
	anchors map[string][2]int // points that other layers may name in at, in grid pixels
	img     *image.NRGBA
}

// A family is what the three looks of one creature share.
type family struct {
	key  string // "river-otter"
	name string // "River Otter"
	lore string // two or three sentences, used in descriptions
}
