package frozen_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/bits"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"petsupply/internal/app"
	"petsupply/internal/demo"
	"petsupply/internal/frozen"
	"petsupply/internal/frozen/car"
	"petsupply/internal/pet"
	"petsupply/internal/store"
	"petsupply/internal/store/blobs"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/tlog"
	"petsupply/testkit/s3"
)

var quiet = slog.New(slog.DiscardHandler)

// kingdom is an App on a small store that is not the demo's: the demo's tokens at
// three moments with a log, and some of its pets, one with a name that is no
// text.
func kingdom(t *testing.T) *app.App {
	t.Helper()
	ctx, dir := t.Context(), t.TempDir()
	s, err := app.Load("", nil, dir, "8080", func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	s.Demo, s.Store = false, "sqlite://"+filepath.Join(dir, "k.db")
	s.Refresh.RefuseAfter, s.Refresh.StaleAfter = 0, 0
	a, err := app.Open(ctx, s, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	if won, err := a.Store.Campaign(ctx, "test", time.Minute); err != nil || !won {
		t.Fatalf("taking the lease: %v, %v", won, err)
	}
	var pets []pet.Pet
	for i, p := range demo.Pets(a.Packs.Current().Dictionary()) {
		if i%120 == 0 {
			pets = append(pets, p)
		}
	}
	pets[3].Name = "no \xff text\u202e"
	if _, err := a.Store.ImportPets(ctx, demo.Realms(), pets); err != nil {
		t.Fatal(err)
	}
	publish(t, a.Store, s.Tokens, demo.End.Add(-2*time.Hour))
	keeper := tlog.NewKeeper(tlog.Config{Store: a.Store, Key: tlog.NewKey(demo.LogKey()), Origin: "example.org/log", Log: quiet,
		Leading: func() bool { return true }})
	for _, ago := range []time.Duration{time.Hour, 0} {
		if err := keeper.Step(ctx); err != nil {
			t.Fatal(err)
		}
		publish(t, a.Store, s.Tokens, demo.End.Add(-ago))
	}
	if err := keeper.Step(ctx); err != nil {
		t.Fatal(err)
	}
	return a
}

func publish(t *testing.T, db *store.Store, tokens []ledger.Token, at time.Time) {
	t.Helper()
	chains := map[string]supply.Chain{}
	for name, c := range demo.Chains() {
		chains[name] = c
	}
	var changes []supply.Change
	for _, r := range supply.Measure(t.Context(), tokens, chains, at) {
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		version := r.Token.CurrentLedger()
		version.Since = &demo.Start
		changes = append(changes, supply.Change{Record: supply.Record{Token: r.Token.Path, Snapshot: r.Snapshot, Confirmed: r.Snapshot.MeasuredAt}, Publishes: true, Ledger: &version})
	}
	if _, err := db.Save(t.Context(), changes); err != nil {
		t.Fatal(err)
	}
}

// begin takes what an App publishes into a folder.
func begin(t *testing.T, ctx context.Context, a *app.App, dir string) error {
	t.Helper()
	_, _, err := frozen.Take(ctx, a.Store, "embedded", a.Settings.FrozenHead(), dir, func(int) {})
	return err
}

// thawed is the service on a copy, under the addresses that the copy has.
func thawed(t *testing.T, copied fs.FS) (*app.Service, *frozen.Head) {
	t.Helper()
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
	head, err := frozen.ReadHead(copied)
	if err != nil {
		t.Fatal(err)
	}
	return service, head
}

// finish writes the files of a copy that was begun. The options change the
// writer.
func finish(t *testing.T, ctx context.Context, dir string, options ...func(*frozen.Writer)) (*frozen.Provenance, error) {
	t.Helper()
	service, head := thawed(t, os.DirFS(dir))
	w := &frozen.Writer{Dir: dir, Head: head, Answers: service.Handler(), Pack: service.Packs.Current(), Pets: service.Store, Progress: func(int) {}}
	for _, o := range options {
		o(w)
	}
	return w.Write(ctx)
}

// freeze makes a whole copy.
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

func root(t *testing.T, dir string) car.CID {
	t.Helper()
	cid, err := car.Root(t.Context(), os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	return cid
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

// What a copy holds is what the service answered, and what a thawed service
// answers, to the byte; but figures are of the past.
func TestCopyIsWhatWasAnswered(t *testing.T) {
	a := kingdom(t)
	service, err := a.NewService(t.Context(), app.ServiceConfig{MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	live := service.Handler()
	dir, p := freeze(t, a)
	again, head := thawed(t, os.DirFS(dir))
	if p.Pets != 30 || len(p.Figures) != 3 || p.Log == nil || p.Log.Size < 7 {
		t.Fatalf("provenance: %+v", p)
	}
	files := map[string]string{
		"/supply/": "supply/index.json", "/pets/contract": "pets/contract.json",
		"/supply/log/checkpoint": "supply/log/checkpoint", "/supply/log/key": "supply/log/key",
		fmt.Sprintf("/supply/log/tile/0/000.p/%d", p.Log.Size):       fmt.Sprintf("supply/log/tile/0/000.p/%d", p.Log.Size),
		fmt.Sprintf("/supply/log/tile/entries/000.p/%d", p.Log.Size): fmt.Sprintf("supply/log/tile/entries/000.p/%d", p.Log.Size),
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
	if err := json.Unmarshal([]byte(listing), &list); err != nil || len(list.Tokens) != 30 {
		t.Fatalf("%d pets are listed: %v", len(list.Tokens), err)
	}
	for i, one := range list.Tokens {
		path := fmt.Sprintf("/pets/token/%d", one.RawData.ID)
		files[path] = path[1:] + ".json"
		if i%10 == 0 {
			v := one.Image[strings.LastIndex(one.Image, "=")+1:]
			image := fmt.Sprintf("/pets/image/%d", one.RawData.ID)
			files[image], files[image+"?frame=false"] = "pets/image/"+v+"-fb.png", "pets/image/"+v+"-b.png"
			files[image+"?background=0"], files[image+"?frame=0&background=false"] = "pets/image/"+v+"-f.png", "pets/image/"+v+".png"
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
	if status, body := get(t, again.Handler(), "/pets/image/1?size=90"); status != http.StatusOK || !strings.HasPrefix(body, "\x89PNG") {
		t.Errorf("another size: %d", status)
	}
	if status, _ := get(t, again.Handler(), "/pets/token/999999"); status != http.StatusNotFound {
		t.Errorf("an unknown pet: %d", status)
	}
	if got := leavesRoot(t, dir, p); got != p.Root {
		t.Errorf("the root over the pets is %s, not %s", p.Root, got)
	}
}

// leavesRoot computes the root of RFC 6962 over the documents of a copy from its
// definition, with the pixels that the copy's own picture has.
func leavesRoot(t *testing.T, dir string, p *frozen.Provenance) string {
	t.Helper()
	var leaves [][]byte
	for line := range strings.Lines(read(t, dir, "nginx/looks-0000.map")) {
		var id uint64
		var v string
		fmt.Sscanf(line, "%d %20s;", &id, &v)
		document := sha256.Sum256([]byte(read(t, dir, fmt.Sprintf("pets/token/%d.json", id))))
		pixels := gridPixels(t, read(t, dir, "pets/image", strings.TrimSuffix(v, ";")+"-fb.png"))
		leaves = append(leaves, fmt.Appendf(nil, "%d %x %x\n", id, document, pixels))
	}
	if uint64(len(leaves)) != p.Pets {
		t.Fatalf("%d pets in the table, %d in the provenance", len(leaves), p.Pets)
	}
	var tree func([][]byte) [32]byte
	tree = func(l [][]byte) [32]byte {
		if len(l) == 1 {
			return sha256.Sum256(append([]byte{0}, l[0]...))
		}
		k := 1 << (bits.Len(uint(len(l)-1)) - 1)
		a, b := tree(l[:k]), tree(l[k:])
		return sha256.Sum256(append(append([]byte{1}, a[:]...), b[:]...))
	}
	sum := tree(leaves)
	return hex.EncodeToString(sum[:])
}

// The same moment has the same bytes, however often it is broken off, and
// whatever is published meanwhile.
func TestBrokenOffCopyHasTheSameBytes(t *testing.T) {
	a := kingdom(t)
	whole, _ := freeze(t, a)
	t.Run("full disk", func(t *testing.T) { testFullDisk(t, a, whole) })
	dir := t.TempDir()
	broken, cancel := context.WithCancel(t.Context())
	cancel()
	if err := begin(t, broken, a, dir); !errors.Is(err, context.Canceled) {
		t.Fatalf("a broken off beginning: %v", err)
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
	if _, err := a.Store.ImportPets(t.Context(), demo.Realms(), pets); err != nil {
		t.Fatal(err)
	}
	for _, after := range []int{3, 60, 140} {
		broken, cancel := context.WithCancel(t.Context())
		n := 0
		_, err := finish(t, broken, dir, func(w *frozen.Writer) {
			w.Progress = func(int) {
				if n++; n == after {
					cancel()
				}
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("broken off after %d files: %v", after, err)
		}
		if _, _, err := frozen.Open(dir); !errors.Is(err, frozen.ErrNoCopy) {
			t.Fatalf("half a copy is taken for whole: %v", err)
		}
	}
	// A file that was being written when the power went.
	if err := os.Truncate(filepath.Join(dir, "supply/index.json"), 10); err != nil {
		t.Fatal(err)
	}
	if err := begin(t, t.Context(), a, dir); err != nil {
		t.Fatal(err)
	}
	if _, err := finish(t, t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if got, want := root(t, dir), root(t, whole); got != want {
		t.Errorf("the copy that was broken off is %s, the other %s", got, want)
	}
}

func TestCopyInOneFile(t *testing.T) {
	dir, p := freeze(t, kingdom(t), func(w *frozen.Writer) { w.CAR = true })
	file := filepath.Join(t.TempDir(), "k.car")
	cid, err := frozen.Pack(t.Context(), dir, file, func(int) {})
	if err != nil || cid != root(t, dir) {
		t.Fatalf("packed as %s: %v", cid, err)
	}
	copied, closer, err := frozen.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	document, err := fs.ReadFile(copied, "pets/token/1.json")
	if err != nil {
		t.Fatal(err)
	}
	var d struct{ Image string }
	if err := json.Unmarshal(document, &d); err != nil {
		t.Fatal(err)
	}
	name, ok := strings.CutPrefix(d.Image, "ipfs://"+p.Pictures+"/")
	if picture, err := fs.ReadFile(copied, "pets/image/"+name); !ok || err != nil || !bytes.HasPrefix(picture, []byte("\x89PNG")) {
		t.Errorf("image is %s, and no picture of the copy: %v", d.Image, err)
	}
	if _, err := frozen.Verify(t.Context(), copied); err != nil {
		t.Error(err)
	}
	service, _ := thawed(t, copied)
	if status, body := get(t, service.Handler(), "/supply/jade/totalsupply"); status != http.StatusOK || body != read(t, dir, "supply/jade/totalsupply") {
		t.Errorf("thawed from the file: %d %s", status, body)
	}
	t.Run("full disk", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "k.car")
		if err := os.Symlink("/dev/full", file+".tmp"); err != nil {
			t.Fatal(err)
		}
		_, err := frozen.Pack(t.Context(), dir, file, func(int) {})
		if err == nil || !strings.Contains(err.Error(), "no space left") {
			t.Errorf("a full disk: %v", err)
		}
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			t.Error("half a file is there")
		}
	})
	t.Run("bucket", func(t *testing.T) { testBucket(t, dir) })
	t.Run("altered", func(t *testing.T) { testAltered(t, dir) })
	t.Run("nginx", func(t *testing.T) { testNginx(t, dir) })
}

// testBucket sends a copy to a bucket, is broken off, and sends the rest.
func testBucket(t *testing.T, dir string) {
	server := s3.New(t)
	for _, v := range server.Env {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	bucket, err := blobs.OpenAs(server.URL, frozen.Served)
	if err != nil {
		t.Fatal(err)
	}
	defer bucket.Close()
	broken, cancel := context.WithCancel(t.Context())
	sent := 0
	err = frozen.Upload(broken, dir, bucket, func(int) {
		if sent++; sent == 20 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("broken off: %v", err)
	}
	if _, err := bucket.Get(t.Context(), "provenance.json"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("half a copy has a provenance: %v", err)
	}
	if err := frozen.Upload(t.Context(), dir, bucket, func(int) {}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"provenance.json", "supply/jade/totalsupply", "pets/token/1.json", "nginx.conf"} {
		if got, err := bucket.Get(t.Context(), name); err != nil || string(got) != read(t, dir, name) {
			t.Errorf("%s in the bucket: %v", name, err)
		}
	}
	client, err := minio.New(server.Addr, &minio.Options{Creds: credentials.NewEnvAWS()})
	if err != nil {
		t.Fatal(err)
	}
	for name, media := range map[string]string{
		"provenance.json": "application/json", "supply/jade/totalsupply": "text/plain; charset=utf-8", "supply/jade/totalsupply.json": "application/json",
		"supply/log/checkpoint": "text/plain; charset=utf-8", "supply/log/key": "text/plain; charset=utf-8", "nginx.conf": "text/plain; charset=utf-8",
		tile(t, dir): "application/octet-stream", "pets/image/" + look(t, dir, 1) + "-fb.png": "image/png",
	} {
		info, err := client.StatObject(t.Context(), "pictures", name, minio.StatObjectOptions{})
		if cache := info.Metadata.Get("Cache-Control"); err != nil || info.ContentType != media || cache != "public, max-age=3600" {
			t.Errorf("%s in the bucket is %q, %q, want %q: %v", name, info.ContentType, cache, media, err)
		}
	}
}

// tile is a tile of a copy's log.
func tile(t *testing.T, dir string) string {
	t.Helper()
	list, err := fs.Glob(os.DirFS(dir), "supply/log/tile/0/000.p/*")
	if err != nil || len(list) != 1 {
		t.Fatalf("the log has the tiles %v: %v", list, err)
	}
	return list[0]
}

// testAltered changes a row and a layer of a copy; both are found.
func testAltered(t *testing.T, dir string) {
	for _, file := range []string{"data/pet/000000.jsonl", "data/head.json", "pack/dictionary.json"} {
		name := filepath.Join(dir, file)
		before := read(t, name)
		altered := strings.Replace(before, "1", "2", 1)
		if err := os.WriteFile(name, []byte(altered), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := frozen.Verify(t.Context(), os.DirFS(dir)); !errors.Is(err, frozen.ErrNoCopy) {
			t.Errorf("%s altered: %v", file, err)
		}
		if err := os.WriteFile(name, []byte(before), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for what, content := range map[string]string{"of something else": `{"format":"petsupply-frozen/9"}`, "no JSON": "x"} {
		other := t.TempDir()
		if err := os.CopyFS(other, mapFS{"data/head.json": content, "provenance.json": "{}"}.fs()); err != nil {
			t.Fatal(err)
		}
		if _, err := frozen.ReadHead(os.DirFS(other)); !errors.Is(err, frozen.ErrNoCopy) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
