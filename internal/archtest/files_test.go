package archtest

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// Inside a package, too, files call one way: who reads one from the top down meets
// no call back up. Calls through an interface are no ties, for they lead elsewhere.
func TestFilesCallOneWay(t *testing.T) {
	ties := 0
	for _, p := range program(t, "linux", "amd64") {
		if len(p.Errors) > 0 {
			t.Fatalf("%s: %v", p.PkgPath, p.Errors)
		}
		calls := fileCalls(p)
		ties += len(calls)
		for file := range calls {
			if way := wayBack(calls, file); way != nil {
				t.Errorf("%s: %s", p.PkgPath, strings.Join(way, " → "))
			}
		}
	}
	if ties < 100 {
		t.Errorf("only %d files call others: are all of them read?", ties)
	}
}

// A callGraph says which files call which, and one function that is called.
type callGraph map[string]map[string]string

func fileCalls(p *packages.Package) callGraph {
	calls := callGraph{}
	fileOf := func(n interface{ Pos() token.Pos }) string { return filepath.Base(p.Fset.Position(n.Pos()).Filename) }
	for _, f := range p.Syntax {
		from := fileOf(f)
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			called, ok := p.TypesInfo.Uses[id].(*types.Func)
			if !ok || called.Pkg() != p.Types || ofInterface(called) || fileOf(called) == from {
				return true
			}
			if calls[from] == nil {
				calls[from] = map[string]string{}
			}
			calls[from][fileOf(called)] = called.Name()
			return true
		})
	}
	return calls
}

// ofInterface reports whether a function is only promised.
func ofInterface(f *types.Func) bool {
	to := f.Signature().Recv()
	return to != nil && types.IsInterface(to.Type())
}

// wayBack returns the shortest way from a file by calls back to it, nil if there is
// none.
func wayBack(calls callGraph, file string) []string {
	ways, seen := [][]string{{file}}, map[string]bool{}
	for len(ways) > 0 {
		way := ways[0]
		ways = ways[1:]
		last := way[len(way)-1]
		for to := range calls[last] {
			if to == file {
				return append(way, calls[last][to]+" of "+to)
			}
			if !seen[to] {
				seen[to] = true
				ways = append(ways, append(slices.Clone(way), to))
			}
		}
	}
	return nil
}
