package art

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"petsupply/internal/art/petpack"
	"petsupply/internal/pet"
)

// frozen is the default pack as it was when the recordings were made, without the pixels of its
// layers. Versions depend only on names, places and checksums.
func frozen(t *testing.T) *Pack {
	t.Helper()
	tree := fstest.MapFS{}
	read := func(name, file string) []byte {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tree[name] = &fstest.MapFile{Data: data}
		return data
	}
	const dir = "testdata/meadow-2.0.0"
	read(petpack.ManifestFile, filepath.Join(dir, petpack.ManifestFile))
	read(petpack.DictionaryFile, "../pet/collection/testdata/dictionary.json")
	var lock struct{ Files map[string]string }
	if err := json.Unmarshal(read(petpack.LockFile, filepath.Join(dir, petpack.LockFile)), &lock); err != nil {
		t.Fatal(err)
	}
	for name := range lock.Files {
		if tree[name] == nil {
			tree[name] = &fstest.MapFile{}
		}
	}
	l := newLoader(pets(), tree, published)
	if err := l.loadLater(); err != nil {
		t.Fatal(err)
	}
	return l.pack
}

// viewIn reads the view at the end of a key.
func viewIn(t *testing.T, key string) (v View) {
	t.Helper()
	_, rest, _ := strings.Cut(key, "-")
	rest, v.Frame = strings.CutPrefix(rest, "f")
	rest, v.Background = strings.CutPrefix(rest, "b")
	for form, mark := range map[Form]string{Moving: "m", GIF: "g"} {
		if number, ok := strings.CutSuffix(rest, mark); ok {
			rest, v.Form = number, form
		}
	}
	var err error
	if v.Scale, err = strconv.Atoi(rest); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestRecordedPictures: pets of the default collection keep the picture versions and keys that they
// had when their traits were defined in the code.
func TestRecordedPictures(t *testing.T) {
	p := frozen(t)
	file, err := os.Open("../pet/collection/testdata/recorded.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	lines, n, versions := bufio.NewScanner(z), 0, map[string]bool{}
	lines.Buffer(nil, 1<<20)
	for ; lines.Scan(); n++ {
		var r struct {
			ID           uint64
			Version, Key string
			Document     struct{ RawData map[string]any }
		}
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.UseNumber()
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		texts := map[string]string{}
		for field, value := range r.Document.RawData {
			texts[field] = fmt.Sprint(value)
		}
		v, _, err := pets().FromTexts(texts)
		if err != nil {
			t.Fatalf("pet %d: %v", r.ID, err)
		}
		l := p.LookOf(pet.Pet{ID: r.ID, Value: v})
		key := p.Key(l, viewIn(t, r.Key))
		if got := p.PictureVersion(l); got != r.Version || key != r.Key {
			t.Fatalf("pet %d (%s) has version %s and key %s, not %s and %s", r.ID, p.describe(l), got, key, r.Version, r.Key)
		}
		versions[r.Version] = true
	}
	if err := lines.Err(); err != nil || n < 300 || len(versions) < 200 {
		t.Errorf("%d recordings of %d pictures: %v", n, len(versions), err)
	}
}
