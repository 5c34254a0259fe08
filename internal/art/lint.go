package art

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// A Report is what Lint found in a pack.
type Report struct {
	Pack    *Pack    // nil if it does not open
	Faults  []string // must be put right before the pack is published
	Notes   []string // may be meant so
	Looks   int      // trait tuples that the pack tells apart
	Colours int      // most colours of any picture, transparency included; 0 if not counted
	Files   int
	Bytes   int64
}

// OK reports whether the pack can be published.
func (r *Report) OK() bool { return len(r.Faults) == 0 }

func (r *Report) fault(format string, args ...any) {
	r.Faults = append(r.Faults, fmt.Sprintf(format, args...))
}

func (r *Report) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// Lint checks a pack as Open does and beyond: it names every bad file and not
// only the first, and looks for what loads but is not as it should be.
func Lint(name string) (*Report, error) {
	fsys, closer, err := openSource(name)
	if err != nil {
		return nil, fmt.Errorf("opening art pack %s: %w", name, err)
	}
	defer closer.Close()
	return LintFS(fsys), nil
}

// LintFS is Lint of a file tree.
func LintFS(fsys fs.FS) *Report {
	r := &Report{}
	l := newLoader(fsys)
	faults := l.load()
	for _, err := range faults {
		r.fault("%v", err)
	}
	if l.m != nil {
		r.checkCredits(l.m)
		r.checkTree(fsys, l.m)
		r.checkPalettes(l.m)
	}
	if len(faults) == 0 {
		r.Pack = l.pack
		r.checkUse(l.pack)
		r.checkNames(l.pack)
		r.checkColours(l.pack)
	}
	return r
}

func (c Credit) incomplete() bool { return c.Name == "" || c.Role == "" }

func (r *Report) checkCredits(m *manifest) {
	if len(m.Credits) == 0 {
		r.fault("%s: no credits: say who made the pack", manifestFile)
	}
	if slices.ContainsFunc(m.Credits, Credit.incomplete) {
		r.fault("%s: a credit without name or role", manifestFile)
	}
	for i, a := range m.Assets {
		if slices.ContainsFunc(a.Credits, Credit.incomplete) {
			r.fault("%s: asset %d (%s): a credit without name or role", manifestFile, i+1, a.File)
		}
	}
	if m.Name == "" {
		r.note("%s: the pack has no name", manifestFile)
	}
}

// checkTree looks for files that no asset uses.
func (r *Report) checkTree(fsys fs.FS, m *manifest) {
	used := map[string]bool{manifestFile: true, dictionaryFile: true}
	for _, a := range m.Assets {
		used[a.File] = true
	}
	err := fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if r.Files++; r.Files > maxFiles {
			return fmt.Errorf("more than %d files", maxFiles)
		}
		if info, err := e.Info(); err == nil {
			r.Bytes += info.Size()
		}
		switch {
		case used[name], isDocument(name):
		case path.Ext(name) == ".png":
			r.fault("%s: no asset uses it", name)
		default:
			r.note("%s: not part of the pack", name)
		}
		return nil
	})
	if err != nil {
		r.fault("listing the pack: %v", err)
	}
}

// isDocument reports whether a file is there for people to read.
func isDocument(name string) bool {
	return slices.ContainsFunc([]string{"README", "LICENSE", "LICENCE", "CREDITS", "CHANGELOG", "SHEET."}, func(word string) bool {
		return strings.HasPrefix(strings.ToUpper(name), word)
	})
}

func (r *Report) checkPalettes(m *manifest) {
	used := map[string]bool{}
	for _, a := range m.Assets {
		used[a.Swap] = true
	}
	for _, name := range slices.Sorted(maps.Keys(m.Palettes)) {
		if !used[name] {
			r.note("palette %q: no asset uses it", name)
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
	for i, a := range p.assets {
		if !chosen[i] {
			r.note("asset %d (%s): no look chooses it", i+1, a.File)
		}
		if a.layer == nil {
			continue
		}
		if len(a.layer.spans) == 0 {
			r.fault("%s: blank: every pixel is transparent", a.File)
		}
		x, y := a.X+a.layer.x, a.Y+a.layer.y
		if a.At == "" && (x < 0 || y < 0 || x+a.layer.w > p.grid || y+a.layer.h > p.grid) {
			r.note("asset %d (%s): sticks out of the grid and is cut off", i+1, a.File)
		}
	}
}

// checkNames compares what the pack draws with what its dictionary names.
func (r *Report) checkNames(p *Pack) {
	d := p.dict
	if n := p.space.known[traitEgg]; len(d.Eggs) < n {
		r.fault("%s: %d eggs for %d egg types", dictionaryFile, len(d.Eggs), n)
	}
	if n := p.space.known[traitBackground]; len(d.Backgrounds) < n {
		r.fault("%s: %d backgrounds for %d", dictionaryFile, len(d.Backgrounds), n)
	}
	drawn := p.appearances()
	for egg, list := range drawn {
		for _, a := range list {
			if _, ok := d.Appearances[uint8(egg)][uint16(a)]; !ok && a != 0 {
				r.fault("%s: no name for appearance %d of egg type %d", dictionaryFile, a, egg)
			}
		}
	}
	for egg, names := range d.Appearances {
		for a := range names {
			if int(egg) >= len(drawn) || !slices.Contains(drawn[egg], int(a)) {
				r.note("%s: appearance %d of egg type %d is named but not drawn", dictionaryFile, a, egg)
			}
		}
	}
	slices.Sort(r.Notes)
}

// appearances returns, by egg type, the appearances that look unlike all that
// the pack does not know.
func (p *Pack) appearances() [][]int {
	out := make([][]int, p.space.known[traitEgg])
	for egg := range out {
		for c, a := range p.space.named {
			class := [traitCount]int{traitEgg: egg, traitAppearance: c}
			zero := [traitCount]int{traitEgg: egg}
			for i := range p.slots {
				if a == 0 || p.slots[i].at(&class) != p.slots[i].at(&zero) {
					out[egg] = append(out[egg], a)
					break
				}
			}
		}
	}
	return out
}
