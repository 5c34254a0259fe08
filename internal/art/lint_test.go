package art

import (
	"bytes"
	"image"
	"strings"
	"testing"
	"testing/fstest"
)

// join returns findings as the command line lists them.
func join(list []Finding) string {
	var lines []string
	for _, f := range list {
		lines = append(lines, f.String())
	}
	return strings.Join(lines, "\n")
}

func TestLintFinds(t *testing.T) {
	for name, test := range map[string]struct {
		change func(fstest.MapFS)
		fault  string
		note   string
	}{
		"no credits": {func(f fstest.MapFS) { edit(t, f, func(m *manifest) { m.Credits = nil }) }, "no credits", ""},
		"nameless credit": {func(f fstest.MapFS) { edit(t, f, func(m *manifest) { m.Credits[0].Name = "" }) },
			"lacks its name", ""},
		"orphan": {func(f fstest.MapFS) { f["pet/old.png"] = &fstest.MapFile{} },
			"pet/old.png: no slot has a pattern", ""},
		"stray file":     {func(f fstest.MapFS) { f["notes.txt"] = &fstest.MapFile{} }, "", "notes.txt"},
		"unused palette": {func(f fstest.MapFS) { edit(t, f, func(m *manifest) { m.Palettes["dusk"] = nil }) }, "", "dusk"},
		"never drawn": {func(f fstest.MapFS) {
			edit(t, f, func(m *manifest) {
				a := *assetOf(m, "sparkle.png")
				a.When = map[string][]int{"shiny": {0}}
				m.Assets = append(m.Assets, a)
			})
		}, "", "no look uses this layer"},
		"blank": {func(f fstest.MapFS) {
			put(t, f, "shadow.png",
				encodePNG(t, image.NewNRGBA(image.Rect(0, 0, 9, 9))))
		}, "shadow.png: blank", ""},
		"sticks out": {func(f fstest.MapFS) { edit(t, f, func(m *manifest) { assetOf(m, "shadow.png").X = 80 }) }, "",
			"sticks out"},
		"unnamed": {func(f fstest.MapFS) {
			edit(t, f, func(m *manifest) { assetOf(m, "pet/1-1.png").When["appearance"] = []int{1, 2} })
		}, "no name for egg 1, appearance 2", ""},
		"one silhouette": {func(f fstest.MapFS) {
			f["pet/0-2.png"] = &fstest.MapFile{Data: f["pet/0-1.png"].Data}
			edit(t, f, func(m *manifest) {
				a := *assetOf(m, "pet/0-1.png")
				a.File, a.When = "pet/0-2.png", map[string][]int{"egg": {0}, "appearance": {2}}
				m.Assets = append(m.Assets, a)
			})
			f[dictionaryFile].Data = bytes.Replace(f[dictionaryFile].Data, []byte(`"1": {`),
				[]byte(`"2": {"name":"X","family":"example"}, "1": {`), 1)
		}, "", "pet/0-2.png: its silhouette is nearly that of pet/0-1.png (they overlap by 1.00)"},
		"undrawn": {func(f fstest.MapFS) {
			f[dictionaryFile].Data = bytes.Replace(f[dictionaryFile].Data, []byte(`"1": {`),
				[]byte(`"9": {"name":"X","family":"example"}, "1": {`), 1)
		}, "", "named but not drawn"},
		"many colours": {func(f fstest.MapFS) {
			f["scene/day-back.png"] = colourful(t)["scene/day-back.png"]
		}, "", "drawn as RGBA"},
		"soft alpha": {func(f fstest.MapFS) { f["shadow.png"] = soft(t)["shadow.png"] }, "", "partly transparent"},
	} {
		t.Run(name, func(t *testing.T) {
			tree := small(t)
			if r := lintFS(pets(), tree); !r.OK() || len(r.Notes) > 0 {
				t.Fatalf("the pack is not sound before the change: %q %q", r.Faults, r.Notes)
			}
			test.change(tree)
			lock(t, tree)
			r := lintFS(pets(), tree)
			for _, c := range []struct {
				got  []Finding
				want string
			}{{r.Faults, test.fault}, {r.Notes, test.note}} {
				if text := join(c.got); (c.want == "") != (text == "") || !strings.Contains(text, c.want) {
					t.Errorf("%q, not %q", text, c.want)
				}
			}
		})
	}
}

// TestLintNamesEveryFile: an artist who has painted over ten layers sees all ten.
func TestLintNamesEveryFile(t *testing.T) {
	tree := small(t)
	for _, name := range []string{"shadow.png", "frame.png", "element.png"} {
		tree[name] = &fstest.MapFile{Data: tree["sparkle.png"].Data}
	}
	delete(tree, "pet/0-egg.png")
	text := join(lintFS(pets(), tree).Faults)
	for _, name := range []string{"shadow.png", "frame.png", "element.png", "pet/0-egg.png"} {
		if !strings.Contains(text, name) {
			t.Errorf("%s is not among the faults:\n%s", name, text)
		}
	}
}
