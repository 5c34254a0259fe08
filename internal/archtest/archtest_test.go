// Package archtest tests the plan of the program: which of our packages may
// import which, and which of them use SQL or the library for caches.
package archtest

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// allowed lists, for each package under internal, the packages of ours that it
// may import. A package that is not listed here may not exist.
var allowed = map[string][]string{
	"supply/proof/gather": {"evm", "supply/proof"},

	"evm":            {"evm/jsonrpc"},
	"evm/jsonrpc":    nil,
	"supply":         {"evm", "supply/ledger", "supply/proof", "supply/proof/gather", "supply/tlog"},
	"supply/ledger":  {"evm"},
	"supply/proof":   {"evm"},
	"supply/tlog":    nil,
	"supply/audit":   {"supply", "supply/ledger", "supply/proof", "supply/tlog"},
	"pet":            {"evm", "pet/collection"},
	"pet/collection": {"yamlfile"},
	"pet/index":      {"evm", "pet", "pet/collection"},
	"pet/directory":  {"cache", "evm", "pet", "pet/collection", "turns"},
	"art":            {"art/petpack", "art/png", "packs", "pet", "pet/collection"},
	"art/gallery":    {"art", "cache", "turns"},
	"art/png":        nil,
	"art/petpack":    nil,
	"store": {"evm", "pet", "pet/collection", "pet/index", "store/database", "supply", "supply/ledger",
		"supply/proof", "supply/tlog", "turns", "webhook"},
	"store/database": nil,
	"web": {"art", "art/gallery", "cache", "pet", "pet/collection", "supply", "supply/ledger",
		"supply/proof", "supply/tlog", "turns", "web/answer", "web/express", "web/openapi"},
	"web/answer":    {"turns"},
	"web/express":   nil,
	"web/openapi":   {"pet/collection"},
	"web/site":      {"art", "pet", "pet/collection", "supply", "supply/ledger", "web/answer"},
	"config":        {"evm", "pet", "pet/collection", "supply", "supply/ledger", "supply/tlog", "webhook", "yamlfile"},
	"webhook":       {"pet", "supply", "yamlfile"},
	"demo":          {"evm", "pet", "pet/collection", "pet/index", "supply", "supply/ledger", "world"},
	"frozen":        {"pet", "supply", "supply/tlog"},
	"consumercheck": nil,
	"probe":         {"config", "evm", "pet", "pet/collection", "supply", "supply/ledger"},
	"demo/compose": {"app", "config", "demo", "pet", "pet/collection", "pet/index", "store", "store/database", "supply",
		"supply/ledger", "supply/tlog"},
	"app": {"art", "art/gallery", "config", "evm", "frozen", "pet", "pet/collection", "pet/index",
		"pet/directory", "store", "store/database", "supply", "supply/ledger", "supply/proof", "supply/tlog",
		"turns", "web", "web/answer", "web/express", "web/openapi", "web/site", "webhook", "yamlfile"},
	"cache":    nil,
	"turns":    nil,
	"yamlfile": nil,
	"terminal": {"supply/ledger"},
	"world":    {"evm/jsonrpc"},
	"archtest": nil,
}

// behind lists, for some packages of others, our packages that hide them. No other package may
// import them.
var behind = map[string][]string{
	"database/sql":                 {"store", "store/database"},
	"github.com/jackc/pgx/v5":      {"store", "store/database"},
	"modernc.org/sqlite":           {"store", "store/database"},
	"github.com/maypok86/otter/v2": {"cache"},
}

func TestImports(t *testing.T) {
	cmd := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "petsupply/internal/...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("listing packages: %v", err)
	}
	seen := 0
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		pkg := strings.TrimPrefix(words[0], "petsupply/internal/")
		may, ok := allowed[pkg]
		if !ok {
			t.Errorf("%s is not in the plan: move it into an existing room, or change the plan", pkg)
			continue
		}
		seen++
		for _, imp := range words[1:] {
			if only, hidden := behind[imp]; hidden && !slices.Contains(only, pkg) {
				t.Errorf("%s imports %s; only %v may", pkg, imp, only)
			}
			ours, ok := strings.CutPrefix(imp, "petsupply/")
			if ours = strings.TrimPrefix(ours, "internal/"); ok && !slices.Contains(may, ours) {
				t.Errorf("%s imports %s; it may import %v", pkg, imp, may)
			}
		}
	}
	if seen != len(allowed) {
		t.Errorf("the plan lists %d packages, %d are there", len(allowed), seen)
	}
}
