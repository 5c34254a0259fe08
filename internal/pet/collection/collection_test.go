package collection

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// dragons is a collection with other fields than pets.
const dragons = `
name: Dragons
getters:
  egg: {call: "egg(uint256)", returns: values}
  adult: {call: "adult(uint256)", returns: struct}
count: {last: "lastDragon()"}
events:
  - {event: "Roared(address by, uint256 dragon, adult now)", id: dragon}
  - {event: "Named(bytes32 indexed what, string text, uint256 dragon)", id: dragon}
fields:
  - {name: Genes, type: uint256}
  - {name: temper, type: int16, sort: ascending, key: mood}
  - {name: tame, type: bool, filter: true}
  - {name: title, type: string, getters: [adult]}
  - {name: clan, type: word, getters: [adult], filter: true}
  - {name: mark, type: bytes4, getters: [adult]}
  - {name: riderOf, type: address, getters: [adult]}
  - {name: wings, of: Genes, bits: [8, 4], is: look, filter: true}
  - {name: tailLong, of: Genes, bits: [4, 3], is: look}
tables:
  wings: {1: leather, 2: feather}
words:
  wing: {table: wings, by: [wings], none: "wing {wings#}"}
token: {name: "{title} of {clan}", description: "It has {wing} wings."}
attributes:
  - {trait: Wings, word: wing}
  - {trait: Temper, field: temper, display: number}
  - {trait: Rider, field: riderOf, when: tame}
  - {trait: Clan, field: clan}
data: {tail: {field: tailLong, display: number}, tame: {field: tame, display: bool}}
`

func parse(t testing.TB, text string) *Collection {
	t.Helper()
	c, err := Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// pack encodes values with go-ethereum.
func pack(t testing.TB, types string, values ...any) []byte {
	t.Helper()
	var args abi.Arguments
	for name := range strings.SplitSeq(types, ",") {
		typ, err := abi.NewType(name, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, abi.Argument{Type: typ})
	}
	data, err := args.Pack(values...)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// dragon returns the answers of both getters for a dragon.
func dragon(t testing.TB) (egg, adult []byte) {
	genes := big.NewInt(0x2ff)
	egg = pack(t, "uint256,int16,bool", genes, int16(-5), true)
	adult = pack(t, "uint256,int16,bool,string,string,bytes4,address", genes, int16(-5), true, "Sir <Smoke>", "Ash",
		[4]byte{1, 2, 3, 4}, common.HexToAddress("0x52908400098527886E0F7030069857D2E4169EE7"))
	offset := make([]byte, 32)
	offset[31] = 32
	return egg, append(offset, adult...)
}

// grown returns the traits of an adult dragon.
func grown(t testing.TB, c *Collection) Value {
	t.Helper()
	_, adult := dragon(t)
	v, name, err := c.Decode(&c.Getters[1], 7, adult)
	if err != nil || name != "" {
		t.Fatalf("the decoded name is %q, %v", name, err)
	}
	return v
}

func TestDecodeAnotherShape(t *testing.T) {
	c := parse(t, dragons)
	v := grown(t, c)
	for field, want := range map[string]string{"Genes": "767", "temper": "-5", "tame": "true", "title": "Sir <Smoke>",
		"clan": "Ash",
		"mark": "0x01020304", "riderOf": "0x52908400098527886E0F7030069857D2E4169EE7", "wings": "2", "tailLong": "7"} {
		t.Run(field, func(t *testing.T) {
			if got := c.Text(v, c.FieldNamed(field)); got != want {
				t.Errorf("%s is %s, want %s", field, got, want)
			}
		})
	}
	if n := int64(c.Uint(v, c.FieldNamed("temper"))); n != -5 {
		t.Errorf("temper in its column is %d", n)
	}
	texts, err := c.Texts(map[string]Table{"wings": {"2": `"soft"`}}, JSONText)
	if err != nil {
		t.Fatal(err)
	}
	x := &Token{ID: 7, Number: 7, Value: v, Casings: c.Casings(nil, common.Address{}, v)}
	got := string(texts.AppendDocument(nil, x, `""`, []byte(`"image":"i"`)))
	want := `{"name":"Sir <Smoke> of Ash","description":"It has \"soft\" wings.","image":"i","attributes":[` +
		`{"trait_type":"Wings","value":"\"soft\""},{"trait_type":"Temper","value":-5,"display_type":"number"},` +
		`{"trait_type":"Rider","value":"0x52908400098527886E0F7030069857D2E4169EE7"},` +
		`{"trait_type":"Clan","value":"Ash"}],"data":{"tail":7,"tame":true},"rawData":{"id":7,"genes":"767",` +
		`"temper":-5,"tame":true,"title":"Sir \u003cSmoke\u003e","clan":"Ash",` +
		`"mark":"0x01020304","riderof":"0x52908400098527886E0F7030069857D2E4169EE7"}}`
	if got != want {
		t.Errorf("document\n%s\nwant\n%s", got, want)
	}
}

func TestDecodeRejectsOtherShapes(t *testing.T) {
	c := parse(t, dragons)
	egg, adult := dragon(t)
	set := func(data []byte, at int, b byte) []byte {
		data = append([]byte(nil), data...)
		data[at] = b
		return data
	}
	for name, test := range map[string]struct {
		getter int
		answer []byte
	}{
		"nothing":               {0, nil},
		"a word less":           {0, egg[:64]},
		"a word more":           {0, append(append([]byte(nil), egg...), make([]byte, 32)...)},
		"half a word":           {0, egg[:len(egg)-1]},
		"int16 too wide":        {0, set(egg, 33, 0)},
		"bool of 2":             {0, set(egg, 95, 2)},
		"no offset":             {1, adult[32:]},
		"a text elsewhere":      {1, set(adult, 32+3*32+31, 0x60)},
		"a text of 2^63":        {1, set(adult, 32+7*32+24, 0x80)},
		"bytes4 with more":      {1, set(adult, 32+5*32+4, 1)},
		"an address of 21":      {1, set(adult, 32+6*32+11, 1)},
		"an end that is missed": {1, adult[:len(adult)-32]},
	} {
		t.Run(name, func(t *testing.T) {
			if _, _, err := c.Decode(&c.Getters[test.getter], 7, test.answer); !errors.Is(err, ErrShape) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestEventsNameTheirToken(t *testing.T) {
	c := parse(t, dragons)
	word := func(n byte) []byte { return append(make([]byte, 31), n) }
	hash := func(s string) common.Hash { return crypto.Keccak256Hash([]byte(s)) }
	id := common.BytesToHash([]byte{9})
	for name, test := range map[string]struct {
		topics []common.Hash
		data   []byte
		want   string
	}{
		"a transfer": {[]common.Hash{hash("Transfer(address,address,uint256)"), {}, {}, id}, nil, "9"},
		"in the data": {[]common.Hash{hash("Roared(address,uint256,(uint256,int16,bool,string,string,bytes4,address))")},
			append(word(1), word(9)...), "9"},
		"after a text": {[]common.Hash{hash("Named(bytes32,string,uint256)"), {}},
			append(word(64), word(9)...), "9"},
		"an update":       {[]common.Hash{hash("MetadataUpdate(uint256)")}, word(9), "9"},
		"a trait update":  {[]common.Hash{hash("TraitUpdated(bytes32,uint256,bytes32)"), {}, id}, word(1), "9"},
		"a short one":     {[]common.Hash{hash("MetadataUpdate(uint256)")}, nil, "0"},
		"an unknown one":  {[]common.Hash{hash("Sneezed(uint256)"), id}, nil, "0"},
		"one without any": {nil, nil, "0"},
	} {
		t.Run(name, func(t *testing.T) {
			word, _ := c.EventID(test.topics, test.data)
			if got := new(big.Int).SetBytes(word).String(); got != test.want {
				t.Errorf("token %s, want %s", got, test.want)
			}
		})
	}
}

func TestValuesOutliveTheirLayout(t *testing.T) {
	old := parse(t, dragons)
	v := grown(t, old)
	kept := old.Layout
	now := parse(t,
		strings.Replace(dragons, "  - {name: wings,",
			"  - {name: age, type: uint32, getters: [adult]}\n  - {name: wings,", 1))
	w := now.Convert(kept, v)
	if !now.Valid(w) || now.Has(w, now.FieldNamed("age")) {
		t.Fatal("the value has a field that its contract never returned")
	}
	for i := range old.Fields {
		if f := &old.Fields[i]; now.Text(w, now.FieldNamed(f.Name)) != old.Text(v, f) {
			t.Errorf("%s is %s, want %s", f.Name, now.Text(w, now.FieldNamed(f.Name)), old.Text(v, f))
		}
	}
	if kept.Valid(v[:len(v)-1]) || kept.Valid(v+"x") {
		t.Error("a damaged value is valid")
	}
}

func TestFaultsNameTheirLine(t *testing.T) {
	many := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, line+"\n", i)
		}
		return b.String()
	}
	getter := "name: X\ngetters:\n  g: {call: \"g(uint256)\"}\nfields:\n  - {name: a, type: uint8}\n"
	for name, test := range map[string]struct{ text, want string }{
		"an unknown key": {"name: X\ncolour: red", "test.yaml:2: colour: unknown key"},
		"an unknown type": {"name: X\nfields:\n  - {name: a, type: uint7}",
			`test.yaml:3: fields[0].type: unknown type "uint7"`},
		"a key twice": {"name: X\nfields:\n  - {name: a, type: uint8}\n  - {name: b, type: uint8, key: a}",
			"test.yaml:4: fields[1]: a is the name of the field a already"},
		"names that differ in case": {"name: X\nfields:\n  - {name: bornAt, type: uint8}\n  - {name: bornat, type: uint8}",
			"test.yaml:4: fields[1]: bornAt and bornat differ only in letter case"},
		"no getter returns it": {getter + "  - {name: b, type: uint8, getters: [h]}",
			"test.yaml:6: fields[1].getters: there is no getter h"},
		"thirteen filters": {"name: X\nfields:\n" + many(13, "  - {name: f%d, type: uint8, filter: true}"),
			"13 fields have filter or sort; at most 12 are possible"},
		"too many fields": {"name: X\nfields:\n" + many(65, "  - {name: f%d, type: uint8}"),
			"at most 64 are possible"},
		"a wide filter": {"name: X\nfields:\n  - {name: a, type: uint256, filter: true}",
			"a is uint256; listings and pictures take"},
		"layers by a word": {"name: X\nfields:\n  - {name: fur, type: word, is: look}",
			"test.yaml:3: fields[0].is: layers cannot be selected by a word"},
		"a word that is not": {getter + "attributes:\n  - {trait: T, word: w}", "there is no earlier word w"},
		"a text with a hole": {getter + "token: {name: \"{nobody}\"}",
			"{nobody} is not a word, field or built-in value; known here: "},
		"an open brace": {getter + "token: {name: \"{a\"}", "a closing brace is missing"},
		"a slice of nothing": {"name: X\nfields:\n  - {name: s, of: genes, bits: [0, 4]}",
			"there is no earlier field genes to take a slice of"},
		"a slice too far": {"name: X\nfields:\n  - {name: g, type: uint8}\n  - {name: s, of: g, bits: [6, 4]}",
			"test.yaml:4: fields[1].bits: [6, 4] is not within uint8"},
		"an event without an id": {getter + "events:\n  - {event: \"E(uint256 a)\", id: b}",
			`the event has no argument "b"`},
		"a call that is not one": {"name: X\ngetters:\n  g: {call: getPet}", `"getPet" is not a call`},
		"a count that is not one": {"name: X\ncount: guess",
			"tokens are counted by next, last, enumerable or transfers"},
		"a built-in's name": {"name: X\nfields:\n  - {name: owner, type: address}",
			"owner is the name of a built-in value"},
		"a kind that is no word": {getter + "token: {kind: w}", "there is no word w"},
		"a kind of no table":     {getter + "words: {w: x}\ntoken: {kind: w}", "w is not looked up in a table"},
		"a kind of no filter": {getter + "words: {w: {table: t, by: [a]}}\ntoken: {kind: w}",
			"w must be looked up only by numbers that have filter: true"},
		"a family of no kinds": {getter + "words: {w: x}\ntoken: {family: w}", `give the key "kind" too`},
		"a filter called limit": {"name: X\nfields:\n  - {name: limit, type: uint8, filter: true}",
			"limit is a parameter of every listing"},
		"two values": {getter + "attributes:\n  - {trait: T, field: a, text: b}",
			"a value is one of text, field, word and table; this has text and field"},
		"a key with a blank": {"name: X\nfields:\n  - {name: a, type: uint8, key: \"my key\"}",
			`test.yaml:3: fields[0].key: "my key": a field's key is letters`},
		"an alias of a type": {"name: X\ngetters:\n  g: {call: g(uint)}\nfields:\n  - {name: a, type: uint8}",
			`test.yaml:3: getters.g.call: a getter takes only the token's id, as in getPet(uint256): unknown type "uint"; did you mean`},
		"a comment in a text": {getter + "token:\n  name: Pet #{a}",
			"test.yaml:7: a # after a space begins a comment"},
		"a getter of no field": {getter + "  - {name: b, type: uint8, getters: [g]}\ndescription: x\n", ""},
		"deep nesting":         {strings.Repeat("[", 100_000), "nested too deeply"},
		"a large file":         {"name: " + strings.Repeat("x", 10<<20), "larger than"},
		"no YAML":              {"name: [", "not YAML"},
		"a key of YAML twice":  {"name: X\none: a\none: b\n", "test.yaml:3"},
		"a field of no getter": {getter + "  h: x\n", "test.yaml:6"},
		"a getter of nothing": {"name: X\ngetters:\n  g: {call: \"g(uint256)\"}\n  h: {call: \"h(uint256)\"}\nfields:\n  " +
			"- {name: a, type: uint8, getters: [g]}", "test.yaml:4: getters.h: no field is read with this getter"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("test.yaml", []byte(test.text))
			if test.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) || !faultLine.MatchString(err.Error()) {
				t.Errorf("error %.300v, want %s and its line", err, test.want)
			}
		})
	}
}

// TestAMistakeIsReportedOnce: each file has one mistake, and the message suggests a correction.
// Faults that only follow from the mistake are not listed.
func TestAMistakeIsReportedOnce(t *testing.T) {
	for _, test := range []struct{ right, wrong, want string }{
		{"type: uint256", "type: uint", "fields[0].type: unknown type \"uint\"; did you mean uint256? "},
		{"egg(uint256)", "egg", "getters.egg.call: "},
		{"adult(uint256)", "adult(uint256,bool)", "getters.adult.call: a getter takes only the token's id"},
		{"returns: values", "returns: value", "did you mean values?"},
		{"getters: [adult], filter", "getters: [adlt], filter",
			"fields[4].getters: there is no getter adlt; did you mean adult? known here: egg, adult"},
		{"sort: ascending", "sort: asc", "did you mean ascending?"},
		{"count: {last: \"lastDragon()\"}", "count: transfer", "did you mean transfers?"},
		{"of: Genes, bits: [8", "of: Gene, bits: [8",
			"fields[7].of: there is no earlier field Gene to take a slice of; did you mean Genes? "},
		{"of: Genes, bits: [8", "of: genes, bits: [8", "did you mean Genes? "},
		{"field: tailLong", "field: taillong", "data.tail.field: there is no field taillong; did you mean tailLong? "},
		{"field: temper", "field: mood", "attributes[1].field: there is no field mood; did you mean temper? "},
		{"{title} of", "{mood} of", "token.name: {mood} is not a word, field or built-in value; did you mean temper? "},
		{"bits: [8, 4]", "bits: [254, 4]", "fields[7].bits: [254, 4] is not within uint256"},
		{"is: look, filter", "is: looks, filter", "did you mean look?"},
		{"id: dragon}\n  - {event: \"N", "id: dragn}\n  - {event: \"N", "did you mean dragon?"},
		{"by: [wings]", "by: [wing]",
			"words.wing.by: wing is neither a field nor an earlier word; did you mean wings? "},
		{"{title} of", "{titel} of",
			"token.name: {titel} is not a word, field or built-in value; did you mean title? "},
		{"word: wing}", "word: wong}",
			"attributes[0].word: there is no earlier word wong; did you mean wing? known here: wing"},
		{"field: temper", "field: tempr", "attributes[1].field: there is no field tempr; did you mean temper? "},
		{"display: bool", "display: boolean", "did you mean bool?"},
		{"when: tame", "when: tam", "did you mean tame?"},
	} {
		t.Run(test.wrong, func(t *testing.T) {
			_, err := Parse("test.yaml", []byte(strings.Replace(dragons, test.right, test.wrong, 1)))
			if err == nil || strings.Count(err.Error(), "test.yaml:") != 1 ||
				!strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v\nwant one fault, with %s", err, test.want)
			}
		})
	}
}

var faultLine = regexp.MustCompile(`^test\.yaml:(\d+: | larger than 1 MB$)`)

func TestLookUpsNeedTheirTables(t *testing.T) {
	c := parse(t,
		"name: X\nfields:\n  - {name: a, type: uint8}\nattributes:\n  - {trait: T, table: words, by: [a], column: name}\n")
	for name, test := range map[string]struct {
		tables map[string]Table
		want   string
	}{
		"no table": {map[string]Table{},
			"test.yaml:5: attributes[0].table: neither the file nor the pack has a table words"},
		"no column": {map[string]Table{"words": {"0": "x"}},
			"test.yaml:5: attributes[0].column: the table words has no column name"},
		"both": {map[string]Table{"words": {tableKey("0", "name"): "x"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.Texts(test.tables, JSONText)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add(string(petsFile))
	f.Add(dragons)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse("f", []byte(text))
		if err != nil {
			return
		}
		texts, err := c.Texts(map[string]Table{}, JSONText)
		if err == nil {
			texts.AppendDocument(nil, &Token{}, `""`, []byte(`"image":""`))
		}
	})
}

func FuzzDecode(f *testing.F) {
	c := parse(f, dragons)
	egg, adult := dragon(f)
	f.Add(0, egg)
	f.Add(1, adult)
	f.Fuzz(func(t *testing.T, getter int, answer []byte) {
		if getter != 0 && getter != 1 {
			return
		}
		v, _, err := c.Decode(&c.Getters[getter], 7, answer)
		if err == nil && !c.Valid(v) {
			t.Fatalf("a value that is not valid: %x", v)
		}
	})
}
