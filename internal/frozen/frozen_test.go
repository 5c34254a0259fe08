package frozen_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/demo"
	"petsupply/internal/frozen"
	"petsupply/internal/pet"
	"petsupply/internal/store"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/tlog"
	"petsupply/testkit/postgres"
	"petsupply/testkit/process"
)

var quiet = slog.New(slog.DiscardHandler)

// petCount is the number of pets in the copies. Each has four pictures.
const petCount = 10

// kingdom returns an App on a small store. The store has the demo's tokens at three moments with a
// log, and some of its pets. One pet's name is not valid text.
func kingdom(t *testing.T) *app.App {
	t.Helper()
	return kingdomAt(t, "sqlite://"+filepath.Join(t.TempDir(), "k.db"))
}

// kingdomAt is kingdom with its store at the given address.
func kingdomAt(t *testing.T, address string) *app.App {
	t.Helper()
	ctx := t.Context()
	s, err := app.Load("", nil, t.TempDir(), "8080", func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	s.Demo, s.Store = false, address
	s.Refresh.RefuseAfter, s.Refresh.StaleAfter = 0, 0
	a, err := app.Open(ctx, s, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	if won, err := a.Store.Campaign(ctx, "test", time.Minute); err != nil || !won {
		t.Fatalf("taking the lease: %v, %v", won, err)
	}
	all := demo.Pets(a.Packs.Current().Tables())
	var pets []pet.Pet
	for i := range petCount {
		pets = append(pets, all[i*len(all)/petCount])
	}
	pets[3].Name = "no \xff text\u202e"
	if _, err := a.Store.ImportPets(ctx, a.Settings.Kingdom(), pets); err != nil {
		t.Fatal(err)
	}
	publish(t, a.Store, s.Tokens, demo.End.Add(-2*time.Hour))
	keeper := tlog.NewKeeper(tlog.Config{Store: a.Store, Key: tlog.NewKey([32]byte{1}), Origin: "example.org/log",
		Log:     quiet,
		Leading: func() bool { return true }})
	for _, ago := range []time.Duration{time.Hour, 0} {
		if err := keeper.Step(ctx); err != nil {
			t.Fatal(err)
		}
		keeper.Key = tlog.NewKey(demo.LogKey()) // another key begins another log
		publish(t, a.Store, s.Tokens, demo.End.Add(-ago))
	}
	if err := keeper.Step(ctx); err != nil {
		t.Fatal(err)
	}
	return a
}

func publish(t *testing.T, db *store.Store, tokens []ledger.Token, at time.Time) {
	t.Helper()
	var changes []supply.Change
	for _, r := range supply.Measure(t.Context(), tokens, demo.Chains(at), at) {
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		version := r.Token.CurrentLedger()
		version.Since = &demo.Start
		changes = append(changes, supply.Change{Record: supply.Record{Token: r.Token.Path, Snapshot: r.Snapshot,
			Confirmed: r.Snapshot.MeasuredAt}, Publishes: true, Ledger: &version})
	}
	if _, err := db.Save(t.Context(), changes); err != nil {
		t.Fatal(err)
	}
}

// begin takes a copy of an App's publications into a folder.
func begin(t *testing.T, ctx context.Context, a *app.App, dir string) error {
	t.Helper()
	_, _, err := frozen.Take(ctx, a.Store, "embedded", a.Settings.FrozenHead(), dir, func(int) {})
	return err
}

// open opens a copy, complete or not.
func open(t *testing.T, name string) *frozen.Copy {
	t.Helper()
	c, err := frozen.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// thawed returns the service on a copy, with the copy's addresses.
func thawed(t *testing.T, name string) (*app.Service, *frozen.Head) {
	t.Helper()
	copied := open(t, name)
	s, err := app.LoadFrozen(t.Context(), copied, t.TempDir(), "8080", func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	a, err := app.Open(t.Context(), s, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	service, err := a.NewService(t.Context(), app.ServiceConfig{MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	head, err := copied.Head()
	if err != nil {
		t.Fatal(err)
	}
	return service, head
}

// finish writes the files of a copy that was begun. The options change the Writer.
func finish(t *testing.T, ctx context.Context, dir string,
	options ...func(*frozen.Writer)) (*frozen.Provenance, error) {
	t.Helper()
	service, head := thawed(t, dir)
	w := &frozen.Writer{
		Dir: dir, Head: head, Answers: service.Handler(), Pack: service.Packs.Current(), Store: service.Store,
		Progress: func(int) {},
	}
	for _, o := range options {
		o(w)
	}
	p, hash, err := w.Write(ctx)
	if err == nil && hash != fmt.Sprintf("%x", sha256.Sum256([]byte(read(t, dir, "provenance.json")))) {
		t.Errorf("the hash of provenance.json is not %s", hash)
	}
	return p, err
}

// freeze makes a complete copy.
func freeze(t *testing.T, a *app.App, options ...func(*frozen.Writer)) (string, *frozen.Provenance) {
	t.Helper()
	dir := t.TempDir()
	if err := begin(t, t.Context(), a, dir); err != nil {
		t.Fatal(err)
	}
	p, err := finish(t, t.Context(), dir, options...)
	if err != nil {
		t.Fatal(err)
	}
	return dir, p
}

// checked checks every file of a copy, and returns its root.
func checked(t *testing.T, name string) string {
	t.Helper()
	p, err := open(t, name).Check(t.Context(), true, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	return p.Root
}

func get(t *testing.T, h http.Handler, path string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost:8080"+path, nil))
	return w.Code, w.Body.String()
}

func read(t *testing.T, name ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(name...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A copy has the same bytes as the answers of the live service and of the thawed one. Only the
// status of figures differs: it is "past".
func TestACopyHasWhatTheServiceAnswered(t *testing.T) {
	a := kingdom(t)
	service, err := a.NewService(t.Context(), app.ServiceConfig{MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	live := service.Handler()
	dir, p := freeze(t, a)
	again, head := thawed(t, dir)
	if p.Pets != petCount || len(p.Figures) != 3 || p.Log == nil || p.Log.Size < 7 {
		t.Fatalf("provenance: %+v", p)
	}
	files := map[string]string{
		"/supply/": "supply/index.json", "/pets/contract": "pets/contract.json",
		"/supply/log/checkpoint": "supply/log/checkpoint", "/supply/log/key": "supply/log/key",
	}
	for _, name := range []string{"example.org/log", ""} { // the log that ended, and the current one
		l, err := a.Store.Log(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		at := "/supply/log/" + tlog.Address(l.VerifierKey) + "/"
		for _, file := range []string{"checkpoint", "key", fmt.Sprintf("tile/0/000.p/%d", l.SignedSize()),
			fmt.Sprintf("tile/entries/000.p/%d", l.SignedSize())} {
			files[at+file] = at[1:] + file
		}
	}
	for _, token := range head.Tokens {
		for _, below := range []string{"ledger", "evidence"} {
			files["/supply/"+token.Path+"/"+below] = "supply/" + token.Path + "/" + below + ".json"
		}
		files["/supply/"+token.Path] = "supply/" + token.Path + "/index.json"
		files["/supply/"+token.Path+"/totalsupply"] = "supply/" + token.Path + "/totalsupply"
		files["/supply/"+token.Path+"/circulatingsupply?format=json"] = "supply/" + token.Path + "/circulatingsupply.json"
	}
	_, listing := get(t, live, "/pets/tokens?limit=100")
	var list struct {
		Tokens []struct {
			RawData struct{ ID uint64 }
			Image   string
		}
	}
	if err := json.Unmarshal([]byte(listing), &list); err != nil || len(list.Tokens) != petCount {
		t.Fatalf("%d pets are listed: %v", len(list.Tokens), err)
	}
	for i, one := range list.Tokens {
		path := fmt.Sprintf("/pets/token/%d", one.RawData.ID)
		files[path] = path[1:] + ".json"
		if i%5 == 0 {
			v := one.Image[strings.LastIndex(one.Image, "=")+1:]
			image := fmt.Sprintf("/pets/image/%d", one.RawData.ID)
			files[image], files[image+"?frame=false"] = "pets/image/"+v+"-fb.png", "pets/image/"+v+"-b.png"
			files[image+"?background=0"], files[image+"?frame=0&background=false"] = "pets/image/"+v+"-f.png",
				"pets/image/"+v+".png"
		}
	}
	for path, file := range files {
		want := read(t, dir, file)
		if status, got := get(t, again.Handler(), path); status != http.StatusOK || got != want {
			t.Errorf("thawed %s: %d, not what is in %s", path, status, file)
		}
		status, got := get(t, live, path)
		if got = strings.ReplaceAll(got, `"status":"fresh"`, `"status":"past"`); status != http.StatusOK || got != want {
			t.Errorf("live %s: %d %.300s, not what is in %s: %.300s", path, status, got, file, want)
		}
	}
	if status, body := get(t, again.Handler(), "/pets/image/1?size=90"); status != http.StatusOK ||
		!strings.HasPrefix(body, "\x89PNG") {
		t.Errorf("another size: %d", status)
	}
	if status, _ := get(t, again.Handler(), "/pets/token/999999"); status != http.StatusNotFound {
		t.Errorf("an unknown pet: %d", status)
	}
	if got := checked(t, dir); got != p.Root {
		t.Errorf("the root is %s, not %s", p.Root, got)
	}
}

// A copy can be checked without our program.
func TestSha256sumChecksACopy(t *testing.T) {
	process.SkipShort(t)
	dir, p := freeze(t, kingdom(t))
	cmd := exec.CommandContext(t.Context(), "sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("sha256sum: %v\n%s", err, out)
	}
	if sum := sha256.Sum256([]byte(read(t, dir, "SHA256SUMS"))); hex.EncodeToString(sum[:]) != p.Root {
		t.Errorf("SHA256SUMS has the hash %x, the root is %s", sum, p.Root)
	}
	lines := strings.Split(strings.TrimSpace(read(t, dir, "SHA256SUMS")), "\n")
	if !slices.IsSortedFunc(lines, func(a, b string) int { return strings.Compare(a[66:], b[66:]) }) {
		t.Error("the lines are not sorted by path")
	}
}

// A store on PostgreSQL gives the same root as one on SQLite with the same content.
func TestBothEnginesHaveTheSameRoot(t *testing.T) {
	process.SkipShort(t)
	a := kingdomAt(t, postgres.Start(t))
	dir, p := freeze(t, a)
	restored, _ := thawed(t, dir) // with a store on SQLite
	again := t.TempDir()
	_, _, err := frozen.Take(t.Context(), restored.Store, "embedded", a.Settings.FrozenHead(), again, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	if second, err := finish(t, t.Context(), again); err != nil || second.Root != p.Root {
		t.Errorf("the root is %s on PostgreSQL, %+v on SQLite: %v", p.Root, second, err)
	}
}

// A copy is not begun while its log lacks figures, because an audit would reject it.
func TestACopyWaitsForTheLog(t *testing.T) {
	a := kingdom(t)
	publish(t, a.Store, a.Settings.Tokens, demo.End.Add(time.Hour))
	if err := begin(t, t.Context(), a, t.TempDir()); !errors.Is(err, frozen.ErrUnsigned) {
		t.Errorf("figures that are not signed: %v", err)
	}
}

// Take removes nothing in a folder that has files of others.
func TestTakeKeepsFilesOfOthers(t *testing.T) {
	for _, files := range [][]string{{"pack/art.png"}, {"pack/art.png", "petsupply.yaml"},
		{"data.part/head.json", "pack/art.png", "petsupply.yaml"}} {
		dir := t.TempDir()
		for _, name := range files {
			name = filepath.Join(dir, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, nil, 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := frozen.Take(t.Context(), nil, "", frozen.Head{}, dir, nil); err == nil {
			t.Errorf("a copy was begun beside %q", files)
		}
		for _, name := range files {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				t.Errorf("beside %q: %v", files, err)
			}
		}
	}
}

// A copy has the same bytes even if it is interrupted many times while the service publishes more.
func TestInterruptedCopyHasTheSameBytes(t *testing.T) {
	a := kingdom(t)
	whole, want := freeze(t, a)
	t.Run("full disk", func(t *testing.T) { testFullDisk(t, a, whole, want.Root) })
	dir := t.TempDir()
	broken, cancel := context.WithCancel(t.Context())
	cancel()
	if err := begin(t, broken, a, dir); !errors.Is(err, context.Canceled) {
		t.Fatalf("an interrupted Take: %v", err)
	}
	if err := begin(t, t.Context(), a, dir); err != nil {
		t.Fatal(err)
	}
	publish(t, a.Store, a.Settings.Tokens, demo.End.Add(time.Hour))
	pets, _, err := a.Store.ListPets(t.Context(), pet.Query{Limit: 1}, pet.PagePosition{})
	if err != nil {
		t.Fatal(err)
	}
	pets[0].Name = "renamed since"
	if _, err := a.Store.ImportPets(t.Context(), a.Settings.Kingdom(), pets); err != nil {
		t.Fatal(err)
	}
	for _, after := range []int64{3, 20, 50} {
		broken, cancel := context.WithCancel(t.Context())
		var n atomic.Int64
		_, err := finish(t, broken, dir, func(w *frozen.Writer) {
			w.Progress = func(int) {
				if n.Add(1) == after {
					cancel()
				}
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("interrupted after %d files: %v", after, err)
		}
		if _, err := open(t, dir).Check(t.Context(), false, func(int) {}); !errors.Is(err, frozen.ErrNoCopy) {
			t.Fatalf("an incomplete copy is accepted: %v", err)
		}
	}
	// A power failure may cut a file off.
	if err := os.Truncate(filepath.Join(dir, "supply/index.json"), 10); err != nil {
		t.Fatal(err)
	}
	if err := begin(t, t.Context(), a, dir); err != nil {
		t.Fatal(err)
	}
	if _, err := finish(t, t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if got := checked(t, dir); got != want.Root {
		t.Errorf("the interrupted copy has the root %s, the other %s", got, want.Root)
	}
}

func TestCopyInOneFile(t *testing.T) {
	const base = "https://copy.example.com"
	dir, p := freeze(t, kingdom(t), func(w *frozen.Writer) { w.Base = base + "/" })
	file, again := filepath.Join(t.TempDir(), "k.zip"), filepath.Join(t.TempDir(), "again.zip")
	for _, name := range []string{file, again} {
		if err := frozen.Zip(t.Context(), dir, name, func(int) {}); err != nil {
			t.Fatal(err)
		}
	}
	if read(t, file) != read(t, again) {
		t.Error("the same copy gives two zips")
	}
	if got := checked(t, file); got != p.Root {
		t.Errorf("the zip has the root %s, its folder %s", got, p.Root)
	}
	var d struct{ Image string }
	if err := json.Unmarshal([]byte(read(t, dir, "pets/token/1.json")), &d); err != nil {
		t.Fatal(err)
	}
	picture, ok := strings.CutPrefix(d.Image, base+"/")
	if !ok || !strings.HasPrefix(read(t, dir, picture), "\x89PNG") {
		t.Errorf("image is %s, not a picture of the copy", d.Image)
	}
	service, _ := thawed(t, file)
	status, body := get(t, service.Handler(), "/supply/jade/totalsupply")
	if status != http.StatusOK || body != read(t, dir, "supply/jade/totalsupply") {
		t.Errorf("thawed from the zip: %d %s", status, body)
	}
	t.Run("full disk", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "k.zip")
		if err := os.Symlink("/dev/full", file+".tmp"); err != nil {
			t.Fatal(err)
		}
		err := frozen.Zip(t.Context(), dir, file, func(int) {})
		if err == nil || !strings.Contains(err.Error(), "no space left") {
			t.Errorf("a full disk: %v", err)
		}
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			t.Error("an incomplete file is left")
		}
	})
	t.Run("nginx", func(t *testing.T) { testNginx(t, dir, picture) })
}
