package trial

import (
	"crypto/sha256"
	"database/sql"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// receivers get the events of the cluster. Until they are healed, some of them hang, are down, or
// redirect. Others stay slow, or forget the events that they accepted.
type receivers struct {
	all    []*receiver
	healed atomic.Bool
	strays atomic.Int64      // requests that followed a redirect
	before map[string]uint64 // the newest number of each feed when all receivers were known
}

// A receiver is one receiver of events, with the events that it accepted.
type receiver struct {
	name    string
	address string

	mu    sync.Mutex
	taken []delivery
}

type delivery struct {
	feed string
	seq  uint64
	id   string
	body [32]byte
}

func newReceivers(t *testing.T) *receivers {
	rs := &receivers{}
	well := rs.add(t, "well", func(http.ResponseWriter, *http.Request, int) bool { return true })
	rs.add(t, "slow", func(_ http.ResponseWriter, q *http.Request, _ int) bool {
		select {
		case <-time.After(100 * time.Millisecond):
		case <-q.Context().Done():
		}
		return true
	})
	rs.add(t, "forgets", func(w http.ResponseWriter, _ *http.Request, n int) bool {
		if n%20 == 0 { // it accepts the request but answers that it did not
			w.WriteHeader(http.StatusInternalServerError)
		}
		return true
	})
	rs.add(t, "hangs", func(_ http.ResponseWriter, q *http.Request, _ int) bool {
		if !rs.healed.Load() {
			<-q.Context().Done()
		}
		return rs.healed.Load()
	})
	rs.add(t, "redirects", func(w http.ResponseWriter, q *http.Request, _ int) bool {
		if !rs.healed.Load() {
			http.Redirect(w, q, "http://"+well.address+"/elsewhere", http.StatusTemporaryRedirect)
		}
		return rs.healed.Load()
	})
	rs.add(t, "away", func(http.ResponseWriter, *http.Request, int) bool { return true })
	return rs
}

// add makes a receiver. took reports whether it accepts its nth request.
func (rs *receivers) add(t *testing.T, name string, took func(http.ResponseWriter, *http.Request, int) bool) *receiver {
	t.Helper()
	r := &receiver{name: name}
	port, listen := boundPort(t)
	r.address = port
	var n atomic.Int64
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path != "/hook" {
			rs.strays.Add(1)
			return
		}
		body, err := io.ReadAll(q.Body)
		if err != nil {
			return
		}
		d := delivery{id: q.Header.Get("Webhook-Id"), body: sha256.Sum256(body)}
		var kind string
		if _, err := fmt.Sscanf(strings.ReplaceAll(d.id, "_", " "), "msg %s %d", &kind, &d.seq); err != nil {
			t.Errorf("%s got the id %q", name, d.id)
		}
		d.feed, _, _ = strings.Cut(kind, "-")
		if took(w, q, int(n.Add(1))) {
			r.mu.Lock()
			r.taken = append(r.taken, d)
			r.mu.Unlock()
		}
	})}
	serve := func() {
		l := listen()
		go func() { _ = srv.Serve(l) }()
	}
	if name == "away" {
		go func() {
			for !rs.healed.Load() && t.Context().Err() == nil {
				time.Sleep(10 * time.Millisecond)
			}
			serve()
		}()
	} else {
		serve()
	}
	t.Cleanup(func() { srv.Close() })
	rs.all = append(rs.all, r)
	return r
}

// boundPort reserves a port on loopback. It refuses connections until listen is called.
func boundPort(t *testing.T) (address string, listen func() net.Listener) {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err == nil {
		err = syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}})
	}
	if err != nil {
		t.Fatal(err)
	}
	file := os.NewFile(uintptr(fd), "socket")
	t.Cleanup(func() { file.Close() })
	name, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint("127.0.0.1:", name.(*syscall.SockaddrInet4).Port), func() net.Listener {
		if err := syscall.Listen(fd, 128); err != nil {
			t.Error(err)
		}
		l, err := net.FileListener(file)
		if err != nil {
			t.Error(err)
		}
		return l
	}
}

// config returns their part of the configuration.
func (rs *receivers) config() string {
	text := "webhooks:\n"
	for _, r := range rs.all {
		text += fmt.Sprintf("  - {name: %s, url: \"http://%s/hook\", secret: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, "+
			"private: true}\n", r.name, r.address)
	}
	return text
}

// newest reads the last number of each feed.
func newest(t *testing.T, db *sql.DB) map[string]uint64 {
	t.Helper()
	out := map[string]uint64{}
	for feed, table := range map[string]string{"pet": "pet_change", "supply": "supply_notice"} {
		var n uint64
		if err := db.QueryRow(`SELECT COALESCE(MAX(seq), 0) FROM ` + table).Scan(&n); err != nil {
			t.Fatal(err)
		}
		out[feed] = n
	}
	return out
}

// known waits until every receiver has a place in the feeds. From then on it gets every event.
func (rs *receivers) known(t *testing.T, db *sql.DB) {
	t.Helper()
	within(t, patience, "places in the feeds", func() bool {
		var n int
		err := db.QueryRow(`SELECT COUNT(*) FROM webhook`).Scan(&n)
		return err == nil && n == 2*len(rs.all)
	})
	rs.before = newest(t, db)
}

// judge waits until every receiver has everything. It checks that events came in order, that none
// is lost, and that repeated ones were the same.
func (rs *receivers) judge(t *testing.T, db *sql.DB) {
	t.Helper()
	last := newest(t, db)
	for _, r := range rs.all {
		for feed, want := range last {
			within(t, patience, fmt.Sprintf("%s to have %s %d", r.name, feed, want),
				func() bool { return r.has(feed, want) })
			first, repeated := r.inOrder(t, feed)
			if first > rs.before[feed]+1 {
				t.Errorf("%s got %s from %d on, want %d", r.name, feed, first, rs.before[feed]+1)
			}
			t.Logf("%s took %d to %d of %s, %d twice", r.name, first, want, feed, repeated)
		}
	}
	if n := rs.strays.Load(); n > 0 {
		t.Errorf("%d redirects were followed", n)
	}
}

func (r *receiver) has(feed string, seq uint64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.taken) - 1; i >= 0; i-- {
		if d := r.taken[i]; d.feed == feed && d.seq == seq {
			return true
		}
	}
	return false
}

// inOrder checks that the numbers of a feed arrived in order, apart from repetitions.
func (r *receiver) inOrder(t *testing.T, feed string) (first uint64, repeated int) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	seen, last := map[uint64]delivery{}, uint64(0)
	for _, d := range r.taken {
		if d.feed != feed {
			continue
		}
		before, known := seen[d.seq]
		switch {
		case known && before != d:
			t.Errorf("%s got two different events %s %d: %s and %s", r.name, feed, d.seq, before.id, d.id)
		case known:
			repeated++
			continue
		case last != 0 && d.seq != last+1:
			t.Errorf("%s got %s %d after %d", r.name, feed, d.seq, last)
		case last == 0:
			first = d.seq
		}
		seen[d.seq], last = d, d.seq
	}
	return first, repeated
}
