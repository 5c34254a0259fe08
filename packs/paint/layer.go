package main

import "image"

// A layer is one PNG of the pack with its settings in pack.json. Its file name says for which
// traits it is drawn. A slot is one level in the stack of layers: all pets, for example, are layers
// of one slot. In pack.json, each slot has default settings for its layers. Below, "the picture" is
// the finished one, of all slots.
type layer struct {
	file    string            // path inside the pack, such as "pet/blue-1@shiny.png"
	at      string            // the pet's anchor that x, y is measured from; "" means the grid's top left corner
	x, y    int               // position of img's top left pixel
	anchors map[string][2]int // points in grid pixels, by name; other layers name one of them as their "at"
	img     *image.NRGBA
	moves   []*image.NRGBA // the frames after img, if the layer moves
	play    []int          // what each frame of the picture shows: 0 is img, 1 is moves[0]; nil means the slot's default
	bob     [][2]int       // how far the layer is shifted in each frame of the picture
	// carry says how far each frame of this layer moves other layers that are at its anchors. nil
	// means the slot's default.
	carry  [][2]int
	steady bool // the carry of the pet's layer does not move this layer
}

// A family has the names and the lore that the three looks of one creature share.
type family struct {
	key  string // "river-otter"
	name string // "River Otter"
	lore string // two or three sentences, used in descriptions
}
