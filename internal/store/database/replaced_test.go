package database

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAFileThatVanishesIsNoticed: if a running service's file is removed or replaced, this is
// noticed, no new file is created, and nothing is read from the replacement.
func TestAFileThatVanishesIsNoticed(t *testing.T) {
	for name, c := range map[string]struct {
		change func(path string) error
		want   string
	}{
		"removed": {func(path string) error { return os.Remove(path) }, "was removed"},
		"replaced": {func(path string) error {
			if err := os.WriteFile(path+".new", nil, 0o600); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		}, "was replaced"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "p.db")
			db, err := Open(t.Context(), "sqlite://"+path, 0, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if err := db.CheckFile(); err != nil {
				t.Fatal(err)
			}
			if err := c.change(path); err != nil {
				t.Fatal(err)
			}
			if err := db.CheckFile(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is: %v", err)
			}
			for range 6 { // more connections than are open
				conn, err := db.Conn(context.Background())
				if err != nil {
					break
				}
				defer conn.Close()
				if err := conn.PingContext(t.Context()); err != nil {
					t.Errorf("a connection that was open: %v", err)
				}
			}
			if info, err := os.Stat(path); err == nil && info.Size() > 0 {
				t.Errorf("a file of %d bytes appeared", info.Size())
			} else if name == "removed" && err == nil {
				t.Error("a new file appeared")
			}
		})
	}
}
