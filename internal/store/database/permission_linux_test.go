package database

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestAnotherUsersStoreIsRefusedInWords: the error says what is wrong. SQLite's own message is
// "unable to open database file (14)".
func TestAnotherUsersStoreIsRefusedInWords(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p.db")
	open(t, "sqlite://"+path).Close()
	for name, modes := range map[string][2]os.FileMode{"a file": {0o755, 0o600}, "its directory": {0o700, 0o600}} {
		t.Run(name, func(t *testing.T) {
			for at, mode := range map[string]os.FileMode{filepath.Dir(dir): 0o755, dir: modes[0], path: modes[1]} {
				if err := os.Chmod(at, mode); err != nil {
					t.Fatal(err)
				}
			}
			asNobody(t, func() {
				for _, existing := range []bool{false, true} {
					db, err := openAny(t, "sqlite://"+path, existing)
					if err == nil {
						db.Close()
						t.Fatal("the store was opened")
					}
					if !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), ": permission denied") ||
						strings.Contains(err.Error(), "(14)") {
						t.Errorf("the error must name the folder and say permission denied: %v", err)
					}
				}
			})
		})
	}
}

// TestADirectoryThatCannotBeWrittenIsNamed: a new store needs a writable directory.
func TestADirectoryThatCannotBeWrittenIsNamed(t *testing.T) {
	dir := t.TempDir()
	for _, at := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(at, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if os.Getuid() != 0 {
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("as nobody", func(t *testing.T) { // the thread ends with the subtest
		asNobody(t, func() {
			db, err := Open(t.Context(), "sqlite://"+filepath.Join(dir, "p.db"), time.Second, nil)
			if err == nil {
				db.Close()
				t.Fatal("the store was created")
			}
			if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "nothing can be written in "+dir) {
				t.Errorf("the error must name the folder: %v", err)
			}
		})
	})
}

func openAny(t *testing.T, url string, existing bool) (*DB, error) {
	if existing {
		return OpenExisting(t.Context(), url, time.Second)
	}
	return Open(t.Context(), url, time.Second, nil)
}

// asNobody runs fn without root's access to all files.
func asNobody(t *testing.T, fn func()) {
	t.Helper()
	if os.Getuid() == 0 {
		runtime.LockOSThread() // never unlocked, so the thread ends with the goroutine
		if err := syscall.Setfsuid(65534); err != nil {
			t.Fatal(err)
		}
	}
	fn()
}
