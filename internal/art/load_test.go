package art

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

// lie changes the width and height in a PNG's header, and corrects its checksum.
func lie(data []byte, w, h uint32) []byte {
	data = bytes.Clone(data)
	binary.BigEndian.PutUint32(data[16:], w)
	binary.BigEndian.PutUint32(data[20:], h)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

// TestRefused breaks a valid pack in one way at a time. The error is one line that names the file,
// and the reason.
func TestRefused(t *testing.T) {
	const frame = "frame/common.png"
	text := func(old, new string) func(*testing.T, fstest.MapFS) {
		return func(t *testing.T, tree fstest.MapFS) { replace(t, tree, manifestFile, old, new) }
	}
	layer := func(data func([]byte) []byte) func(*testing.T, fstest.MapFS) {
		return func(t *testing.T, tree fstest.MapFS) { put(tree, frame, data(tree[frame].Data)) }
	}
	remove := func(file string) func(*testing.T, fstest.MapFS) {
		return func(t *testing.T, tree fstest.MapFS) { delete(tree, file) }
	}
	for _, test := range []struct {
		name  string
		spoil func(*testing.T, fstest.MapFS)
		want  []string
	}{
		{"no manifest", remove(manifestFile), []string{"pack.json", "not exist"}},
		{"no slots", text(`"slots": [`, `"slots": [], "values": [`), []string{"pack.json"}},
		{"missing layer", remove("pet/yellow-0.png"), []string{`slot "pet": no layer for egg 3, appearance 0`}},
		{"no layer of a slot", remove("shadow.png"), []string{`slot "shadow": no file matches shadow.png`}},
		{"two files for one layer", func(t *testing.T, tree fstest.MapFS) {
			tree["pet/0-1.png"] = tree["pet/grey-1.png"]
		}, []string{`slot "pet" is ambiguous: pet/0-1.png and pet/blue-1.png`, "egg 0, appearance 1"}},
		{"a strip and a still picture", func(t *testing.T, tree fstest.MapFS) {
			tree["shadow.strip1.png"] = tree["shadow.png"]
		}, []string{`slot "shadow" is ambiguous`, "shadow.strip1.png"}},
		{"unknown mark", text("sparkle@shiny.png", "sparkle@happy.png"), []string{"sparkle@happy.png"}},
		{"too many words", text(`"egg": [`, `"shiny": ["no", "yes", "very"], "egg": [`),
			[]string{"pack.json", "shiny has 3 names, but only 2 values"}},
		{"a misspelt word", func(t *testing.T, tree fstest.MapFS) { tree["frame/purple.png"] = tree["frame/rare.png"] },
			[]string{"frame/purple.png: fits no pattern in pack.json"}},
		{"a layer of no slot", func(t *testing.T, tree fstest.MapFS) { tree["pet/old.png"] = tree[frame] },
			[]string{"pet/old.png: fits no pattern in pack.json"}},
		{"capital letters", func(t *testing.T, tree fstest.MapFS) { tree["frame/rare.PNG"] = tree[frame] },
			[]string{"frame/rare.PNG: fits no pattern in pack.json"}},
		{"words of no field", text(`"egg": [`, `"mood": ["glad"], "egg": [`), []string{"pack.json", `no trait "mood"`}},
		{"pattern out of the pack", text(`["shadow.png"]`, `["../shadow.png"]`),
			[]string{"../shadow.png", "leaves the pack"}},
		{"absolute pattern", text(`["shadow.png"]`, `["/shadow.png"]`), []string{"/shadow.png", "leaves the pack"}},
		{"backslashes", text(`["shadow.png"]`, `["..\\shadow.png"]`), []string{"forward slashes"}},
		{"unknown anchor", text(`"at": "crest"`, `"at": "tail"`), []string{"element/", "tail"}},
		{"missing anchor", text(`"slots"`, `"places": {"pet/green-1": {"anchors": {"tail": [1, 2]}}}, "slots"`),
			[]string{"pet/green-1.png", "crest", "element/"}},
		{"anchors on anchors", text(`"slots"`, `"places": {"pet/green-1": {"anchors": {}, "at": "crest"}}, "slots"`),
			[]string{"pet", "its own anchors"}},
		{"anchors in two slots", text(`["shadow.png"]`, `["shadow.png"], "anchors": {"tail": [1, 2]}`),
			[]string{"anchors in slot", "shadow"}},
		{"far away", text(`["shadow.png"]`, `["shadow.png"], "x": 1000000`),
			[]string{"shadow.png", "want numbers from"}},
		{"not a PNG", layer(func([]byte) []byte { return []byte("GIF89a") }), []string{frame, "not a PNG"}},
		{"truncated", layer(func(b []byte) []byte { return b[:len(b)/2] }), []string{frame, "the PNG is damaged"}},
		{"bytes behind the end", layer(func(b []byte) []byte { return append(bytes.Clone(b), "zip"...) }),
			[]string{frame, "3 bytes follow"}},
		{"says it is smaller", layer(func(b []byte) []byte { return lie(b, 80, 80) }),
			[]string{frame, "the PNG is damaged"}},
		{"wrong size", layer(func(b []byte) []byte { return lie(b, 90, 91) }),
			[]string{frame + ": is 90×91, larger than the grid of 90×90"}},
		{"50,000 pixels wide and high", layer(func(b []byte) []byte { return lie(b, 50_000, 50_000) }),
			[]string{frame + ": is 50000×50000, larger than the grid of 90×90"}},
		{"16 bits for each channel", func(t *testing.T, tree fstest.MapFS) {
			put(tree, frame, encodePNG(t, image.NewNRGBA64(image.Rect(0, 0, 90, 90))))
		}, []string{frame + ": has 16 bits for each channel"}},
		{"16 bits of grey", func(t *testing.T, tree fstest.MapFS) {
			put(tree, frame, encodePNG(t, image.NewGray16(image.Rect(0, 0, 90, 90))))
		}, []string{frame + ": has 16 bits for each channel"}},
		{"long file", func(t *testing.T, tree fstest.MapFS) { put(tree, frame, make([]byte, maxLayer+1)) },
			[]string{frame, "longer than"}},
		{"no dictionary", remove(dictionaryFile), []string{"dictionary.json", "not exist"}},
		{"bad dictionary", func(t *testing.T, tree fstest.MapFS) {
			put(tree, dictionaryFile, []byte(`{"eggs":[], "backgrounds":[1]}`))
		}, []string{"dictionary.json", "a row is a text"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			tree := small(t)
			open(t, tree)
			test.spoil(t, tree)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			p, err := openFS(tree)
			runtime.ReadMemStats(&after)
			if err == nil || p != nil {
				t.Fatalf("opened: %t, %v", p != nil, err)
			}
			for _, w := range test.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q does not say %q", err, w)
				}
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q has several lines", err)
			}
			if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 20 {
				t.Errorf("%d MB of memory", took)
			}
			if _, faults := lintFS(pets(), tree); len(faults) == 0 {
				t.Error("lint finds nothing wrong")
			}
		})
	}
}

// TestPaths opens packs in directories. A link must not lead out of the pack.
func TestPaths(t *testing.T) {
	tree := small(t)
	want := open(t, tree)
	dir := filepath.Join(t.TempDir(), "pack")
	if err := os.CopyFS(dir, tree); err != nil {
		t.Fatal(err)
	}
	p, err := Open(pets(), dir)
	if err != nil {
		t.Fatal(err)
	}
	l := p.Look(at{"appearance": 1, "element": 3})
	if p.Key(l, Whole) != want.Key(l, Whole) || !bytes.Equal(p.Draw(l, Whole), want.Draw(l, Whole)) {
		t.Error("it draws other pictures")
	}
	shadow := filepath.Join(dir, "shadow.png")
	outside := filepath.Join(filepath.Dir(dir), "shadow.png")
	if err := os.Rename(shadow, outside); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../shadow.png", shadow); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{dir: "shadow.png", outside: "shadow.png", dir + "/none": "no such file"} {
		t.Run(want, func(t *testing.T) {
			if _, err := Open(pets(), path); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("opened: %v", err)
			}
		})
	}
}

// TestNarrowStrip: a strip with fewer pixels than frames is refused for its width, not its size.
func TestNarrowStrip(t *testing.T) {
	_, err := decodeStrip(encodePNG(t, image.NewNRGBA(image.Rect(0, 0, 3, 5))), 90, 4)
	if err == nil || !strings.Contains(err.Error(), "is 3 pixels wide, which cannot be divided into 4 equal frames") {
		t.Error(err)
	}
}
