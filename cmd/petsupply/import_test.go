package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestAFaultyImportChangesNothing: a file that is too long gives one line that names its row, and the
// store stays as it is. Memory is bounded, however long a line is.
func TestAFaultyImportChangesNothing(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	file("collection.yaml", "name: Plain\nfields:\n"+
		"  - {name: eyeColor, type: string}\n  - {name: power, type: uint8}\n")
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
		must(t, err)
		return string(text)
	}
	before := stored()
	first := "id,power\n7,1\n" // a good row, before the fault
	for name, test := range map[string]struct{ file, text, want string }{
		"1 GB of one row": {"a.csv", first, "a.csv: line 3: the line or object is too long"},
		"1 GB of one line": {"a.jsonl", "{\"id\":7,\"power\":1}\n{\"id\":",
			"a.jsonl: line 2: the line or object is too long"},
		"1 GB of one element": {"a.json", "[{\"id\":7,\"power\":1},\n{\"id\":\"", "a.json: line 2: "},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(test.file, test.text)
			must(t, os.Truncate(path, 1<<30)) // zeros fill it
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
