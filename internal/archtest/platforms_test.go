package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// The program compiles on every platform that it is released for. Types are
// checked as the compiler checks them, against the sources of all that is
// linked in. No code is made of them, which would take minutes for each
// platform, and of other modules only the declarations are read.
func TestTheProgramCompilesOnEveryPlatform(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, platform := range []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"} {
		goos, goarch, _ := strings.Cut(platform, "/")
		t.Run(goos+"-"+goarch, func(t *testing.T) {
			found, err := packages.Load(&packages.Config{
				Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesSizes | packages.NeedModule,
				Dir:  root,
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
			seen := 0
			packages.Visit(found, nil, func(p *packages.Package) {
				seen++
				if p.Module == nil || !p.Module.Main {
					return
				}
				for _, e := range p.Errors {
					t.Error(e)
				}
			})
			if seen < 100 {
				t.Errorf("only %d packages were looked at", seen)
			}
		})
	}
}

// dropBodies leaves of a file's functions what others see of them.
func dropBodies(f *ast.File) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
	}
}
