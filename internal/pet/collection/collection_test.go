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
  base: {call: "dragon(uint256)", returns: values}
  looks: {call: "looks(uint256,bytes32)", returns: struct, args: [id, "0x0100000000000000000000000000000000000000000000000000000000000000"]}
count: {last: "lastDragon()"}
events:
  - {event: "Roared(address by, uint256 dragon, looks now)", id: dragon}
  - {event: "Named(bytes32 indexed what, string text, uint256 dragon)", id: dragon}
fields:
  - {name: Genes, type: uint256, getters: [base]}
  - {name: temper, type: int16, getters: [base], sort: ascending}
  - {name: tame, type: bool, getters: [base], filter: true}
  - {name: title, type: string, getters: [looks]}
  - {name: clan, type: word, getters: [looks], filter: true}
  - {name: mark, type: bytes4, getters: [looks]}
  - {name: rider, type: address, getters: [looks]}
  - {name: wings, of: genes, bits: [8, 4], is: look, filter: true}
  - {name: tail, of: genes, digits: [2, 2], is: look}
tables:
  wings: {1: leather, 2: feather}
words:
  wing: {table: wings, by: [wings], none: "wing {wings#}"}
token: {name: "{title} of {clan}", description: "It has {wing} wings."}
attributes:
  - {trait: Wings, word: wing}
  - {trait: Temper, field: temper, display: number}
  - {trait: Rider, field: rider, when: tame}
  - {trait: Clan, field: clan}
data: {tail: {field: tail, display: number}, tame: {field: tame, display: bool}}
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

func dragon(t testing.TB, c *Collection) (base, looks []byte) {
	genes := new(big.Int).Lsh(big.NewInt(0x2ff), 0)
	base = pack(t, "uint256,int16,bool", genes, int16(-5), true)
	looks = pack(t, "string,string,bytes4,address", "Sir <Smoke>", "Ash", [4]byte{1, 2, 3, 4},
		common.HexToAddress("0x52908400098527886E0F7030069857D2E4169EE7"))
	offset := make([]byte, 32)
	offset[31] = 32
	return base, append(offset, looks...)
}

func TestDecodeAnotherShape(t *testing.T) {
	c := parse(t, dragons)
	base, looks := dragon(t, c)
	v, name, err := c.Decode([]int{0, 1}, 7, [][]byte{base, looks})
	if err != nil || name != "" {
		t.Fatalf("the decoded name is %q, %v", name, err)
	}
	for field, want := range map[string]string{"genes": "767", "temper": "-5", "tame": "true", "title": "Sir <Smoke>",
		"clan": "Ash",
		"mark": "0x01020304", "rider": "0x52908400098527886E0F7030069857D2E4169EE7", "wings": "2", "tail": "7"} {
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
		`{"trait_type":"Rider","value":"0x52908400098527886E0F7030069857D2E4169EE7"},{"trait_type":"Clan","value":"Ash"}],` +
		`"data":{"tail":7,"tame":true},"rawData":{"id":7,"genes":"767","temper":-5,"tame":true,"title":"Sir \u003cSmoke\u003e","clan":"Ash",` +
		`"mark":"0x01020304","rider":"0x52908400098527886E0F7030069857D2E4169EE7"}}`
	if got != want {
		t.Errorf("document\n%s\nwant\n%s", got, want)
	}
}

func TestDecodeRejectsOtherShapes(t *testing.T) {
	c := parse(t, dragons)
	base, looks := dragon(t, c)
	set := func(data []byte, at int, b byte) []byte {
		data = append([]byte(nil), data...)
		data[at] = b
		return data
	}
	for name, answers := range map[string][2][]byte{
		"nothing":               {nil, looks},
		"a word less":           {base[:64], looks},
		"a word more":           {append(append([]byte(nil), base...), make([]byte, 32)...), looks},
		"half a word":           {base[:len(base)-1], looks},
		"int16 too wide":        {set(base, 33, 0), looks},
		"bool of 2":             {set(base, 95, 2), looks},
		"no offset":             {base, looks[32:]},
		"a text elsewhere":      {base, set(looks, 63, 0x60)},
		"a text of 2^63":        {base, set(looks, 32+4*32+24, 0x80)},
		"bytes4 with more":      {base, set(looks, 32+2*32+4, 1)},
		"an address of 21":      {base, set(looks, 32+3*32+11, 1)},
		"an end that is missed": {base, looks[:len(looks)-32]},
	} {
		t.Run(name, func(t *testing.T) {
			if _, _, err := c.Decode([]int{0, 1}, 7, answers[:]); !errors.Is(err, ErrShape) {
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
		"in the data": {[]common.Hash{hash("Roared(address,uint256,(string,string,bytes4,address))")},
			append(word(1), word(9)...), "9"},
		"after a text":    {[]common.Hash{hash("Named(bytes32,string,uint256)"), {}}, append(word(64), word(9)...), "9"},
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
	base, looks := dragon(t, old)
	v, _, err := old.Decode([]int{0, 1}, 7, [][]byte{base, looks})
	if err != nil {
		t.Fatal(err)
	}
	kept := old.Layout
	now := parse(t,
		strings.Replace(dragons, "  - {name: wings,",
			"  - {name: age, type: uint32, getters: [looks]}\n  - {name: wings,", 1))
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
		"no getter returns it": {getter + "  - {name: b, type: uint8, getters: [h]}",
			"test.yaml:6: fields[1].getters: there is no getter h"},
		"thirteen filters": {"name: X\nfields:\n" + many(13, "  - {name: f%d, type: uint8, filter: true}"),
			"13 fields have filter or sort; at most 12 are possible"},
		"too many fields": {"name: X\nfields:\n" + many(65, "  - {name: f%d, type: uint8}"),
			"at most 64 are possible"},
		"a wide filter": {"name: X\nfields:\n  - {name: a, type: uint256, filter: true}",
			"a is uint256; listings, counts and pictures take"},
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
		"a call that is not one":  {"name: X\ngetters:\n  g: {call: getPet}", `"getPet" is not a call`},
		"a count that is not one": {"name: X\ncount: guess", "tokens are counted by next, last, enumerable or transfers"},
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
			`test.yaml:3: getters.g.call: unknown type "uint"; did you mean uint256? `},
		"a comment in a text":  {getter + "token:\n  name: Pet #{a}", "test.yaml:7: a # after a space begins a comment"},
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
		{"dragon(uint256)", "dragon", "getters.base.call: "},
		{"returns: values", "returns: value", "did you mean values?"},
		{"args: [id, ", "args: [pet, ", "getters.looks.args[0]: "},
		{"getters: [base], sort", "getters: [bass], sort",
			"fields[1].getters: there is no getter bass; did you mean base? known here: base, looks"},
		{"sort: ascending", "sort: asc", "did you mean ascending?"},
		{"count: {last: \"lastDragon()\"}", "count: transfer", "did you mean transfers?"},
		{"of: genes, bits", "of: gene, bits",
			"fields[7].of: there is no earlier field gene to take a slice of; did you mean genes? "},
		{"bits: [8, 4]", "bits: [254, 4]", "fields[7].bits: [254, 4] is not within uint256"},
		{"is: look, filter", "is: looks, filter", "did you mean look?"},
		{"id: dragon}\n  - {event: \"N", "id: dragn}\n  - {event: \"N", "did you mean dragon?"},
		{"by: [wings]", "by: [wing]", "words.wing.by: wing is neither a field nor an earlier word; did you mean wings? "},
		{"{title} of", "{titel} of", "token.name: {titel} is not a word, field or built-in value; did you mean title? "},
		{"word: wing}", "word: wong}",
			"attributes[0].word: there is no earlier word wong; did you mean wing? known here: wing"},
		{"field: temper", "field: tempr", "attributes[1].field: there is no field tempr; did you mean temper? "},
		{"display: bool", "display: boolean", "did you mean bool?"},
		{"when: tame", "when: tam", "did you mean tame?"},
	} {
		t.Run(test.wrong, func(t *testing.T) {
			_, err := Parse("test.yaml", []byte(strings.Replace(dragons, test.right, test.wrong, 1)))
			if err == nil || strings.Count(err.Error(), "test.yaml:") != 1 || !strings.Contains(err.Error(), test.want) {
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
	base, looks := dragon(f, c)
	f.Add(base, looks)
	f.Fuzz(func(t *testing.T, base, looks []byte) {
		v, _, err := c.Decode([]int{0, 1}, 7, [][]byte{base, looks})
		if err == nil && !c.Valid(v) {
			t.Fatalf("a value that is not valid: %x", v)
		}
	})
}
