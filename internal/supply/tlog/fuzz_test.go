package tlog

import (
	"strings"
	"testing"
	"time"
)

// What a stranger's log says is read in little time and memory, whatever it is,
// and what is read is written the same.

func FuzzTile(f *testing.F) {
	for _, seed := range []string{"0/000", "entries/x001/234.p/7", "7/x999/x999/x999/999", "0/000.p/", "//", "8/000"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		tile, err := ParseTile(strings.Split(path, "/"))
		if err != nil {
			return
		}
		if again := strings.TrimPrefix(tile.Path(), "tile/"); again != path {
			t.Errorf("%q is read as %v, which is written %q", path, tile, again)
		}
		if tile.First() < 0 || tile.Width < 1 || tile.Width > TileWidth || tile.within(0) {
			t.Errorf("%q is read as %v", path, tile)
		}
	})
}

func FuzzCheckpoint(f *testing.F) {
	key := NewKey([32]byte{1})
	verifier, _ := key.Verifier("example.org/log")
	signed, err := key.Sign(Checkpoint{"example.org/log", 7, Hash{1}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(signed)
	f.Add([]byte("a\n1\n" + Hash{}.String() + "\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		began := time.Now()
		if c, err := ParseCheckpoint(text); err == nil && !strings.HasPrefix(string(text), c.String()[:len(c.String())-1]) {
			t.Errorf("%q is read as %v", text, c)
		}
		if c, err := OpenCheckpoint(text, verifier); err == nil && (c != Checkpoint{"example.org/log", 7, Hash{1}}) {
			t.Errorf("%q is opened as %v", text, c)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("%d bytes took %s", len(text), took)
		}
	})
}

func FuzzInclusion(f *testing.F) {
	f.Add(Inclusion{3, []Hash{{1}, {2}}, []byte("example.org/log\n7\n" + Hash{}.String() + "\n\n— x AAAA\n")}.String())
	f.Add("c2sp.org/tlog-proof@v1\nextra aGk=\nindex 9223372036854775807\n\na\n1\n" + Hash{}.String() + "\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		began := time.Now()
		p, err := ParseInclusion(text)
		if err == nil {
			if again := p.String(); again != text && !strings.Contains(text, "\nextra ") {
				t.Errorf("%q is written %q", text, again)
			}
			_, _ = p.Check(Hash{}, "")
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("%d bytes took %s", len(text), took)
		}
	})
}

func FuzzLeaf(f *testing.F) {
	f.Add(Begin{Origin: "o", Previous: &Head{Origin: "p"}}.Leaf())
	f.Add(LedgerVersion{Token: "t", Since: time.Unix(1, 0)}.Leaf())
	f.Add(Release{Reason: "<\u2028>"}.Leaf())
	f.Add(Correction{Reason: "ä"}.Leaf())
	f.Add(Copy{Root: "00"}.Leaf())
	f.Add(AppendEntry(AppendEntry(nil, []byte("a")), nil))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, parse := range []func([]byte) ([]byte, error){reread[Begin], reread[LedgerVersion], reread[Release], reread[Correction], reread[Copy]} {
			if again, err := parse(text); err == nil && string(again) != string(text) {
				t.Errorf("%q is written %q", text, again)
			}
		}
		leaves, err := ParseEntries(text, 2)
		if err == nil && string(AppendEntry(AppendEntry(nil, leaves[0]), leaves[1])) != string(text) {
			t.Errorf("%q holds %q", text, leaves)
		}
	})
}

func reread[T interface{ Leaf() []byte }](text []byte) ([]byte, error) {
	v, err := ParseLeaf[T](text)
	return v.Leaf(), err
}
