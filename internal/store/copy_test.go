package store

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/pet"
	"petsupply/internal/store/database"
	"petsupply/internal/supply"
	"petsupply/testkit/check"
	"petsupply/testkit/postgres"
	"petsupply/testkit/traits"
)

// fullStore returns a store with a leader and rows in all tables, some of which engines handle badly.
func fullStore(t *testing.T, url string) *Store {
	t.Helper()
	s := open(t, url)
	fillTables(t, s)
	var pets []pet.Pet
	for i := range uint64(1500) {
		pets = append(pets, pet.Pet{ID: i + 100, Realm: "first", Name: "\xff\x00\u202e", Value: traits.V2()})
	}
	pets[7].Value = extreme
	if _, err := s.ImportPets(t.Context(), registry, pets); err != nil {
		t.Fatal(err)
	}
	_, err := s.db.ExecContext(t.Context(), `INSERT INTO webhook (name, feed, seq, delivered, refused, skipped)
		VALUES ('Z', 'pet', 1, 0, 0, 0), ('a', 'pet', 2, 0, 0, 0), ('é', 'pet', 3, 0, 0, 0)`)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.db.ExecContext(t.Context(), `INSERT INTO pet_import (id, name, traits) VALUES (8, $1, $2)`,
		[]byte{0}, []byte{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// contents returns all rows of a store as text, without using the code that copies them.
func contents(t *testing.T, s *Store) (out []string) {
	t.Helper()
	tables := database.Tables()
	if len(tables) < 15 {
		t.Fatalf("%d tables", len(tables))
	}
	for _, table := range tables {
		rows, err := s.db.QueryContext(t.Context(), "SELECT * FROM "+table)
		if err != nil {
			t.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			if err := rows.Scan(values...); err != nil {
				t.Fatal(err)
			}
			line := table
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

// wantContents compares all rows of a store. If s is a copy, it leaves out the rows with the marks of a
// copy.
func wantContents(t *testing.T, s *Store, want []string, copied bool) {
	t.Helper()
	marked := func(row string) bool {
		return copied && (strings.HasPrefix(row, "tlog ") || strings.HasPrefix(row, "webhook "))
	}
	got := slices.DeleteFunc(contents(t, s), marked)
	want = slices.DeleteFunc(slices.Clone(want), marked)
	if !slices.Equal(got, want) {
		t.Errorf("%d rows, want %d, or rows differ", len(got), len(want))
	}
}

// engines return the addresses of new stores.
var engines = map[string]func(t *testing.T) string{
	"sqlite":   func(t *testing.T) string { return "sqlite://" + filepath.Join(t.TempDir(), "store.db") },
	"postgres": func(t *testing.T) string { return postgres.Start(t) },
}

// inEachDirection runs a test with the addresses of two new stores, for all pairs of engines.
func inEachDirection(t *testing.T, test func(t *testing.T, from, to string)) {
	t.Helper()
	for source, from := range engines {
		for target, to := range engines {
			t.Run(source+" to "+target, func(t *testing.T) { test(t, from(t), to(t)) })
		}
	}
}

func ignore(int) {}

// An interrupted copy leaves nothing. A copy of a store in use has the data of one moment. Its first
// leader begins a new log, and sends webhooks only about what happens from then on.
func TestCopy(t *testing.T) {
	inEachDirection(t, func(t *testing.T, from, to string) {
		s := fullStore(t, from)
		want := contents(t, s)
		before, err := s.Log(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		if err := s.Copy(ctx, to, func(int) { cancel() }); err == nil {
			t.Error("an interrupted copy was finished")
		}
		wantNothing(t, to)
		wrote := false
		err = s.Copy(t.Context(), to, func(int) {
			if !wrote { // after the moment of the copy
				wrote = true
				saved(t, s, supply.Change{Record: record(jewel(t, demo.Start.Add(5*time.Hour))), Publishes: true})
			}
		})
		if err != nil || !wrote {
			t.Fatal(err)
		}
		wantNoPart(t, to)
		c := leading(t, to)
		wantContents(t, c, want, true)
		var behind int
		err = c.db.QueryRow(`SELECT COUNT(*) FROM webhook WHERE seq <>
			CASE feed WHEN 'pet' THEN (SELECT MAX(seq) FROM pet_change)
			ELSE (SELECT MAX(seq) FROM supply_notice) END`).Scan(&behind)
		if err != nil || behind > 0 {
			t.Errorf("%d webhooks would send events of the original, %v", behind, err)
		}
		k := keeperOf(c, t.TempDir())
		if l := step(t, k); l.Origin == before.Origin || !strings.Contains(string(leaves(t, k)[0]), before.Origin) {
			t.Errorf("the log of the copy is %q, and begins with %s", l.Origin, leaves(t, k)[0])
		}
		own := k.Latest().Origin
		publish(t, c, demo.End)
		if again := step(t, keeperOf(c, t.TempDir())); again.Origin != own {
			t.Errorf("after a restart the log of the copy is %q, was %q", again.Origin, own)
		}
		if l := step(t, keeperOf(s, t.TempDir())); l.Origin != before.Origin {
			t.Errorf("the log of the original is %q", l.Origin)
		}
	})
}

// wantNoPart checks that only the owner can read a SQLite store, and that nothing else was left.
func wantNoPart(t *testing.T, to string) {
	t.Helper()
	path, file := strings.CutPrefix(to, "sqlite://")
	if !file {
		return
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy has mode %v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(path + "?*"); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// newMove returns a Move between two addresses.
func newMove(from, to string) Move {
	return Move{From: from, To: to, ToName: "the new store", Carry: func() error { return nil }, Progress: ignore}
}

// After a move nobody can use the old store, not even a running service. The new store has
// everything, and its log continues.
func TestMove(t *testing.T) {
	inEachDirection(t, func(t *testing.T, from, to string) {
		s := fullStore(t, from)
		follower := open(t, from)
		want := contents(t, s)
		m := newMove(from, to)
		if err := m.Run(t.Context()); !errors.Is(err, errLed) {
			t.Fatalf("while it is led: %v", err)
		}
		if err := s.Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		m.Carry = func() error { return errors.New("the disk is full") }
		err := m.Run(t.Context())
		if err == nil || !strings.Contains(err.Error(), "the disk is full") ||
			!strings.Contains(err.Error(), "run the command again") {
			t.Errorf("a move that fails at the end: %v", err)
		}
		wantNothing(t, to)
		carried := false
		m.Carry = func() error {
			carried = true
			if db, err := database.OpenExisting(t.Context(), to, 0); !errors.Is(err, ErrNoStore) {
				t.Errorf("the new store can be used too early: %v, %v", db, err)
			}
			if won, err := follower.Campaign(t.Context(), "follower", time.Second); won || !isMoved(err) {
				t.Errorf("a service on the old store leads %v, %v", won, err)
			}
			return nil
		}
		if err := m.Run(t.Context()); err != nil || !carried {
			t.Fatal(err)
		}
		wantNoPart(t, to)
		moved := leading(t, to)
		wantContents(t, moved, want, false)
		if l := step(t, keeperOf(moved, t.TempDir())); l.Origin != "example.org/log" {
			t.Errorf("the log is %q", l.Origin)
		}
		if _, err := Open(t.Context(), from, time.Second, nil); !isMoved(err) {
			t.Errorf("the old store opens: %v", err)
		}
		if _, err := follower.AskDecision(t.Context(),
			supply.Decision{Kind: supply.Accept, Token: "jewel"}); !isMoved(err) {
			t.Errorf("a command writes to the old store: %v", err)
		}
		elsewhere := newMove(from, "sqlite://"+filepath.Join(t.TempDir(), "elsewhere.db"))
		elsewhere.ToName = "elsewhere"
		for _, again := range []Move{m, elsewhere} {
			if err := again.Run(t.Context()); !isMoved(err) {
				t.Errorf("a second move to %s: %v", again.ToName, err)
			}
		}
	})
}

func isMoved(err error) bool {
	_, ok := errors.AsType[*Moved](err)
	return ok
}

// A copy never replaces anything.
func TestCopyRefusesWhatIsThere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "there.db")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	onBoth(t, func(t *testing.T, url string) {
		s := open(t, "sqlite://"+filepath.Join(t.TempDir(), "store.db"))
		there := leading(t, url)
		publish(t, there, demo.Start)
		before := contents(t, there)
		for _, to := range []string{url, "sqlite://" + file, "sqlite://" + t.TempDir()} {
			if err := s.Copy(t.Context(), to, ignore); !errors.Is(err, ErrExists) {
				t.Errorf("copy to %s: %v", to, err)
			}
			m := newMove(url, to)
			if err := there.Resign(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := m.Run(t.Context()); !errors.Is(err, ErrExists) {
				t.Errorf("move to %s: %v", to, err)
			}
		}
		wantContents(t, there, before, false)
		leading(t, url)
	})
	if text, _ := os.ReadFile(file); string(text) != "mine" {
		t.Error("the existing file was overwritten")
	}
}

// wantNothing checks that there is no store at an address, and no file.
func wantNothing(t *testing.T, to string) {
	t.Helper()
	if path, file := strings.CutPrefix(to, "sqlite://"); file {
		if left, _ := filepath.Glob(path + "*"); len(left) != 0 {
			t.Errorf("left behind: %v", left)
		}
		return
	}
	db, err := sql.Open("pgx", to)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var n int
	err = db.QueryRow(`SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'public'`).Scan(&n)
	if err != nil || n > 0 {
		t.Errorf("%d tables are left behind, %v", n, err)
	}
}

// copierEnv makes this test binary the process that TestCopyKilled kills. Its value has a command and
// two addresses.
const copierEnv = "PETSUPPLY_TEST_COPIER"

// TestCopier copies or moves a store if it runs as the child.
func TestCopier(t *testing.T) {
	args := strings.Split(os.Getenv(copierEnv), "|")
	if len(args) != 3 {
		return // in the parent there is nothing to test
	}
	s := open(t, "sqlite://"+filepath.Join(t.TempDir(), "warm.db")) // the engine is ready
	s.Close()
	fmt.Println("begins")
	if err := copyOrMove(t, args[0], args[1], args[2]); err != nil {
		t.Fatal(err)
	}
	fmt.Println("ended")
}

func copyOrMove(t *testing.T, command, from, to string) error {
	if command == "move" {
		return newMove(from, to).Run(t.Context())
	}
	s, err := OpenExisting(t.Context(), from, 0)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Copy(t.Context(), to, ignore)
}

// killedAfter runs a copier, and kills it after a time, or lets it end if that is 0. It returns how
// long the copier took.
func killedAfter(t *testing.T, after time.Duration, command, from, to string) time.Duration {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestCopier$")
	child.Env = append(os.Environ(), copierEnv+"="+command+"|"+from+"|"+to)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var began time.Time
	var took time.Duration
	for lines := bufio.NewScanner(out); lines.Scan(); {
		switch lines.Text() {
		case "begins":
			began = time.Now()
			if after > 0 {
				time.AfterFunc(after, func() { child.Process.Kill() })
			}
		case "ended":
			took = time.Since(began)
		}
		if strings.Contains(lines.Text(), "FAIL") {
			t.Errorf("the copier: %s", lines.Text())
		}
	}
	child.Wait()
	return took
}

// A copy or a move that is killed at any moment leaves the old store as it was and no new store, or
// both are complete. Between the two, a moved store has no new one yet. Then the same command
// completes it.
func TestCopyKilled(t *testing.T) {
	moments := 1 // at which a copy and a move are killed, in each direction
	if check.Soak {
		moments = 20
	}
	inEachDirection(t, func(t *testing.T, from, scratch string) {
		s := fullStore(t, from)
		if err := s.Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := contents(t, s)
		whole := killedAfter(t, 0, "copy", from, scratch)
		if whole == 0 {
			t.Fatal("the copy was not finished")
		}
		engine, _, _ := strings.Cut(scratch, ":")
		outcomes := map[string]int{}
		for range moments {
			for _, command := range []string{"copy", "move"} {
				to := engines[engine](t)
				killedAfter(t, 1+rand.N(whole*5/4), command, from, to)
				outcomes[command+": "+afterKill(t, s, command, from, to)]++
				wantContents(t, open(t, to), want, command == "copy")
				wantContents(t, s, want, false)
				if err := usable(t.Context(), s.db); isMoved(err) != (command == "move") {
					t.Errorf("after the %s the old store says %v", command, err)
				}
				if command == "move" { // the next round begins with the old store
					_, err := s.db.ExecContext(t.Context(),
						`DELETE FROM moved; INSERT INTO lease (holder, epoch, expires) VALUES ('', 1, 0)`)
					if err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		t.Log(outcomes)
	})
}

// afterKill completes a copy or move that was killed, and returns what it had done.
func afterKill(t *testing.T, s *Store, command, from, to string) string {
	t.Helper()
	// A killed process may still be ending its transactions in PostgreSQL. The next copy waits for them.
	err := copyOrMove(t, command, from, to)
	switch {
	case err == nil:
		return "nothing or a part"
	case command == "copy" && errors.Is(err, ErrExists), command == "move" && isMoved(err):
		return "everything"
	}
	t.Fatalf("the %s after the kill: %v", command, err)
	return ""
}

// A copy that lost a row or changed a value is refused.
func TestACopyIsCompared(t *testing.T) {
	s := leading(t, "sqlite://"+filepath.Join(t.TempDir(), "store.db"))
	publish(t, s, demo.Start)
	for name, trigger := range map[string]string{
		"a row less":    `DELETE FROM reading WHERE rowid = NEW.rowid`,
		"another value": `UPDATE reading SET total = total || '0' WHERE rowid = NEW.rowid`,
	} {
		t.Run(name, func(t *testing.T) {
			to := open(t, "sqlite://"+filepath.Join(t.TempDir(), "store.db"))
			_, err := to.db.Exec(`CREATE TRIGGER spoils AFTER INSERT ON reading BEGIN ` + trigger + `; END`)
			if err != nil {
				t.Fatal(err)
			}
			err = transact(t.Context(), s.db.DB, func(from *sql.Tx) error {
				return transact(t.Context(), to.db.DB, func(into *sql.Tx) error {
					return copyRows(t.Context(), from, to.db, into, ignore)
				})
			})
			if err == nil || !strings.Contains(err.Error(), "the copy of the table reading has other rows") {
				t.Errorf("copyRows = %v", err)
			}
		})
	}
}
