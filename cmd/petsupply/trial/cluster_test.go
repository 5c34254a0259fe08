package trial

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // to read the store

	"petsupply/testkit/check"
	"petsupply/testkit/kingdom"
	"petsupply/testkit/postgres"
)

// lease is how long a leader of the cluster leads without renewing.
const lease = 2 * time.Second

// A cluster is three instances behind nginx, on one PostgreSQL. They publish a
// changing kingdom, and a watcher watches them.
type cluster struct {
	*world
	disk  string // where the database is
	pg    *postgres.Server
	all   []*instance
	links []*link
	spots []*place // the addresses of the instances
	front *place
	w     *watcher
	told  *receivers
}

// newCluster starts everything, and waits until every instance has all founding pets in memory.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{world: newWorld(t), disk: smallDisk(t, "192m"), told: newReceivers(t)}
	c.openDatabase(t)
	dir := t.TempDir()
	plain := binary(t)
	front0 := port(t) // nginx starts later
	for i := range 3 {
		l := newLink(t, c.pg.Socket())
		config := filepath.Join(dir, fmt.Sprintf("instance%d.yaml", i))
		top := fmt.Sprintf("supply_url: http://%[1]s/supply\npets_url: http://%[1]s/pets\nsite_url: http://%[1]s/\n"+
			"lease: %[2]s\nstore: %[3]s\n%[4]s",
			front0, lease, "postgres://petsupply@"+l.address+"/petsupply?sslmode=disable", c.told.config())
		text := c.Config(kingdom.Settings{Top: top, Refresh: "1s", Index: "250ms"})
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p := newInstance(t, plain, "--config", config, "--data", filepath.Join(dir, fmt.Sprint(i)))
		c.all = append(c.all, p)
		c.links = append(c.links, l)
		c.spots = append(c.spots, &place{name: fmt.Sprintf("instance %d", i), base: "http://" + p.listen, ops: p.ops})
	}
	for _, p := range c.all {
		p.run(t)
	}
	for _, p := range c.all {
		check.Await(t, "readiness of "+p.String(), func() bool {
			h, err := p.ready()
			return err == nil &&
				h.Status == "ready"
		})
	}
	frontAt(t, front0, c.all[0].listen, c.all[1].listen, c.all[2].listen)
	c.front = &place{name: "front", base: "http://" + front0}
	c.w = newWatcher(c.ids())
	c.told.known(t, c.db)
	c.warm(t)
	return c
}

func (c *cluster) openDatabase(t *testing.T) {
	t.Helper()
	dir := filepath.Join(c.disk, "pg")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	var err error
	c.pg, err = postgres.NewServer(dir, "shared_buffers=16MB", "min_wal_size=2MB", "max_wal_size=16MB",
		"max_connections=80", "restart_after_crash=on")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.pg.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.pg.Stop)
	if err := c.pg.Execute("postgres", "CREATE DATABASE petsupply"); err != nil {
		t.Fatal(err)
	}
	c.db, err = sql.Open("pgx", c.pg.Address("petsupply"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.db.Close() })
}

// warm waits, while the kingdom does not change, until the store has everything and every instance
// has every pet of the watcher in memory.
func (c *cluster) warm(t *testing.T) {
	t.Helper()
	check.Await(t, "the index to catch up", func() bool { return c.indexed(t) })
	for i, p := range c.all {
		before := polls(p)
		check.Await(t, "an instance to follow", func() bool { return polls(p) > before+2 })
		for _, id := range c.w.pets {
			url := fmt.Sprintf("%s/pets/image/%d", c.spots[i].base, id)
			if status, _, body, err := get(t.Context(), patient, url); err != nil || status != http.StatusOK {
				_, _, stacks, _ := get(t.Context(), patient, "http://"+p.ops+"/debug/pprof/goroutine?debug=2")
				t.Fatalf("%s: %d %s %v\n%s\n%s", url, status, body, err, tail(p.out.String()), stacks)
			}
		}
	}
}

var polled = regexp.MustCompile(`petsupply_pet_polls_total\{outcome="ok"\} (\S+)`)

// polls returns how often an instance has checked for changes of pets.
func polls(p *instance) (n float64) {
	res, err := probing.Get("http://" + p.ops + "/metrics")
	if err != nil {
		return 0
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return 0
	}
	if m := polled.FindSubmatch(body); m != nil {
		fmt.Sscan(string(m[1]), &n)
	}
	return n
}

// leader waits until an instance and the store both say that it leads.
func (c *cluster) leader(t *testing.T, besides ...int) (int, time.Duration) {
	t.Helper()
	found := -1
	took := check.Await(t, "a leader", func() bool {
		for i, p := range c.all {
			if len(besides) > 0 && i == besides[0] {
				continue
			}
			r, err := p.ready()
			if err == nil && r.Leads && strings.HasSuffix(r.Leader, fmt.Sprint("/", p.Cmd.Process.Pid)) {
				found = i
				return true
			}
		}
		return false
	})
	return found, took
}
