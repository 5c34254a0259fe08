package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// traits are those of the default collection. They are data: only the demo and the program that
// paints the default pack have code about them. Supply knows nothing of tokens that have traits.
var traits = []string{"egg", "rarity", "element", "shiny", "appearance", "season", "bonus", "gathering", "crafting",
	"combat",
	"hungry", "equippable", "equipped", "food", "fed"}

// wordsOf splits a name of Go into its words in lower case: maxFoodID is max, food, id.
func wordsOf(name string) (out []string) {
	var word []rune
	runes := []rune(name)
	for i, r := range runes {
		starts := unicode.IsUpper(r) && (i > 0 && !unicode.IsUpper(runes[i-1]) || i+1 < len(runes) &&
			unicode.IsLower(runes[i+1]))
		if (starts || r == '_') && len(word) > 0 {
			out, word = append(out, string(word)), nil
		}
		if r != '_' {
			word = append(word, unicode.ToLower(r))
		}
	}
	return append(out, string(word))
}

func TestNoCodeIsAboutTraits(t *testing.T) {
	seen := 0
	for _, root := range []string{"../../internal", "../../cmd"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "demo" || d.Name() == "supply" || d.Name() == "node_modules" ||
				d.Name() == "testdata"):
				return filepath.SkipDir
			case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			seen++
			imported := map[string]bool{}
			for _, i := range file.Imports {
				imported[strings.Trim(i.Path.Value[strings.LastIndex(i.Path.Value, "/")+1:], `"`)] = true
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := s.X.(*ast.Ident); ok && imported[x.Name] {
						return false // a name from another package
					}
				}
				id, ok := n.(*ast.Ident)
				if !ok {
					return true
				}
				for _, w := range wordsOf(id.Name) {
					if slices.ContainsFunc(traits, func(t string) bool { return w == t || w == t+"s" || w == t+"es" }) {
						t.Errorf("%s: %s is named after a trait of the default collection", files.Position(id.Pos()), id.Name)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 200 {
		t.Errorf("only %d files were checked", seen)
	}
}

func TestWordsOf(t *testing.T) {
	for name, want := range map[string]string{"maxFoodID": "max food id", "HTTPEgg": "http egg", "x": "x",
		"fed_by": "fed by", "Federation": "federation"} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(wordsOf(name), " "); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}
