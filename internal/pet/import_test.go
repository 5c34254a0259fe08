package pet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"

	"petsupply/testkit/traits"
)

// line writes a pet as a line of an import.
func line(t testing.TB, p Pet, more string) string {
	t.Helper()
	var doc struct{ RawData json.RawMessage }
	if err := json.Unmarshal(written(t, p), &doc); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(doc.RawData), "}") + fmt.Sprintf(`,"owner":%q%s}`, p.Owner.Hex(), more)
}

// parsePet reads one line of an import.
func parsePet(rg *Registry, line string) (Pet, error) {
	texts, err := rg.objectTexts([]byte(line), "")
	if err != nil {
		return Pet{}, err
	}
	return rg.importPet(texts)
}

// importFile imports a file and returns its pets and faults.
func importFile(t testing.TB, rg *Registry, name string, r io.Reader) (got []Pet, faults []fault) {
	t.Helper()
	m := rg.NewImport(func(_ context.Context, pets []Pet) error {
		got = append(got, pets...)
		return nil
	}, func(file string, line int, err error) {
		if len(err.Error()) > 4<<10 {
			t.Errorf("line %d: a fault of %d bytes", line, len(err.Error()))
		}
		faults = append(faults, fault{file, line, strings.ReplaceAll(err.Error(), "\n", "; ")})
	})
	if err := errors.Join(m.Read(t.Context(), name, r), m.Flush(t.Context())); err != nil {
		t.Error(err)
	}
	return got, faults
}

type fault struct {
	File string
	Line int
	Text string
}

func linesOf(faults []fault) (lines []int) {
	for _, f := range faults {
		lines = append(lines, f.Line)
	}
	return lines
}

func TestImport(t *testing.T) {
	full := traits.V1("originid", 1, "season", 2, "egg", 3, "rarity", 4, "element", 5, "bonuscount", 3, "profbonus",
		1, "profbonusscalar", 2,
		"craftbonus", 80, "craftbonusscalar", 3, "combatbonus", 160, "combatbonusscalar", 4, "appearance", 65535,
		"background", 10, "shiny", 1,
		"hungryat", uint64(math.MaxUint64), "equippableat", 1, "equippedto", new(uint256.Int).SetAllOne().Dec())
	owner := common.HexToAddress("0xa11ce")
	first := Pet{ID: 1, Realm: "first", Owner: owner, Name: "Łódź 🐾", Value: full, Block: 9,
		ChangedAt: time.Unix(1_600_000_000, 0).UTC()}
	// The pet is in custody, so it was bridged away.
	second := Pet{ID: 2, Realm: "first", Owner: common.Address{0xb1}, InTransit: true, Value: traits.V2("foodtype", 4)}
	open := Pet{ID: Band + 1, Owner: owner, Value: traits.V2()}
	file := strings.Join([]string{
		line(t, first, `,"block":9,"at":"1600000000"`),
		"",
		line(t, second, ""),
		"{",
		"[]",
		`{"id":3}`,
		line(t, open, ""),
		line(t, Pet{ID: 3 * Band, Owner: owner, Value: traits.V2()}, ""),
		line(t, first, `,"colour":"red"`),
		strings.Replace(line(t, first, ""), `"season":2`, `"season":256`, 1),
		strings.Replace(line(t, first, ""), `"season":2`, `"season":-1`, 1),
		strings.Replace(line(t, first, ""), `"season":2`, `"season":1.5`, 1),
		strings.Replace(line(t, first, ""), `"season":2`, `"season":null`, 1),
		strings.Replace(line(t, first, ""), `"owner":"0x`, `"owner":"`, 1),
		`{"name":"` + strings.Repeat("x", maxLine) + `"}`,
		line(t, first, `,"intransit":"perhaps"`),
		strings.Replace(line(t, first, ""), `"name":"Łódź 🐾"`, `"name":null`, 1),
		line(t, Pet{ID: 4, Owner: owner, Value: traits.V2()}, ""), // the last line has no newline
	}, "\n")
	got, faults := importFile(t, testRegistry, "pets.jsonl", strings.NewReader(file))
	if diff := cmp.Diff([]int{4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}, linesOf(faults)); diff != "" {
		t.Errorf("bad lines %s", diff)
	}
	want := []Pet{first, second, {ID: 4, Realm: "first", Owner: owner, Value: traits.V2()}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestImportCSV(t *testing.T) {
	names := []string{"id", "owner", "name", "at"}
	values := []string{"5", "0x00000000000000000000000000000000000A11cE", `"Burr, ""the"" pup"`, "1600000000"}
	for i := range pets.Fields {
		switch f := &pets.Fields[i]; f.Raw {
		case "id", "name", "fedby", "foodtype":
		default:
			names, values = append(names, strings.ToUpper(f.Name)), append(values, "0")
		}
	}
	good := strings.Join(values, ",")
	file := strings.Join([]string{"\ufeff" + strings.Join(names, ","), good, strings.Replace(good, "5,", "x,", 1),
		"1,2", good + ",more",
		strings.Replace(good, "5,", "6,", 1), ""}, "\n")
	got, faults := importFile(t, testRegistry, "pets.CSV", strings.NewReader(file))
	if bad := linesOf(faults); !cmp.Equal(bad, []int{3, 4, 5}) {
		t.Errorf("bad lines %v", faults)
	}
	if len(got) != 2 || got[0].Name != `Burr, "the" pup` || got[1].ID != 6 || got[0].Value != traits.V1() {
		t.Errorf("the pets are %+v", got)
	}
}

func TestImportNamesEveryFault(t *testing.T) {
	_, err := parsePet(testRegistry, `{"id":"x","owner":"0x1","season":300,"extra":1}`)
	for _, want := range []string{"id is not a number", "owner is not an address",
		"season: 300 does not fit into uint8", "rarity is missing", `"extra" is not a field`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
}

func TestImportGoesInBatches(t *testing.T) {
	var file bytes.Buffer
	for id := range uint64(2*importBatch + 10) {
		fmt.Fprintln(&file, line(t, Pet{ID: id + 1, Owner: common.Address{1}, Value: traits.V2()}, ""))
	}
	var sizes []int
	fail := errors.New("disk full")
	m := testRegistry.NewImport(func(_ context.Context, pets []Pet) error {
		if sizes = append(sizes, len(pets)); len(sizes) == 2 {
			return fail
		}
		return nil
	}, func(_ string, line int, err error) { t.Errorf("line %d: %v", line, err) })
	err := m.Read(t.Context(), "pets.jsonl", &file)
	if !errors.Is(err, fail) || !cmp.Equal(sizes, []int{importBatch, importBatch}) {
		t.Errorf("the batches have sizes %v, %v", sizes, err)
	}
}

// TestAnImportOfAnyFileIsBounded: memory and error messages stay small for any file and any length
// of lines.
func TestAnImportOfAnyFileIsBounded(t *testing.T) {
	var keys strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&keys, `"k%d":0,`, i)
	}
	for name, file := range map[string]io.Reader{
		"jsonl: no end of a line":  io.LimitReader(endless("x"), 8<<20),
		"jsonl: only bad lines":    io.LimitReader(endless("{}\n"), 3<<10),
		"jsonl: only empty lines":  io.LimitReader(endless("\n"), 1<<20),
		"jsonl: thousands of keys": strings.NewReader("{" + keys.String() + `"id":1}`),
		"jsonl: a key of 60 KB":    strings.NewReader(`{"` + strings.Repeat("k\u202e", 12<<10) + `":1}`),
		"jsonl: a number of 60 KB": strings.NewReader(`{"id":` + strings.Repeat("9", 60<<10) + "}"),
		"jsonl: lists in lists":    strings.NewReader(`{"id":` + strings.Repeat("[", 60<<10)),
		"csv: an open quote": io.MultiReader(strings.NewReader("id,owner\n1,\""),
			io.LimitReader(endless("x"), 8<<20)),
		"csv: no end of a header":   io.LimitReader(endless("id,"), 8<<20),
		"csv: thousands of columns": strings.NewReader(strings.Repeat("k,", 5000) + "id\n1\n"),
		"json: no end of a list":    io.LimitReader(endless("[["), 8<<20),
		"json: no end of a text": io.MultiReader(strings.NewReader("[{\"id\":\""),
			io.LimitReader(endless("x"), 8<<20)),
		"json: a large document": io.MultiReader(strings.NewReader("{\"id\":\""),
			io.LimitReader(endless("x"), 8<<20)),
		"json: many attributes": strings.NewReader(`{"id":1,"attributes":[` +
			strings.Repeat(`{"trait_type":"x","value":1},`, 5000) + `{}]}`),
		"jsonl: a count of 2⁶⁴ pets": strings.NewReader(`{"id":18446744073709551615,"block":1e308,"at":-1}`),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			kind, _, _ := strings.Cut(name, ":")
			got, faults := importFile(t, testRegistry, "pets."+kind, file)
			bad := uint64(len(faults))
			runtime.ReadMemStats(&after)
			perLine := uint64(200 << 10) // bytes; garbage included
			if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20+perLine*bad || len(got) > 0 {
				t.Errorf("%d pets, %d bad lines, %d KB", len(got), bad, took>>10)
			}
		})
	}
}

// endless repeats a text.
type endless string

func (e endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) { // a truncated text is still invalid
		n += copy(p[n:], e)
	}
	return n, nil
}

func FuzzParsePet(f *testing.F) {
	f.Add(line(f, Pet{ID: 1, Owner: common.Address{1}, Value: traits.V2()}, ""))
	f.Add(line(f, Pet{ID: 1, Owner: common.Address{1}, Value: traits.V1()}, `,"block":1,"at":2,"intransit":true`))
	f.Add(`{"id":1}`)
	f.Fuzz(func(t *testing.T, s string) {
		p, err := parsePet(testRegistry, s)
		if err == nil && (p.Realm != "first" || p.ID >= Band || len(p.Name) > maxName) {
			t.Errorf("%q gives the pet %+v", s, p)
		}
	})
}

// FuzzReadObject compares readObject with encoding/json.
func FuzzReadObject(f *testing.F) {
	for _, text := range []string{`{}`, ` { "a" : 1 , "b":[{"c":"]}\""}],"":null}`, `{"\u0061\\":"\\","a":"\ud800"}`,
		`[]`, `{"a":1}{}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := readObject(text)
		want := map[string]json.RawMessage{}
		valid := utf8.Valid(text) && json.Unmarshal(text, &want) == nil &&
			bytes.HasPrefix(bytes.TrimSpace(text), []byte("{"))
		if valid != (err == nil) {
			t.Fatalf("%q: %v", text, err)
		}
		got := map[string]json.RawMessage{}
		for _, p := range list {
			got[p.key] = p.value
		}
		if valid && !cmp.Equal(got, want) {
			t.Fatalf("%q is read as %s, want %s", text, got, want)
		}
	})
}
