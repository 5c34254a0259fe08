package art

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"petsupply/internal/pet/collection"
)

// TestStarterFollowsTheCollection: for any collection, a new pack opens, lints clean and can be
// served as it is. Its files are named after the looks.
func TestStarterFollowsTheCollection(t *testing.T) {
	for name, test := range map[string]struct {
		file  string
		files []string
	}{
		"nothing": {"name: Stones\none: Old Stone\n", []string{"old-stone/1.png", "old-stone.png"}},
		"words": {`
name: Hats
one: hat
fields:
  - {name: shape, type: uint8, is: look, values: 2}
  - {name: band, type: uint16, is: look, values: 3}
  - {name: lucky, type: bool, is: look}
tables:
  shapes: [Top Hat, Straw Hat]
words:
  shape: {table: shapes, by: [shape]}
`, []string{"hat/top-hat.png", "hat/straw-hat.png", "hat/unknown.png", "band/0.png", "band/2.png", "lucky@lucky.png"}},
		"kinds in the pack": {`
name: Birds
one: bird
fields:
  - {name: genes, type: uint256}
  - {name: body, of: genes, bits: [0, 2], is: look, values: 3, filter: true}
  - {name: beak, of: genes, bits: [2, 2], is: look, values: 2, filter: true}
words:
  bird: {table: birds, by: [body, beak], column: name, none: "bird {body#}-{beak#}"}
token: {kind: bird}
`, []string{"bird/0-0.png", "bird/2-1.png", "dictionary.json"}},
		"pets": {"", []string{"pet/blue-0.png"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := pets()
			if test.file != "" {
				var err error
				if c, err = collection.Parse("it.yaml", []byte(test.file)); err != nil {
					t.Fatal(err)
				}
			}
			dir := filepath.Join(t.TempDir(), "pack")
			if err := (Starter{ID: "mine", Collection: c}).Write(dir); err != nil {
				t.Fatal(err)
			}
			for _, file := range test.files {
				if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
					t.Error(err)
				}
			}
			if _, faults := Lint(c, dir); len(faults) > 0 {
				t.Fatalf("the pack has faults: %q", faults)
			}
			packs, err := OpenAll(c, nil, []string{dir})
			if err != nil || packs.Current().ID() != "mine" {
				t.Fatal(err)
			}
			if name == "kinds in the pack" {
				if _, err := OpenAll(pets(), nil, []string{dir}); err == nil ||
					!strings.Contains(err.Error(), `no trait "body"`) {
					t.Errorf("a pack of another collection is opened: %v", err)
				}
			}
		})
	}
}
