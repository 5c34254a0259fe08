package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/testkit/anvil"
	"petsupply/testkit/contracts"
)

// A fair is a node with a contract, and a service that publishes the contract's tokens.
type fair struct {
	*anvil.Node
	*running
	at   common.Address
	file string // its configuration
	data string
}

var alice = common.HexToAddress("0xa11ce")
var bob = common.HexToAddress("0xb0b")

// deploy creates a contract on the node.
func deploy(t *testing.T, node *anvil.Node, name string, args ...any) *fair {
	t.Helper()
	at, err := node.Deploy(t.Context(), name, args...)
	must(t, err)
	return &fair{Node: node, at: at, data: t.TempDir()}
}

func (f *fair) do(t *testing.T, method string, args ...any) {
	t.Helper()
	must(t, f.Send(t.Context(), f.at, method, args...))
}

// as calls a method from another account.
func (f *fair) as(t *testing.T, from common.Address, method string, args ...any) {
	t.Helper()
	_, err := f.Do(t.Context(), anvil.Tx{From: from, To: f.at, Method: method, Args: args})
	must(t, err)
}

// example copies an example's files, and puts this node and contract into its configuration.
func (f *fair) example(t *testing.T, name string) {
	t.Helper()
	dir := t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS("../../examples/"+name)))
	f.file = filepath.Join(dir, "petsupply.yaml")
	text, err := os.ReadFile(f.file)
	must(t, err)
	f.configure(t, strings.Replace(string(text), "0x5FbDB2315678afecb367f032d93F642f64180aa3", f.at.Hex(), 1))
}

// configure writes the configuration, with this node's address.
func (f *fair) configure(t *testing.T, text string) {
	t.Helper()
	if f.file == "" {
		f.file = filepath.Join(t.TempDir(), "petsupply.yaml")
	}
	text = strings.Replace(text, "http://localhost:8545", f.URL, 1) + "index: {every: 100ms}\n"
	must(t, os.WriteFile(f.file, []byte(text), 0o600))
}

// collection serves the contract with a collection file.
func (f *fair) collection(t *testing.T, text, realm string) {
	t.Helper()
	dir := t.TempDir()
	f.file = filepath.Join(dir, "petsupply.yaml")
	must(t, os.WriteFile(filepath.Join(dir, "collection.yaml"), []byte(text), 0o600))
	f.configure(t, fmt.Sprintf(`
collection: collection.yaml
chains:
  local: {id: 31337, rpc: ["http://localhost:8545"], finality: latest, blocks: on-demand}
realms:
  - {key: here, name: Here, offset: 0, chain: local, contract: "%s"%s}
`, f.at, realm))
}

func (f *fair) serve(t *testing.T) {
	t.Helper()
	f.running = start(t, "--config", f.file, "--data", f.data)
}

// passesCheck waits until the service does what its own specification promises. Until the realm is
// read completely, an unknown id is 503.
func (f *fair) passesCheck(t *testing.T) {
	t.Helper()
	within(t, time.Minute, "petsupply check", func() bool {
		code, out, errs := call(t, "check", f.site)
		t.Logf("exit %d\n%s%s", code, out, errs)
		return code == exitOK
	})
}

// A tokenDocument has the parts of a token's metadata that tests read.
type tokenDocument struct {
	Name, Description, Image string
	Attributes               []struct {
		Trait string `json:"trait_type"`
		Value any
	}
	Data    map[string]any
	RawData map[string]any
}

// token returns a token's document, and whether there is one.
func (f *fair) token(t *testing.T, id uint64) (doc tokenDocument, ok bool) {
	t.Helper()
	code, _, body := fetch(t, fmt.Sprintf("%s/token/%d", f.pets, id))
	if code == http.StatusOK {
		must(t, json.Unmarshal(body, &doc))
	}
	return doc, code == http.StatusOK
}

// traits returns the attributes of a token, in order.
func (f *fair) traits(t *testing.T, id uint64) string {
	t.Helper()
	doc, _ := f.token(t, id)
	var out []string
	for _, a := range doc.Attributes {
		out = append(out, fmt.Sprintf("%s: %v", a.Trait, a.Value))
	}
	return strings.Join(out, ", ")
}

// ids returns the ids of a listing.
func (f *fair) ids(t *testing.T, query string) []uint64 {
	t.Helper()
	code, _, body := fetch(t, f.pets+"/tokens?"+query)
	var page struct {
		Tokens []struct{ RawData struct{ ID uint64 } }
	}
	if code != http.StatusOK {
		t.Fatalf("%s: status %d, %s", query, code, body)
	}
	must(t, json.Unmarshal(body, &page))
	var ids []uint64
	for _, p := range page.Tokens {
		ids = append(ids, p.RawData.ID)
	}
	return ids
}

// waitsFor waits until a listing has these ids.
func (f *fair) waitsFor(t *testing.T, query string, want ...uint64) {
	t.Helper()
	var got []uint64
	within(t, 2*time.Minute, fmt.Sprintf("%s to have %v", query, want), func() bool {
		got = f.ids(t, query)
		return slices.Equal(got, want)
	})
}

// picture checks that a token's picture is a PNG.
func (f *fair) picture(t *testing.T, id uint64) []byte {
	t.Helper()
	doc, _ := f.token(t, id)
	if !strings.Contains(doc.Image, fmt.Sprintf("/image/%d?v=", id)) {
		t.Errorf("token %d has the picture %q", id, doc.Image)
	}
	code, header, body := fetch(t, fmt.Sprintf("%s/image/%d", f.pets, id))
	if _, err := png.Decode(bytes.NewReader(body)); err != nil || code != http.StatusOK ||
		header.Get("Content-Type") != "image/png" {
		t.Errorf("the picture of token %d: %d, %v", id, code, err)
	}
	return body
}

// moves checks that a transfer changes the owner, and that a burned token is gone.
func (f *fair) moves(t *testing.T, id uint64) {
	t.Helper()
	f.as(t, alice, "transferFrom", alice, bob, new(big.Int).SetUint64(id))
	f.waitsFor(t, "owner="+bob.Hex(), id)
	f.as(t, bob, "burn", new(big.Int).SetUint64(id))
	f.waitsFor(t, "owner="+bob.Hex())
	within(t, time.Minute, "the burned token to be gone", func() bool {
		code, _, body := fetch(t, fmt.Sprintf("%s/token/%d", f.pets, id))
		return code == http.StatusNotFound && bytes.Contains(body, []byte("burned"))
	})
}

// frozen checks that a copy of the service has a token's document and picture.
func (f *fair) frozen(t *testing.T, id uint64) {
	t.Helper()
	copied := filepath.Join(t.TempDir(), "copy")
	if code, out, errs := call(t, "freeze", "-o", copied, "--config", f.file, "--data", f.data); code != exitOK {
		t.Fatalf("freeze: exit %d\n%s%s", code, out, errs)
	}
	for path, file := range map[string]string{"/token/": "token/%d.json", "/image/": "image/%d.png"} {
		_, _, want := fetch(t, f.pets+path+fmt.Sprint(id))
		got, err := os.ReadFile(filepath.Join(copied, "pets", fmt.Sprintf(file, id)))
		got = bytes.ReplaceAll(got, []byte("http://localhost:8080"), []byte(f.site)) // the port of serve differs
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s of the copy: %v %.300q, want %.300q", path, err, got, want)
		}
	}
}

func num(n int64) *big.Int { return big.NewInt(n) }

// TestExamples serves contracts of every kind, from the files of their examples.
func TestExamples(t *testing.T) {
	node := anvil.Test(t, anvil.Options{})
	t.Run("pets", func(t *testing.T) { examplePets(t, node) })
	t.Run("dragons", func(t *testing.T) { exampleDragons(t, node) })
	t.Run("plain", func(t *testing.T) { examplePlain(t, node) })
	t.Run("enumerable", func(t *testing.T) { exampleEnumerable(t, node) })
}

// examplePets serves both structs of the default collection.
func examplePets(t *testing.T, node *anvil.Node) {
	first := deploy(t, node, "Pets", contracts.Options{Version: 1, Offset: num(0)})
	second := deploy(t, node, "Pets", contracts.Options{Version: 2, Offset: num(1_000_000_000_000)})
	first.do(t, "hatch", alice, num(3), num(7))
	second.do(t, "hatch", alice, num(3), num(8))
	first.configure(t, fmt.Sprintf(`
chains:
  local: {id: 31337, rpc: ["http://localhost:8545"], finality: latest, blocks: on-demand}
realms:
  - {key: first, name: First, offset: 0, chain: local, contract: "%s", getter: v1}
  - {key: second, name: Second, offset: 1000000000000, chain: local, contract: "%s", getter: v2}
`, first.at, second.at))
	first.serve(t)
	first.waitsFor(t, "", 1, 2, 3, 1_000_000_000_001, 1_000_000_000_002, 1_000_000_000_003)
	for id, fed := range map[uint64]bool{1: false, 1_000_000_000_001: true} {
		doc, _ := first.token(t, id)
		if _, has := doc.RawData["fedby"]; has != fed || !strings.Contains(first.traits(t, id), "Rarity: ") {
			t.Errorf("token %d: %+v", id, doc)
		}
		first.picture(t, id)
	}
	first.do(t, "rename", num(2), "Burr")
	within(t, time.Minute, "the new name", func() bool { doc, _ := first.token(t, 2); return doc.Name == "Burr" })
	first.moves(t, 2)
}

// exampleDragons serves another struct, with packed genes and its own pack.
func exampleDragons(t *testing.T, node *anvil.Node) {
	f := deploy(t, node, "Dragons")
	genes := func(body, wings, scales int64) *big.Int { return num(body | wings<<8 | scales<<16 | 1<<40) }
	f.do(t, "hatch", alice, genes(0, 1, 2), "")
	f.do(t, "hatch", alice, genes(3, 2, 1), "Ember <b>")
	f.do(t, "hatch", alice, genes(0, 0, 0), "")
	f.example(t, "dragons")
	f.serve(t)
	f.waitsFor(t, "", 1, 2, 3)
	f.waitsFor(t, "body=0", 1, 3)
	f.waitsFor(t, "wings=2&body=3", 2)
	f.passesCheck(t)
	doc, _ := f.token(t, 2)
	if doc.Name != "Ember <b>" || doc.RawData["genes"] != genes(3, 2, 1).String() {
		t.Errorf("token 2 is %+v", doc)
	}
	got := f.traits(t, 1)
	want := regexp.MustCompile(`^Dragon: \w+, Wings: [a-z ]+, Scales: \w+, Tame: No, Temper: 0, Born: 1\.\d+e\+09$`)
	if !want.MatchString(got) {
		t.Errorf("the traits of token 1 are %s", got)
	}
	if bytes.Equal(f.picture(t, 1), f.picture(t, 3)) {
		t.Error("two looks have the same picture")
	}
	f.frozen(t, 1)
	f.do(t, "roar", num(1), int16(-7), true)
	f.waitsFor(t, "tame=true", 1)
	shown := regexp.MustCompile(`href="/pet/(\d)"`).FindAllStringSubmatch(getText(t, f.site+"/gallery?sort=temper"), -1)
	if len(shown) != 3 || shown[0][1] != "1" {
		t.Errorf("the lowest temper is not the first of three: %v", shown)
	}
	within(t, time.Minute, "the roar", func() bool { return strings.Contains(f.traits(t, 1), "Tame: Yes, Temper: -7") })
	f.do(t, "hatch", alice, genes(1, 1, 1), "")
	f.waitsFor(t, "", 1, 2, 3, 4)
	f.moves(t, 3)
}

// examplePlain serves a plain ERC-721 whose tokens are found by Transfer events. The traits come from
// a table.
func examplePlain(t *testing.T, node *anvil.Node) {
	f := deploy(t, node, "Plain")
	f.do(t, "mint", alice, num(1), num(900))
	f.example(t, "plain")
	table := filepath.Join(filepath.Dir(f.file), "traits.csv")
	load := func(want string) {
		t.Helper()
		if code, out, errs := call(t, "import", "--config", f.file, "--data", f.data, table); code != exitOK ||
			!strings.Contains(out, want) {
			t.Fatalf("import: %d\n%s%s", code, out, errs)
		}
	}
	load("1000 tokens read, 1000 new or different")
	f.serve(t)
	within(t, time.Minute, "the last token", func() bool {
		return strings.Contains(getText(t, f.site+"/gallery?sort=newest"), `/pet/900"`)
	})
	if got := f.traits(t, 1); got != "Background: Dusk, Material: Silver, Shape: Leaf, Weight: 176" {
		t.Errorf("the traits of token 1 are %s", got)
	}
	doc, _ := f.token(t, 1)
	if doc.Name != "Silver Leaf #1" || doc.Description != "Made of Silver. It weighs 176 grams." {
		t.Errorf("token 1 is %+v", doc)
	}
	if n := len(f.ids(t, "weight=176&limit=100")); n == 0 || !slices.Contains(f.ids(t, "weight=176&limit=100"), 1) {
		t.Errorf("%d tokens weigh 176", n)
	}
	f.picture(t, 1)
	f.passesCheck(t)
	// A token is minted after its traits were imported, and the table changes.
	f.do(t, "mint", alice, num(950), num(1))
	within(t, time.Minute, "a token that is minted later", func() bool { _, ok := f.token(t, 950); return ok })
	if got := f.traits(t, 950); !strings.HasPrefix(got, "Background: ") {
		t.Errorf("the traits of token 950 are %s", got)
	}
	text, err := os.ReadFile(table)
	must(t, err)
	text = bytes.Replace(text, []byte("1,Dusk,Silver,Leaf,176"), []byte("1,Dusk,Silver,Star,65535"), 1)
	must(t, os.WriteFile(table, text, 0o600))
	load("1000 tokens read, 1 new or different")
	f.waitsFor(t, "weight=65535", 1)
	f.frozen(t, 900)
	within(t, time.Minute, "the new shape", func() bool {
		doc, _ := f.token(t, 1)
		return doc.Name == "Silver Star #1"
	})
	if _, _, body := fetch(t, f.pets+"/changes"); !bytes.Contains(body,
		[]byte(`"field":"shape","from":"Leaf","to":"Star"`)) {
		t.Errorf("the feed is %s", body)
	}
	f.moves(t, 1)
}

// exampleEnumerable serves an ERC-721 with the Enumerable extension and no traits.
func exampleEnumerable(t *testing.T, node *anvil.Node) {
	f := deploy(t, node, "Counted")
	for _, id := range []int64{7, 3, 1_000_000} {
		f.do(t, "mint", alice, num(id))
	}
	f.collection(t, "name: Counted\ncount: enumerable\n", "")
	f.serve(t)
	f.waitsFor(t, "", 3, 7, 1_000_000)
	if doc, _ := f.token(t, 7); doc.Name != "#7" || len(doc.Attributes) > 0 {
		t.Errorf("token 7 is %+v", doc)
	}
	if bytes.Equal(f.picture(t, 7), f.picture(t, 3)) {
		t.Error("two plain cards are the same")
	}
	f.frozen(t, 7)
	f.do(t, "mint", alice, num(12))
	f.waitsFor(t, "", 3, 7, 12, 1_000_000)
	f.moves(t, 7)
	f.waitsFor(t, "", 3, 12, 1_000_000)
}
