package trial

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"petsupply/testkit/postgres"
)

// TestBackup takes a backup of each engine while the service runs, loses
// everything, and puts it back: with the commands that the documentation gives.
func TestBackup(t *testing.T) {
	for _, engine := range []struct {
		name, store   string
		save, restore []string // as documented
	}{
		{"SQLite", "", []string{`sqlite3 /var/lib/petsupply/petsupply.db ".backup /backup/petsupply.db"`}, nil},
		{"PostgreSQL", "postgres", []string{"pg_dump -Fc petsupply > petsupply.dump"},
			[]string{"pg_restore --clean --if-exists -d petsupply petsupply.dump"}},
	} {
		t.Run(engine.name, func(t *testing.T) {
			store := ""
			if engine.store != "" {
				store = postgres.Start(t)
			}
			s := newSolo(t, t.TempDir(), store)
			end := s.begin(t)
			within(t, patience, "the index", func() bool { return s.indexed(t) })
			dir := t.TempDir()
			command := func(line string) {
				t.Helper()
				if !strings.Contains(text(t, "docs/OPERATIONS.md"), line) {
					t.Errorf("the documentation does not say: %s", line)
				}
				line = strings.ReplaceAll(strings.ReplaceAll(line, "/var/lib/petsupply", s.data), "/backup", dir)
				if store != "" {
					u, _ := url.Parse(store)
					name := strings.TrimPrefix(u.Path, "/")
					line = strings.ReplaceAll(strings.ReplaceAll(line, "-Fc petsupply ", "-Fc "+name+" "), "-d petsupply ", "-d "+name+" ")
					line = "export PGHOST=" + u.Query().Get("host") + " PGUSER=petsupply; " + line
				}
				cmd := exec.Command("sh", "-ec", line)
				cmd.Dir = dir
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", line, err, out)
				}
			}
			s.look(t, s.db)
			for _, line := range engine.save {
				command(line)
			}
			kept := s.rows
			steps := s.steps.Load()
			within(t, patience, "more to happen", func() bool { return s.steps.Load() > steps+2 })
			end()
			s.w.report(t)
			if code := s.p.stop(t); code != 0 {
				t.Errorf("it ended with %d", code)
			}
			s.lose(t, store)
			if store == "" {
				put(t, filepath.Join(dir, "petsupply.db"), s.file())
			}
			for _, line := range engine.restore {
				command(line)
			}
			s.keeper = keeper{rows: kept} // every row of the backup is there again
			s.w = newWitness(s.ids())
			end = s.begin(t)
			moves(t, s.at)
			end()
			s.verdict(t, s.w)
			note(parts[1], "everything is lost and the backup put back, "+engine.name, "the figures and pets of the backup, then new ones", "the history since the backup")
			if t.Failed() {
				t.Log(tail(s.p.out.String()))
			}
		})
	}
}

// lose takes the data away.
func (s *solo) lose(t *testing.T, store string) {
	t.Helper()
	if store == "" {
		s.db.Close()
		for _, ext := range []string{"", "-wal", "-shm"} {
			os.Remove(s.file() + ext)
		}
		s.reopen(t)
		return
	}
	if _, err := s.db.Exec(`DROP SCHEMA public CASCADE; CREATE SCHEMA public`); err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, b, 0o600); err != nil {
		t.Fatal(err)
	}
}
