package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/testkit/kingdom"
	"petsupply/testkit/stubnode"
)

func getText(t *testing.T, url string) string {
	t.Helper()
	res, err := http.Get(url)
	must(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(t, err)
	return string(body)
}

// logSize returns the number of leaves in the log of a service, as text from its checkpoint.
func logSize(t *testing.T, supply string) string {
	t.Helper()
	return strings.Split(getText(t, supply+"/log/checkpoint"), "\n")[1]
}

// ground is a node with a token, and a contract with a plain ERC-721 token.
func ground(t *testing.T) (node *stubnode.Node, token, plain string) {
	t.Helper()
	node = stubnode.Test(t)
	coin := &stubnode.Contract{First: 1}
	coin.Answer("totalSupply()", stubnode.Word(5))
	coin.Answer("decimals()", stubnode.Word(0))
	coin.Answer("symbol()", stubnode.Text("GEM"))
	pets := &stubnode.Contract{First: 1}
	pets.Answer("name()", stubnode.Text("Plain"))
	pets.Answer("totalSupply()", stubnode.Word(1))
	pets.Answer("tokenByIndex(uint256)", stubnode.Word(7), stubnode.Word(0))
	pets.Answer("ownerOf(uint256)", stubnode.Address(kingdom.Dead), stubnode.Word(7))
	node.Contracts[common.Address{0xa1}] = coin
	node.Contracts[common.Address{0xa2}] = pets
	return node, common.Address{0xa1}.Hex(), common.Address{0xa2}.Hex()
}

// A dialogue on a terminal: init explains wrong answers and asks again.
func TestInitAsks(t *testing.T) {
	node, token, _ := ground(t)
	file := filepath.Join(t.TempDir(), "p.yaml")
	answers := strings.Join([]string{"", "nonsense", node.URL, "", "0x12", token, "", "", ""}, "\n")
	var out, errs bytes.Buffer
	p := &program{getenv: os.Getenv, stdin: strings.NewReader(answers), stdout: &out, stderr: &errs,
		interactive: true}
	if err := (&initCmd{Out: file}).Run(t.Context(), p); err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	for _, want := range []string{"Address of a node: ", "want a node's http or https address", "a node of chain 5",
		"Contract of a token", `token "0x12"`, "Contract of pets"} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("lacks %q:\n%s", want, &errs)
		}
	}
	if code, out, errs := call(t, "config", "check", file); code != exitOK {
		t.Errorf("config check ends with %d: %s%s", code, out, errs)
	}
}

// Ctrl-C ends init at once while it waits for an answer.
func TestInitInterrupted(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	in, _ := io.Pipe()
	asked := make(chan bool, 9)
	p := &program{getenv: os.Getenv, stdin: in, stdout: io.Discard, stderr: writerFunc(func() { asked <- true }),
		interactive: true}
	ended := make(chan error)
	go func() { ended <- (&initCmd{Out: filepath.Join(dir, "p.yaml")}).Run(ctx, p) }()
	<-asked
	cancel()
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "nothing was written") {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A writerFunc is called at every write.
type writerFunc func()

func (f writerFunc) Write(b []byte) (int, error) { f(); return len(b), nil }
