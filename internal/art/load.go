package art

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"io"
	"io/fs"
	"maps"
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
	maxPixels     = 64_000_000 // pixels of all layers and their swaps, unpacked
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

// The two ways to open a pack. The checksums of a draft are not compared.
const (
	published = false
	draft     = true
)

// embeddedName is the path of the default pack, which is part of the program.
const embeddedName = "embedded"

// openSource opens a directory, a zip file or the embedded pack. The caller closes it when the pack
// is loaded.
func openSource(path string) (fs.FS, io.Closer, error) {
	if path == embeddedName {
		tree, err := fs.Sub(packs.Files, "meadow")
		return tree, io.NopCloser(nil), err
	}
	return petpack.Open(path)
}

// Embedded returns the default pack, for the default collection.
func Embedded() (*Pack, error) { return openPack(pets(), embeddedName, published) }

// pets returns the default collection.
var pets = sync.OnceValue(collection.Pets)

// OpenDraft opens a pack for a collection without comparing checksums, for artists. The path is a
// directory, a zip file, or "embedded".
func OpenDraft(c *collection.Collection, path string) (*Pack, error) { return openPack(c, path, draft) }

// openPack opens a pack. An error names the file and the reason.
func openPack(c *collection.Collection, path string, draft bool) (*Pack, error) {
	fsys, closer, err := openSource(path)
	if err != nil {
		return nil, fmt.Errorf("opening art pack %s: %w", path, err)
	}
	defer closer.Close()
	l := newLoader(c, fsys, draft && path != embeddedName)
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
	draft  bool                         // checksums are not compared
	m      *petpack.Manifest            // nil if pack.json is not valid
	strips map[string]*strip            // by file
	layers map[string][]*layer          // frames by file and swap
	pack   *Pack
}

func newLoader(c *collection.Collection, fsys fs.FS, draft bool) *loader {
	l := &loader{src: petpack.NewSource(fsys), draft: draft, pack: &Pack{collection: c, unpack: func() {}}}
	l.given, l.fields = traitsOf(c)
	return l
}

// load makes the pack, or returns its faults: all bad files, or the first contradiction between the
// files.
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

// loadLater makes a pack that is known to be valid. The pack unpacks its layers when it draws its
// first picture.
func (l *loader) loadLater() error {
	if err := l.readManifest(); err != nil {
		return err
	}
	if err := l.readDictionary(); err != nil {
		return err
	}
	if err := l.arrange(); err != nil {
		return err
	}
	l.pack.unpack = sync.OnceFunc(func() {
		if err := errors.Join(l.readLayers()...); err != nil {
			panic("unpacking the embedded pack: " + err.Error())
		}
		l.indexLayers()
		l.giveLayers()
		l.strips, l.layers = nil, nil
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

// giveLayers gives each asset its layers.
func (l *loader) giveLayers() {
	for i := range l.pack.assets {
		a := &l.pack.assets[i]
		if a.frames = l.layers[layerKey(&a.Asset)]; len(a.frames) > 0 {
			a.layer = a.frames[0]
		}
	}
}

func (l *loader) readManifest() error {
	m, err := l.src.Manifest(l.draft, l.given)
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
	p.text = licenceText(m.Licence)
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
	if l.pack.tables, err = petpack.Tables[collection.Table](data); err == nil {
		l.pack.texts, err = l.pack.collection.Texts(l.pack.tables, func(s string) string { return s })
	}
	if err != nil {
		return fmt.Errorf("%s: %w", petpack.DictionaryFile, err)
	}
	return nil
}

// readLayers reads every file once, compares its checksum, and decodes it. It decodes files in
// parallel, because this takes most of the start-up time. It returns an error or nil for each file,
// or only one error if the layers have too many pixels. The assets of a draft get the current
// checksums of their files.
func (l *loader) readLayers() []error {
	assets := map[string][]*petpack.Asset{} // by file
	for i := range l.m.Assets {
		if a := &l.m.Assets[i]; a.File != "" {
			assets[a.File] = append(assets[a.File], a)
		}
	}
	files, pixels := slices.Sorted(maps.Keys(assets)), int64(0)
	texts, decoded, faults := make([][]byte, len(files)), make([]*strip, len(files)), make([]error, len(files))
	for i, name := range files {
		texts[i], faults[i] = l.src.Read(name, maxLayer)
		if pixels += unpackedPixels(texts[i], assets[name], l.m.Grid); pixels > maxPixels {
			return []error{fmt.Errorf("%s: with this file, the pack's layers have more than %d million pixels, swaps included",
				name, maxPixels/1_000_000)}
		}
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range files {
		if faults[i] != nil {
			continue
		}
		group.Go(func() error {
			if l.draft {
				for _, a := range assets[name] {
					a.SHA256 = fmt.Sprintf("%x", sha256.Sum256(texts[i]))
				}
			}
			first := assets[name][0]
			if faults[i] = checkSum(name, texts[i], first.SHA256); faults[i] != nil {
				return nil
			}
			if decoded[i], faults[i] = decodeStrip(texts[i], l.m.Grid, first.Frames); faults[i] != nil {
				faults[i] = fmt.Errorf("%s: %w", name, faults[i])
			}
			return nil
		})
	}
	group.Wait()
	l.strips = make(map[string]*strip, len(files))
	for i, name := range files {
		l.strips[name] = decoded[i]
	}
	return faults
}

func checkSum(name string, data []byte, want string) error {
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != want {
		return fmt.Errorf("%s: its checksum is %x…, not %.8s…; if this is intended, run petsupply pack lock",
			name, sum[:4], want)
	}
	return nil
}

// indexLayers makes the swapped layers, and gives all layers one colour table. A pack with partly
// transparent pixels or too many colours has no table. It is called soft.
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

// parseColour reads a colour that is known to have the form #rrggbb.
func parseColour(s string) color.NRGBA {
	n, _ := strconv.ParseUint(s[1:], 16, 32)
	return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}
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
				l.m.Where(&e), e.Slot, l.m.Slots[old].Name)
		}
		l.pack.anchorSlot = s
	}
	return nil
}

// fingerprint returns a hash of an asset's pixels and place. It is part of every picture's version,
// so its form must not change. It leaves out the asset's credits and licence, which do not change
// the picture.
func (l *loader) fingerprint(e petpack.Asset) uint64 {
	e.Credits, e.Licence = nil, ""
	type signed struct {
		petpack.Asset
		SHA256 string `json:"sha256,omitempty"`
	}
	data, err := json.Marshal(struct {
		Asset  signed
		Swap   map[string]string
		Play   []int    `json:",omitempty"`
		Bob    [][2]int `json:",omitempty"`
		Carry  [][2]int `json:",omitempty"`
		Steady bool     `json:",omitempty"`
	}{signed{e, e.SHA256}, l.m.Palettes[e.Swap], e.Play, e.Bob, e.Carry, e.Steady})
	if err != nil {
		panic("encoding a checked manifest entry: " + err.Error())
	}
	sum := sha256.Sum256(data)
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
			if size *= p.traits[t].size; size > maxWork {
				return fmt.Errorf("the traits of slots %q and %q have more combinations than this program can handle",
					s.name, base.name)
			}
		}
	}
	var class tuple
	for {
		top, under := &p.assets[s.at(&class)], &p.assets[base.at(&class)]
		if _, ok := under.Anchors[top.At]; !ok && top.At != "" && top.File != "" {
			return fmt.Errorf("%s of slot %q is placed at the anchor %q, but %s of slot %q has no such anchor",
				l.m.Where(&top.Asset), s.name, top.At, l.m.Where(&under.Asset), base.name)
		}
		if !p.next(&class, traits, false) {
			return nil
		}
	}
}
