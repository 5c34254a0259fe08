package art

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"petsupply/internal/art/petpack"
)

type manifest = petpack.Manifest

const (
	manifestFile   = petpack.ManifestFile
	dictionaryFile = petpack.DictionaryFile
)

// small returns the files of a small valid pack, for a test to break.
func small(t testing.TB) fstest.MapFS {
	t.Helper()
	tree, err := smallTree()
	if err != nil {
		t.Fatal(err)
	}
	copied := fstest.MapFS{}
	for name, file := range tree {
		copied[name] = &fstest.MapFile{Data: bytes.Clone(file.Data), Mode: file.Mode}
	}
	return copied
}

// smallTree is the starter.
var smallTree = sync.OnceValues(func() (fstest.MapFS, error) { return treeOf(os.DirFS("../../packs/starter")) })

// treeOf reads a whole file tree.
func treeOf(disk fs.FS) (fstest.MapFS, error) {
	tree := fstest.MapFS{}
	return tree, fs.WalkDir(disk, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(disk, name)
		tree[name] = &fstest.MapFile{Data: data, Mode: 0o644}
		return err
	})
}

// edit changes a pack's manifest.
func edit(t testing.TB, tree fstest.MapFS, change func(m *manifest)) {
	t.Helper()
	var m manifest
	if err := json.Unmarshal(tree[manifestFile].Data, &m); err != nil {
		t.Fatal(err)
	}
	change(&m)
	data, err := petpack.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	tree[manifestFile] = &fstest.MapFile{Data: data, Mode: 0o644}
}

// replace changes the text of a pack's file.
func replace(t testing.TB, tree fstest.MapFS, file, old, new string) {
	t.Helper()
	text := string(tree[file].Data)
	changed := strings.Replace(text, old, new, 1)
	if changed == text {
		t.Fatalf("%q is not in %s", old, file)
	}
	tree[file] = &fstest.MapFile{Data: []byte(changed), Mode: 0o644}
}

// put replaces a layer.
func put(tree fstest.MapFS, name string, data []byte) {
	tree[name] = &fstest.MapFile{Data: data, Mode: 0o644}
}

func encodePNG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func decodePNG(t testing.TB, data []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func open(t testing.TB, tree fs.FS) *Pack {
	t.Helper()
	p, err := openFS(tree)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// openFS opens a pack in a file tree.
func openFS(tree fs.FS) (*Pack, error) {
	l := newLoader(pets(), tree)
	if faults := l.load(); len(faults) > 0 {
		return nil, faults[0]
	}
	return l.pack, nil
}

func embedded(t testing.TB) *Pack {
	t.Helper()
	p, err := openEmbedded()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// openEmbedded opens the pack once for all tests: it never changes.
var openEmbedded = sync.OnceValues(Embedded)

// checked returns the default pack, opened and checked like any other pack.
func checked(t testing.TB) *Pack {
	t.Helper()
	p, err := openChecked()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// openChecked opens the pack once for all tests.
var openChecked = sync.OnceValues(func() (*Pack, error) {
	p, faults := Lint(pets(), embeddedName)
	return p, errors.Join(faults...)
})

// picture makes an image from a function of its pixels.
func picture(w, h int, at func(x, y int) color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetNRGBA(x, y, at(x, y))
		}
	}
	return img
}

// soft returns a pack whose layers have soft alpha.
func soft(t testing.TB) fstest.MapFS {
	t.Helper()
	tree := small(t)
	put(tree, "shadow.png", encodePNG(t, picture(40, 6, func(x, y int) color.NRGBA {
		return color.NRGBA{20, 30, 40, uint8(40 + 4*x)}
	})))
	return tree
}

// colourful returns a pack with a scene of more than 256 colours.
func colourful(t testing.TB) fstest.MapFS {
	t.Helper()
	tree := small(t)
	put(tree, "scene/back.png", encodePNG(t, picture(80, 80, func(x, y int) color.NRGBA {
		return color.NRGBA{uint8(3 * x), uint8(3 * y), uint8(x ^ y), 255}
	})))
	return tree
}

// newRand returns the same random numbers in every run.
func newRand() *rand.Rand { return rand.New(rand.NewPCG(4, 90)) }

// at is a look of the default collection.
type at map[string]uint64

// String names every trait.
func (l at) String() string {
	return fmt.Sprintf("egg %d, appearance %d, rarity %d, element %d, shiny %t, background %d",
		l["egg"], l["appearance"], l["rarity"], l["element"], l["shiny"] != 0, l["background"])
}

// anyLook returns a random look. Sometimes the pack does not know one of its values.
func anyLook(r *rand.Rand, p *Pack) Look {
	var class tuple
	for t := range p.traits {
		class[t] = r.IntN(p.traits[t].size)
	}
	l := p.lookIn(class)
	if t := r.IntN(len(p.traits)); r.IntN(10) == 0 && !p.traits[t].Bool {
		l.values[t] = 200
	}
	return l
}

// A naive renderer reads the pack's files itself and composes them with the standard library. It
// uses none of the tables that a Pack makes.
type naive struct {
	tree   fs.FS
	m      *manifest
	layers map[string]image.Image
}

func newNaive(t testing.TB, tree fs.FS) *naive {
	t.Helper()
	n := &naive{tree: tree, layers: map[string]image.Image{}}
	var err error
	traits, _ := traitsOf(pets())
	if n.m, err = petpack.NewSource(tree).Manifest(traits); err != nil {
		t.Fatal(err)
	}
	return n
}

// choose tries all assets of a slot, and returns the one that fits by the most traits. If none fits,
// it tries again with appearance 0, and then with 0 for every value that no asset names.
func (n *naive) choose(slot string, values at) *petpack.Asset {
	var best *petpack.Asset
	for i := range n.m.Assets {
		a := &n.m.Assets[i]
		fits := a.Slot == slot
		for trait, list := range a.When {
			fits = fits && slices.Contains(list, int(values[trait]))
		}
		if fits && (best == nil || len(a.When) > len(best.When)) {
			best = a
		}
	}
	switch {
	case best != nil:
		return best
	case values["appearance"] != 0:
		values = maps.Clone(values)
		values["appearance"] = 0
	default:
		values = n.known(values)
	}
	return n.choose(slot, values)
}

// inUse is how many values of each trait are in use.
var inUse = at{"egg": 5, "appearance": 1, "rarity": 5, "element": 8, "shiny": 2, "background": 11}

// known sets values to 0 that are neither in use nor named.
func (n *naive) known(values at) at {
	out := at{}
	for trait, v := range values {
		named := v < inUse[trait]
		for _, a := range n.m.Assets {
			named = named || slices.Contains(a.When[trait], int(v))
		}
		if named {
			out[trait] = v
		}
	}
	return out
}

func (n *naive) layer(t testing.TB, a *petpack.Asset) image.Image {
	t.Helper()
	if img := n.layers[a.File]; img != nil {
		return img
	}
	data, err := fs.ReadFile(n.tree, path.Clean(a.File))
	if err != nil {
		t.Fatal(err)
	}
	src := decodePNG(t, data)
	width := src.Bounds().Dx() / max(a.Frames, 1) // of the first frame of a strip
	img := image.NewNRGBA(image.Rect(0, 0, width, src.Bounds().Dy()))
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			c := color.NRGBAModel.Convert(src.At(x, y)).(color.NRGBA)
			img.SetNRGBA(x, y, c)
		}
	}
	n.layers[a.File] = img
	return img
}

// draw composes a look at a scale of 1.
func (n *naive) draw(t testing.TB, p *Pack, l Look, v View) *image.NRGBA {
	t.Helper()
	values := at{}
	for i := range p.traits {
		values[p.traits[i].Name] = l.values[i]
	}
	if n.known(values)["appearance"] == 0 {
		values["appearance"] = 0
	}
	base := map[string][2]int{}
	for _, s := range n.m.Slots {
		if a := n.choose(s.Name, values); len(a.Anchors) > 0 {
			base = a.Anchors
		}
	}
	small := image.NewNRGBA(image.Rect(0, 0, n.m.Grid, n.m.Grid))
	for _, s := range n.m.Slots {
		if s.Switch == "frame" && !v.Frame || s.Switch == "background" && !v.Background {
			continue
		}
		a := n.choose(s.Name, values)
		if a.File == "" {
			continue
		}
		at := image.Pt(a.X, a.Y)
		if a.At != "" {
			at = at.Add(image.Pt(base[a.At][0], base[a.At][1]))
		}
		img := n.layer(t, a)
		draw.Draw(small, img.Bounds().Add(at), img, image.Point{}, draw.Over)
	}
	return small
}

// shrink returns a decoded picture at a scale of 1. It checks that all pixels of each block are the
// same.
func shrink(t testing.TB, img image.Image, scale int) image.Image {
	t.Helper()
	var pix []byte
	var stride, size int // bytes of a row and of a pixel
	var small func(x, y int) color.Color
	switch img := img.(type) {
	case *image.Paletted:
		pix, stride, size, small = img.Pix, img.Stride, 1, img.At
	case *image.NRGBA:
		pix, stride, size, small = img.Pix, img.Stride, 4, img.At
	default:
		t.Fatalf("a picture is a %T", img)
	}
	grid := img.Bounds().Dx() / scale
	out := image.NewNRGBA(image.Rect(0, 0, grid, grid))
	for y := range grid {
		row := pix[y*scale*stride:][:grid*scale*size]
		for i := 1; i < scale; i++ {
			if !bytes.Equal(row, pix[(y*scale+i)*stride:][:len(row)]) {
				t.Fatalf("row %d of the grid is not the same %d times", y, scale)
			}
		}
		for x := range grid {
			block := row[x*scale*size:][:scale*size]
			if !bytes.Equal(block[size:], block[:len(block)-size]) {
				t.Fatalf("pixel %d,%d of the grid is not the same %d times", x, y, scale)
			}
			out.SetNRGBA(x, y, nrgba(small(x*scale, y*scale)))
		}
	}
	return out
}
