// Package petpack reads the files of an art pack: pack.json in both of its
// forms, pack.lock, and the directory or zip file that they lie in. Open a
// Source and ask it for its Manifest, which lists every asset with the traits
// that select it; nothing is known here of pixels.
//
// petpack/1 lists every asset in pack.json, with its checksum. petpack/2 is
// what people write by hand: file names say what is drawn when, pack.json holds
// what they cannot say, and checksums lie in pack.lock.
package petpack

import (
	"fmt"
	"slices"
	"strings"
)

// The files of a pack that are not layers.
const (
	ManifestFile   = "pack.json"
	LockFile       = "pack.lock"
	DictionaryFile = "dictionary.json"
	SchemaFile     = "pack.schema.json" // for editors; not part of the pack
)

// Limits of what a pack may hold. A pack beyond them is refused before memory
// is spent on it.
const (
	MaxManifest = 8 << 20  // bytes of pack.json
	MaxPack     = 64 << 20 // bytes of everything in the pack
	MaxFiles    = 20_000
	MaxGrid     = 512
	MaxWidth    = 3240 // pixels of a picture, along its edge
	MaxFrames   = 24   // of a moving picture
	maxDuration = 6000 // milliseconds that it lasts
	minDelay    = 20   // that viewers obey
	maxAssets   = 20_000
	maxSlots    = 32
	maxPatterns = 100     // of files in one slot
	maxDepth    = 16      // of objects and lists in pack.json
	maxList     = 1 << 16 // values of one of its lists
)

// MaxScale is the largest scale of a grid, so that no picture is wider than
// MaxWidth.
func MaxScale(grid int) int { return min(MaxWidth/grid, 64) }

// The traits that can select an asset.
const (
	Egg = iota
	Appearance
	Rarity
	Element
	Shiny
	Background
	TraitCount
)

// TraitNames are how files call the traits.
var TraitNames = [TraitCount]string{"egg", "appearance", "rarity", "element", "shiny", "background"}

// TraitMax is the highest value that the chain's own type of a trait holds.
var TraitMax = [TraitCount]int{255, 65535, 255, 255, 1, 255}

// TraitByName finds a trait.
func TraitByName(name string) (int, error) {
	if t := slices.Index(TraitNames[:], name); t >= 0 {
		return t, nil
	}
	return 0, fmt.Errorf("no trait %q; traits are %s", name, strings.Join(TraitNames[:], ", "))
}
