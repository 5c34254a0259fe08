package art

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"petsupply/internal/art/petpack"
)

// Lint checks a pack as Open does and beyond: it names every bad file and not
// only the first, and looks for what loads but is not as it should be.
func Lint(name string) (*Report, error) {
	fsys, closer, err := openSource(name)
	if err != nil {
		return nil, fmt.Errorf("opening art pack %s: %w", name, err)
	}
	defer closer.Close()
	return lintFS(fsys), nil
}

func lintFS(fsys fs.FS) *Report {
	r := &Report{}
	l := newLoader(fsys, draft)
	faults := l.load()
	for _, err := range faults {
		r.loadFault(err, l.m)
	}
	if l.m != nil {
		r.checkLock(fsys, l.m)
		r.checkCredits(l.m)
		r.checkTree(fsys, l.m)
		r.checkPalettes(l.m)
	}
	if len(faults) == 0 {
		r.Pack = l.pack
		r.checkUse(l.pack)
		r.checkNames(l.pack)
		r.checkColours(l.pack)
		r.checkMotion(l.pack)
		r.checkOutlines(l.pack)
	}
	r.collect(fsys)
	return r
}

// loadFault files an error of the loader under the layer that it names.
func (r *Report) loadFault(err error, m *petpack.Manifest) {
	text := err.Error()
	if m != nil {
		for _, a := range m.Assets {
			if rest, ok := strings.CutPrefix(text, a.File+": "); ok && a.File != "" {
				r.fault(a.File, "%s", rest)
				return
			}
		}
	}
	r.fault("", "%s", text)
}

// checkLock compares the files with the checksums that the pack was published
// with.
func (r *Report) checkLock(fsys fs.FS, m *petpack.Manifest) {
	if m.Locked == nil {
		r.note(petpack.LockFile, "not there yet; when the pack is done: petsupply pack lock")
		return
	}
	stale := m.Stale(fsys)
	for _, name := range slices.Sorted(maps.Keys(stale)) {
		r.fault(name, "%s since the pack was locked; when that is done: petsupply pack lock", stale[name])
	}
}

func incomplete(c petpack.Credit) bool { return c.Name == "" || c.Role == "" }

func (r *Report) checkCredits(m *petpack.Manifest) {
	if len(m.Credits) == 0 {
		r.fault(petpack.ManifestFile, `no credits: say who made the pack, as in "credits": [{"name": "…", "role": "art"}]`)
	}
	if slices.ContainsFunc(m.Credits, incomplete) {
		r.fault(petpack.ManifestFile, "a credit without name or role")
	}
	for i := range m.Assets {
		if a := &m.Assets[i]; slices.ContainsFunc(a.Credits, incomplete) {
			r.fault(petpack.ManifestFile, "%s: a credit without name or role", m.Where(a))
		}
	}
	if m.Name == "" {
		r.note(petpack.ManifestFile, "the pack has no name")
	}
}

// checkTree looks for files that no asset uses.
func (r *Report) checkTree(fsys fs.FS, m *petpack.Manifest) {
	used := map[string]bool{
		petpack.ManifestFile: true, petpack.DictionaryFile: true, petpack.LockFile: true, petpack.SchemaFile: true,
	}
	for _, a := range m.Assets {
		used[a.File] = true
	}
	err := fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if r.Files++; r.Files > petpack.MaxFiles {
			return fmt.Errorf("more than %d files", petpack.MaxFiles)
		}
		if info, err := e.Info(); err == nil {
			r.Bytes += info.Size()
		}
		switch {
		case used[name], isDocument(name), strings.HasPrefix(e.Name(), "."):
		case path.Ext(name) == ".png":
			r.fault(name, "no slot has a pattern for this name; rename it, or add one to the files of its slot")
		default:
			r.note(name, "not part of the pack")
		}
		return nil
	})
	if err != nil {
		r.fault("", "listing the pack: %v", err)
	}
}

// isDocument reports whether a file is there for people to read.
func isDocument(name string) bool {
	words := []string{"README", "LICENSE", "LICENCE", "CREDITS", "CHANGELOG", "SHEET."}
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(strings.ToUpper(name), word) })
}

func (r *Report) checkPalettes(m *petpack.Manifest) {
	used := map[string]bool{}
	for _, a := range m.Assets {
		used[a.Swap] = true
	}
	for _, name := range slices.Sorted(maps.Keys(m.Palettes)) {
		if !used[name] {
			r.note(petpack.ManifestFile, "palette %q: no asset uses it", name)
		}
	}
}

// checkUse looks for assets that no look chooses, that are blank, or that stick
// out of the grid.
func (r *Report) checkUse(p *Pack) {
	chosen := make([]bool, len(p.assets))
	for _, s := range p.slots {
		for _, a := range s.table {
			chosen[a] = true
		}
	}
	for i := range p.assets {
		a := &p.assets[i]
		if !chosen[i] {
			r.note(a.File, "no look chooses it")
		}
		if a.layer == nil {
			continue
		}
		if len(a.layer.spans) == 0 {
			r.fault(a.File, "blank: every pixel is transparent")
		}
		x, y := a.X+a.layer.x, a.Y+a.layer.y
		if out := max(-x, -y, x+a.layer.w-p.grid, y+a.layer.h-p.grid); a.At == "" && out > 0 {
			r.note(a.File, "sticks out of the grid by %d pixels and is cut off; move it by x and y, or paint it smaller", out)
		}
	}
}

// checkNames compares what the pack draws with what its dictionary names.
func (r *Report) checkNames(p *Pack) {
	d := p.dict
	if n := p.space.known[traitEgg]; len(d.Eggs) < n {
		r.fault(petpack.DictionaryFile, "%d eggs for %d egg types", len(d.Eggs), n)
	}
	if n := p.space.known[traitBackground]; len(d.Backgrounds) < n {
		r.fault(petpack.DictionaryFile, "%d backgrounds for %d", len(d.Backgrounds), n)
	}
	drawn := p.appearances()
	for egg, list := range drawn {
		for _, a := range list {
			if _, ok := d.Appearances[uint8(egg)][uint16(a)]; !ok && a != 0 {
				r.fault(petpack.DictionaryFile, "no name for appearance %d of egg type %d; add it under appearances, %d",
					a, egg, egg)
			}
		}
	}
	for egg, names := range d.Appearances {
		for a := range names {
			if int(egg) >= len(drawn) || !slices.Contains(drawn[egg], int(a)) {
				r.note(petpack.DictionaryFile, "appearance %d of egg type %d is named but not drawn", a, egg)
			}
		}
	}
	slices.SortFunc(r.Notes, func(a, b Finding) int { return strings.Compare(a.String(), b.String()) })
}
