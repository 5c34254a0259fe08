package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestAFaultyImportChangesNothing: a faulty file gives one line that names its row and column, and the
// store stays as it is. Memory is bounded, however long a line is.
func TestAFaultyImportChangesNothing(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file("collection.yaml", "name: Plain\nfields:\n  - {name: eyeColor, type: string}\n  - {name: power, type: uint8}\n")
	config := file("petsupply.yaml", `collection: collection.yaml
store: sqlite://store.db
chains:
  only: {id: 1, rpc: ["http://127.0.0.1:9"]}
realms:
  - {key: only, name: Only, offset: 0, chain: only, contract: "0x1990F87d6BC9D9385917E3EDa0A7674411C3Cd7F"}
`)
	imports := func(path string) (code int, out, said string) {
		return call(t, "import", "--config", config, path)
	}
	good := file("good.csv", "\ufeffid,Eye Color,Power\r\n1,Red,5\r\n2,,6\r\n")
	code, out, said := imports(good)
	if code != exitOK || !strings.Contains(out, "2 tokens read, 2 new or different") {
		t.Fatalf("a table with a byte order mark and CRLF: %d, %s%s", code, out, said)
	}
	stored := func() string {
		text, err := os.ReadFile(filepath.Join(dir, "store.db"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	before := stored()
	first := "id,power\n7,1\n" // a good row, before the fault
	for name, test := range map[string]struct {
		file, text string
		size       int64 // of the file, which zeros fill
		want       string
	}{
		"no column of ids":    {"a.csv", "power\n1\n", 0, "a.csv: line 1: reading the names of the columns in the first row: id: the table"},
		"an unknown column":   {"a.csv", "id,hat\n7,1\n", 0, `"hat" is not a field of this collection`},
		"a double id":         {"a.csv", first + "8,1\n7,2\n", 0, "a.csv: line 4: id: token 7 occurs twice"},
		"an id beyond":        {"a.csv", first + "1000000000000,1\n", 0, "a.csv: line 3: id: token 1000000000000 is outside every"},
		"a value beyond":      {"a.csv", first + "8,256\n", 0, "a.csv: line 3: power: 256 does not fit into uint8"},
		"a cell too few":      {"a.csv", first + "8\n", 0, "a.csv: line 3: wrong number of fields"},
		"1 GB of one row":     {"a.csv", first, 1 << 30, "a.csv: line 3: the line or object is too long"},
		"1 GB of one line":    {"a.jsonl", "{\"id\":7,\"power\":1}\n{\"id\":", 1 << 30, "a.jsonl: line 2: the line or object is too long"},
		"1 GB of one element": {"a.json", "[{\"id\":7,\"power\":1},\n{\"id\":\"", 1 << 30, "a.json: line 2: "},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(test.file, test.text)
			if test.size > 0 {
				if err := os.Truncate(path, test.size); err != nil {
					t.Fatal(err)
				}
			}
			var start, end runtime.MemStats
			runtime.ReadMemStats(&start)
			code, out, said := imports(path)
			runtime.ReadMemStats(&end)
			if code == exitOK || strings.Count(said, "\n") != 2 || !strings.Contains(said, test.want) ||
				!strings.Contains(said, "nothing is imported: 1 bad line") {
				t.Errorf("%d: %.300s%.300s\nwant one line with %s, and the end", code, out, said, test.want)
			}
			if used := end.TotalAlloc - start.TotalAlloc; used > 64<<20 {
				t.Errorf("the import allocated %d MB", used>>20)
			}
			if stored() != before {
				t.Error("the store has changed")
			}
		})
	}
}
