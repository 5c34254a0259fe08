// Package petpack reads the files of an art pack: pack.json and the names of its layers. Open a
// Source and ask it for its Manifest, which lists every asset with the traits that select it. The
// package does not look at pixels.
package petpack

import (
	_ "embed" // pack.schema.json
	"fmt"
	"strings"
)

// The files of a pack that are not layers.
const (
	ManifestFile   = "pack.json"
	DictionaryFile = "dictionary.json"
	SchemaFile     = "pack.schema.json" // for editors; not part of the pack
)

// Schema is the JSON Schema of pack.json, for editors.
//
//go:embed pack.schema.json
var Schema []byte

// Limits of a pack. A pack that exceeds one of them is refused.
const (
	MaxFiles    = 20_000
	maxGrid     = 512
	maxFrames   = 24        // frames of a moving picture
	maxManifest = 512 << 10 // bytes of pack.json
	maxPack     = 64 << 20  // bytes of everything in the pack
	maxWidth    = 3240      // pixels along one edge of a picture
	maxDuration = 6000      // milliseconds that a moving picture lasts
	minDelay    = 20        // milliseconds; viewers ignore shorter delays
	maxAssets   = 20_000
	maxSlots    = 32
	maxPatterns = 100 // file patterns of one slot
)

// MaxScale returns the largest allowed scale for a grid of this width.
func MaxScale(grid int) int { return min(maxWidth/grid, 64) }

// A Trait is a field of a collection that can select an asset.
type Trait struct {
	Name string // as in file names and in "when"
	Max  uint64 // the highest value that it can have
	Bool bool   // the value is true or false; @name in a file name means true
}

// trait returns the trait with this name.
func (m *Manifest) trait(name string) (Trait, error) {
	var known []string
	for _, t := range m.given {
		if t.Name == name {
			return t, nil
		}
		known = append(known, t.Name)
	}
	return Trait{}, fmt.Errorf("no trait %q; traits are %s", name, strings.Join(known, ", "))
}
