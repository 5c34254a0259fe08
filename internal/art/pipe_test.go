//go:build unix

package art

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestPipe: a pipe, a socket or a device in a pack is refused before it is opened, because opening
// one could wait forever.
func TestPipe(t *testing.T) {
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
		for _, file := range []string{manifestFile, dictionaryFile, "frame/common.png", "pet/stray.png"} {
			t.Run(kind+" as "+file, func(t *testing.T) {
				dir := t.TempDir()
				if err := os.CopyFS(dir, small(t)); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(dir, file)
				os.Remove(path)
				if err := plant(path); err != nil {
					t.Fatal(err)
				}
				refusedAtOnce(t, dir, file)
				refusedAtOnce(t, path, file)
			})
		}
	}
}

// refusedAtOnce lints a pack with a bad file.
func refusedAtOnce(t *testing.T, name, file string) {
	t.Helper()
	ended := make(chan string, 1)
	go func() {
		_, faults := Lint(pets(), name)
		ended <- errors.Join(faults...).Error()
	}()
	select {
	case said := <-ended:
		if !strings.Contains(said, file) {
			t.Errorf("%s: %s", name, said)
		}
	case <-time.After(30 * time.Second):
		t.Fatalf("%s is waited for", name)
	}
}
