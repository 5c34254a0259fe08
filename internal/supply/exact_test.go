package supply

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoFloatAnywhere: an amount that was ever a float has lost digits. Metrics are floats, but
// contain no amounts.
func TestNoFloatAnywhere(t *testing.T) {
	var files []string
	for _, dir := range []string{"", "ledger/"} {
		list, err := filepath.Glob(dir + "*.go")
		if err != nil || len(list) == 0 {
			t.Fatalf("want source files, got %v, %v", list, err)
		}
		files = append(files, list...)
	}
	set, seen := token.NewFileSet(), 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || name == "metrics.go" {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		seen++
		ast.Inspect(f, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.Ident:
				if strings.Contains(strings.ToLower(x.Name), "float") || x.Name == "Rat" {
					t.Errorf("%s uses %s", set.Position(x.Pos()), x.Name)
				}
			case *ast.BasicLit:
				if x.Kind == token.FLOAT {
					t.Errorf("%s holds %s", set.Position(x.Pos()), x.Value)
				}
			}
			return true
		})
	}
	if seen < 10 {
		t.Errorf("only %d files were read", seen)
	}
}
