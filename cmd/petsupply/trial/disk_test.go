package trial

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// smallDisk mounts a file system of a size such as "8m" for the duration of the test. Only root may
// do that.
func smallDisk(t testing.TB, size string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "disk-") // the database's own user cannot enter t.TempDir
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(dir) })
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size+",mode=0755", "tmpfs",
		dir).CombinedOutput(); err != nil {
		t.Fatalf("mounting a disk that can be filled (this takes root, or CAP_SYS_ADMIN): %v\n%s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "--lazy", dir).CombinedOutput(); err != nil {
			t.Errorf("unmounting: %v\n%s", err, out)
		}
	})
	return dir
}

// fill writes until nothing more fits. free makes room again.
func fill(t testing.TB, dir string) (free func()) {
	t.Helper()
	path := filepath.Join(dir, "ballast")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, block := range []int{1 << 20, 4 << 10} {
		for zeros := make([]byte, block); ; {
			if _, err := f.Write(zeros); errors.Is(err, syscall.ENOSPC) || errors.Is(err, io.ErrShortWrite) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	return func() {
		if err := os.Remove(path); err != nil {
			t.Error(err)
		}
	}
}

// TestFreezeOnAFullDisk: freeze says so in its last line, and leaves nothing that looks complete.
func TestFreezeOnAFullDisk(t *testing.T) {
	out := filepath.Join(smallDisk(t, "2m"), "copy")
	said, err := exec.Command(binary(t), "freeze", "--out", out, "--data", t.TempDir()).CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	if last := lines[len(lines)-1]; err == nil || !strings.HasPrefix(last, "petsupply: ") ||
		!strings.Contains(last, "no space left on device") {
		t.Errorf("%v\n%s", err, said)
	}
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a copy is left: %v", err)
	}
}
