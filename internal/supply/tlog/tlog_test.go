package tlog

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	merkle "golang.org/x/mod/sumdb/tlog"
)

const origin = "example.org/log"

func headOf(origin string, size int64, root merkle.Hash) torchwood.Checkpoint {
	return torchwood.Checkpoint{Origin: origin, Tree: merkle.Tree{N: size, Hash: root}}
}

func sign(t testing.TB, k *Key, c torchwood.Checkpoint) []byte {
	t.Helper()
	signed, err := k.Sign(c)
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

func TestCheckpointsAreOpenedByTheirKeyAlone(t *testing.T) {
	key := NewKey([32]byte{7})
	verifier, err := key.Verifier(origin)
	if err != nil {
		t.Fatal(err)
	}
	want := headOf(origin, 42, merkle.Hash{1, 2, 3})
	signed := sign(t, key, want)
	if got, err := OpenCheckpoint(signed, verifier); err != nil || got != want {
		t.Errorf("opened as %v, %v", got, err)
	}
	for name, bad := range map[string][]byte{
		"of another log":    sign(t, key, headOf("example.org/other", 42, merkle.Hash{})),
		"by another key":    sign(t, NewKey([32]byte{8}), want),
		"of too many":       sign(t, key, headOf(origin, math.MaxInt64, merkle.Hash{})),
		"empty":             nil,
		"without signature": []byte(want.String() + "\n"),
		"larger":            bytes.Replace(signed, []byte("42"), []byte("43"), 1),
		"too long":          append(bytes.Clone(signed), make([]byte, maxCheckpoint)...),
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := OpenCheckpoint(bad, verifier); err == nil {
				t.Errorf("opened as %v", got)
			}
		})
	}
}

func TestMalformedCheckpointsAreRefused(t *testing.T) {
	root := merkle.Hash{1}.String()
	for _, text := range []string{
		"", "a\n1\n", "a\n-1\n" + root + "\n", "a\n01\n" + root + "\n", "\n1\n" + root + "\n", "a\n1\nAAAA\n",
		"a\n281474976710657\n" + root + "\n",
		"a\n1\n" + strings.TrimSuffix(root, "A=") + "B=\n", // other unused bits
	} {
		t.Run(text, func(t *testing.T) {
			if got, err := ParseCheckpoint([]byte(text + "\n")); err == nil {
				t.Errorf("read as %v", got)
			}
		})
	}
}

// A text that is no checkpoint costs little, however long it is. Each line looks like a signature.
func TestALongTextHasNoAddress(t *testing.T) {
	text := []byte("a\n\n" + strings.Repeat("—  \n", 50_000))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	address := SignedAddress(text)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; address != "" || took > 64<<20 {
		t.Errorf("%q, and %d MB for %d kB", address, took>>20, len(text)>>10)
	}
}

// An earlier signed checkpoint can be opened, and signing it again gives the same bytes.
func TestCheckpointBytes(t *testing.T) {
	const signed = "example.org/log\n42\nAQIDAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n" +
		"— example.org/log Q8qWWnFL3jqGGZdtXSYS9t+Iiz5ZSumAMHTFVKGZtFtp0mUA6WQY8npYpJXY" +
		"seovS3+kQc1YFfyzekPcNSR6Z/cXJg8=\n"
	got := sign(t, NewKey([32]byte{7}), headOf(origin, 42, merkle.Hash{1, 2, 3}))
	if string(got) != signed {
		t.Errorf("signed as %q", got)
	}
}

// memory has the hashes of a tree.
type memory []merkle.Hash

func (m memory) ReadHashes(indexes []int64) ([]merkle.Hash, error) {
	out := make([]merkle.Hash, len(indexes))
	for i, x := range indexes {
		out[i] = m[x]
	}
	return out, nil
}

// inclusion returns a proof that leaf 6 of 11, each one byte, is in the log of key.
func inclusion(t testing.TB, key *Key) string {
	t.Helper()
	var tree memory
	for i := range int64(11) {
		hashes, err := merkle.StoredHashes(i, []byte{byte(i)}, tree)
		if err != nil {
			t.Fatal(err)
		}
		tree = append(tree, hashes...)
	}
	root, err := merkle.TreeHash(11, tree)
	if err != nil {
		t.Fatal(err)
	}
	hashes, err := merkle.ProveRecord(11, 6, tree)
	if err != nil {
		t.Fatal(err)
	}
	return string(torchwood.FormatProof(6, hashes, sign(t, key, headOf(origin, 11, root))))
}

func TestAnInclusionThatIsAlteredDoesNotHold(t *testing.T) {
	key := NewKey([32]byte{7})
	verifier, _ := key.Verifier(origin)
	text := inclusion(t, key)
	holds := func(text string, leaf byte, key string) bool {
		index, c, err := CheckInclusion(text, merkle.RecordHash([]byte{leaf}), key)
		return err == nil && index == 6 && c.N == 11 && c.Origin == origin
	}
	if !holds(text, 6, verifier) {
		t.Fatal("a true proof does not hold")
	}
	// with more data, or in another form
	for _, other := range []string{"\nextra aGk=\nindex ", "\nindex +", "\nindex 0"} {
		if holds(strings.Replace(text, "\nindex ", other, 1), 6, verifier) {
			t.Errorf("it holds with %q", other)
		}
	}
	if holds(text, 5, verifier) || holds(text, 5, "") {
		t.Error("it holds of another leaf")
	}
	stranger := inclusion(t, NewKey([32]byte{8}))
	if holds(stranger, 6, verifier) || !holds(stranger, 6, "") {
		t.Error("another key's proof holds with our key, or does not hold without any")
	}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		less := strings.Join(append(append([]string{}, lines[:i]...), lines[i+1:]...), "")
		if line != "" && holds(less, 6, verifier) {
			t.Errorf("it holds without %q", line)
		}
	}
	for i := range text {
		b := []byte(text)
		b[i] ^= 1
		if holds(string(b), 6, verifier) {
			t.Errorf("it holds with byte %d, %q, altered", i, text[i])
		}
	}
}

// Keys and cosignatures with any altered byte are rejected.
func TestAlteredCosignatures(t *testing.T) {
	const name = "example.org/w"
	signer, err := torchwood.NewCosignatureSigner(name, ed25519.NewKeyFromSeed(bytes.Repeat([]byte{4}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	text := signer.Verifier().String()
	key, err := torchwood.NewCosignatureVerifier(text)
	if err != nil {
		t.Fatal(err)
	}
	for i := range text {
		b := []byte(text)
		b[i] ^= 1
		if _, err := torchwood.NewCosignatureVerifier(string(b)); err == nil {
			t.Errorf("%s is taken for a key", b)
		}
	}
	signed, err := note.Sign(&note.Note{Text: headOf(origin, 5, merkle.Hash{1}).String()}, signer)
	if err != nil {
		t.Fatal(err)
	}
	if list, err := Cosignatures(signed, key); err != nil || len(list) != 1 || list[0].Name != name {
		t.Fatalf("the cosignatures are %v, %v", list, err)
	}
	for i := range signed {
		b := bytes.Clone(signed)
		b[i] ^= 1
		if list, err := Cosignatures(b, key); err == nil && len(list) > 0 {
			t.Errorf("with byte %d, %q, altered it holds", i, signed[i])
		}
	}
	itself, _ := note.Sign(&note.Note{Text: headOf(name, 5, merkle.Hash{1}).String()}, signer)
	if list, err := Cosignatures(itself, key); err == nil {
		t.Errorf("a log witnesses itself: %v", list)
	}
}

func TestReasonsAreCutAtAWholeCharacter(t *testing.T) {
	leaf := Decision{Reason: "a" + strings.Repeat("ä", 40_000), At: time.Unix(1, 2_345_678)}.Leaf()
	want := `"reason":"a` + strings.Repeat("ä", MaxReason/2-1) + `","at":"1970-01-01T00:00:01.002Z"}`
	if !strings.HasSuffix(string(leaf), want) {
		t.Errorf("the leaf ends with %s", leaf[max(0, len(leaf)-60):])
	}
}

func TestAKeyIsMadeOnceAndOnlyItsOwnerCanReadIt(t *testing.T) {
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
		t.Error("a short text was taken for a key")
	}
}

func TestTilesWithin(t *testing.T) {
	for _, test := range []struct {
		tile merkle.Tile
		want bool
	}{
		{merkle.Tile{L: Entries, N: 0, W: 256}, true},
		{merkle.Tile{L: 0, N: 1, W: 44}, true},
		{merkle.Tile{L: 0, N: 1, W: 45}, false},
		{merkle.Tile{L: 0, N: 2, W: 1}, false},
		{merkle.Tile{L: 1, N: 0, W: 1}, true},
		{merkle.Tile{L: 1, N: 0, W: 2}, false},
		{merkle.Tile{L: 0, N: 1 << 56, W: 1}, false}, // the index of its first leaf exceeds 64 bits
		{merkle.Tile{L: 8, N: 0, W: 1}, false},
		{merkle.Tile{L: math.MaxInt, N: 0, W: 1}, false},
	} {
		t.Run(fmt.Sprint(test.tile), func(t *testing.T) {
			if got := within(test.tile, 300); got != test.want {
				t.Errorf("within a log of 300: %v", got)
			}
		})
	}
}

// A policy that no checkpoint can meet is refused. An honest log would otherwise break it.
func TestAPolicyThatNothingMeetsIsRefused(t *testing.T) {
	witness := func(seed byte, name string) string {
		signer, err := torchwood.NewCosignatureSigner(name, ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, 32)))
		if err != nil {
			t.Fatal(err)
		}
		return signer.Verifier().String()
	}
	key, _ := NewKey([32]byte{7}).Verifier(origin)
	next, _ := NewKey([32]byte{8}).Verifier(origin)
	three := "witness a " + witness(1, "example.org/a") + "\nwitness b " + witness(2, "example.org/b") +
		"\nwitness c " + witness(3, "example.org/c") + " # not needed\n"
	for text, want := range map[string]string{
		"log " + key + "\ngroup g any a b\nquorum g\n":                               "",
		"group g any a b\ngroup h any b c\ngroup both all g h\nquorum both\n":        "the witness b is in two places",
		"group g 2 a a\nquorum g\n":                                                  "the witness a is in two places",
		"witness d " + witness(1, "example.org/a") + "\ngroup g all a d\nquorum g\n": "the witness a is in two places",
		"log " + key + "\nlog " + next + "\nquorum a\n":                              "two logs",
	} {
		if _, err := ParsePolicy(three + text); (err == nil) != (want == "") ||
			!strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
