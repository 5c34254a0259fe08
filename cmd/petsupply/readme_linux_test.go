package main

import (
	"io"
	"math/big"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"petsupply/internal/supply/ledger"
	"petsupply/testkit/anvil"
	"petsupply/testkit/kingdom"
	"petsupply/testkit/process"
	"petsupply/testkit/tools"
)

// readme returns the section of the README with the given heading.
func readme(t *testing.T, heading string) string {
	t.Helper()
	_, section, found := strings.Cut(pages(t)["README.md"], "\n## "+heading+"\n")
	if !found {
		t.Fatalf("the README has no section %q", heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	return section
}

// TestReadmeStart runs the first command of the README in a new clone of the last commit, and then
// its curl commands. It compares the form of the answers. Digits may differ.
func TestReadmeStart(t *testing.T) {
	process.SkipShort(t)
	section := readme(t, "Start")
	if !strings.Contains(section, "\nmake test\n") {
		t.Error("the README does not name make test; TestCommandsInDocuments checks that it exists")
	}
	first := fenced.FindStringSubmatch(section)
	if first == nil || !strings.HasPrefix(first[1], "go run ./cmd/petsupply serve\n") {
		t.Fatalf("the first command is not go run ./cmd/petsupply serve:\n%s", section)
	}
	served, err := process.FreeAddress()
	must(t, err)
	goRun(t, cloneOfHead(t), append(strings.Fields(first[1]), "--listen", served, "--ops", ""), served)

	calls := regexp.MustCompile(`(?m)^\$ curl (\S+)\n(.+)$`).FindAllStringSubmatch(section, -1)
	if len(calls) != 2 {
		t.Fatalf("%d calls of curl, want a figure and a pet", len(calls))
	}
	for _, m := range calls {
		got, _ := body(t, strings.Replace(m[1], "localhost:8080", served, 1))
		want, cut := strings.CutSuffix(m[2], " …")
		if cut {
			got = got[:min(len(got), len(want))]
		}
		if form(got) != form(want) {
			t.Errorf("curl %s answers\n%s\nthe README says\n%s", m[1], got, want)
		}
	}
}

var digits = regexp.MustCompile(`[0-9]+`)

// form returns an answer with every number replaced by 0.
func form(answer string) string { return digits.ReplaceAllString(answer, "0") }

// body returns the body and the status of an answer.
func body(t *testing.T, url string) (string, int) {
	t.Helper()
	res, err := http.Get(url)
	must(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	must(t, err)
	return string(text), res.StatusCode
}

// cloneOfHead clones the last commit into a new directory.
func cloneOfHead(t *testing.T) string {
	t.Helper()
	root, err := tools.Root()
	must(t, err)
	dir := filepath.Join(t.TempDir(), "petsupply")
	out, err := exec.Command("git", "clone", "-q", "--depth", "1", "file://"+root, dir).CombinedOutput()
	if err != nil {
		t.Fatalf("git clone: %v\n%s", err, out)
	}
	return dir
}

// goRun runs a command in a directory until the test ends, and waits until an address answers.
func goRun(t *testing.T, dir string, command []string, address string) {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // go run starts the program in the same group
	p, err := process.Start(cmd)
	must(t, err)
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-p.Done()
	})
	within(t, 10*time.Minute, "an answer of "+strings.Join(command, " "), func() bool {
		select {
		case <-p.Done():
			t.Fatalf("%v ended:\n%s", command, p.Output)
		default:
		}
		res, err := http.Get("http://" + address + "/")
		if err != nil {
			return false
		}
		res.Body.Close()
		return res.StatusCode == http.StatusOK
	})
}

// newGround returns a chain with a token, of which a part is burned.
func newGround(t *testing.T) (node *anvil.Node, token string) {
	t.Helper()
	ctx := t.Context()
	node = anvil.Test(t, anvil.Options{Chain: 31337, BlockTime: time.Second})
	whole := func(n int64) *big.Int { return ledger.Whole(n, 6).Units }
	coin, err := node.Deploy(ctx, "Token", `Gem "of" the hills`, "GEM", uint8(6), whole(5000))
	must(t, err)
	must(t, node.Send(ctx, coin, "mint", node.Accounts[0], whole(1000)))
	must(t, node.Send(ctx, coin, "transfer", kingdom.Dead, whole(25)))
	must(t, node.Mine(ctx, 4))
	return node, coin.Hex()
}

// TestReadmeOwn runs the commands of the README about one's own token and one's own collection.
func TestReadmeOwn(t *testing.T) {
	process.SkipShort(t)
	node, token := newGround(t)
	dragons, err := node.Deploy(t.Context(), "Dragons")
	must(t, err)
	must(t, node.Send(t.Context(), dragons, "hatch", node.Accounts[1], big.NewInt(0x10101), "Ember"))
	abi, err := filepath.Abs(dragonsABI)
	must(t, err)
	put := strings.NewReplacer("http://localhost:8545", node.URL, "0x5FbDB2315678afecb367f032d93F642f64180aa3", token,
		"ADDRESS", dragons.Hex(), "contract.json", abi)
	for _, test := range []struct {
		section string
		path    string
		want    string
	}{
		{"Your own token", "/supply/gem/totalsupply", "975"},
		{"Your own collection", "/pets/token/1", `"trait_type":"Title","value":"Ember"`},
	} {
		t.Run(test.section, func(t *testing.T) {
			commands := commandsIn(readme(t, test.section))
			t.Chdir(t.TempDir())
			t.Setenv("XDG_DATA_HOME", t.TempDir())
			var ran []string
			for _, command := range commands {
				args := strings.Fields(put.Replace(command))
				if args[0] != "petsupply" {
					continue
				}
				ran = append(ran, args[1])
				if args[1] == "serve" {
					service := start(t, append(args[2:], "--data", t.TempDir())...)
					var got string
					within(t, time.Minute, "an answer of "+test.path, func() bool {
						answer, status := body(t, service.site+test.path)
						got = answer
						return status == http.StatusOK
					})
					if !strings.Contains(got, test.want) {
						t.Errorf("%s answers %s, want %s", test.path, got, test.want)
					}
				} else if code, out, errs := call(t, args[1:]...); code != exitOK {
					t.Fatalf("%s: exit %d\n%s%s", command, code, out, errs)
				}
			}
			if !slices.Equal(ran, []string{"init", "config", "serve"}) {
				t.Errorf("ran %q, want init, config and serve", ran)
			}
		})
	}
}
