package frozen_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"petsupply/internal/app"
	"petsupply/internal/frozen"
	"petsupply/testkit/process"
)

// testFullDisk makes a copy on a disk that is too small for its rows, then too small for its files,
// then large enough. Each error names the cause, and the last copy equals the complete one.
func testFullDisk(t *testing.T, a *app.App, whole, want string) {
	process.SkipShort(t) // mounting needs root
	disk := t.TempDir()
	mount := func(options string) {
		t.Helper()
		if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", disk).CombinedOutput(); err != nil {
			t.Fatalf("mounting a small disk (needs root or CAP_SYS_ADMIN): %v\n%s", err, out)
		}
	}
	size := occupied(t, whole)
	mount("size=64k")
	t.Cleanup(func() { _ = exec.Command("umount", "--lazy", disk).Run() })
	dir := filepath.Join(disk, "copy")
	if err := begin(t, t.Context(), a, dir); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), dir) {
		t.Errorf("no room for the rows: %v", err)
	}
	mount(fmt.Sprintf("remount,size=%d", size*9/10))
	if err := begin(t, t.Context(), a, dir); err != nil {
		t.Fatal(err)
	}
	if _, err := finish(t, t.Context(), dir); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), dir) {
		t.Errorf("no room for the files: %v", err)
	}
	if _, err := open(t, dir).Check(t.Context(), true, func(int) {}); !errors.Is(err, frozen.ErrNoCopy) {
		t.Errorf("an incomplete copy is accepted: %v", err)
	}
	mount(fmt.Sprintf("remount,size=%d", 2*size))
	if err := begin(t, t.Context(), a, dir); err != nil {
		t.Fatal(err)
	}
	if _, err := finish(t, t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if got := checked(t, dir); got != want {
		t.Errorf("the copy that had no room has the root %s, the other %s", got, want)
	}
}

// occupied returns about how much room a folder takes, in whole pages.
func occupied(t *testing.T, dir string) (size int64) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && !e.IsDir() {
			size += (info.Size() + 4095) / 4096 * 4096
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return size
}
