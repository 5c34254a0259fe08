package tlog

import (
	"strings"
	"testing"
	"time"

	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/testkit/process"
)

// Reading any input takes little time and memory. A leaf that can be read is written with the same
// bytes.

func FuzzCheckpoint(f *testing.F) {
	key := NewKey([32]byte{1})
	verifier, _ := key.Verifier(origin)
	head := headOf(origin, 7, merkle.Hash{1})
	f.Add(sign(f, key, head))
	f.Add([]byte("a\n1\n" + merkle.Hash{}.String() + "\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		began := process.OwnTime(t)
		if c, err := ParseCheckpoint(text); err == nil &&
			!strings.HasPrefix(string(text), c.String()[:len(c.String())-1]) {
			t.Errorf("%q is read as %v", text, c)
		}
		if c, err := OpenCheckpoint(text, verifier); err == nil && c != head {
			t.Errorf("%q is opened as %v", text, c)
		}
		if took := process.OwnTime(t) - began; took > time.Second {
			t.Errorf("%d bytes took %s", len(text), took)
		}
	})
}

func FuzzInclusion(f *testing.F) {
	key := NewKey([32]byte{7})
	verifier, _ := key.Verifier(origin)
	f.Add(inclusion(f, key))
	f.Add("c2sp.org/tlog-proof@v1\nextra aGk=\nindex 9223372036854775807\n\na\n1\n" + merkle.Hash{}.String() + "\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		began := process.OwnTime(t)
		leaf := merkle.RecordHash([]byte{6})
		_, _, _ = CheckInclusion(text, leaf, "")
		if index, _, err := CheckInclusion(text, leaf, verifier); err == nil && index != 6 {
			t.Errorf("%q proves leaf %d", text, index)
		}
		if took := process.OwnTime(t) - began; took > time.Second {
			t.Errorf("%d bytes took %s", len(text), took)
		}
	})
}

func FuzzLeaf(f *testing.F) {
	f.Add(Begin{Origin: "o", Previous: &head{Origin: "p"}}.Leaf())
	f.Add(LedgerVersion{Token: "t", Since: time.Unix(1, 0)}.Leaf())
	f.Add(Decision{Kind: "right", Reason: "<\u2028>"}.Leaf())
	for _, at := range []string{"9999-12-31T23:59:59-01:00", "0000-01-01T00:00:00+01:00"} { // JSON has no such UTC
		f.Add([]byte(strings.Replace(string(Decision{}.Leaf()), "0001-01-01T00:00:00Z", at, 1)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, parse := range []func([]byte) ([]byte, error){
			reread[Begin], reread[LedgerVersion], reread[Decision],
		} {
			if again, err := parse(text); err == nil && string(again) != string(text) {
				t.Errorf("%q is written %q", text, again)
			}
		}
	})
}

func reread[T interface{ Leaf() []byte }](text []byte) ([]byte, error) {
	v, err := parseLeaf[T](text)
	return v.Leaf(), err
}
