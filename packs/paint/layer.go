package main

import "image"

// A layer is one PNG of the pack with its settings in pack.json. Its path says when it is drawn.
type layer struct {
	file    string            // path inside the pack, such as "pet/blue-1@shiny.png"
	at      string            // the anchor of the pet layer that img's origin is placed on; "" is the grid's origin
	x, y    int               // where img's top left pixel goes, from the grid's origin or the anchor
	anchors map[string][2]int // points that other layers may name in at, in grid pixels
	img     *image.NRGBA
	moves   []*image.NRGBA // the frames after img, if it moves
	play    []int          // what each frame of the picture shows: 0 is img, 1 is moves[0]; nil means the slot decides
	bob     [][2]int       // how far it is shifted in each frame of the picture
	carry   [][2]int       // how far each of its own frames moves layers at its anchors; nil means the slot decides
	steady  bool           // the carry of the pet does not move it
}

// A family has the names and the lore that the three looks of one creature share.
type family struct {
	key  string // "river-otter"
	name string // "River Otter"
	lore string // two or three sentences, used in descriptions
}
