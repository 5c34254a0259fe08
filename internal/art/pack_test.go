package art

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"petsupply/internal/pet"
	"petsupply/testkit/traits"
)

func TestVersions(t *testing.T) {
	p := open(t, small(t))
	traits := at{"egg": 1, "appearance": 1, "rarity": 2, "element": 3, "background": 1}
	l := p.Look(traits)
	v := p.PictureVersion(l)
	if !regexp.MustCompile(`^[0-9a-f]{20}$`).MatchString(v) {
		t.Errorf("the version is %q", v)
	}
	keys := map[string]bool{}
	for i := range 4 {
		for scale := range p.MaxScale() + 1 {
			key := p.Key(l, View{Frame: i&1 == 0, Background: i&2 == 0, Scale: scale})
			if !strings.HasPrefix(key, v+"-") {
				t.Errorf("key %q does not start with the version %q", key, v)
			}
			keys[key] = true
		}
	}
	if len(keys) != 4*p.MaxScale() {
		t.Errorf("%d keys of 4 views in %d scales, 0 being the pack's own", len(keys), p.MaxScale())
	}
	for name, value := range (at{"egg": 2, "rarity": 3, "element": 2, "background": 0, "appearance": 0, "shiny": 1}) {
		t.Run(name, func(t *testing.T) {
			other := maps.Clone(traits)
			other[name] = value
			if p.PictureVersion(p.Look(other)) == v {
				t.Error("another value gives the same picture version")
			}
		})
	}
}

// TestVersionFollowsPixels changes a pack in one way at a time. If the picture changes, so does its
// version; otherwise the version stays.
func TestVersionFollowsPixels(t *testing.T) {
	look := at{"egg": 1, "appearance": 1}
	version := func(p *Pack) string { return p.PictureVersion(p.Look(look)) }
	was := version(open(t, small(t)))
	for name, test := range map[string]struct {
		change func(fstest.MapFS)
		moves  bool
	}{
		"version": {func(f fstest.MapFS) { edit(t, f, func(m *manifest) { m.Version = "0.1.1" }) }, true},
		"id":      {func(f fstest.MapFS) { edit(t, f, func(m *manifest) { m.ID = "copy" }) }, true},
		"licence": {func(f fstest.MapFS) { edit(t, f, func(m *manifest) { m.Licence = "CC-BY-4.0" }) }, true},
		"layer":   {func(f fstest.MapFS) { put(f, "pet/grey-1.png", f["pet/green-1.png"].Data) }, true},
		"place": {func(f fstest.MapFS) {
			replace(t, f, manifestFile, `"slots"`, `"places": {"pet/grey-1": {"x": 1}}, "slots"`)
		}, true},
		"other":   {func(f fstest.MapFS) { put(f, "pet/green-1.png", f["pet/grey-1.png"].Data) }, false},
		"credits": {func(f fstest.MapFS) { edit(t, f, func(m *manifest) { m.Credits[0].Name = "Someone" }) }, false},
		"name":    {func(f fstest.MapFS) { edit(t, f, func(m *manifest) { m.Name = "Other" }) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			tree := small(t)
			test.change(tree)
			if moved := version(open(t, tree)) != was; moved != test.moves {
				t.Errorf("the version changed: %t", moved)
			}
		})
	}
}

func TestMostSpecificWins(t *testing.T) {
	tree := small(t)
	replace(t, tree, manifestFile, `"frame/{rarity}.png"`, `"frame/{rarity}.png", "frame/{rarity}-{element}.png"`)
	tree["frame/1+2@shiny.png"] = tree["frame/rare.png"]
	tree["frame/2-7@shiny.png"] = tree["frame/rare.png"]
	replace(t, tree, manifestFile, `"slots"`, `"places": {"frame/1+2": {"x": 1}, "frame/2-7": {"x": 2}}, "slots"`)
	p := open(t, tree)
	x := func(traits at) int {
		l := p.Look(traits)
		class := p.classes(&l)
		return p.assets[p.slots[6].at(&class)].X
	}
	for _, c := range []struct {
		traits at
		want   int
	}{
		{at{}, 0},
		{at{"rarity": 1}, 0},
		{at{"rarity": 1, "shiny": 1}, 1},
		{at{"rarity": 2, "shiny": 1}, 1},
		{at{"rarity": 2, "shiny": 1, "element": 7}, 2},
		{at{"rarity": 1, "shiny": 1, "element": 7}, 1},
		{at{"rarity": 2, "element": 7}, 0},
	} {
		t.Run(c.traits.String(), func(t *testing.T) {
			if got := x(c.traits); got != c.want {
				t.Errorf("asset %d, not %d", got, c.want)
			}
		})
	}
}

func TestLookOf(t *testing.T) {
	pack := embedded(t)
	p := pet.Pet{ID: 7, Value: traits.V2("egg", 1, "rarity", 2, "element", 3, "background", 4, "appearance", 500,
		"shiny", 3)}
	want := at{"egg": 1, "rarity": 2, "element": 3, "background": 4, "appearance": 500, "shiny": 1}
	if got := pack.LookOf(p); got != pack.Look(want) {
		t.Errorf("%s, not %v", pack.describe(got), want)
	}
}

func TestParseSize(t *testing.T) {
	p := open(t, small(t))
	for s, want := range map[string]int{"90": 1, "360": 4, "1080": 12, "3240": 36} {
		t.Run(s, func(t *testing.T) {
			if got, err := p.ParseSize(s); err != nil || got != want {
				t.Errorf("the scale is %d, %v", got, err)
			}
		})
	}
	for _, s := range []string{"", "0", "-90", "+90", "089", "090", "91", "3330", "90 ", "９０", "1e3",
		"99999999999999999999"} {
		t.Run(s, func(t *testing.T) {
			if got, err := p.ParseSize(s); err == nil {
				t.Errorf("taken for %d", got)
			}
		})
	}
}

// written puts a pack on disk.
func written(t *testing.T, tree fstest.MapFS) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "pack")
	if err := os.CopyFS(dir, tree); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestPacks(t *testing.T) {
	older := small(t)
	newer := small(t)
	edit(t, newer, func(m *manifest) { m.Version = "0.2.0" })
	a, b := written(t, newer), written(t, older)
	packs, err := OpenAll(pets(), nil, []string{a, b, "embedded"})
	if err != nil {
		t.Fatal(err)
	}
	x := pet.Pet{Value: traits.V2("egg", 2, "appearance", 1)}
	if v := packs.Current().Version(); v != "0.2.0" {
		t.Errorf("current is %s", v)
	}
	for _, p := range packs {
		l := p.LookOf(x)
		if got, look, ok := packs.Find(p.PictureVersion(l), x); !ok || got != p || look != l {
			t.Errorf("the link of %s %s leads to %v", p.ID(), p.Version(), got)
		}
	}
	for _, v := range []string{"", "zz", packs.Current().PictureVersion(packs.Current().Look(at{"egg": 1})),
		strings.Repeat("0", 20)} {
		if p, _, ok := packs.Find(v, x); ok {
			t.Errorf("%q leads to %s", v, p.ID())
		}
	}
}

// TestPacksRefused: one bad pack is enough, and the error names every bad one.
func TestPacksRefused(t *testing.T) {
	bad := small(t)
	delete(bad, "shadow.png")
	broken := written(t, bad)
	_, err := OpenAll(pets(), nil, []string{written(t, small(t)), broken, "nowhere"})
	for _, want := range []string{broken, "shadow.png", "nowhere"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name %q", err, want)
		}
	}
	if packs, err := OpenAll(pets(), nil, nil); err != nil || packs.Current().ID() != "meadow" {
		t.Errorf("opening the embedded pack: %v", err)
	}
}
