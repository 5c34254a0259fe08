// Package art draws pets. Open an art pack, look up what a pet looks like with
// LookOf, and Draw returns its PNG; art/gallery remembers what was drawn. Same
// pack, look and view give the same pixels, always.
package art

import "errors"

// recipe is part of every picture's version. It never changes, so that links to
// published pictures stay alive: if the encoder ever makes other bytes of the
// same layers, that has to show in Key alone.
const recipe = 2

// limits of what a pack may hold, besides those of its files.
const (
	maxDictionary = 4 << 20    // bytes of dictionary.json
	maxLayer      = 1 << 20    // bytes of one PNG
	maxPixels     = 64_000_000 // of all layers and their swaps, unpacked
	maxColours    = 1<<16 - 1  // of the pack-wide table; more take the RGBA path
	maxTable      = 1 << 20    // trait combinations of one slot
	maxWork       = 1 << 26    // assets times combinations of one slot
)

// ErrPack is in the chain of every error that refuses a pack.
var ErrPack = errors.New("bad art pack")
