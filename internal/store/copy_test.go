package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/pet"
	"petsupply/internal/store/database"
	"petsupply/internal/supply"
	"petsupply/testkit/postgres"
	"petsupply/testkit/traits"
)

// fullStore returns a store with a leader and rows in most tables.
func fullStore(t *testing.T, url string) *Store {
	t.Helper()
	s := leading(t, url)
	k := keeperOf(s, t.TempDir())
	for i := range 3 {
		n := jewel(t, demo.Start.Add(time.Duration(i)*time.Hour))
		saved(t, s, supply.Change{Record: record(n), Publishes: true})
		step(t, k)
	}
	var pets []pet.Pet
	for i := range uint64(1500) {
		pets = append(pets, pet.Pet{ID: i + 1, Realm: demo.Realms()[0].Key, Name: "\xff\x00\u202e", Value: traits.V2()})
	}
	pets[7].Value = extreme
	if _, err := s.ImportPets(t.Context(), &pet.Kingdom{Collection: traits.Pets(), Realms: demo.Realms()},
		pets); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AskDecision(t.Context(),
		supply.Decision{Kind: supply.Accept, Token: "jewel", Subject: supply.Heights, Reason: "why"}); err != nil {
		t.Fatal(err)
	}
	_, err := s.db.ExecContext(t.Context(), `INSERT INTO webhook (name, feed, seq, delivered, refused, skipped)
		VALUES ('Z', 'pet', 1, 0, 0, 0), ('a', 'pet', 2, 0, 0, 0), ('é', 'pet', 3, 0, 0, 0)`)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.db.ExecContext(t.Context(), `INSERT INTO proof_part (hash, data) VALUES ($1, $2)`, []byte{0}, []byte{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// contents returns all rows of a store as text, without using the code that copies them.
func contents(t *testing.T, s *Store) (out []string) {
	t.Helper()
	tables, err := database.Tables(t.Context())
	if err != nil || len(tables) < 15 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	for _, table := range tables {
		rows, err := s.db.QueryContext(t.Context(), "SELECT "+strings.Join(table.Columns, ", ")+" FROM "+table.Name)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			values := make([]any, len(table.Columns))
			for i := range values {
				values[i] = new(any)
			}
			if err := rows.Scan(values...); err != nil {
				t.Fatal(err)
			}
			line := table.Name
			for _, v := range values {
				line += fmt.Sprintf(" %T %q", *v.(*any), *v.(*any))
			}
			out = append(out, line)
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(out)
	return out
}

func wantContents(t *testing.T, s *Store, want []string) {
	t.Helper()
	got := contents(t, s)
	if !slices.Equal(got, want) {
		t.Errorf("%d rows, want %d, or rows differ", len(got), len(want))
	}
}

// engines return new addresses for each kind of store.
var engines = map[string]func(t *testing.T) string{
	"to sqlite":   func(t *testing.T) string { return "sqlite://" + filepath.Join(t.TempDir(), "new", "store.db") },
	"to postgres": func(t *testing.T) string { return postgres.Start(t) },
}

func ignore(int) {}

// A backup of a store in use has the data of one moment. Only the owner of its file can read it. A
// store of either engine can be restored from it.
func TestBackupAndRestoreOnBothEngines(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := fullStore(t, url)
		file := filepath.Join(t.TempDir(), "backup.db")
		want := contents(t, s)
		wrote := false
		err := s.Backup(t.Context(), file, func(int) {
			if !wrote { // after the moment of the backup
				wrote = true
				saved(t, s, supply.Change{Record: record(jewel(t, demo.Start.Add(5*time.Hour))), Publishes: true})
			}
		})
		if err != nil || !wrote {
			t.Fatal(err)
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the backup has mode %v, %v", info.Mode(), err)
		}
		if left, _ := filepath.Glob(file + "?*"); len(left) != 0 {
			t.Errorf("left behind: %v", left)
		}
		for name, address := range engines {
			t.Run(name, func(t *testing.T) {
				to := address(t)
				if err := RestoreBackup(t.Context(), file, to, ignore); err != nil {
					t.Fatal(err)
				}
				wantContents(t, leading(t, to), want)
			})
		}
	})
}

func TestBackupRefuses(t *testing.T) {
	s := open(t, "sqlite://"+filepath.Join(t.TempDir(), "store.db"))
	file := filepath.Join(t.TempDir(), "there.db")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Backup(t.Context(), file, ignore); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file: %v", err)
	}
	if text, _ := os.ReadFile(file); string(text) != "mine" {
		t.Error("the existing file was overwritten")
	}
	ctx, cancel := context.WithCancel(t.Context())
	other := filepath.Join(t.TempDir(), "other.db")
	if err := s.Backup(ctx, other, func(int) { cancel() }); err == nil {
		t.Error("an interrupted backup was finished")
	}
	if left, _ := filepath.Glob(other + "*"); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// newMove returns a Move between two addresses.
func newMove(from, to string) Move {
	return Move{From: from, To: to, FromName: "the old store", ToName: "the new store", Lease: time.Minute,
		Carry: func() error { return nil }, Progress: ignore}
}

// After a move nobody can use the old store, not even a running service. The new store has
// everything.
func TestMoveOnBothEngines(t *testing.T) {
	for source, old := range engines {
		for name, address := range engines {
			t.Run(source+" and from there "+name, func(t *testing.T) {
				from := old(t)
				s := fullStore(t, from)
				want := contents(t, s)
				m := newMove(from, address(t))
				if err := m.Run(t.Context()); !errors.Is(err, errLed) {
					t.Fatalf("while it is led: %v", err)
				}
				if err := s.Resign(t.Context()); err != nil {
					t.Fatal(err)
				}
				carried := false
				m.Carry = func() error {
					carried = true
					if _, err := Open(t.Context(), m.To, time.Second, nil); !isMoved(err, true) {
						t.Errorf("the new store could be used before the old one was marked: %v", err)
					}
					return nil
				}
				if err := m.Run(t.Context()); err != nil || !carried {
					t.Fatal(err)
				}
				wantContents(t, leading(t, m.To), want)
				if won, err := s.Campaign(t.Context(), "follower", time.Second); won || !isMoved(err, false) {
					t.Errorf("a service on the old store leads %v, %v", won, err)
				}
				if _, err := Open(t.Context(), from, time.Second, nil); !isMoved(err, false) {
					t.Errorf("the old store opens: %v", err)
				}
				elsewhere := newMove(from, address(t))
				elsewhere.ToName = "elsewhere"
				if err := elsewhere.Run(t.Context()); !isMoved(err, false) {
					t.Errorf("a second move: %v", err)
				}
			})
		}
	}
}

func isMoved(err error, arriving bool) bool {
	m, ok := errors.AsType[*Moved](err)
	return ok && m.Arriving == arriving
}

// Neither a move nor a restore overwrites existing data.
func TestFillingRefusesAStoreInUse(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := fullStore(t, url)
		before := contents(t, s)
		from := "sqlite://" + filepath.Join(t.TempDir(), "store.db")
		small := leading(t, from)
		file := filepath.Join(t.TempDir(), "backup.db")
		if err := small.Backup(t.Context(), file, ignore); err != nil {
			t.Fatal(err)
		}
		if err := small.Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 2 { // first while s is the leader, then after it resigned
			if err := newMove(from, url).Run(t.Context()); !errors.Is(err, errNotEmpty) {
				t.Errorf("move: %v", err)
			}
			if err := RestoreBackup(t.Context(), file, url, ignore); !errors.Is(err, errNotEmpty) {
				t.Errorf("restore: %v", err)
			}
			if err := s.Resign(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		wantContents(t, s, before)
		if won, err := small.Campaign(t.Context(), "again", time.Minute); !won || err != nil {
			t.Errorf("the old store cannot be used: %v", err)
		}
	})
}

// moverEnv makes this test binary the mover that TestMoveKilled kills. Its value says when to kill
// the mover, and has the two addresses.
const moverEnv = "PETSUPPLY_TEST_MOVER"

// TestMover moves a store if it runs as the child.
func TestMover(t *testing.T) {
	args := strings.Split(os.Getenv(moverEnv), "|")
	if len(args) != 3 {
		return // in the parent there is nothing to test
	}
	die := func() { syscall.Kill(os.Getpid(), syscall.SIGKILL); select {} }
	m := newMove(args[1], args[2])
	rows, _ := strconv.Atoi(args[0])
	m.Progress = func(n int) {
		if rows -= n; args[0] != "carry" && rows < 0 {
			die()
		}
	}
	if args[0] == "carry" {
		m.Carry = func() error { die(); return nil }
	}
	t.Fatal("it was not killed: ", m.Run(t.Context()))
}

// A move that is killed at any moment leaves the old store unchanged, and a second move succeeds.
func TestMoveKilled(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := fullStore(t, url)
		if err := s.Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := contents(t, s)
		other := engines["to sqlite"]
		if s.Kind() == "sqlite" {
			other = engines["to postgres"]
		}
		to := other(t)
		for _, moment := range []string{"0", "700", "1300", "carry"} {
			child := exec.Command(os.Args[0], "-test.run=^TestMover$")
			child.Env = append(os.Environ(), moverEnv+"="+moment+"|"+url+"|"+to)
			out, err := child.CombinedOutput()
			if child.ProcessState.Success() || child.ProcessState.ExitCode() != -1 {
				t.Fatalf("the mover was not killed: %v\n%s", err, out)
			}
			again := open(t, url) // the old store can be used
			wantContents(t, again, want)
			again.Close()
			// The lease of the killed mover expires by itself.
			if _, err := s.db.ExecContext(t.Context(), `UPDATE lease SET expires = 0`); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Open(t.Context(), to, time.Second, nil); !isMoved(err, true) {
			t.Errorf("a store that is half moved to can be used: %v", err)
		}
		if err := newMove(url, to).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantContents(t, leading(t, to), want)
	})
}

// If a move was killed after it marked the old store, the next run finishes it.
func TestMoveIsFinishedByTheNextRun(t *testing.T) {
	from, to := "sqlite://"+filepath.Join(t.TempDir(), "old.db"), "sqlite://"+filepath.Join(t.TempDir(), "new.db")
	open(t, from)
	m := newMove(from, to)
	if err := m.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := open(t, to)
	_, err := s.db.ExecContext(t.Context(), `UPDATE lease SET name = 'arriving', holder = 'the old store'`)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	leading(t, to)
}
