package collection

import (
	"encoding/hex"
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
)

// renamedPets is the default collection with other field names in the opposite order. Words, traits
// and the keys of data are the same.
func renamedPets(t *testing.T) *Collection {
	t.Helper()
	text := string(petsFile)
	begin := strings.Index(text, "fields:\n") + len("fields:\n")
	end := begin + strings.Index(text[begin:], "\n\n") + 1
	lines := strings.SplitAfter(strings.TrimSuffix(text[begin:end], "\n"), "\n")
	lines[len(lines)-1] += "\n"
	slices.Reverse(lines)
	fields := regexp.MustCompile(`\{name: (\w+)`).ReplaceAllString(strings.Join(lines, ""), "{name: new_$1")
	fields = regexp.MustCompile(`key: (\w+)`).ReplaceAllString(fields, "key: new_$1")
	rest := text[end:]
	for _, f := range Pets().Fields {
		if f.role != "" {
			continue
		}
		rest = regexp.MustCompile(`((?:field|when): )`+f.Name+`\b`).ReplaceAllString(rest, "${1}new_"+f.Name)
		rest = regexp.MustCompile(`(by: \[[^\]]*\b)`+f.Name+`\b`).ReplaceAllString(rest, "${1}new_"+f.Name)
		rest = strings.ReplaceAll(rest, "{"+f.Name+"#}", "{new_"+f.Name+"#}")
	}
	return parse(t, text[:begin]+fields+rest)
}

// encode returns a contract's answer with these values as a getter's struct.
func encode(t *testing.T, c *Collection, g int, id uint64, name string, values map[string]string) []byte {
	t.Helper()
	var head, tail []byte
	for _, f := range c.Getters[g].fields {
		text := values[strings.TrimPrefix(f.Name, "new_")]
		n := new(big.Int)
		switch {
		case f.role == "id":
			n.SetUint64(id)
		case f.role == "name":
			n.SetInt64(int64(32 * len(c.Getters[g].fields)))
			tail = append(big.NewInt(int64(len(name))).FillBytes(make([]byte, 32)), name...)
			tail = append(tail, make([]byte, (32-len(name)%32)%32)...)
		case f.Type.kind == kindAddress:
			n.SetBytes(common.HexToAddress(text).Bytes())
		default:
			n.SetString(text, 10)
		}
		head = append(head, n.FillBytes(make([]byte, 32))...)
	}
	return slices.Concat(big.NewInt(32).FillBytes(make([]byte, 32)), head, tail)
}

// TestRenamedFieldsGiveTheSameAnswers: names and order of fields do not affect the documents.
func TestRenamedFieldsGiveTheSameAnswers(t *testing.T) {
	type document struct {
		Name, Description string
		Attributes, Data  any
		RawData           map[string]any
	}
	read := func(c *Collection, r *recording) (doc document) {
		t.Helper()
		raw := rawValues(t, r.Document)
		g := 0
		if _, ok := raw["fedBy"]; ok {
			g = 1
		}
		given, _ := hex.DecodeString(r.Name)
		v, name, err := c.Decode(&c.Getters[g], r.ID, encode(t, c, g, r.ID, string(given), raw))
		if err != nil || name != string(given) {
			t.Fatalf("pet %d: %q, %v", r.ID, name, err)
		}
		x := r.token(t, Pets())
		x.Value, x.Casings = v, c.Casings(nil, r.Owner, v)
		texts, err := c.Texts(dictionary(t), JSONText)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(texts.AppendDocument(nil, x, `""`, []byte(`"image":""`)), &doc); err != nil {
			t.Fatal(err)
		}
		return doc
	}
	old, renamed := Pets(), renamedPets(t)
	if old.Fields[3].Name == renamed.Fields[3].Name || len(old.Fields) != len(renamed.Fields) ||
		renamed.FieldNamed("new_eggType") == nil {
		t.Fatalf("the fields have the same names: %+v", renamed.Fields[3])
	}
	all := recordings(t)
	for i := 0; i < len(all); i += 7 {
		want, got := read(old, &all[i]), read(renamed, &all[i])
		plain := map[string]any{}
		for key, value := range got.RawData {
			plain[strings.TrimPrefix(key, "new_")] = value
		}
		got.RawData = plain
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("pet %d: %s", all[i].ID, diff)
		}
	}
}
