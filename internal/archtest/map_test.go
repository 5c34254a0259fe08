package archtest

import (
	"os"
	"regexp"
	"testing"
)

// named finds the paths that a document has in backquotes.
var named = regexp.MustCompile("`([a-z]+/[\\w./]*)`")

// TestTheMapIsTrue looks for every path that docs/ARCHITECTURE.md names.
func TestTheMapIsTrue(t *testing.T) {
	text, err := os.ReadFile("../../docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	found := named.FindAllStringSubmatch(string(text), -1)
	if len(found) < 30 {
		t.Fatalf("only %d paths are found", len(found))
	}
	for _, m := range found {
		if name := m[1]; name != "net/http" && !exists("../"+name) && !exists("../../"+name) {
			t.Errorf("%s does not exist", name)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
