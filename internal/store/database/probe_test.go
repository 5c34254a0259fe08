package database

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"petsupply/testkit/postgres"
)

// TestProbe: Probe rejects what Open would reject, and changes nothing.
func TestProbe(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "p.db")
	if err := Probe(t.Context(), "sqlite://"+filepath.Join(dir, "not", "yet", "p.db")); err != nil {
		t.Errorf("a store that can be made: %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	db, err := Open(t.Context(), "sqlite://"+file, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := Probe(t.Context(), "sqlite://"+file); err != nil {
		t.Errorf("a store in use: %v", err)
	}
	if _, err := db.Exec(`UPDATE schema_fingerprint SET fingerprint = 'x'`); err != nil {
		t.Fatal(err)
	}
	junk := filepath.Join(dir, "junk.db")
	if err := os.WriteFile(junk, []byte(strings.Repeat("not a database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{
		"sqlite://" + file:                        "another version of petsupply",
		"sqlite://" + junk:                        "damaged",
		"sqlite://" + dir:                         "is not a file",
		"sqlite://" + filepath.Join(junk, "p.db"): "not a directory",
		"postgres://u:secret@127.0.0.1:1/none":    "connect",
	} {
		if err := Probe(t.Context(), address); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
	}
}

func TestProbeOfAnEmptyStoreAndOneInUse(t *testing.T) {
	postgres.OnBoth(t, func(t *testing.T, url string) {
		if err := Probe(t.Context(), url); err != nil {
			t.Errorf("empty: %v", err)
		}
		open(t, url)
		if err := Probe(t.Context(), url); err != nil {
			t.Errorf("in use: %v", err)
		}
	})
}
