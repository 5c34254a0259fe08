package collection

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func plain(s string) string { return s }

func plainTexts(t testing.TB, c *Collection, tables map[string]Table) *Texts {
	t.Helper()
	texts, err := c.Texts(tables, plain)
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// Pages show the same texts as documents.
func TestPlainTextsEqualThoseOfDocuments(t *testing.T) {
	c := Pets()
	texts := plainTexts(t, c, dictionary(t))
	published, err := c.Texts(dictionary(t), JSONText)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range recordings(t) {
		x := r.token(t, c)
		var d struct {
			Name, Description string
			Attributes        []struct {
				Trait   string `json:"trait_type"`
				Display string `json:"display_type"`
				Value   any
			}
		}
		if err := json.Unmarshal(published.AppendDocument(nil, x, `""`, []byte(`"image":""`)), &d); err != nil {
			t.Fatal(err)
		}
		for _, text := range []*string{&x.Name, &x.Realm, &x.NativeRealm} { // tokens have texts in JSON form
			if err := json.Unmarshal([]byte(`"`+*text+`"`), text); err != nil {
				t.Fatal(err)
			}
		}
		if texts.Name(x) != d.Name || texts.Description(x) != d.Description {
			t.Fatalf("pet %d is called %q: %q, want %q: %q", r.ID, texts.Name(x), texts.Description(x),
				d.Name, d.Description)
		}
		list := texts.Attributes(x)
		if len(list) != len(d.Attributes) {
			t.Fatalf("pet %d has %d attributes, want %d", r.ID, len(list), len(d.Attributes))
		}
		for i, a := range list {
			want := d.Attributes[i]
			text, isText := want.Value.(string)
			if n, ok := want.Value.(float64); ok {
				text = strconv.FormatFloat(n, 'f', -1, 64)
			}
			if a.Absent && a.Text != "None" || !a.Absent && a.Text == "None" {
				t.Fatalf("pet %d: absent is %t of %+v", r.ID, a.Absent, a)
			}
			if a.Trait != want.Trait || a.Text != text || isText == (want.Display != "") {
				t.Fatalf("pet %d: %+v, want %+v", r.ID, a, want)
			}
		}
	}
}

func TestFieldsOfPetsInWords(t *testing.T) {
	c := Pets()
	texts := plainTexts(t, c, dictionary(t))
	for name, want := range map[string]struct {
		label string
		n     uint64
		word  string
	}{
		"rarity":       {"Rarity", 3, "Legendary"},
		"eggType":      {"Egg type", 200, "Unknown egg 200"},
		"profBonus":    {"Gathering bonus", 0, "None"},
		"shiny":        {"Shiny", 1, "Yes"},
		"season":       {"Season", 2, "2"},
		"hungryAt":     {"Hungry from", 1700000000, "14 Nov 2023, 22:13 UTC"},
		"equippableAt": {"Equippable from", 1 << 62, "4611686018427387904"},
		"equippedTo":   {"Equipped to", 7, "7"},
		"appearance":   {"Appearance", 7, "7"},
	} {
		t.Run(name, func(t *testing.T) {
			f := c.FieldNamed(name)
			label := texts.FieldLabel(f)
			word := texts.FieldWord(f, want.n)
			if label != want.label || word != want.word {
				t.Errorf("%s: %s, want %s: %s", label, word, want.label, want.word)
			}
		})
	}
	for text, want := range map[string]int{"3": 3, "legendary": 3, "Mythic": 4, "255": 255, "256": -1, "03": -1,
		"-1": -1, "": -1, "shiny": -1} {
		t.Run("rarity "+text, func(t *testing.T) {
			if n, ok := texts.FieldNumber(c.FieldNamed("rarity"), text); ok != (want >= 0) || ok && n != uint64(want) {
				t.Errorf("%d, %t; want %d", n, ok, want)
			}
		})
	}
	if n, ok := texts.FieldNumber(c.FieldNamed("shiny"), "true"); !ok || n != 1 {
		t.Errorf("shiny=true is %d, %t", n, ok)
	}
	if n, ok := texts.FieldNumber(c.FieldNamed("shiny"), "2"); ok { // only 0 and 1 are values of shiny
		t.Errorf("shiny=2 is %d", n)
	}
}

// kinds adds kinds to the dragons.
const kinds = `
token: {name: "{title} of {clan}", description: "It has {wing} wings.", line: "{wing}, {temper#}", kind: wing, family: weight}
`

func TestAnotherCollectionInWords(t *testing.T) {
	text := strings.Replace(dragons, "words:\n", "  weights: {1: heavy, 2: light, 3: light}\nwords:\n"+
		"  weight: {table: weights, by: [wings], none: none}\n", 1)
	text = strings.Replace(text,
		"token: {name: \"{title} of {clan}\", description: \"It has {wing} wings.\"}\n", kinds, 1)
	text = strings.Replace(text, "data:",
		"  - {trait: Fame, field: tailLong, display: stars, stars: [1, 50], when: tailLong, otherwise: None}\n"+
			"  - {trait: Tame, field: tame, display: yes_no}\ndata:", 1)
	c := parse(t, text)
	v := grown(t, c)
	texts := plainTexts(t, c, map[string]Table{"wings": {"2": `"soft"`, "3": "silk"}})
	x := &Token{ID: 7, Value: v, Casings: c.Casings(nil, [20]byte{}, v)}
	if texts.Name(x) != "Sir <Smoke> of Ash" || texts.Description(x) != `It has "soft" wings.` ||
		texts.Line(x) != `"soft", -5` {
		t.Errorf("name %s, description %s, line %s", texts.Name(x), texts.Description(x), texts.Line(x))
	}
	want := []Attribute{
		{Trait: "Wings", Label: "Wings", Text: `"soft"`, Display: "text", Field: c.FieldNamed("wings")},
		{Trait: "Temper", Label: "Temper", Text: "-5", Display: "number", Number: 1<<64 - 5,
			Field: c.FieldNamed("temper")},
		{Trait: "Rider", Label: "Rider", Text: "0x52908400098527886E0F7030069857D2E4169EE7", Display: "text",
			Field: c.FieldNamed("riderOf")},
		{Trait: "Clan", Label: "Clan", Text: "Ash", Display: "text", Field: c.FieldNamed("clan")},
		{Trait: "Fame", Label: "Fame", Text: "★", Display: "stars", Number: 1, Stars: 2,
			Field: c.FieldNamed("tailLong")},
		{Trait: "Tame", Label: "Tame", Text: "Yes", Display: "yes_no", Number: 1, Field: c.FieldNamed("tame")},
	}
	if diff := cmp.Diff(want, texts.Attributes(x), cmp.Comparer(func(a, b *Field) bool { return a == b })); diff != "" {
		t.Error(diff)
	}
	wantKinds := []Kind{{[]uint64{1}, "leather", "heavy"}, {[]uint64{2}, `"soft"`, "light"},
		{[]uint64{3}, "silk", "light"}}
	if diff := cmp.Diff(wantKinds, texts.Kinds()); diff != "" {
		t.Error(diff)
	}
	for name, test := range map[string]struct{ got, want string }{
		"a slice's word":     {texts.FieldWord(c.FieldNamed("wings"), 3), "silk"},
		"no word":            {texts.FieldWord(c.FieldNamed("wings"), 9), "wing 9"},
		"beyond the slice":   {texts.FieldWord(c.FieldNamed("wings"), 16), "16"},
		"a negative number":  {texts.FieldText(c.FieldNamed("temper"), "-5"), "-5"},
		"a bool":             {texts.FieldText(c.FieldNamed("tame"), "true"), "Yes"},
		"a word of its own":  {texts.FieldText(c.FieldNamed("clan"), "Ash"), "Ash"},
		"a wide number":      {texts.FieldText(c.FieldNamed("Genes"), "767"), "767"},
		"a kind of nothing":  {texts.KindNumbered([]uint64{9}).Family, ""},
		"a token's own kind": {texts.KindOf(v).Family, "light"},
		"a label by a word":  {texts.FieldLabel(c.FieldNamed("wings")), "Wings"},
		"a label by a name":  {texts.FieldLabel(c.FieldNamed("mark")), "Mark"},
	} {
		t.Run(name, func(t *testing.T) {
			if test.got != test.want {
				t.Errorf("%q, want %q", test.got, test.want)
			}
		})
	}
	if n, ok := texts.FieldNumber(c.FieldNamed("temper"), "-5"); !ok || int64(n) != -5 {
		t.Errorf("temper=-5 is %d, %t", n, ok)
	}
	if _, ok := texts.FieldNumber(c.FieldNamed("temper"), "40000"); ok {
		t.Error("temper=40000 does not fit")
	}
}

// A contract's text is bounded and hides nothing wherever it is shown.
func TestTextsOfContractsAreClean(t *testing.T) {
	c := parse(t, "name: X\nfields:\n  - {name: motto, type: string}\ntoken: {name: \"{motto}\"}\n")
	v, _, err := c.FromTexts(map[string]string{"motto": "a\u202eb\x00" + strings.Repeat("c", 500)})
	if err != nil {
		t.Fatal(err)
	}
	x := &Token{Value: v}
	if got := plainTexts(t, c, nil).Name(x); !strings.HasPrefix(got, "abc") || len(got) > maxShown+3 {
		t.Errorf("the name is %q", got)
	}
	published, err := c.Texts(nil, JSONText)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(published.AppendDocument(nil, x, `""`, []byte(`"image":""`))); strings.Contains(got, "\u202e") ||
		!strings.Contains(got, `"motto":"a\u202eb\u0000ccc`) {
		t.Errorf("the document is %s", got)
	}
}

func TestSentenceCase(t *testing.T) {
	for name, want := range map[string]string{"": "", "Egg Type": "Egg type",
		"Gathering Bonus Strength": "Gathering bonus strength",
		"born at":                  "born at", "Max HP": "Max HP", "Type B": "Type B",
		"Level V2": "Level V2", "Äther Öl": "Äther öl", "A  B": "A  B"} {
		if got := sentenceCase(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}
