package art

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"io"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"petsupply/internal/art/petpack"
	"petsupply/internal/pet/collection"
	"petsupply/packs"
)

// Limits of a pack. Package petpack has others.
const (
	maxDictionary = 4 << 20    // bytes of dictionary.json
	maxLayer      = 1 << 20    // bytes of one PNG
	maxPixels     = 64_000_000 // pixels of all layers, unpacked
	maxColours    = 1<<16 - 1  // colours of the pack-wide table; a pack with more is drawn as RGBA
	maxTable      = 1 << 20    // trait combinations of one slot
	maxWork       = 1 << 26    // steps to fill the table of one slot, or to check its anchors
)

// An asset is something that can be drawn in a slot. It has its layers once the pack is unpacked.
type asset struct {
	petpack.Asset
	layer       *layer   // nil if the asset draws nothing
	frames      []*layer // all frames; frames[0] is layer
	fingerprint uint64   // a hash of everything that its pixels depend on
}

const none = -1

// embeddedName is the path of the default pack, which is part of the program.
const embeddedName = "embedded"

// openSource opens a directory or the embedded pack. The caller closes it when the pack is loaded.
func openSource(path string) (fs.FS, io.Closer, error) {
	if path == embeddedName {
		tree, err := fs.Sub(packs.Files, "meadow")
		return tree, io.NopCloser(nil), err
	}
	// Stat comes before opening, because opening a pipe would wait for a writer.
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.IsDir() {
		return nil, nil, errors.New("not a directory")
	}
	// os.OpenRoot, unlike os.DirFS, lets no symbolic link lead out of the directory.
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, nil, err
	}
	return root.FS(), root, nil
}

// Embedded returns the default pack, for the default collection.
func Embedded() (*Pack, error) { return Open(pets(), embeddedName) }

// pets returns the default collection.
var pets = sync.OnceValue(collection.Pets)

// Open opens a pack for a collection. The path is a directory or "embedded". An error names the
// file and the reason.
func Open(c *collection.Collection, path string) (*Pack, error) {
	fsys, closer, err := openSource(path)
	if err != nil {
		return nil, fmt.Errorf("opening art pack %s: %w", path, err)
	}
	defer closer.Close()
	l := newLoader(c, fsys)
	if path == embeddedName {
		err = l.loadLater()
	} else if faults := l.load(); len(faults) > 0 {
		err = faults[0]
	}
	if err != nil {
		return nil, fmt.Errorf("opening art pack %s: %w", path, err)
	}
	return l.pack, nil
}

// A loader makes a Pack.
type loader struct {
	src    *petpack.Source
	fields map[string]*collection.Field // by their names in packs
	given  []petpack.Trait              // traits that can select layers
	m      *petpack.Manifest            // nil if pack.json is not valid
	files  map[string][]byte            // the files of the layers, by path
	strips map[string][]frame           // their frames, by path
	pack   *Pack
}

func newLoader(c *collection.Collection, fsys fs.FS) *loader {
	l := &loader{src: petpack.NewSource(fsys), pack: &Pack{collection: c, unpack: func() {}}}
	l.given, l.fields = traitsOf(c)
	return l
}

// load makes the pack, or returns its faults: all bad files, or the first contradiction between the
// files.
func (l *loader) load() []error {
	if err := l.readManifest(); err != nil {
		return []error{err}
	}
	faults := slices.Concat(l.m.Misnamed, []error{l.readDictionary()}, l.readLayers())
	faults = append(faults, l.decodeLayers()...)
	faults = slices.DeleteFunc(faults, func(err error) bool { return err == nil })
	if len(faults) > 0 {
		return faults
	}
	if err := l.arrange(); err != nil {
		return []error{err}
	}
	l.giveLayers()
	return nil
}

// loadLater makes a pack that is known to be valid. The pack unpacks its layers when it draws its
// first picture.
func (l *loader) loadLater() error {
	if err := l.readManifest(); err != nil {
		return err
	}
	if err := cmp.Or(l.readDictionary(), errors.Join(l.readLayers()...), l.arrange()); err != nil {
		return err
	}
	l.pack.unpack = sync.OnceFunc(func() {
		if err := errors.Join(l.decodeLayers()...); err != nil {
			panic("unpacking the embedded pack: " + err.Error())
		}
		l.giveLayers()
	})
	return nil
}

// arrange decides from the manifest alone where everything is drawn.
func (l *loader) arrange() error {
	err := l.placeAssets()
	if err == nil {
		err = l.fillSlots()
	}
	if err == nil {
		err = l.checkAnchors()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", petpack.ManifestFile, err)
	}
	return nil
}

func (l *loader) readManifest() error {
	m, err := l.src.Manifest(l.given)
	if err != nil {
		return err
	}
	l.m = m
	p := l.pack
	p.m = m
	p.grid = m.Grid
	p.scale = m.Scale
	p.head = strings.Join(
		[]string{m.Format, m.ID, m.Version, m.Licence, strconv.Itoa(recipe), strconv.Itoa(m.Grid)}, "\n")
	if len(m.Delays) > 0 {
		p.head += fmt.Sprint("\n", m.Delays)
	}
	p.text = licenceText(m.Licence)
	return nil
}

func (l *loader) readDictionary() error {
	data, err := l.src.Read(petpack.DictionaryFile, maxDictionary)
	if err != nil {
		return err
	}
	if l.pack.tables, err = petpack.Tables[collection.Table](data); err == nil {
		l.pack.texts, err = l.pack.collection.Texts(l.pack.tables, func(s string) string { return s })
	}
	if err != nil {
		return fmt.Errorf("%s: %w", petpack.DictionaryFile, err)
	}
	return nil
}

// readLayers reads every file once. It returns an error for each file that cannot be read, or only
// one error if the layers have too many pixels.
func (l *loader) readLayers() (faults []error) {
	l.files = map[string][]byte{}
	pixels := int64(0)
	for _, a := range l.m.Assets {
		if a.File == "" || l.files[a.File] != nil {
			continue
		}
		text, err := l.src.Read(a.File, maxLayer)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		l.files[a.File] = text
		pixels += unpackedPixels(text, a.Frames, l.m.Grid)
		if pixels > maxPixels {
			l.files = nil // so that none is decoded
			return []error{fmt.Errorf("%s: with this file, the pack's layers have more than %d million pixels",
				a.File, maxPixels/1_000_000)}
		}
	}
	return faults
}

// decodeLayers decodes the files, in parallel because this takes most of the time. It returns an
// error or nil for each file.
func (l *loader) decodeLayers() []error {
	files := slices.Sorted(maps.Keys(l.files))
	decoded := make([][]frame, len(files))
	faults := make([]error, len(files))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range files {
		group.Go(func() error {
			var err error
			decoded[i], err = decodeStrip(l.files[name], l.m.Grid, petpack.FramesOf(name))
			if err != nil {
				faults[i] = fmt.Errorf("%s: %w", name, err)
			}
			return nil
		})
	}
	group.Wait()
	l.strips = make(map[string][]frame, len(files))
	for i, name := range files {
		l.strips[name] = decoded[i]
	}
	return faults
}

// giveLayers puts the pixels of all layers together, and gives each asset its layers. A pack with
// partly transparent pixels or too many colours has no colour table. It is called soft.
func (l *loader) giveLayers() {
	p := l.pack
	table := newColourTable()
	indices := pool[uint16]{known: map[string]int32{}, append: binary.BigEndian.AppendUint16}
	p.soft = !l.eachFrame(func(f *frame) bool {
		index, ok := table.index(f.pixels)
		if ok {
			f.from = indices.add(f.spans, index)
		}
		return ok
	})
	p.index = slices.Clip(indices.pixels)
	p.colours = table.colours
	if p.soft {
		colours := pool[color.NRGBA]{known: map[string]int32{}, append: appendColour}
		l.eachFrame(func(f *frame) bool {
			f.from = colours.add(f.spans, f.pixels)
			return true
		})
		p.colour = slices.Clip(colours.pixels)
		p.index = nil
		p.colours = nil
	}
	for i := range p.assets {
		a := &p.assets[i]
		for _, f := range l.strips[a.File] {
			drawn := f.layer // without the pixels of f
			a.frames = append(a.frames, &drawn)
		}
		if len(a.frames) > 0 {
			a.layer = a.frames[0]
		}
	}
	l.files = nil
	l.strips = nil
}

// eachFrame calls add for each frame of all files, until add returns false.
func (l *loader) eachFrame(add func(*frame) bool) bool {
	for _, file := range slices.Sorted(maps.Keys(l.strips)) {
		for i := range l.strips[file] {
			if !add(&l.strips[file][i]) {
				return false
			}
		}
	}
	return true
}

// placeAssets lists the manifest's assets, and finds the only slot whose assets have anchors. An
// anchor is a point of an asset at which assets of other slots can be placed.
func (l *loader) placeAssets() error {
	l.pack.anchorSlot = none
	for _, e := range l.m.Assets {
		l.pack.assets = append(l.pack.assets, asset{Asset: e, fingerprint: l.fingerprint(e)})
		if len(e.Anchors) == 0 {
			continue
		}
		s := slices.IndexFunc(l.m.Slots, func(s petpack.Slot) bool { return s.Name == e.Slot })
		if old := l.pack.anchorSlot; old != none && old != s {
			return fmt.Errorf("%s: has anchors in slot %q, but slot %q has anchors too; only one slot can have them",
				e.Where(), e.Slot, l.m.Slots[old].Name)
		}
		l.pack.anchorSlot = s
	}
	return nil
}

// fingerprint returns a hash of an asset's pixels and place. It is part of every picture's version.
func (l *loader) fingerprint(a petpack.Asset) uint64 {
	data, err := json.Marshal(a)
	if err != nil {
		panic("encoding an asset: " + err.Error())
	}
	sum := sha256.Sum256(append(data, l.files[a.File]...))
	return binary.BigEndian.Uint64(sum[:])
}

// fillSlots decides what each slot shows for every combination of traits.
func (l *loader) fillSlots() error {
	if n := len(l.m.Traits); n > maxTraits {
		return fmt.Errorf("layers are selected by %d traits; at most %d are possible", n, maxTraits)
	}
	for _, t := range l.m.Traits {
		l.pack.traits = append(l.pack.traits, newTrait(l.m, t, l.fields[t.Name]))
	}
	for _, e := range l.m.Slots {
		s, err := newSlot(l.m, e, l.pack.traits)
		if err != nil {
			return err
		}
		l.pack.slots = append(l.pack.slots, s)
	}
	return nil
}

// checkAnchors checks the assets that are placed at an anchor: whichever asset the anchor slot
// shows must have that anchor. The anchor slot cannot itself be placed at an anchor, so there are
// no cycles.
func (l *loader) checkAnchors() error {
	p := l.pack
	for i := range p.slots {
		placed := slices.ContainsFunc(p.slots[i].table, func(a int32) bool { return p.assets[a].At != "" })
		switch {
		case !placed:
			continue
		case p.anchorSlot == none:
			return fmt.Errorf("slot %q is placed at an anchor, but no asset has anchors", p.slots[i].name)
		case i == p.anchorSlot:
			return fmt.Errorf("slot %q is placed at its own anchors; only other slots can use them", p.slots[i].name)
		}
		if err := l.checkPlaced(&p.slots[i]); err != nil {
			return err
		}
	}
	return nil
}

// checkPlaced checks that the assets of s find their anchors, for every combination of the traits
// that select layers in s or in the slot with the anchors.
func (l *loader) checkPlaced(s *slot) error {
	p := l.pack
	base := &p.slots[p.anchorSlot]
	traits := slices.Clone(s.by)
	size := len(s.table)
	for _, t := range base.by {
		if !slices.Contains(traits, t) {
			traits = append(traits, t)
			size *= p.traits[t].size
			if size > maxWork {
				return fmt.Errorf("the traits of slots %q and %q have more combinations than this program can handle",
					s.name, base.name)
			}
		}
	}
	var classes tuple
	for {
		top := &p.assets[s.at(&classes)]
		under := &p.assets[base.at(&classes)]
		if _, ok := under.Anchors[top.At]; !ok && top.At != "" && top.File != "" {
			return fmt.Errorf("%s of slot %q is placed at the anchor %q, but %s of slot %q has no such anchor",
				top.Where(), s.name, top.At, under.Where(), base.name)
		}
		if !p.next(&classes, traits, false) {
			return nil
		}
	}
}
