package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestTheProgramCompilesOnEveryPlatform checks the types of the program for every system that it is
// released for, and on Linux for both processors. On the other systems one processor is enough: the
// types of system calls are the same, and no file of ours is for one processor. The test makes no
// code, which would take minutes for each platform, and reads only the declarations of other
// modules. make platforms builds all six.
func TestTheProgramCompilesOnEveryPlatform(t *testing.T) {
	for _, platform := range []string{"linux/amd64", "linux/arm64", "darwin/arm64", "windows/amd64"} {
		goos, goarch, _ := strings.Cut(platform, "/")
		if goos == runtime.GOOS && goarch == runtime.GOARCH {
			continue // every other test compiles for it
		}
		t.Run(goos+"-"+goarch, func(t *testing.T) {
			for _, p := range program(t, goos, goarch) {
				for _, e := range p.Errors {
					t.Error(e)
				}
			}
		})
	}
}

// program returns our packages of the program for a platform, with their types.
func program(t *testing.T, goos, goarch string) (ours []*packages.Package) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	found, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes |
			packages.NeedSyntax | packages.NeedTypesSizes | packages.NeedModule,
		Dir: root,
		ParseFile: func(fset *token.FileSet, name string, text []byte) (*ast.File, error) {
			f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
			if err == nil && !strings.HasPrefix(name, root) {
				dropBodies(f)
			}
			return f, err
		},
		Env: append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
	}, "./cmd/petsupply")
	if err != nil {
		t.Fatal(err)
	}
	packages.Visit(found, nil, func(p *packages.Package) {
		if p.Module != nil && p.Module.Main {
			ours = append(ours, p)
		}
	})
	if len(ours) < 30 {
		t.Fatalf("only %d packages of ours were checked", len(ours))
	}
	return ours
}

// dropBodies removes what other packages do not see of a file's functions.
func dropBodies(f *ast.File) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
	}
}
