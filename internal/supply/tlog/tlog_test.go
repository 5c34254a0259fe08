package tlog

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	merkle "golang.org/x/mod/sumdb/tlog"
)

func TestTilesHaveOneSpelling(t *testing.T) {
	for _, want := range []Tile{
		{0, 0, 256}, {0, 0, 1}, {7, 999, 255}, {0, 1000, 256}, {1, 1234067, 12}, {Entries, 0, 256}, {Entries, 999_999_999, 3},
	} {
		path := strings.TrimPrefix(want.Path(), "tile/")
		got, err := ParseTile(strings.Split(path, "/"))
		if err != nil || got != want {
			t.Errorf("%s is read as %v, %v; want %v", path, got, err, want)
		}
	}
	for _, path := range []string{
		"", "0", "entries", "0/", "8/000", "-1/000", "00/000", "+1/000", "data/000", "0/0", "0/0000", "0/00a", "0/x000", "0/x000/000", "0/001/002",
		"0/000.p", "0/000.p/0", "0/000.p/256", "0/000.p/01", "0/000.p/-1", "0/x001/000/1", "0/.p/1", "0/x999/x999/x999/x999/x999/999",
		"8/x999999999999999999999999/000", "0/000.p/1/2", "99999999999999999999/000",
	} {
		if got, err := ParseTile(strings.Split(path, "/")); err == nil {
			t.Errorf("%q is read as %v", path, got)
		}
	}
}

func TestCheckpointsAreOpenedByTheirKeyAlone(t *testing.T) {
	key := NewKey([32]byte{7})
	verifier, err := key.Verifier("example.org/log")
	if err != nil {
		t.Fatal(err)
	}
	want := Checkpoint{"example.org/log", 42, Hash{1, 2, 3}}
	signed, err := key.Sign(want)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := OpenCheckpoint(signed, verifier); err != nil || got != want {
		t.Errorf("opened as %v, %v", got, err)
	}
	elsewhere, err := key.Sign(Checkpoint{"example.org/other", 42, Hash{}})
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := NewKey([32]byte{8}).Sign(want)
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string][]byte{
		"of another log": elsewhere, "by a stranger": stranger, "empty": nil,
		"without signature": []byte(want.String() + "\n"), "larger": bytes.Replace(signed, []byte("42"), []byte("43"), 1),
		"too long": append(bytes.Clone(signed), make([]byte, maxCheckpoint)...),
	} {
		if got, err := OpenCheckpoint(bad, verifier); err == nil {
			t.Errorf("%s: opened as %v", name, got)
		}
	}
	for _, text := range []string{"", "a\n1\n", "a\n-1\n" + want.Root.String() + "\n", "a\n01\n" + want.Root.String() + "\n", "\n1\n" + want.Root.String() + "\n", "a\n1\nAAAA\n"} {
		if got, err := parseCheckpoint(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

// memory holds the hashes of a tree.
type memory []Hash

func (m memory) ReadHashes(indexes []int64) ([]Hash, error) {
	out := make([]Hash, len(indexes))
	for i, x := range indexes {
		out[i] = m[x]
	}
	return out, nil
}

// grow returns the tree of leaves.
func grow(t testing.TB, leaves [][]byte) memory {
	t.Helper()
	var m memory
	for i, leaf := range leaves {
		hashes, err := merkle.StoredHashes(int64(i), leaf, m)
		if err != nil {
			t.Fatal(err)
		}
		m = append(m, hashes...)
	}
	return m
}

func TestAnInclusionThatIsAlteredDoesNotHold(t *testing.T) {
	var leaves [][]byte
	for i := range 11 {
		leaves = append(leaves, []byte{byte(i)})
	}
	tree := grow(t, leaves)
	root, err := merkle.TreeHash(11, tree)
	if err != nil {
		t.Fatal(err)
	}
	key := NewKey([32]byte{7})
	verifier, _ := key.Verifier("example.org/log")
	signed, err := key.Sign(Checkpoint{"example.org/log", 11, root})
	if err != nil {
		t.Fatal(err)
	}
	hashes, err := merkle.ProveRecord(11, 6, tree)
	if err != nil {
		t.Fatal(err)
	}
	text := Inclusion{6, hashes, signed}.String()
	holds := func(text string, leaf []byte) bool {
		p, err := ParseInclusion(text)
		if err == nil {
			_, err = p.Check(LeafHash(leaf), verifier)
		}
		return err == nil
	}
	if !holds(text, leaves[6]) || !holds(strings.Replace(text, "\nindex", "\nextra aGk=\nindex", 1), leaves[6]) {
		t.Fatal("a true proof does not hold")
	}
	if holds(text, leaves[5]) {
		t.Error("it holds of another leaf")
	}
	lines := strings.SplitAfter(text, "\n")
	for i := range lines {
		if less := strings.Join(append(append([]string{}, lines[:i]...), lines[i+1:]...), ""); lines[i] != "" && holds(less, leaves[6]) {
			t.Errorf("it holds without %q", lines[i])
		}
	}
	for i := range text {
		b := []byte(text)
		b[i] ^= 1
		if holds(string(b), leaves[6]) {
			t.Errorf("it holds with byte %d, %q, altered", i, text[i])
		}
	}
}

func TestReasonsAreCutAtAWholeCharacter(t *testing.T) {
	leaf := Correction{Reason: strings.Repeat("ä", 40_000), At: time.Unix(1, 2_345_678)}.Leaf()
	if want := `"reason":"` + strings.Repeat("ä", maxReason/2) + `","at":"1970-01-01T00:00:01.002Z"}`; !strings.HasSuffix(string(leaf), want) {
		t.Errorf("the leaf ends with %s", leaf[max(0, len(leaf)-60):])
	}
}

func TestAKeyIsMadeOnceAndItsOwnersAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "data", "key")
	keys := make([]string, 8)
	var group sync.WaitGroup
	for i := range keys {
		group.Go(func() {
			if key, err := LoadKey(file); err == nil {
				keys[i], _ = key.Verifier("x")
			}
		})
	}
	group.Wait()
	for _, k := range keys {
		if k == "" || k != keys[0] {
			t.Errorf("one has the key %q, another %q", keys[0], k)
		}
	}
	info, err := os.Stat(file)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if left, err := os.ReadDir(filepath.Dir(file)); len(left) != 1 || err != nil {
		t.Errorf("beside it %d files are left, %v", len(left)-1, err)
	}
	if err := os.WriteFile(file, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadKey(file); err == nil {
		t.Error("what is no key was taken for one")
	}
}

func TestEntries(t *testing.T) {
	bundle := AppendEntry(AppendEntry(nil, []byte("one")), bytes.Repeat([]byte{1}, MaxLeaf))
	leaves, err := ParseEntries(bundle, 2)
	if err != nil || string(leaves[0]) != "one" || len(leaves[1]) != MaxLeaf {
		t.Errorf("%d leaves, %v", len(leaves), err)
	}
	for name, bad := range map[string][]byte{"cut": bundle[:len(bundle)-1], "within a length": append(bundle, 0), "one more": AppendEntry(bundle, nil), "none": nil} {
		if _, err := ParseEntries(bad, 2); err == nil {
			t.Errorf("%s: was read", name)
		}
	}
}
