package store

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/turns"
)

// minutes fills the store with rows of a token, one a minute. The total of each row is its number.
func minutes(t testing.TB, s *Store, rows int) {
	t.Helper()
	_, err := s.db.ExecContext(t.Context(), fmt.Sprintf(`
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %[1]d)
		INSERT INTO reading (token, number, taken, least, measured, snapshot, ledger,
			total, circulating, burned, locked, reserved, blocks, daily)
		SELECT 'jewel', i, %[2]d + i * m, %[2]d + i * m, %[2]d + i * m, CAST(i AS TEXT), 'ledger',
			CAST(i AS TEXT), '1', '0', '0', '0', '[]', 0
		FROM n, (SELECT CAST(60000 AS BIGINT) AS m) AS minute`,
		rows, demo.Start.UnixMilli()))
	if err != nil {
		t.Fatal(err)
	}
	if s.db.Kind == "postgres" { // gather statistics, as autovacuum does
		if _, err := s.db.ExecContext(t.Context(), "ANALYZE reading"); err != nil {
			t.Fatal(err)
		}
	}
}

// A history of six weeks reads about as many rows as one of half a day.
func TestTheCostOfAHistoryDependsOnItsAnswer(t *testing.T) {
	const points = 50
	onBoth(t, func(t *testing.T, url string) {
		s := open(t, url)
		counter := countRows(t, s, "reading")
		var read []int64
		for _, rows := range []int{600, 60_000} {
			if _, err := s.db.ExecContext(t.Context(), "DELETE FROM reading"); err != nil {
				t.Fatal(err)
			}
			minutes(t, s, rows)
			before := counter.read(t)
			got, err := s.History(t.Context(), "jewel", demo.Start, demo.Start.AddDate(1, 0, 0), points)
			if err != nil || len(got) != points || got[0].Total.String() != "1" ||
				got[points-1].Total.String() != fmt.Sprint(rows) {
				t.Fatalf("%d of %d points, %v", len(got), points, err)
			}
			read = append(read, counter.read(t)-before)
		}
		if read[1] > 2*read[0] {
			t.Errorf("%d points of 600 and of 60,000 rows cost %d rows", points, read)
		}
	})
}

func TestGapsBetweenMeasurements(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := open(t, url)
		minutes(t, s, 100)
		_, err := s.db.ExecContext(t.Context(),
			`DELETE FROM reading WHERE number BETWEEN 11 AND 30 OR number BETWEEN 61 AND 65`)
		if err != nil {
			t.Fatal(err)
		}
		minute := func(n int) time.Time { return demo.Start.Add(time.Duration(n) * time.Minute) }
		for name, c := range map[string]struct {
			since   time.Time
			longest time.Duration
			want    []supply.Gap
		}{
			"all": {demo.Start, time.Minute,
				[]supply.Gap{{From: minute(10), To: minute(31)}, {From: minute(60), To: minute(66)}}},
			"long ones":              {demo.Start, 6 * time.Minute, []supply.Gap{{From: minute(10), To: minute(31)}}},
			"one that has begun":     {minute(20), 6 * time.Minute, []supply.Gap{{From: minute(10), To: minute(31)}}},
			"none that ended before": {minute(31), 6 * time.Minute, nil},
			"none that is so long":   {demo.Start, time.Hour, nil},
		} {
			got, err := s.Gaps(t.Context(), "jewel", c.since, c.longest)
			if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
				t.Errorf("%s: %v %s", name, err, diff)
			}
		}
	})
}

func TestTheNearestEvidenceThatIsKept(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		if _, err := s.EvidenceAt(t.Context(), "jewel", demo.End); !errors.Is(err, supply.ErrNotFound) {
			t.Errorf("an empty store: %v", err)
		}
		day := 24 * time.Hour
		thinned := jewel(t, demo.Start.Add(2*day))
		appendRows(t, s, jewel(t, demo.Start), thinned, jewel(t, demo.Start.Add(3*day)))
		_, err := s.db.ExecContext(t.Context(), `UPDATE reading SET evidence = NULL WHERE snapshot = $1`, thinned.ID)
		if err != nil {
			t.Fatal(err)
		}
		for at, want := range map[time.Duration]time.Duration{-day: 0, 0: 0, 2 * day: 0, 3 * day: 3 * day,
			90 * day: 3 * day} {
			ev, err := s.EvidenceAt(t.Context(), "jewel", demo.Start.Add(at))
			if err != nil || !ev.AsOf.Equal(demo.Start.Add(want)) {
				t.Errorf("at %s: %v, want that of %s", at, err, want)
			}
		}
	})
}

func TestNobodyTakesAllConnections(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		n := jewel(t, demo.End)
		saved(t, s, supply.Change{Record: record(n), Publishes: true})
		release := crowd(t, s.turns)
		if _, err := s.History(turns.For(t.Context(), greedy), "jewel", demo.Start, demo.End, 5); !isBusy(err) {
			t.Errorf("one more got %v", err)
		}
		other := turns.For(t.Context(), netip.MustParseAddr("192.0.2.2"))
		if _, err := s.History(other, "jewel", demo.Start, demo.End, 5); err != nil {
			t.Errorf("another address waits for the slow one: %v", err)
		}
		if _, err := s.PetsByID(t.Context(), []uint64{1}); err != nil {
			t.Errorf("pets are not looked up meanwhile: %v", err)
		}
		release()
		if got, err := s.History(t.Context(), "jewel", demo.Start, demo.End, 5); err != nil || len(got) != 1 {
			t.Errorf("afterwards %d points, %v", len(got), err)
		}
	})
}

// greedy is the address of a client that asks too often.
var greedy = netip.MustParseAddr("192.0.2.1")

// crowd lets one address take all places that it can get in a queue.
func crowd(t *testing.T, q *turns.Queue) (release func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(turns.For(t.Context(), greedy))
	var all sync.WaitGroup
	for range 1000 { // more than the queue has places
		all.Go(func() {
			leave, err := q.Enter(ctx)
			if err == nil {
				<-ctx.Done()
				leave()
			}
		})
	}
	for q.Waiting() < maxWaiting/32 {
		runtime.Gosched()
	}
	return func() { cancel(); all.Wait() }
}

// isBusy reports whether err means that too many callers ask.
func isBusy(err error) bool {
	_, ok := errors.AsType[turns.Busy](err)
	return ok
}
