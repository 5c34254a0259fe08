package pet

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"
)

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

// hostileNames are what strangers may call their pets.
var hostileNames = []string{"", "Burr", "Søren ✨", "a\"b\\c\n\t\x00\x1f\x7f", "<script>&amp;", "\u202eevil\u2066", "\xff\xfe broken", "\u2028\u2029", "👩\u200d🚀"}

const anything = "seventy bytes of anything at all, which become the traits of a pet...."

func hostileRealms() []Realm {
	return []Realm{{Key: "first", Name: `The "First"`, Offset: at64(0), Closed: true}, {Key: "second", Name: "Zwölf\u2028<b>", Offset: at64(Band)}}
}

// TestDocumentsStay: documents have the same bytes as ever, which testdata has
// a line for each of.
func TestDocumentsStay(t *testing.T) {
	golden, err := os.ReadFile("testdata/documents.golden")
	if err != nil {
		t.Fatal(err)
	}
	w := NewDocumentWriter(theDictionary(t), Links{Pets: "https://x.example/\"é", Site: "https://x.example"}, hostileRealms())
	dice := rand.New(rand.NewPCG(1, 2))
	names := append(slices.Clone(hostileNames), make([]string, 11)...)
	for i, want := range strings.Split(strings.TrimSpace(string(golden)), "\n") {
		var traits []byte
		switch {
		case i == 0:
			traits = []byte(anything)
		case i > 1:
			for range 20 {
				traits = binary.BigEndian.AppendUint64(traits, dice.Uint64()>>dice.UintN(64))
			}
		}
		if got := string(w.Append(nil, Prepare(petOf(names[i], traits)), "0a1b")); got != want {
			t.Errorf("pet %d is now\n%s\nwas\n%s", i, got, want)
		}
	}
}

// FuzzDocument: whatever a pet is like, its document is JSON in the form that
// encoding/json writes, and rawData says what an import would take in again.
func FuzzDocument(f *testing.F) {
	d, realms := theDictionary(f), hostileRealms()
	realms[1].Closed = true // so that an import takes its pets
	for _, name := range hostileNames {
		f.Add(name, "http://localhost/pets", []byte(anything))
		f.Add(name, "https://x.example/\"é", []byte{})
	}
	f.Fuzz(func(t *testing.T, name, link string, traits []byte) {
		p := petOf(name, traits)
		text := NewDocumentWriter(d, Links{Pets: link, Site: link + "/site"}, realms).Append([]byte("before "), Prepare(p), "0a1b")
		text, _ = bytes.CutPrefix(text, []byte("before "))
		var doc struct {
			Image   string
			RawData json.RawMessage
		}
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if want := strings.ToValidUTF8(link, "\ufffd"); !strings.HasPrefix(doc.Image, want+"/image/") && utf8.ValidString(link) {
			t.Errorf("image %q, want %q", doc.Image, want)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, text); err != nil || !bytes.Equal(compact.Bytes(), text) {
			t.Errorf("%v, not compact: %s", err, text)
		}
		line := fmt.Sprintf(`%s,"owner":%q,"intransit":%t,"block":%d}`, bytes.TrimSuffix(doc.RawData, []byte("}")), p.Owner.Hex(), p.InTransit, p.Block>>1)
		got, err := parsePet([]byte(line), realms)
		want := p.Traits
		want.Name = strings.ToValidUTF8(clip(want.Name, maxRawName), "\ufffd")
		if err != nil || got.ID != p.ID || got.Traits != want {
			t.Errorf("%s\nis taken in as %+v, %v", line, got.Traits, err)
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
		Name: clip(name, maxName), Origin: next(), Season: next(), Egg: next() % 7, Rarity: next() % 7, Element: next() % 10, BonusCount: next(),
		Gathering: next(), GatheringScalar: next(), Crafting: next(), CraftingScalar: next(), Combat: next(), CombatScalar: next(),
		Appearance: uint16(next() % 30), Background: next() % 13, Shiny: next() % 2, HungryAt: wide() >> (next() % 64), EquippableAt: wide() >> (next() % 64),
		FoodType: next(), Struct: Struct(next() % 2),
	}
	p.EquippedTo.SetBytes(b[:next()%33])
	copy(p.Owner[:], b[:20])
	copy(p.FedBy[:], b[:next()%21])
	return p
}

func BenchmarkDocument(b *testing.B) {
	d, zero := theDictionary(b), uint64(0)
	p := petOf("", []byte(anything))
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
