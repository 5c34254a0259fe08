package store

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Whatever is wrong around a store, each way to open it says so in one line, and changes nothing.
func TestBadSurroundings(t *testing.T) {
	openIt := func(t *testing.T, url string) error {
		s, err := Open(t.Context(), url, time.Second, nil)
		if err == nil {
			s.Close()
		}
		return err
	}
	openExisting := func(t *testing.T, url string) error {
		s, err := OpenExisting(t.Context(), url, time.Second)
		if err == nil {
			s.Close()
		}
		return err
	}
	move := func(t *testing.T, url string) error {
		return newMove(url, url+"2").Run(t.Context())
	}
	copyTo := func(t *testing.T, url string) error {
		return open(t, "sqlite://"+filepath.Join(t.TempDir(), "any.db")).Copy(t.Context(), url, ignore)
	}
	type way = func(*testing.T, string) error
	for name, row := range map[string]struct {
		prepare func(t *testing.T, path string) // path does not exist yet
		nobody  bool                            // as a user who owns nothing
		ways    map[string]way
		want    string // PATH and DIR stand for the file and its folder
	}{
		"no file": {ways: map[string]way{"open existing": openExisting, "move": move},
			want: "there is no store at PATH; check"},
		"a folder": {prepare: makeFolder, want: "PATH is not a file",
			ways: map[string]way{"open": openIt, "open existing": openExisting, "move": move}},
		"a folder to copy to": {prepare: makeFolder,
			want: "PATH: there is something already; name a file that does not exist",
			ways: map[string]way{"copy to": copyTo}},
		"a text": {prepare: makeText, want: "PATH: the file is damaged; ",
			ways: map[string]way{"open": openIt, "open existing": openExisting, "move": move}},
		"an unreadable file": {prepare: makeStore(0o755, 0), nobody: true,
			want: "open PATH: permission denied; run this as the user who owns the store",
			ways: map[string]way{"open": openIt, "open existing": openExisting, "move": move}},
		"another user's folder": {prepare: makeStore(0, 0o600), nobody: true,
			want: "stat PATH: permission denied; run this as the user who owns the store",
			ways: map[string]way{"open": openIt, "open existing": openExisting, "move": move}},
		"a folder that cannot be written": {prepare: makeReadOnly, nobody: true,
			want: "nothing can be written in DIR: permission denied",
			ways: map[string]way{"open": openIt}},
		"no folder to copy to": {prepare: removeFolder, want: "no such file or directory",
			ways: map[string]way{"copy to": copyTo}},
		"another instance leads": {prepare: makeLed, want: "a service leads the store; stop it",
			ways: map[string]way{"move": move}},
		"moved": {prepare: makeMoved, want: "the store was moved to the new store at 20",
			ways: map[string]way{"open": openIt, "open existing": openExisting, "move": func(t *testing.T, url string) error {
				m := newMove(url, url+"2")
				m.ToName = "elsewhere"
				return m.Run(t.Context())
			}}},
	} {
		for how, try := range row.ways {
			t.Run(name+"/"+how, func(t *testing.T) {
				dir := t.TempDir()
				path := filepath.Join(dir, "store.db")
				if row.prepare != nil {
					row.prepare(t, path)
				}
				t.Cleanup(func() { os.Chmod(dir, 0o700) })
				before := filesIn(t, dir)
				var err error
				if row.nobody {
					err = asNobody(t, dir, func() error { return try(t, "sqlite://"+path) })
				} else {
					err = try(t, "sqlite://"+path)
				}
				want := strings.NewReplacer("PATH", path, "DIR", dir).Replace(row.want)
				if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%v, want one line with %q", err, want)
				}
				if after := filesIn(t, dir); after != before {
					t.Errorf("the folder had %s, and has %s", before, after)
				}
			})
		}
	}
}

func makeFolder(t *testing.T, path string) {
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

func removeFolder(t *testing.T, path string) {
	if err := os.Remove(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
}

func makeText(t *testing.T, path string) {
	if err := os.WriteFile(path, []byte(strings.Repeat("this is no database\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// makeStore returns a function that makes a store with the modes of its folder and its file.
func makeStore(folder, file os.FileMode) func(t *testing.T, path string) {
	return func(t *testing.T, path string) {
		open(t, "sqlite://"+path).Close()
		for at, mode := range map[string]os.FileMode{filepath.Dir(path): folder, path: file} {
			if err := os.Chmod(at, mode); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func makeReadOnly(t *testing.T, path string) {
	if err := os.Chmod(filepath.Dir(path), 0o555); err != nil {
		t.Fatal(err)
	}
}

func makeLed(t *testing.T, path string) { leading(t, "sqlite://"+path) }

func makeMoved(t *testing.T, path string) {
	open(t, "sqlite://"+path).Close()
	if err := newMove("sqlite://"+path, "sqlite://"+filepath.Join(t.TempDir(), "new.db")).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// filesIn returns the names of the files in a folder, except those that SQLite keeps beside an open
// store.
func filesIn(t *testing.T, dir string) string {
	list, err := filepath.Glob(dir + "/*")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, path := range list {
		if !strings.HasSuffix(path, "-wal") && !strings.HasSuffix(path, "-shm") {
			out = append(out, path)
		}
	}
	return strings.Join(out, " ")
}

// asNobody runs try without root's access to all files, in a folder that others can enter.
func asNobody(t *testing.T, dir string, try func() error) error {
	t.Helper()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() != 0 {
		return try()
	}
	ended := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked, so the thread ends with the goroutine
		if err := syscall.Setfsuid(65534); err != nil {
			ended <- err
			return
		}
		ended <- try()
	}()
	return <-ended
}
