package store

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"petsupply/testkit/postgres"
)

func TestMain(m *testing.M) { os.Exit(postgres.Main(m)) }

// onBoth runs a promise on a new SQLite store and on a new PostgreSQL one.
func onBoth(t *testing.T, promise func(t *testing.T, url string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { promise(t, "sqlite://"+filepath.Join(t.TempDir(), "store.db")) })
	t.Run("postgres", func(t *testing.T) { promise(t, postgres.Start(t)) })
}

// open opens the store at url for the length of the test.
func open(t testing.TB, url string) *Store {
	t.Helper()
	s, err := Open(t.Context(), url, 10*time.Second, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// leading opens the store at url as its leader.
func leading(t testing.TB, url string) *Store {
	t.Helper()
	s := open(t, url)
	if ok, err := s.Campaign(t.Context(), t.Name(), time.Minute); err != nil || !ok {
		t.Fatalf("taking the lease: %v, %v", ok, err)
	}
	return s
}
