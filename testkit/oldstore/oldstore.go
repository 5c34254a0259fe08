// Package oldstore holds a store that an old version of the program made, on
// each engine, and what that version answered from it: SQLite and Postgres give
// a test a copy, Recorded the answers. It has two ledgers, a figure that is held,
// history and evidence, an import, a lease whose holder was killed, and pets that
// were renamed, bridged, burned, and left on a journey. make.go made it.
package oldstore

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"petsupply/testkit/anvil"
	"petsupply/testkit/postgres"
)

// Commit is the version that made the store.
const Commit = "45a2b98"

// Top is the head of the configuration: addresses that do not depend on ports.
const Top = "supply_url: http://pets.example/supply\npets_url: http://pets.example/pets\nsite_url: http://pets.example"

//go:embed fixture
var fixture embed.FS

// An Answer is what the service answers at a path.
type Answer struct {
	Path   string            `json:"path"`
	Status int               `json:"status"`
	Header map[string]string `json:"header"` // those that say something of the body
	Body   string            `json:"body"`   // of a picture, its hash
}

// SQLite returns the path of a copy of the store as a file.
func SQLite(t testing.TB) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "petsupply.db")
	if err := os.WriteFile(file, unpack(t, "sqlite.db"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Postgres returns the address of a database with a copy of the store. The
// test's TestMain must call postgres.Main.
func Postgres(t testing.TB) string {
	t.Helper()
	address := postgres.Start(t)
	psql, err := postgres.Program("psql")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(psql, "--quiet", "--no-psqlrc", "--set", "ON_ERROR_STOP=1", address)
	cmd.Stdin = bytes.NewReader(unpack(t, "postgres.sql"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("restoring the old store: %v\n%s", err, out)
	}
	return address
}

// Stores runs a test on both engines: store is for a configuration.
func Stores(t *testing.T, test func(t *testing.T, engine, store string)) {
	t.Run("sqlite", func(t *testing.T) { test(t, "sqlite", "sqlite://"+SQLite(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, "postgres", Postgres(t)) })
}

// Config is the configuration that the store was made under, without its store,
// in the words of today. None of its nodes can be reached.
func Config(t testing.TB) string {
	t.Helper()
	text, err := fixture.ReadFile("fixture/petsupply.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(string(text), "agree:", "confirmations:", 1)
}

// Recorded is what the old version answered from the store on an engine, while
// no chain could be reached.
func Recorded(t testing.TB, engine string) []Answer {
	t.Helper()
	var all map[string][]Answer
	if err := json.Unmarshal(unpack(t, "answers.json"), &all); err != nil {
		t.Fatal(err)
	}
	return all[engine]
}

// Nodes starts a node for each chain of the store's kingdom, with the state of
// the blocks that the evidence names, and returns their URLs by chain id.
func Nodes(t testing.TB) map[uint64]string {
	t.Helper()
	var states map[uint64]json.RawMessage
	if err := json.Unmarshal(unpack(t, "chains.json"), &states); err != nil {
		t.Fatal(err)
	}
	urls := map[uint64]string{}
	for id, state := range states {
		node := anvil.Test(t, anvil.Options{Chain: id, Manual: true, Bare: true})
		if err := node.Load(t.Context(), state); err != nil {
			t.Fatal(err)
		}
		urls[id] = node.URL
	}
	return urls
}

func unpack(t testing.TB, name string) []byte {
	t.Helper()
	file, err := fixture.Open("fixture/" + name + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	in, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// headers are those that say something of the body and not of the moment.
var headers = []string{"Content-Type", "Etag", "Cache-Control", "Location", "Vary"}

// Get asks a service for a path. Only what cannot be an answer is an error.
func Get(base, path string) (Answer, error) {
	res, err := http.Get(base + path)
	if err != nil {
		return Answer{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	a := Answer{Path: path, Status: res.StatusCode, Header: map[string]string{}, Body: string(body)}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "image/") {
		a.Body = fmt.Sprintf("sha256:%x", sha256.Sum256(body))
	}
	for _, name := range headers {
		if v := res.Header.Get(name); v != "" {
			a.Header[name] = v
		}
	}
	return a, err
}

// Paths lists what there is to ask of a service on the store.
func Paths(base string) ([]string, error) {
	paths := []string{"/supply", "/pets/contract", "/pets/tokens?limit=100", "/pets/tokens?limit=7", "/pets/tokens?realm=third", "/pets/tokens?realm=harbour"}
	for _, token := range []string{"jewel", "crystal", "jade"} {
		for _, what := range []string{"", "/totalsupply", "/circulatingsupply", "/maxsupply", "/burnedsupply", "/lockedsupply", "/circulatingsupply?format=json",
			"/evidence", "/ledger", "/history?from=2020-01-01T00:00:00Z&to=2040-01-01T00:00:00Z&points=2000"} {
			paths = append(paths, "/supply/"+token+what)
		}
	}
	list, err := Get(base, "/pets/tokens?limit=100")
	if err != nil {
		return nil, err
	}
	for _, found := range regexp.MustCompile(`"id":\s*"?(\d+)`).FindAllStringSubmatch(list.Body, -1) {
		paths = append(paths, "/pets/token/"+found[1], "/pets/token/"+found[1]+"/history", "/pets/image/"+found[1])
	}
	return paths, nil
}
