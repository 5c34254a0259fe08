package pet

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// asEncoded is the document as encoding/json writes it.
func asEncoded(t testing.TB, m Metadata) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(m); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// theDictionary is that of the pack that comes with the program.
func theDictionary(t testing.TB) *Dictionary {
	f, err := os.Open("../../packs/meadow/dictionary.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d, err := ParseDictionary(f)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// FuzzScribe: whatever a pet is like, the written document is the encoded one.
func FuzzScribe(f *testing.F) {
	d := theDictionary(f)
	zero, one := uint64(0), uint64(Band)
	realms := []Realm{{Key: "first", Name: `The "First"`, Offset: &zero, Closed: true}, {Key: "second", Name: "Zwölf\u2028<b>", Offset: &one}}
	for _, name := range []string{"", "Burr", "Søren ✨", "a\"b\\c\n\t\x00\x1f\x7f", "<script>&amp;", "\u202eevil\u2066", "\xff\xfe broken", "\u2028\u2029", "👩\u200d🚀"} {
		f.Add(name, "http://localhost/pets", []byte("seventy bytes of anything at all, which become the traits of a pet...."))
		f.Add(name, "https://x.example/\"é", []byte{})
	}
	f.Fuzz(func(t *testing.T, name, link string, traits []byte) {
		p := petOf(name, traits)
		l := Links{Pets: link, Site: link + "/site"}
		want := asEncoded(t, p.Metadata(d, l, realms, "0a1b"))
		got := string(NewDocumentWriter(d, l, realms).Append([]byte("before "), Prepare(p), "0a1b"))
		if got != "before "+want {
			t.Errorf("written\n%s\nencoded\n%s", got, want)
		}
	})
}

// petOf makes a pet of any bytes.
func petOf(name string, b []byte) Pet {
	b = append(bytes.Clone(b), make([]byte, 128)...)
	next := func() byte {
		c := b[0]
		b = b[1:]
		return c
	}
	wide := func() uint64 {
		n := binary.BigEndian.Uint64(b)
		b = b[8:]
		return n
	}
	p := Pet{ID: wide() % (2 * Band), Realm: []string{"first", "second", "elsewhere"}[next()%3], InTransit: next()%2 == 1, Block: wide(), ChangedAt: time.Unix(1, 0)}
	p.Traits = Traits{
		Name: clip(name, MaxName), Origin: next(), Season: next(), Egg: next() % 7, Rarity: next() % 7, Element: next() % 10, BonusCount: next(),
		Gathering: next(), GatheringScalar: next(), Crafting: next(), CraftingScalar: next(), Combat: next(), CombatScalar: next(),
		Appearance: uint16(next() % 30), Background: next() % 13, Shiny: next() % 2, HungryAt: wide() >> (next() % 64), EquippableAt: wide() >> (next() % 64),
		FoodType: next(), StructV1: next()%2 == 1,
	}
	p.EquippedTo.SetBytes(b[:next()%33])
	copy(p.Owner[:], b[:20])
	copy(p.FedBy[:], b[:next()%21])
	return p
}

func BenchmarkScribe(b *testing.B) {
	d, zero := theDictionary(b), uint64(0)
	p := petOf("", []byte("seventy bytes of anything at all, which become the traits of a pet...."))
	p.Appearance, p.Egg, p.Background, p.Rarity, p.Element = 3, 1, 2, 1, 4
	p.Gathering, p.Crafting, p.Combat, p.FedBy = 3, 81, 0, common.Address{}
	p.EquippedTo.Clear()
	l := Links{Pets: "http://localhost:8080/pets", Site: "http://localhost:8080"}
	realms := []Realm{{Key: "first", Name: "First", Offset: &zero}}
	s, k := NewDocumentWriter(d, l, realms), Prepare(p)
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst = s.Append(dst[:0], k, "0123456789abcdef0123")
	}
	b.SetBytes(int64(len(dst)))
}
