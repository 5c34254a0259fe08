package trial

import (
	"crypto/sha256"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"petsupply/testkit/check"
)

// A receiver gets the events of the cluster.
type receiver struct {
	name string
	url  string

	mu    sync.Mutex
	taken []delivery
}

// A delivery is an event that a receiver got.
type delivery struct {
	feed string
	seq  uint64
	id   string
	body [32]byte
}

// receivers are two receivers: one that takes everything, and one that sometimes takes an event and
// answers that it did not.
type receivers struct {
	all    []*receiver
	before map[string]uint64 // the newest number of each feed when both receivers were known
}

func newReceivers(t *testing.T) *receivers {
	return &receivers{all: []*receiver{newReceiver(t, "well", 0), newReceiver(t, "forgets", 20)}}
}

// newReceiver makes a receiver that answers every nth event with status 500, and none if n is 0.
func newReceiver(t *testing.T, name string, n int) *receiver {
	t.Helper()
	r := &receiver{name: name}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
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
		r.mu.Lock()
		defer r.mu.Unlock()
		r.taken = append(r.taken, d)
		if n > 0 && len(r.taken)%n == 0 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

// config returns their part of the configuration.
func (rs *receivers) config() string {
	text := "webhooks:\n"
	for _, r := range rs.all {
		text += fmt.Sprintf("  - {name: %s, url: %q, secret: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, private: true}\n",
			r.name, r.url)
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
	check.Await(t, "places in the feeds", func() bool {
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
	for feed, last := range newest(t, db) {
		for _, r := range rs.all {
			check.Await(t, fmt.Sprintf("%s to have %s %d", r.name, feed, last),
				func() bool { return r.inOrder(t, feed, rs.before[feed]) >= last })
		}
	}
}

// inOrder checks that the events of a feed arrived in order, apart from repetitions, and that none
// is missing after the number before. It returns the last number.
func (r *receiver) inOrder(t *testing.T, feed string, before uint64) (last uint64) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := map[uint64]delivery{}
	for _, d := range r.taken {
		if d.feed != feed {
			continue
		}
		first, known := seen[d.seq]
		seen[d.seq] = d
		switch {
		case known && first != d:
			t.Fatalf("%s got two different events %s %d: %s and %s", r.name, feed, d.seq, first.id, d.id)
		case known:
			continue
		case last == 0 && d.seq > before+1, last != 0 && d.seq != last+1:
			t.Fatalf("%s got %s %d after %d; the feed had %d when it began", r.name, feed, d.seq, last, before)
		}
		last = d.seq
	}
	return last
}
