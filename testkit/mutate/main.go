// Command mutate changes one comparison or branch of the program at a time, chosen by a seed. On each
// it runs the tests of the package, and the simulator if that uses the package. If nothing finds a
// mutation, either no test checks that rule, or the mutation has no effect.
//
//	go run ./testkit/mutate -n 30 -seed 1 internal/evm internal/supply internal/pet/index internal/store
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

var (
	number  = flag.Int("n", 30, "how many mutations")
	seed    = flag.Uint64("seed", 1, "draws them")
	skip    = flag.Int("skip", 0, "leave out the first ones")
	seconds = flag.Int("seconds", 10, "how long the simulator draws new seeds")
	only    = flag.Bool("list", false, "only list them")
)

// others has the replacements of each operator.
var others = map[token.Token][]token.Token{
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL}, token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
}

// A mutation is one change of a file.
type mutation struct {
	file  string
	at    int // index among the possible mutations of the file
	place token.Position
	what  string
}

func main() {
	flag.Parse()
	var all []mutation
	for _, dir := range flag.Args() {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		check(err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for at := 0; ; at++ {
				m, _, found := mutate(file, at)
				if !found {
					break
				}
				all = append(all, m)
			}
		}
	}
	r := rand.New(rand.NewPCG(*seed, 0))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	places := len(all)
	all = all[*skip:min(len(all), *skip+*number)]
	if !*only {
		checkUnchanged(all)
	}
	found := map[string]int{}
	for i, m := range all {
		outcome := "listed"
		if !*only {
			outcome = try(m)
		}
		found[strings.Fields(outcome)[0]]++
		fmt.Printf("%2d %s %s: %s: %s\n", *skip+i+1, time.Now().UTC().Format("15:04:05"), m.place, m.what, outcome)
	}
	fmt.Println(places, "places;", found)
}

// checkUnchanged checks that the tests pass without a mutation. If they failed anyway, they would
// seem to find every mutation.
func checkUnchanged(list []mutation) {
	checked := map[string]bool{}
	for _, m := range list {
		for _, s := range steps("./"+filepath.Dir(m.file), 0) {
			key := strings.Join(s.args, " ")
			if !checked[key] && !test(s.args) {
				check(fmt.Errorf("go test %s fails without a mutation", key))
			}
			checked[key] = true
		}
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// mutate returns the text of a file with one of its possible mutations, the one with the index at.
// found is false if the file has no mutation with this index.
func mutate(file string, at int) (m mutation, text []byte, found bool) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, nil, parser.ParseComments)
	check(err)
	n := 0
	here := func(pos token.Pos, what string) bool {
		if n++; n-1 != at {
			return false
		}
		m, found = mutation{file: file, at: at, place: set.Position(pos), what: what}, true
		return true
	}
	ast.Inspect(tree, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.BinaryExpr:
			for _, to := range others[node.Op] {
				if here(node.OpPos, fmt.Sprintf("%s becomes %s", node.Op, to)) {
					node.Op = to
					return false
				}
			}
		case *ast.IfStmt:
			for _, never := range []string{"true", "false"} {
				if here(node.Cond.Pos(), "the condition is always "+never) {
					op, is := token.LOR, ast.NewIdent(never)
					if never == "false" {
						op = token.LAND
					}
					node.Cond = &ast.BinaryExpr{X: &ast.ParenExpr{X: node.Cond}, Op: op, Y: is}
					return false
				}
			}
		}
		return !found
	})
	var out bytes.Buffer
	if found {
		check(format.Node(&out, set, tree))
	}
	return m, out.Bytes(), found
}

// try runs the tests on a mutation. It returns the result in words, such as the step that found it.
func try(m mutation) string {
	dir, err := os.MkdirTemp("", "mutate-")
	check(err)
	defer os.RemoveAll(dir)
	_, text, _ := mutate(m.file, m.at)
	changed := filepath.Join(dir, "changed.go")
	check(os.WriteFile(changed, text, 0o600))
	original, err := filepath.Abs(m.file)
	check(err)
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	check(err)
	file := filepath.Join(dir, "overlay.json")
	check(os.WriteFile(file, overlay, 0o600))
	pkg := "./" + filepath.Dir(m.file)
	if !run("build", "-o", os.DevNull, "-overlay", file, pkg) {
		return "invalid: it does not compile"
	}
	for _, step := range steps(pkg, *seconds) {
		if !test(step.args, "-overlay", file) {
			return "found by " + step.name
		}
	}
	return "SURVIVED"
}

// A step is a group of tests, with their arguments.
type step struct {
	name string
	args []string
}

// steps returns the tests of a package. If the simulator uses the package, its fixed seeds, its kept
// failures, and new seeds for some seconds follow.
func steps(pkg string, seconds int) []step {
	list := []step{{"its tests", []string{"-short", pkg}}}
	if slices.Contains(simulated(), "petsupply/"+strings.TrimPrefix(pkg, "./")) {
		list = append(list, step{"the simulator",
			[]string{"./testkit/simulate", "-run", "TestKept|TestFixed|TestNew", "-seconds", fmt.Sprint(seconds)}})
	}
	return list
}

// simulated returns the packages that the simulator uses.
var simulated = sync.OnceValue(func() []string {
	out, err := exec.Command("go", "list", "-deps", "./testkit/simulate").Output()
	check(err)
	return strings.Fields(string(out))
})

func test(args []string, flags ...string) bool {
	flags = append([]string{"test", "-vet=off", "-failfast", "-timeout", "10m"}, flags...)
	return run(append(flags, args...)...)
}

// run runs the go command as the Makefile does, so that both share compiled packages.
func run(args ...string) bool {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath")
	return cmd.Run() == nil
}
