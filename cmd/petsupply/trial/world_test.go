package trial

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"petsupply/internal/pet/index"
	"petsupply/testkit/check"
	"petsupply/testkit/kingdom"
)

// shared is the kingdom that all tests use, one after the other. Founding one takes longer than
// most tests.
var shared struct {
	sync.Mutex
	kingdom *kingdom.Kingdom
}

// A world is the kingdom, the truth about it, and the store of a service that publishes it.
type world struct {
	*oracle
	pastRows
	db *sql.DB // opened without any instance

	busy  sync.Mutex // held while the kingdom changes
	steps atomic.Int64
}

func newWorld(t *testing.T) *world {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.kingdom == nil {
		k, err := kingdom.Found(t.Context(), kingdom.Options{Pets: 16, Seed: 11})
		if err != nil {
			t.Fatal(err)
		}
		shared.kingdom = k
	}
	return &world{oracle: &oracle{shared.kingdom, map[string]kingdom.Book{}}}
}

// endWorld ends the kingdom's nodes.
func endWorld() {
	if shared.kingdom != nil {
		shared.kingdom.Close()
	}
}

// ids returns the pets that exist now.
func (w *world) ids() []uint64 {
	var ids []uint64
	for id := range w.Places() {
		ids = append(ids, id)
	}
	return ids
}

// live changes the kingdom until the test ends or stop is called.
func (w *world) live(t *testing.T) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() {
		for ctx.Err() == nil {
			w.busy.Lock()
			_, err := w.Step(context.WithoutCancel(ctx), 4) // a step is never half done
			w.busy.Unlock()
			if err != nil {
				t.Errorf("the kingdom: %v", err)
				return
			}
			w.steps.Add(1)
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	})
	return func() { cancel(); done.Wait() }
}

// indexed reports whether the store has caught up with the chains.
func (w *world) indexed(t *testing.T) bool {
	for _, r := range w.Realms {
		height, err := r.Chain.Height(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if r.Chain.Finality != "latest" {
			height -= 2
		}
		var text string
		var cursor index.Position
		if err := w.db.QueryRow(`SELECT position FROM pet_realm WHERE realm = $1`, r.Key).Scan(&text); err != nil {
			return false
		}
		if err := json.Unmarshal([]byte(text), &cursor); err != nil {
			t.Fatal(err)
		}
		if cursor.Phase != "follow" || cursor.Block.Number < height {
			return false
		}
	}
	var wanted int
	err := w.db.QueryRow(`SELECT COUNT(*) FROM pet_wanted`).Scan(&wanted)
	return err == nil && wanted == 0
}

// catchUp stops the changes, and waits until the store has everything.
func (w *world) catchUp(t *testing.T) {
	t.Helper()
	if err := w.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	check.Await(t, "the index to catch up", func() bool { return w.indexed(t) })
	w.look(t, w.db)
}

// compareAll ends a trial. It compares all answers that the watcher saw, and everything in the store,
// with the truth.
func (w *world) compareAll(t *testing.T, told *watcher) {
	t.Helper()
	told.report(t)
	w.catchUp(t)
	figures, pets := w.oracle.judge(t, told)
	w.pastRows.judge(t, w.oracle)
	w.served(t, told)
	t.Logf("%d different figures and %d states of pets were answered; history has %d rows, the store %d pets",
		figures, pets, len(w.rows), w.comparePets(t, w.db))
}

// moves waits until all these instances show figures that were measured, or confirmed, after the
// call.
func moves(t *testing.T, spots ...*place) time.Duration {
	t.Helper()
	began := time.Now()
	return check.Await(t, "new figures", func() bool {
		for _, s := range spots {
			_, _, body, err := get(t.Context(), probing, "http://"+s.ops+"/metrics")
			found := confirmedAge.FindSubmatch(body)
			if err != nil || found == nil {
				return false
			}
			age, err := strconv.ParseFloat(string(found[1]), 64)
			if err != nil || time.Since(began).Seconds() <= age {
				return false
			}
		}
		return true
	})
}

var confirmedAge = regexp.MustCompile(`(?m)^petsupply_supply_confirmed_age_seconds\{token="jewel"\} (\S+)$`)

func document(t testing.TB, at *place, token string) (d tokenDoc, err error) {
	status, _, body, err := get(t.Context(), probing, at.base+"/supply/"+token)
	if err != nil || status != http.StatusOK {
		return d, fmt.Errorf("status %d, %v", status, err)
	}
	return d, json.Unmarshal(body, &d)
}
