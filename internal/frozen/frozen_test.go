package frozen_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/demo"
	"petsupply/internal/demo/compose"
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

// petCount is the number of pets in the copies.
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
	s, err := compose.Settings(t.TempDir(), "8080", func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	s.Notice = ""
	s.Store = address
	s.Refresh.RefuseAfter = 0
	s.Refresh.StaleAfter = 0
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
	if _, err := a.Store.ImportPets(ctx, a.Settings.Registry(), pets); err != nil {
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
		keeper.Key = tlog.NewKey([32]byte{2}) // another key begins another log
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

// still returns the source of a copy of a.
func still(t *testing.T, a *app.App) frozen.Source {
	t.Helper()
	s, err := a.Still(t.Context(), t.TempDir(), func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	if !s.Signed() {
		t.Fatal("the log is not signed")
	}
	return s.Source()
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The files are what was in the store when the copy began, whatever is published meanwhile.
func TestWrite(t *testing.T) {
	for name, address := range map[string]func() string{
		"sqlite":   func() string { return "sqlite://" + filepath.Join(t.TempDir(), "k.db") },
		"postgres": func() string { return postgres.Start(t) },
	} {
		t.Run(name, func(t *testing.T) {
			if name == "postgres" {
				process.SkipShort(t)
			}
			a := kingdomAt(t, address())
			source := still(t, a)
			publish(t, a.Store, a.Settings.Tokens, demo.End.Add(time.Minute))
			dir := filepath.Join(t.TempDir(), "copy")
			var files atomic.Int64
			pets, root, err := frozen.Write(t.Context(), source, dir, func(n int) { files.Add(int64(n)) })
			if err != nil || pets != petCount || len(root) != 64 {
				t.Fatalf("%d pets, root %q, %v", pets, root, err)
			}
			if n := strings.Count(read(t, dir, "SHA256SUMS"), "\n"); int64(n) != files.Load() || n < 2*petCount {
				t.Errorf("%d files are listed, and %d written", n, files.Load())
			}
			check := exec.Command("sha256sum", "--check", "--quiet", "SHA256SUMS")
			check.Dir = dir
			if out, err := check.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			document := read(t, dir, "supply/jewel/index.json")
			if !strings.Contains(document, `"status":"past"`) ||
				!strings.Contains(document, demo.End.Format(time.RFC3339)) {
				t.Errorf("the document is %s", document)
			}
			checkSecond(t, source, dir)
			if name == "sqlite" {
				list, _, err := a.Store.ListPets(t.Context(), pet.Query{Limit: 1}, pet.PagePosition{})
				if err != nil {
					t.Fatal(err)
				}
				testNginx(t, dir, list[0].ID)
			}
		})
	}
}

// checkSecond writes a second copy of the source. It has the same files.
func checkSecond(t *testing.T, source frozen.Source, dir string) {
	t.Helper()
	other := filepath.Join(t.TempDir(), "copy")
	if _, _, err := frozen.Write(t.Context(), source, other, func(int) {}); err != nil {
		t.Fatal(err)
	}
	a := read(t, dir, "SHA256SUMS")
	b := read(t, other, "SHA256SUMS")
	if a != b {
		t.Errorf("a second copy differs:\n%s\n%s", a, b)
	}
}

// A copy that is interrupted leaves nothing that looks complete, and can be begun again.
func TestAnInterruptedCopyIsNotComplete(t *testing.T) {
	source := still(t, kingdom(t))
	dir := filepath.Join(t.TempDir(), "copy")
	for most := int64(1); ; most *= 3 {
		ctx, stop := context.WithCancel(t.Context())
		var files atomic.Int64
		_, _, err := frozen.Write(ctx, source, dir, func(n int) {
			if files.Add(int64(n)) >= most {
				stop()
			}
		})
		stop()
		if err == nil {
			break
		}
		if _, missing := os.Stat(dir); !errors.Is(err, context.Canceled) || !errors.Is(missing, fs.ErrNotExist) {
			t.Fatalf("interrupted after %d files: %v, %v", most, err, missing)
		}
	}
	if read(t, dir, "SHA256SUMS") == "" {
		t.Error("the copy is empty")
	}
}

// If a file cannot be written, there is no copy.
func TestAFolderThatCannotBeWritten(t *testing.T) {
	source := still(t, kingdom(t))
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := frozen.Write(t.Context(), source, filepath.Join(file, "copy"), func(int) {})
	if err == nil || !strings.Contains(fmt.Sprint(err), "not a directory") {
		t.Errorf("the error is %v", err)
	}
}
