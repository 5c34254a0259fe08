package art

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"petsupply/internal/pet"
)

func TestVersions(t *testing.T) {
	p := open(t, small(t))
	l := Look{Egg: 1, Appearance: 1, Rarity: 2, Element: 3, Background: 1}
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
	other := l
	for name, change := range map[string]func(){
		"egg": func() { other.Egg = 2 }, "rarity": func() { other.Rarity = 3 }, "element": func() { other.Element = 2 },
		"background": func() { other.Background = 0 }, "appearance": func() { other.Appearance = 0 }, "shiny": func() { other.Shiny = true },
	} {
		t.Run(name, func(t *testing.T) {
			other = l
			change()
			if p.PictureVersion(other) == v {
				t.Error("has the same version")
			}
		})
	}
}

// TestVersionFollowsPixels changes a pack in one way each: what changes a
// picture changes its version, what does not leaves it.
func TestVersionFollowsPixels(t *testing.T) {
	look := Look{Egg: 1, Appearance: 1}
	was := open(t, small(t)).PictureVersion(look)
	for name, test := range map[string]struct {
		change func(fstest.MapFS)
		moves  bool
	}{
		"version": {func(f fstest.MapFS) { edit(t, f, func(m *manifest) { m.Version = "0.1.1" }) }, true},
		"id":      {func(f fstest.MapFS) { edit(t, f, func(m *manifest) { m.ID = "copy" }) }, true},
		"licence": {func(f fstest.MapFS) { edit(t, f, func(m *manifest) { m.Licence = "CC-BY-4.0" }) }, true},
		"layer":   {func(f fstest.MapFS) { put(t, f, "pet/1-1.png", f["pet/2-1.png"].Data) }, true},
		"place":   {func(f fstest.MapFS) { edit(t, f, func(m *manifest) { assetOf(m, "pet/1-1.png").X++ }) }, true},
		"swap":    {func(f fstest.MapFS) { edit(t, f, func(m *manifest) { m.Palettes["element-1"]["#e86040"] = "#123456" }) }, false},
		"other":   {func(f fstest.MapFS) { put(t, f, "pet/2-1.png", f["pet/1-1.png"].Data) }, false},
		"credits": {func(f fstest.MapFS) { edit(t, f, func(m *manifest) { m.Credits[0].Name = "Someone" }) }, false},
		"name":    {func(f fstest.MapFS) { edit(t, f, func(m *manifest) { m.Name = "Other" }) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			tree := small(t)
			test.change(tree)
			if moved := open(t, tree).PictureVersion(look) != was; moved != test.moves {
				t.Errorf("the version moved is %t", moved)
			}
		})
	}
}

// TestFallbacksOfTheEmbeddedPack: what nobody has drawn is not drawn as
// something else.
func TestFallbacksOfTheEmbeddedPack(t *testing.T) {
	p := embedded(t)
	files := func(l Look) map[string]string {
		class, out := p.space.classes(l), map[string]string{}
		for i := range p.slots {
			out[p.slots[i].name] = p.assets[p.slots[i].at(&class)].File
		}
		return out
	}
	otter := files(Look{Appearance: 3})
	for _, c := range []struct {
		look       Look
		slot, want string
	}{
		{Look{Egg: 9, Appearance: 3}, "pet", "pet/unknown.png"},
		{Look{Egg: 9}, "pet", "pet/unknown.png"},
		{Look{Egg: 9, Appearance: 3}, "shadow", "shadow/egg.png"},
		{Look{Background: 11, Appearance: 3}, "scene-back", "scene/meadow-back.strip3.png"},
		{Look{Rarity: 5, Appearance: 3}, "frame", "frame/common.png"},
		{Look{Rarity: 5, Appearance: 3}, "pet", otter["pet"]},
		{Look{Element: 8, Appearance: 3}, "element", ""},
	} {
		t.Run(c.slot+" of "+c.look.String(), func(t *testing.T) {
			if got := files(c.look)[c.slot]; got != c.want {
				t.Errorf("%q, not %q", got, c.want)
			}
		})
	}
}

func TestMostSpecificWins(t *testing.T) {
	tree := small(t)
	edit(t, tree, func(m *manifest) {
		a := *assetOf(m, "frame.png")
		for _, when := range []map[string][]int{
			{"rarity": {1, 2}, "shiny": {1}},
			{"rarity": {2}, "shiny": {1}, "element": {7}},
		} {
			a.When, a.X = when, a.X+1
			m.Assets = append(m.Assets, a)
		}
	})
	p := open(t, tree)
	x := func(l Look) int {
		class := p.space.classes(l)
		return p.assets[p.slots[6].at(&class)].X
	}
	for l, want := range map[Look]int{
		{}:                                   0,
		{Rarity: 1}:                          0,
		{Rarity: 1, Shiny: true}:             1,
		{Rarity: 2, Shiny: true}:             1,
		{Rarity: 2, Shiny: true, Element: 7}: 2,
		{Rarity: 1, Shiny: true, Element: 7}: 1,
		{Rarity: 2, Element: 7}:              0,
	} {
		t.Run(l.String(), func(t *testing.T) {
			if got := x(l); got != want {
				t.Errorf("asset %d, not %d", got, want)
			}
		})
	}
}

func TestLookOf(t *testing.T) {
	p := pet.Pet{ID: 7, Traits: pet.Traits{Egg: 1, Rarity: 2, Element: 3, Background: 4, Appearance: 500, Shiny: 1}}
	want := Look{Egg: 1, Rarity: 2, Element: 3, Background: 4, Appearance: 500, Shiny: true}
	if got := LookOf(p); got != want || lookOf(got.values()) != want {
		t.Errorf("%v, not %v", got, want)
	}
}

func TestParseSize(t *testing.T) {
	p := open(t, small(t))
	for s, want := range map[string]int{"90": 1, "360": 4, "1080": 12, "3240": 36} {
		t.Run(s, func(t *testing.T) {
			if got, err := p.ParseSize(s); err != nil || got != want {
				t.Errorf("%d, %v", got, err)
			}
		})
	}
	for _, s := range []string{"", "0", "-90", "+90", "089", "090", "91", "3330", "90 ", "９０", "1e3", "99999999999999999999"} {
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
	packs, err := OpenAll([]string{a, b, "embedded"})
	if err != nil {
		t.Fatal(err)
	}
	l := Look{Egg: 2, Appearance: 1}
	if v := packs.Current().Version(); v != "0.2.0" {
		t.Errorf("current is %s", v)
	}
	for _, p := range packs {
		if got, ok := packs.Find(p.PictureVersion(l), l); !ok || got != p {
			t.Errorf("the link of %s %s leads to %v", p.ID(), p.Version(), got)
		}
	}
	for _, v := range []string{"", "zz", packs.Current().PictureVersion(Look{Egg: 1}), strings.Repeat("0", 20)} {
		if p, ok := packs.Find(v, l); ok {
			t.Errorf("%q leads to %s", v, p.ID())
		}
	}
}

// TestPacksRefused: one bad pack is enough, and every bad one is named.
func TestPacksRefused(t *testing.T) {
	good := written(t, small(t))
	bad := small(t)
	delete(bad, "shadow.png")
	broken := written(t, bad)
	changed := small(t)
	put(t, changed, "pet/1-1.png", changed["pet/2-1.png"].Data)
	for name, test := range map[string]struct {
		paths []string
		want  []string
	}{
		"missing file":       {[]string{good, broken, "nowhere"}, []string{broken, "shadow.png", "nowhere"}},
		"two of one version": {[]string{written(t, changed), good}, []string{"draft 0.1.0", "different content"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := OpenAll(test.paths)
			if err == nil {
				t.Fatal("opened")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v does not name %q", err, want)
				}
			}
		})
	}
	if packs, err := OpenAll(nil); err != nil || packs.Current().ID() != "meadow" {
		t.Errorf("opening the embedded pack: %v", err)
	}
}
