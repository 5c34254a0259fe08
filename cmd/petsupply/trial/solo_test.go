package trial

import (
	"database/sql"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // to read the store

	"petsupply/testkit/check"
	"petsupply/testkit/kingdom"
	"petsupply/testkit/postgres"
)

// A solo is one instance that publishes the kingdom, and a watcher.
type solo struct {
	*world
	p            *instance
	data, config string // the directory and the configuration file
	at           *place
	w            *watcher
}

// newSolo prepares an instance on the store with this address, or on SQLite in data for "". Its
// configuration is that of the kingdom; each change "old => new" replaces a text in it. Nothing
// runs yet.
func newSolo(t *testing.T, data, store string, changes ...string) *solo {
	t.Helper()
	s := &solo{world: newWorld(t), data: data}
	top := "lease: 1s"
	driver := "sqlite"
	source := "file:" + s.file() + "?mode=ro&_pragma=busy_timeout(5000)"
	if store != "" {
		top += "\nstore: \"" + store + "\""
		driver = "pgx"
		source = store
	}
	s.config = filepath.Join(t.TempDir(), "petsupply.yaml")
	text := s.Config(kingdom.Settings{Top: top, Refresh: "1s", Index: "250ms"})
	for _, c := range changes {
		before, after, _ := strings.Cut(c, " => ")
		text = replace(t, text, before, after)
	}
	if err := os.WriteFile(s.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s.p = newInstance(t, binary(t), "--config", s.config, "--data", data)
	s.at = &place{name: "instance", base: "http://" + s.p.listen, ops: s.p.ops}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	s.db = db
	t.Cleanup(func() { db.Close() })
	s.w = newWatcher(s.ids())
	return s
}

func (s *solo) file() string { return filepath.Join(s.data, "petsupply.db") }

// begin starts the instance, the kingdom and the watcher. end stops the latter two.
func (s *solo) begin(t *testing.T) (end func()) {
	t.Helper()
	stop := s.live(t) // first, because the founding blocks are too old for a first figure
	s.p.start(t)
	// The chains are joined by bridges, so there is no figure until all of them have reached the
	// time of the youngest contract.
	check.Await(t, "figures", func() bool {
		for _, token := range tokens {
			if _, err := document(t, s.at, token); err != nil {
				return false
			}
		}
		return true
	})
	quiet := []func(){s.w.watch(t, s.at, 1), s.w.watch(t, s.at, 2)}
	return func() {
		stop()
		for _, q := range quiet {
			q()
		}
	}
}

// again kills the instance and starts it again.
func (s *solo) again(t *testing.T) {
	t.Helper()
	s.at.down.Add(1)
	s.p.kill()
	s.p.start(t)
	s.at.down.Add(1)
}

// TestKillAtAnyMoment kills the program at random moments, first while it makes its tables, then
// while it measures, indexes and answers.
func TestKillAtAnyMoment(t *testing.T) {
	kills := 5
	if check.Soak {
		kills = rounds
	}
	for _, engine := range []string{"SQLite", "PostgreSQL"} {
		t.Run(engine, func(t *testing.T) {
			store := ""
			if engine == "PostgreSQL" {
				store = postgres.Start(t)
			}
			s := newSolo(t, t.TempDir(), store)
			for range 2 + kills/2 {
				s.p.run(t)
				time.Sleep(rand.N(250 * time.Millisecond)) // any moment of its start
				s.p.kill()
			}
			end := s.begin(t)
			moves(t, s.at)
			s.w.stage()
			for range kills {
				time.Sleep(rand.N(2500 * time.Millisecond)) // any moment of its life
				s.again(t)
				s.look(t, s.db)
			}
			moves(t, s.at)
			end()
			s.compareAll(t, s.w)
			t.Logf("%d kills: %s", kills, s.w.counted())
			if t.Failed() {
				t.Log(tail(s.p.out.String()))
			}
		})
	}
}
