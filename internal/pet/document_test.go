package pet

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"petsupply/internal/pet/collection"
	"petsupply/testkit/traits"
)

// theTables are the tables of the program's own pack.
func theTables(t testing.TB) map[string]collection.Table {
	t.Helper()
	text, err := os.ReadFile("../../packs/meadow/dictionary.json")
	if err != nil {
		t.Fatal(err)
	}
	return tables(t, string(text))
}

func tables(t testing.TB, text string) (out map[string]collection.Table) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func writer(t testing.TB, rg *Registry, tables map[string]collection.Table, l Links) *DocumentWriter {
	t.Helper()
	w, err := NewDocumentWriter(rg, tables, l)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// hostileNames are names that owners may give their pets.
var hostileNames = []string{"", "Burr", "Søren ✨", "a\"b\\c\n\t\x00\x1f\x7f", "<script>&amp;", "\u202eevil\u2066",
	"\xff\xfe broken", "\u2028\u2029", "👩\u200d🚀"}

const anything = "seventy bytes of anything at all, which become the traits of a pet...."

func hostileRealms() []Realm {
	return []Realm{{Key: "first", Name: `The "First"`, Offset: at64(0), Closed: true},
		{Key: "second", Name: "Zwölf\u2028<b>", Offset: at64(Band)}}
}

// FuzzDocument: the document of any pet is JSON as encoding/json writes it, and an import accepts
// its rawData.
func FuzzDocument(f *testing.F) {
	d, realms := theTables(f), hostileRealms()
	realms[1].Closed = true // so that an import accepts its pets
	for _, name := range hostileNames {
		f.Add(name, "http://localhost/pets", []byte(anything))
		f.Add(name, "https://x.example/\"é", []byte{})
	}
	f.Fuzz(func(t *testing.T, name, link string, seed []byte) {
		p := petOf(name, seed)
		rg := &Registry{pets, realms}
		w := writer(t, rg, d, Links{Pets: link, Site: link + "/site"})
		text := w.Append([]byte("before "), Prepare(pets, p), "0a1b")
		text, _ = bytes.CutPrefix(text, []byte("before "))
		var doc struct {
			Image   string
			RawData json.RawMessage
		}
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if want := strings.ToValidUTF8(link, "\ufffd"); !strings.HasPrefix(doc.Image, want+"/image/") &&
			utf8.ValidString(link) {
			t.Errorf("image %q, want %q", doc.Image, want)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, text); err != nil || !bytes.Equal(compact.Bytes(), text) {
			t.Errorf("%v, not compact: %s", err, text)
		}
		line := fmt.Sprintf(`%s,"owner":%q,"intransit":%t,"block":%d}`, bytes.TrimSuffix(doc.RawData, []byte("}")),
			p.Owner.Hex(), p.InTransit, p.Block>>1)
		got, err := parsePet(rg, line)
		kept := strings.ToValidUTF8(collection.Clip(p.Name, maxRawName), "\ufffd")
		if err != nil || got.ID != p.ID || got.Name != kept || got.Value != p.Value {
			t.Errorf("%s\nis imported as %+v, %v", line, got, err)
		}
	})
}

// petOf makes a pet from any bytes.
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
	p := Pet{ID: wide() % (2 * Band), Realm: []string{"first", "second", "elsewhere"}[next()%3],
		InTransit: next()%2 == 1, Block: wide(), ChangedAt: time.Unix(1, 0)}
	p.Name = collection.Clip(name, maxName)
	all := []any{"originid", next(), "season", next(), "egg", next() % 7, "rarity", next() % 7, "element",
		next() % 10, "bonuscount", next(),
		"profbonus", next(), "profbonusscalar", next(), "craftbonus", next(), "craftbonusscalar", next(),
		"combatbonus", next(),
		"combatbonusscalar", next(), "appearance", next() % 30, "background", next() % 13, "shiny", next() % 2,
		"hungryat", wide() >> (next() % 64), "equippableat", wide() >> (next() % 64)}
	food, second := next(), next()%2 == 0
	all = append(all, "equippedto", new(uint256.Int).SetBytes(b[:next()%33]).Dec())
	copy(p.Owner[:], b[:20])
	var fedBy common.Address
	copy(fedBy[:], b[:next()%21])
	if p.Value = traits.V1(all...); second {
		p.Value = traits.V2(append(all, "fedby", fedBy.Hex(), "foodtype", food)...)
	}
	return p
}
