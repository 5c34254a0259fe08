package trial

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"petsupply/testkit/postgres"
)

// TestBackup makes a backup of each engine while the service runs, deletes everything, and restores
// it, with the commands in the documentation.
func TestBackup(t *testing.T) {
	for _, engine := range []string{"SQLite", "PostgreSQL"} {
		t.Run(engine, func(t *testing.T) {
			store := ""
			if engine == "PostgreSQL" {
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
				args := strings.Fields(line)[1:]
				for i, a := range args {
					a = strings.ReplaceAll(strings.ReplaceAll(a, "/var/lib/petsupply", s.data), "/backup", dir)
					if args[i] = strings.ReplaceAll(a, "petsupply.yaml", s.config); store != "" && strings.HasPrefix(a, "sqlite://") {
						args[i] = store
					}
				}
				if out, err := exec.Command(binary(t, "old"), args...).CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", line, err, out)
				}
			}
			s.look(t, s.db)
			command("petsupply backup /backup/petsupply.db --config petsupply.yaml --data /var/lib/petsupply")
			kept := s.rows
			steps := s.steps.Load()
			within(t, patience, "more to happen", func() bool { return s.steps.Load() > steps+2 })
			end()
			s.w.report(t)
			if code := s.p.stop(t); code != 0 {
				t.Errorf("it ended with %d", code)
			}
			s.lose(t, store)
			command("petsupply restore /backup/petsupply.db --to sqlite:///var/lib/petsupply/petsupply.db")
			s.keeper = keeper{rows: kept} // every row of the backup must come back
			s.w = newWitness(s.ids())
			end = s.begin(t)
			moves(t, s.at)
			end()
			s.verdict(t, s.w)
			note(parts[1], "all data is lost and the backup is restored, "+engine,
				"the figures and pets of the backup, then new ones", "the history since the backup")
			if t.Failed() {
				t.Log(tail(s.p.out.String()))
			}
		})
	}
}

// lose deletes the data.
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
