package art

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"petsupply/internal/art/petpack"
	"petsupply/internal/pet/collection"
)

// Lint checks a pack for a collection as OpenAll does, and more. It names every bad file and not
// only the first, and finds things that load but are probably wrong.
func Lint(c *collection.Collection, name string) (*Report, error) {
	fsys, closer, err := openSource(name)
	if err != nil {
		return nil, fmt.Errorf("opening art pack %s: %w", name, err)
	}
	defer closer.Close()
	return lintFS(c, fsys), nil
}

func lintFS(c *collection.Collection, fsys fs.FS) *Report {
	r := &Report{}
	l := newLoader(c, fsys, draft)
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

// loadFault records an error of the loader for the layer that the error names.
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

// checkLock compares the files with their checksums in pack.lock.
func (r *Report) checkLock(fsys fs.FS, m *petpack.Manifest) {
	if m.Locked == nil {
		r.note(petpack.LockFile, "missing; when the pack is done, run petsupply pack lock")
		return
	}
	stale := m.Stale(fsys)
	for _, name := range slices.Sorted(maps.Keys(stale)) {
		r.fault(name, "%s since the pack was locked; when you are done, run petsupply pack lock", stale[name])
	}
}

func incomplete(c petpack.Credit) bool { return c.Name == "" || c.Role == "" }

func (r *Report) checkCredits(m *petpack.Manifest) {
	if len(m.Credits) == 0 {
		r.fault(petpack.ManifestFile, `no credits: say who made the pack, as in "credits": [{"name": "…", "role": "art"}]`)
	}
	if slices.ContainsFunc(m.Credits, incomplete) {
		r.fault(petpack.ManifestFile, "a credit lacks its name or its role")
	}
	for i := range m.Assets {
		if a := &m.Assets[i]; slices.ContainsFunc(a.Credits, incomplete) {
			r.fault(petpack.ManifestFile, "%s: a credit lacks its name or its role", m.Where(a))
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
			r.fault(name, "no slot has a pattern for this name; rename the file, or add a pattern to its slot")
		default:
			r.note(name, "not part of the pack")
		}
		return nil
	})
	if err != nil {
		r.fault("", "listing the pack: %v", err)
	}
}

// isDocument reports whether a file is meant for people to read.
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

// checkUse finds assets that no look uses, that are blank, or that extend beyond the grid.
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
			r.note(a.File, "no look uses this layer")
		}
		if a.layer == nil {
			continue
		}
		if len(a.layer.spans) == 0 {
			r.fault(a.File, "blank: every pixel is transparent; if the slot is optional, remove the file")
		}
		x, y := a.X+a.layer.x, a.Y+a.layer.y
		if out := max(-x, -y, x+a.layer.w-p.grid, y+a.layer.h-p.grid); a.At == "" && out > 0 {
			r.note(a.File, `sticks out of the grid by %d pixels and is cut off; change its "x" and "y", or paint it smaller`,
				out)
		}
	}
}

// checkNames finds drawn values that neither the pack nor the collection has a word for.
func (r *Report) checkNames(p *Pack) {
	for i := range p.traits {
		t := &p.traits[i]
		if t.field == nil || slices.Contains(p.kindTraits(), i) && t.open {
			continue
		}
		options := p.texts.FieldOptions(t.field)
		for _, n := range t.named {
			named := slices.ContainsFunc(options, func(o collection.FieldOption) bool { return o.Number == uint64(n) })
			if word := p.texts.FieldWord(t.field, uint64(n)); !named && word != strconv.Itoa(n) {
				r.fault(petpack.DictionaryFile, "no word for %s %d, which would be called %q", t.Name, n, word)
			}
		}
	}
	r.checkKinds(p)
	slices.SortFunc(r.Notes, func(a, b Finding) int { return strings.Compare(a.String(), b.String()) })
}

// checkKinds compares the kinds that the pack draws with those that have names.
func (r *Report) checkKinds(p *Pack) {
	if p.kindNumbers(&tuple{}) == nil {
		return
	}
	named, families := map[string]bool{}, false
	for _, k := range p.texts.Kinds() {
		named[fmt.Sprint(k.Numbers)] = true
		families = families || k.Family != ""
	}
	for _, kind := range slices.Concat(p.kinds()...) {
		numbers := p.kindNumbers(&kind)
		key := fmt.Sprint(numbers)
		k := p.texts.KindNumbered(numbers)
		switch {
		case !named[key]:
			r.fault(petpack.DictionaryFile, "no name for %s", p.describeKind(numbers))
		case families && k.Family == "" && p.revealed(&kind):
			r.fault(petpack.DictionaryFile, "no family for %s (%s)", k.Name, p.describeKind(numbers))
		}
		delete(named, key)
	}
	for _, k := range p.texts.Kinds() {
		if named[fmt.Sprint(k.Numbers)] {
			r.note(petpack.DictionaryFile, "%s (%s) is named but not drawn", k.Name, p.describeKind(k.Numbers))
		}
	}
}

// describeKind names the fields of a kind and their values.
func (p *Pack) describeKind(numbers []uint64) string {
	var parts []string
	for i, f := range p.collection.KindFields() {
		parts = append(parts, fmt.Sprintf("%s %d", f.Key, numbers[i]))
	}
	return strings.Join(parts, ", ")
}
