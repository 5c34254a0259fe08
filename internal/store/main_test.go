package store

import (
	"os"
	"testing"
	"time"

	"petsupply/testkit/postgres"
)

func TestMain(m *testing.M) { os.Exit(postgres.Main(m)) }

var onBoth = postgres.OnBoth // most promises hold on both engines

// open opens the store at url for the duration of the test.
func open(t testing.TB, url string) *Store {
	t.Helper()
	s, err := Open(t.Context(), url, 10*time.Second, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// leading opens the store at url and becomes its leader.
func leading(t testing.TB, url string) *Store {
	t.Helper()
	s := open(t, url)
	if ok, err := s.Campaign(t.Context(), t.Name(), time.Minute); err != nil || !ok {
		t.Fatalf("taking the lease: %v, %v", ok, err)
	}
	return s
}
