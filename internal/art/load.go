package art

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"io/fs"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"petsupply/internal/art/gridpng"
	"petsupply/internal/art/petpack"
	"petsupply/internal/pet"
)

// An asset is one thing that can stand in a slot, ready to be drawn once the pack is
// unpacked.
type asset struct {
	petpack.Asset
	layer       *layer   // nil draws nothing
	frames      []*layer // of one that moves; the first is layer
	fingerprint uint64   // of everything that its pixels depend on
}

const none = -1

// Open reads a published pack from a directory or zip file, or the newest one
// inside the program if path is "embedded". An error names the file and the
// reason, and has ErrPack in its chain.
func Open(path string) (*Pack, error) { return openPack(path, petpack.Published) }

// OpenDraft opens a pack as it lies there, whether its checksums are right or
// not, for those who work on it.
func OpenDraft(path string) (*Pack, error) { return openPack(path, petpack.Draft) }

func openPack(path string, draft bool) (*Pack, error) {
	fsys, closer, err := openSource(path)
	if err != nil {
		return nil, fmt.Errorf("opening art pack %s: %w: %w", path, ErrPack, err)
	}
	defer closer.Close()
	return openFS(fsys, path, draft)
}

// Embedded returns the default pack, which is part of the program.
func Embedded() (*Pack, error) { return Open(embeddedName) }

// OpenFS reads a published pack from a file tree; name is what errors call it.
func OpenFS(fsys fs.FS, name string) (*Pack, error) { return openFS(fsys, name, petpack.Published) }

func openFS(fsys fs.FS, name string, draft bool) (*Pack, error) {
	l := newLoader(fsys, draft)
	if faults := l.load(); len(faults) > 0 {
		return nil, fmt.Errorf("opening art pack %s: %w: %w", name, ErrPack, faults[0])
	}
	return l.pack, nil
}

// A loader holds what is needed only until the pack stands.
type loader struct {
	src    *petpack.Source
	draft  bool                // checksums are not looked at
	m      *petpack.Manifest   // nil if pack.json is not sound
	strips map[string]*strip   // by file
	layers map[string][]*layer // frames by file and swap
	pack   *Pack
}

func newLoader(fsys fs.FS, draft bool) *loader {
	return &loader{src: petpack.NewSource(fsys), draft: draft, pack: &Pack{unpack: func() {}}}
}

// load makes the pack, or returns what is wrong with it: every bad file, or the
// first thing that does not fit together.
func (l *loader) load() []error {
	if err := l.readManifest(); err != nil {
		return []error{err}
	}
	faults := append([]error{l.readDictionary()}, l.readLayers()...)
	faults = slices.DeleteFunc(faults, func(err error) bool { return err == nil })
	if len(faults) > 0 {
		return faults
	}
	l.indexLayers()
	if err := l.arrange(); err != nil {
		return []error{err}
	}
	l.giveLayers()
	return nil
}

// loadLater makes a pack that is known to be sound, and unpacks its layers when they
// are first drawn.
func (l *loader) loadLater() error {
	for _, step := range []func() error{l.readManifest, l.readDictionary, l.arrange} {
		if err := step(); err != nil {
			return err
		}
	}
	l.pack.unpack = sync.OnceFunc(func() {
		if err := errors.Join(l.readLayers()...); err != nil {
			panic("unpacking a pack of the program's own: " + err.Error())
		}
		l.indexLayers()
		l.giveLayers()
		l.strips, l.layers = nil, nil
	})
	return nil
}

// arrange decides where everything is drawn, by the manifest alone.
func (l *loader) arrange() error {
	for _, step := range []func() error{l.placeAssets, l.resolve, l.checkAnchors} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// giveLayers makes the assets drawable.
func (l *loader) giveLayers() {
	for i := range l.pack.assets {
		a := &l.pack.assets[i]
		if a.frames = l.layers[layerKey(&a.Asset)]; len(a.frames) > 0 {
			a.layer = a.frames[0]
		}
	}
}

func (l *loader) readManifest() error {
	m, err := l.src.Manifest(l.draft)
	if err != nil {
		return err
	}
	l.m = m
	p := l.pack
	p.m, p.grid, p.scale = m, m.Grid, m.Scale
	p.head = strings.Join([]string{m.Format, m.ID, m.Version, m.Licence, strconv.Itoa(recipe), strconv.Itoa(m.Grid)}, "\n")
	if len(m.Delays) > 0 {
		p.head += fmt.Sprint("\n", m.Delays)
	}
	p.text = gridpng.AppendText(gridpng.AppendText(nil, "Copyright", m.Licence), "Software", "petsupply")
	return nil
}

func (l *loader) readDictionary() error {
	data, err := l.src.Read(petpack.DictionaryFile, maxDictionary)
	if err != nil {
		return err
	}
	if want := l.m.Locked[petpack.DictionaryFile]; want != "" && !l.draft {
		if err := checkSum(petpack.DictionaryFile, data, want); err != nil {
			return err
		}
	}
	if l.pack.dict, err = pet.ParseDictionary(bytes.NewReader(data)); err != nil {
		return fmt.Errorf("%s: %w", petpack.DictionaryFile, err)
	}
	return nil
}

// readLayers reads every file once, checks its sum, and decodes the files on
// all processors; a pack of hundreds of layers is most of the start-up time.
// It returns an error or nil for each file.
func (l *loader) readLayers() []error {
	sums, err := l.sums()
	if err != nil {
		return []error{err}
	}
	frames := map[string]int{}
	for _, a := range l.m.Assets {
		frames[a.File] = max(a.Frames, 1)
	}
	files, pixels := slices.Sorted(maps.Keys(sums)), newPixelCount(l.m)
	texts, decoded, faults := make([][]byte, len(files)), make([]*strip, len(files)), make([]error, len(files))
	for i, name := range files {
		if texts[i], faults[i] = l.src.Read(name, maxLayer); !pixels.add(name, texts[i]) {
			return []error{fmt.Errorf("%s: with it the layers of the pack have more than %d million pixels, swaps counted too", name, maxPixels/1_000_000)}
		}
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range files {
		if faults[i] != nil {
			continue
		}
		if l.draft {
			sums[name] = fmt.Sprintf("%x", sha256.Sum256(texts[i]))
		}
		want := sums[name]
		group.Go(func() error {
			decoded[i], faults[i] = checkedStrip(name, texts[i], want, l.m.Grid, frames[name])
			return nil
		})
	}
	group.Wait()
	l.strips = make(map[string]*strip, len(files))
	for i, name := range files {
		l.strips[name] = decoded[i]
	}
	for i := range l.m.Assets { // of a draft: what its layers are now
		l.m.Assets[i].SHA256 = sums[l.m.Assets[i].File]
	}
	return faults
}

// sums returns the checksum of every layer's file.
func (l *loader) sums() (map[string]string, error) {
	out := map[string]string{}
	for i := range l.m.Assets {
		a := &l.m.Assets[i]
		if old, ok := out[a.File]; ok && a.SHA256 != old && !l.draft {
			return nil, fmt.Errorf("%s: given different checksums, at last in %s", a.File, l.m.Where(a))
		}
		out[a.File] = a.SHA256
	}
	delete(out, "")
	return out, nil
}

// checkedStrip decodes a file if its checksum is right.
func checkedStrip(name string, data []byte, want string, grid, frames int) (*strip, error) {
	if err := checkSum(name, data, want); err != nil {
		return nil, err
	}
	s, err := decodeStrip(data, grid, frames)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

func checkSum(name string, data []byte, want string) error {
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != want {
		return fmt.Errorf("%s: its checksum is %x…, not %.8s…; if it was painted over, run petsupply pack lock", name, sum[:4], want)
	}
	return nil
}

// indexLayers makes the swapped layers, and gives all of them the pack's one
// colour table unless soft alpha or too many colours forbid it.
func (l *loader) indexLayers() {
	used := map[string]*strip{}
	for i := range l.m.Assets {
		a := &l.m.Assets[i]
		key := layerKey(a)
		if a.File == "" || used[key] != nil {
			continue
		}
		used[key] = l.strips[a.File]
		if a.Swap != "" {
			used[key] = used[key].swapped(colourMap(l.m.Palettes[a.Swap]))
		}
	}
	table := newColourTable()
	for _, key := range slices.Sorted(maps.Keys(used)) {
		l.pack.soft = l.pack.soft || !table.addStrip(used[key])
	}
	if l.pack.soft {
		l.pack.colour, l.layers = pooled(used, (*strip).coloured, appendColour)
		return
	}
	l.pack.colours = table.colours
	l.pack.index, l.layers = pooled(used, table.indexed, binary.BigEndian.AppendUint16)
}

func colourMap(swaps map[string]string) map[color.NRGBA]color.NRGBA {
	out := make(map[color.NRGBA]color.NRGBA, len(swaps))
	for from, to := range swaps {
		out[parseColour(from)] = parseColour(to)
	}
	return out
}

// parseColour reads a colour that has been checked to be #rrggbb.
func parseColour(s string) color.NRGBA {
	n, _ := strconv.ParseUint(s[1:], 16, 32)
	return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}
}

// placeAssets lists the manifest's assets and finds the one slot whose assets carry
// anchors.
func (l *loader) placeAssets() error {
	l.pack.anchorSlot = none
	for _, e := range l.m.Assets {
		l.pack.assets = append(l.pack.assets, asset{Asset: e, fingerprint: l.fingerprint(e)})
		if len(e.Anchors) == 0 {
			continue
		}
		s := slices.IndexFunc(l.m.Slots, func(s petpack.Slot) bool { return s.Name == e.Slot })
		if old := l.pack.anchorSlot; old != none && old != s {
			return fmt.Errorf("%s: %s: anchors in slot %q, but slot %q has some already", petpack.ManifestFile, l.m.Where(&e), e.Slot, l.m.Slots[old].Name)
		}
		l.pack.anchorSlot = s
	}
	return nil
}

// fingerprint is of an asset's pixels and place. Credits are no part of
// it: a corrected name does not make another picture.
func (l *loader) fingerprint(e petpack.Asset) uint64 {
	e.Credits, e.Licence = nil, ""
	data, err := json.Marshal(struct {
		Asset petpack.Asset
		Swap  map[string]string
		Play  []int    `json:",omitempty"`
		Bob   [][2]int `json:",omitempty"`
		Carry [][2]int `json:",omitempty"`
	}{e, l.m.Palettes[e.Swap], e.Play, e.Bob, e.Carry})
	if err != nil {
		panic("encoding a checked manifest entry: " + err.Error())
	}
	sum := sha256.Sum256(data)
	return binary.BigEndian.Uint64(sum[:])
}

func (l *loader) resolve() error {
	l.pack.space = newTraitSpace(l.m)
	for _, e := range l.m.Slots {
		s, err := newSlot(l.m, e, &l.pack.space)
		if err != nil {
			return fmt.Errorf("%s: %w", petpack.ManifestFile, err)
		}
		l.pack.slots = append(l.pack.slots, s)
	}
	return nil
}
