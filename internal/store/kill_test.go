package store

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/testkit/check"
)

// writerEnv makes this test binary the writer that TestLastGood… kills.
const writerEnv = "PETSUPPLY_TEST_WRITER"

// TestWriter, run as the child, publishes as fast as it can and prints the saved snapshots.
func TestWriter(t *testing.T) {
	url := os.Getenv(writerEnv)
	if url == "" {
		return // in the parent there is nothing to test
	}
	s := open(t, url)
	awaitLease(t, s)
	records, err := s.Records(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	k := keeperOf(s, filepath.Dir(strings.TrimPrefix(url, "sqlite://")))
	at := demo.Start
	for _, r := range records {
		at = r.Snapshot.AsOf
	}
	for {
		if at = at.Add(time.Minute); at.After(demo.End) {
			t.Fatal("the demo's time has run out")
		}
		if _, err := s.Campaign(t.Context(), "child", 500*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		n := jewel(t, at)
		saved(t, s, supply.Change{Record: record(n), Publishes: true})
		step(t, k)
		fmt.Println("saved", n.AsOf.UnixMilli())
	}
}

func awaitLease(t *testing.T, s *Store) {
	t.Helper()
	check.Await(t, "the lease", func() bool {
		ok, err := s.Campaign(t.Context(), "a", 500*time.Millisecond)
		return ok && err == nil
	})
}

// checkLogEqualsFigures checks that the log has exactly the published snapshots, in order, and that
// the next leader can continue it.
func checkLogEqualsFigures(t *testing.T, s *Store, dir string) {
	t.Helper()
	awaitLease(t, s)
	k := keeperOf(s, dir)
	if l := step(t, k); l.Origin != "example.org/log" {
		t.Errorf("after a kill the log %s began", l.Origin)
	}
	published, err := list(t.Context(), s.db, readColumn[string],
		`SELECT snapshot FROM reading ORDER BY number`)
	if err != nil {
		t.Fatal(err)
	}
	var logged []string
	for _, leaf := range leaves(t, k)[1:] {
		logged = append(logged, supply.LeafHash(leaf))
	}
	if logged = logged[max(0, len(logged)-len(published)):]; !slices.Equal(logged, published) {
		t.Errorf("the log has %d snapshots, history %d, or they differ", len(logged), len(published))
	}
	if err := s.Resign(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestLastGoodSnapshotSurvivesKillAtAnyMoment kills a writer again and again. Everything that it
// reported as saved must be there, with its history.
func TestLastGoodSnapshotSurvivesKillAtAnyMoment(t *testing.T) {
	url := "sqlite://" + filepath.Join(t.TempDir(), "store.db")
	for round := range 8 {
		child := exec.Command(os.Args[0], "-test.run=^TestWriter$", "-test.v")
		child.Env = append(os.Environ(), writerEnv+"="+url)
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		var last int64
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); {
			if _, err := fmt.Sscanf(lines.Text(), "saved %d", &last); err == nil {
				if n++; n == 3+2*round {
					// The delay varies, so that the kill hits different points of the next write.
					time.AfterFunc(time.Duration(round)*700*time.Microsecond, func() { child.Process.Kill() })
				}
			} else if strings.Contains(lines.Text(), "FAIL") {
				t.Fatal(lines.Text())
			}
		}
		child.Wait()
		if last == 0 {
			t.Fatal("the writer saved nothing")
		}
		s := open(t, url)
		records, err := s.Records(t.Context())
		if err != nil || len(records) != 1 {
			t.Fatalf("round %d: %d records, %v", round, len(records), err)
		}
		n := records[0].Snapshot
		if got := n.AsOf.UnixMilli(); got < last {
			t.Fatalf("round %d: the last good snapshot is of %d, but %d was saved", round, got, last)
		}
		same(t, "the snapshot", n, jewel(t, n.AsOf))
		points, err := s.History(t.Context(), "jewel", n.AsOf, n.AsOf, 2)
		if err != nil || len(points) == 0 || points[len(points)-1].ID != n.ID {
			t.Fatalf("round %d: history does not end with it: %v, %v", round, points, err)
		}
		checkLogEqualsFigures(t, s, filepath.Dir(strings.TrimPrefix(url, "sqlite://")))
		s.Close()
	}
}
