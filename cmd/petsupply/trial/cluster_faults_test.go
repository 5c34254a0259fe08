package trial

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"petsupply/testkit/check"
)

// TestCluster causes one fault after the other under constant load. Callers never see a wrong
// figure. They never see a 5xx, except for pets while the database runs out of room. Nothing is
// lost or duplicated. There is a leader again.
func TestCluster(t *testing.T) {
	began := time.Now()
	c := newCluster(t)
	t.Logf("founded in %v", time.Since(began).Round(time.Second))
	var stops []func()
	for i, at := range append([]*place{c.front, c.front}, c.spots...) {
		stops = append(stops, c.w.watch(t, at, uint64(i)))
	}
	stop := c.live(t)
	for _, s := range plan() {
		c.stage(t, s)
		if t.Failed() {
			break
		}
	}
	stop()
	for _, stop := range stops {
		stop()
	}
	c.compareAll(t, c.w)
	c.told.judge(t, c.db)
	if t.Failed() {
		for _, p := range c.all {
			t.Logf("%s:\n%s", p, tail(p.out.String()))
		}
	}
}

// A fault has a name, as in docs/FAULTS.md, and a function that causes it and returns what was seen.
type fault struct {
	name string
	do   func(*cluster, *testing.T) string
}

// plan returns each fault once or, in make soak, many in random order.
func plan() []fault {
	all := []fault{
		{"no fault", (*cluster).calm},
		{"kill -9 of the leader", (*cluster).killed},
		{"the leader is paused for longer than its lease, then continues", (*cluster).paused},
		{"the leader's connections to the database are cut", (*cluster).severed},
		{"the leader's connections to the database hang", (*cluster).hung},
		{"the database is stopped and started", (*cluster).noDatabase},
		{"the database's disk is full", (*cluster).fullDatabase},
		{"a restart of one instance after the other", (*cluster).restarted},
	}
	if !check.Soak {
		return all
	}
	var some []fault
	for range rounds {
		some = append(some, all[rand.IntN(len(all))])
	}
	return some
}

func tail(s string) string { return s[max(0, len(s)-6000):] }

// stage causes one fault and records its effect on callers.
func (c *cluster) stage(t *testing.T, f fault) {
	t.Helper()
	c.w.stage()
	began := time.Now()
	what := f.do(c, t)
	check.Await(t, "callers enough to notice", func() bool { return c.w.total() >= 500 })
	c.look(t, c.db)
	t.Logf("%s: %s; %s (%v)", f.name, c.w.counted(), what, time.Since(began).Round(time.Second))
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

// calm measures how soon followers show new data of the leader.
func (c *cluster) calm(t *testing.T) string {
	lead, _ := c.leader(t)
	c.whoLeads(t, lead)
	var slowest time.Duration
	for range 4 {
		began, _ := document(t, c.spots[lead], "jewel")
		var now tokenDoc
		check.Await(t, "a new figure", func() bool {
			now, _ = document(t, c.spots[lead], "jewel")
			return now.Snapshot != began.Snapshot
		})
		slowest = max(slowest, check.Await(t, "the figure at the followers", func() bool {
			for i, s := range c.spots {
				if d, err := document(t, s, "jewel"); i != lead && (err != nil || d.AsOf.Before(*now.AsOf)) {
					return false
				}
			}
			return true
		}))
	}
	return "followers have each new figure within " + seconds(slowest)
}

// whoLeads checks that every instance and every status page names the leader.
func (c *cluster) whoLeads(t *testing.T, lead int) {
	t.Helper()
	name := fmt.Sprint("/", c.all[lead].Cmd.Process.Pid)
	check.Await(t, "everyone to know the leader", func() bool {
		for i, p := range c.all {
			r, err := p.ready()
			if err != nil || !strings.HasSuffix(r.Leader, name) || r.Leads != (i == lead) {
				return false
			}
		}
		return true
	})
}

func (c *cluster) killed(t *testing.T) string {
	old, _ := c.leader(t)
	c.spots[old].down.Add(1)
	c.all[old].kill()
	now, took := c.leader(t, old)
	moves(t, c.spots[now])
	c.all[old].start(t)
	c.spots[old].down.Add(1)
	moves(t, c.spots...)
	return "a new leader after " + seconds(took)
}

func (c *cluster) paused(t *testing.T) string {
	old, _ := c.leader(t)
	c.spots[old].down.Add(1)
	c.all[old].signal(t, syscall.SIGSTOP)
	now, took := c.leader(t, old)
	moves(t, c.spots[now])
	c.all[old].signal(t, syscall.SIGCONT)
	check.Await(t, "the old leader to give up", func() bool {
		r, err := c.all[old].ready()
		return err == nil &&
			!r.Leads
	})
	c.spots[old].down.Add(1)
	moves(t, c.spots...)
	return "a new leader after " + seconds(took)
}

// apart cuts the leader's connection while its answers are in memory, and restores it once another
// instance leads.
func (c *cluster) apart(t *testing.T, how func(*link)) string {
	t.Helper()
	c.busy.Lock()
	c.warm(t)
	old, _ := c.leader(t)
	how(c.links[old])
	c.busy.Unlock()
	now, took := c.leader(t, old)
	moves(t, c.spots[now])
	check.Await(t, "the old leader to give up", func() bool {
		r, err := c.all[old].ready()
		return err == nil && !r.Leads && len(r.Problems) > 0
	})
	c.refuses(t, c.spots[old])
	c.links[old].mend()
	back := moves(t, c.spots...)
	return fmt.Sprintf("a new leader after %s, the old one follows it %s after its connection is restored",
		seconds(took), seconds(back))
}

// refuses checks an instance whose store is down. It refuses requests for data that it does not
// have in memory, with a Retry-After.
func (c *cluster) refuses(t *testing.T, at *place) {
	t.Helper()
	client := &http.Client{Timeout: check.Patience}
	var all sync.WaitGroup
	for _, path := range []string{"/pets/token/9999", "/pets/tokens?limit=2", "/supply/jade/history"} {
		all.Go(func() {
			status, header, body, err := get(t.Context(), client, at.base+path)
			if err != nil || status != http.StatusServiceUnavailable || header.Get("Retry-After") == "" {
				t.Errorf("%s without a store: %d %s %v, want 503 and Retry-After", path, status, clipped(body), err)
			}
		})
	}
	all.Wait()
}

func (c *cluster) severed(t *testing.T) string { return c.apart(t, (*link).sever) }
func (c *cluster) hung(t *testing.T) string    { return c.apart(t, (*link).hang) }

func (c *cluster) noDatabase(t *testing.T) string {
	c.busy.Lock()
	c.warm(t)
	c.pg.Stop()
	c.busy.Unlock()
	steps := c.steps.Load()
	check.Await(t, "every instance to say that the store is away", func() bool {
		for _, p := range c.all {
			r, err := p.ready()
			if err != nil || r.Status != "ready" || !strings.Contains(fmt.Sprint(r.Problems), "store") {
				return false
			}
		}
		return true
	})
	check.Await(t, "the kingdom to go on", func() bool { return c.steps.Load() > steps+3 })
	if err := c.pg.Start(); err != nil {
		t.Fatal(err)
	}
	back := moves(t, c.spots...)
	return "new figures " + seconds(back) + " after it is back"
}

func (c *cluster) fullDatabase(t *testing.T) string {
	c.busy.Lock()
	c.warm(t)
	marks := make([]int, len(c.all))
	for i, p := range c.all {
		marks[i] = len(p.out.String())
	}
	c.w.filling.Store(true)
	free := fill(t, c.disk)
	c.busy.Unlock()
	old, _ := document(t, c.spots[0], "jewel")
	steps := c.steps.Load()
	said := ""
	check.Await(t, "the database to run out of room", func() bool {
		for i, p := range c.all {
			if text := p.out.String()[marks[i]:]; strings.Contains(text, "No space left") ||
				strings.Contains(text, "could not extend") || strings.Contains(text, "SQLSTATE 57P") {
				said = "the log says that the database has no room"
			}
		}
		return said != "" && c.steps.Load() > steps+3
	})
	now, err := document(t, c.spots[0], "jewel")
	if err != nil || now.AsOf.Before(*old.AsOf) {
		t.Errorf("a figure was lost: %v, %v", now, err)
	}
	free()
	if err := c.db.Ping(); err != nil { // PostgreSQL stops if it cannot write its log
		c.pg.Stop()
		if err := c.pg.Start(); err != nil {
			t.Fatal(err)
		}
	}
	back := moves(t, c.spots...)
	c.w.filling.Store(false)
	return said + "; new figures " + seconds(back) + " after there is room again"
}

// restarted stops and starts one instance after the other.
func (c *cluster) restarted(t *testing.T) string {
	for i, p := range c.all {
		c.spots[i].down.Add(1)
		if code := p.stop(t); code != 0 {
			t.Errorf("%s ended with %d\n%s", p, code, tail(p.out.String()))
		}
		p.start(t)
		c.spots[i].down.Add(1)
		moves(t, c.spots...)
	}
	lead, _ := c.leader(t)
	c.whoLeads(t, lead)
	return "the others answer meanwhile"
}
