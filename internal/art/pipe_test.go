//go:build unix

package art

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestAPipeInAPackIsRefusedBeforeItIsOpened: nor a socket, nor a device; opening
// one could wait for ever.
func TestAPipeInAPackIsRefusedBeforeItIsOpened(t *testing.T) {
	plant := map[string]func(path string) error{
		"pipe": func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"socket": func(path string) error {
			l, err := net.Listen("unix", path)
			if err == nil {
				t.Cleanup(func() { l.Close() })
			}
			return err
		},
		"device": func(path string) error { return os.Symlink("/dev/zero", path) },
	}
	for kind, plant := range plant {
		for _, file := range []string{manifestFile, dictionaryFile, "frame.png", "stray.png"} {
			dir := t.TempDir()
			if err := os.CopyFS(dir, small(t)); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, file)
			os.Remove(path)
			if err := plant(path); err != nil {
				t.Fatal(err)
			}
			for how, name := range map[string]string{"in a pack": dir, "as a pack": path} {
				ended := make(chan string, 1)
				go func() {
					r, err := Lint(name)
					if err == nil {
						ended <- join(r.Faults)
						return
					}
					ended <- err.Error()
				}()
				select {
				case said := <-ended:
					if !strings.Contains(said, file) {
						t.Errorf("a %s %s as %s: %s", kind, how, file, said)
					}
				case <-time.After(5 * time.Second):
					t.Fatalf("a %s %s as %s is waited for", kind, how, file)
				}
			}
		}
	}
}
