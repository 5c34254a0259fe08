// Package art draws pets. Open an art pack, get a pet's look with LookOf, and draw the look with
// Draw. art/gallery keeps drawn pictures. The same pack, look and view always give the same pixels.
package art

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"image/color"
	"strconv"
	"sync"

	"petsupply/internal/art/petpack"
	"petsupply/internal/pet/collection"
)

// recipe is part of every picture's version. It never changes, so that links to published pictures
// keep working. If the encoder ever makes other bytes from the same layers, change the method
// Key instead.
const recipe = 2

// A Pack is a version of a set of layers, in memory and ready to draw. It never changes, and many
// goroutines may use it at once. The embedded pack is unpacked when the first picture is drawn.
type Pack struct {
	m           *petpack.Manifest
	collection  *collection.Collection
	tables      map[string]collection.Table
	texts       *collection.Texts
	grid, scale int

	traits     []trait // the traits that select layers
	slots      []slot  // back to front
	assets     []asset // in the order of the manifest
	anchorSlot int     // the slot whose assets have anchors, or none

	plain *plain // set if the pack has no layers and draws names and numbers

	unpack  func()        // makes the next four fields and the assets' layers, unless they exist
	soft    bool          // partly transparent pixels or too many colours: the layers have colours, not indices
	colours []color.NRGBA // the colour table, full transparency first; none if soft
	index   []uint16      // the layers' pixels: indices into the colour table
	colour  []color.NRGBA // the layers' pixels, if soft

	head string // the beginning of the text that is hashed for a version
	text []byte // the licence, as PNG chunks

	canvases sync.Pool // of *canvas
}

// Unpack makes the pack ready to draw. Without it, the first picture takes longer.
func (p *Pack) Unpack() { p.unpack() }

// ID returns the pack's own name, the same in all its versions.
func (p *Pack) ID() string { return p.m.ID }

// Version returns the version in pack.json.
func (p *Pack) Version() string { return p.m.Version }

// Grid returns the width and height of the pack's pictures before scaling.
func (p *Pack) Grid() int { return p.grid }

// Scale returns how many pixels wide a pixel of the grid is drawn, unless a View says otherwise.
func (p *Pack) Scale() int { return p.scale }

// Licence returns the licence of the pictures.
func (p *Pack) Licence() string { return p.m.Licence }

// Collection returns the collection that the pack was opened for.
func (p *Pack) Collection() *collection.Collection { return p.collection }

// Texts returns the texts of the collection with the pack's words. They are not escaped.
func (p *Pack) Texts() *collection.Texts { return p.texts }

// Tables returns the tables of the pack's dictionary, by name. They must not be changed.
func (p *Pack) Tables() map[string]collection.Table { return p.tables }

// PictureVersion returns the version of a look's picture: hex digits that change when the picture
// may change. They do not depend on the view: size, format, frame and background. Looks that the
// pack draws alike share a version, so there are never more versions than pictures.
func (p *Pack) PictureVersion(l Look) string {
	var buf [2 * versionBytes]byte
	return string(p.appendVersion(buf[:0], l))
}

const versionBytes = 10

func (p *Pack) appendVersion(dst []byte, l Look) []byte {
	var buf [512]byte
	classes := p.classes(&l)
	b := append(buf[:0], p.head...)
	for i := range p.slots {
		b = binary.BigEndian.AppendUint64(b, p.assets[p.slots[i].at(&classes)].fingerprint)
	}
	if p.plain != nil {
		b = binary.BigEndian.AppendUint64(b, l.values[0])
		b = binary.BigEndian.AppendUint64(b, l.values[1])
	}
	sum := sha256.Sum256(b)
	return hex.AppendEncode(dst, sum[:versionBytes])
}

// Key identifies one picture: its version with the view. It is the content of the ETag, and the
// name of the picture in every cache.
func (p *Pack) Key(l Look, v View) string {
	var buf [2*versionBytes + 9]byte
	b := append(p.appendVersion(buf[:0], l), '-')
	if v.Frame {
		b = append(b, 'f')
	}
	if v.Background {
		b = append(b, 'b')
	}
	b = strconv.AppendInt(b, int64(p.scaleOf(v)), 10)
	if v.Form == Moving {
		b = append(b, 'm')
	}
	return string(b)
}

// scaleOf returns the scale of a view, always within bounds.
func (p *Pack) scaleOf(v View) int {
	if v.Scale == 0 {
		return p.scale
	}
	return min(max(v.Scale, 1), p.MaxScale())
}

// Cost returns about how many milliseconds of CPU a view takes to draw.
func (p *Pack) Cost(v View) float64 {
	grid := float64(p.grid*p.grid) / (90 * 90) // pixels of the grid, as a multiple of the default pack's
	scale := float64(p.scaleOf(v))
	still := grid * (0.5 + scale*scale/40)
	if v.Form == Moving {
		return still * (2 + float64(len(p.m.Delays))/6)
	}
	return still
}
