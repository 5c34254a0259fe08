package turns

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

var (
	greedy = netip.MustParseAddr("192.0.2.1")
	modest = netip.MustParseAddr("192.0.2.2")
)

// hold takes a place of a queue.
func hold(t *testing.T, q *Queue) (leave func()) {
	t.Helper()
	leave, err := q.Enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return leave
}

func checkEmpty(t *testing.T, q *Queue) {
	t.Helper()
	if q.busy != 0 || q.waiting != 0 || len(q.lines) != 0 || len(q.turns) != 0 {
		t.Errorf("%d work and %d wait in %d lines for %d turns", q.busy, q.waiting, len(q.lines), len(q.turns))
	}
}

// TestAddressesTakeTurns: an address that asks for much delays only itself.
func TestAddressesTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New("pictures", 1, 10)
		leave := hold(t, q)
		var mu sync.Mutex
		var order []string
		var all sync.WaitGroup
		ask := func(from netip.Addr, name string) {
			all.Go(func() {
				leave, err := q.Enter(For(t.Context(), from))
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					order = append(order, name+" refused")
					return
				}
				order = append(order, name)
				leave()
			})
			synctest.Wait()
		}
		for range 10 {
			ask(greedy, "greedy")
		}
		ask(modest, "modest") // the queue is full: the longest line gives way
		leave()
		all.Wait()
		want := "greedy refused, greedy, modest, greedy, greedy, greedy, greedy, greedy, greedy, greedy, greedy"
		if got := strings.Join(order, ", "); got != want {
			t.Errorf("done in this order: %s", got)
		}
		checkEmpty(t, q)
	})
}

// TestLittleWorkGoesFirst: long work of one address delays another only until the piece under way
// is done.
func TestLittleWorkGoesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New("lists", 1, 100)
		var all sync.WaitGroup
		var longest time.Duration
		work := func(from netip.Addr, takes time.Duration) {
			asked := time.Now()
			leave, err := q.Enter(For(t.Context(), from))
			if err != nil {
				t.Error(err)
				return
			}
			if from == modest {
				longest = max(longest, time.Since(asked))
			}
			time.Sleep(takes)
			leave()
		}
		for i := range 8 {
			all.Go(func() {
				for range 20 {
					work(netip.AddrFrom4([4]byte{192, 0, 2, byte(10 + i)}), 10*time.Millisecond)
				}
			})
		}
		time.Sleep(95 * time.Millisecond) // some of their work is done
		for range 50 {
			all.Go(func() { work(modest, 100*time.Microsecond) })
			time.Sleep(20 * time.Millisecond)
		}
		all.Wait()
		if longest > 11*time.Millisecond {
			t.Errorf("little work waited for %v", longest)
		}
		checkEmpty(t, q)
	})
}

// TestAQueueWithoutRoomToWait: a queue may have places and no room to wait.
func TestAQueueWithoutRoomToWait(t *testing.T) {
	q := New("pictures", 1, 0)
	leave := hold(t, q)
	want := Busy{Work: "pictures", RetryAfter: time.Second}
	if _, err := q.Enter(For(t.Context(), modest)); !errors.Is(err, want) {
		t.Errorf("with no room to wait: %v", err)
	}
	leave()
	checkEmpty(t, q)
}

// TestManyAddressesAreForgotten: a queue remembers a bounded number of addresses.
func TestManyAddressesAreForgotten(t *testing.T) {
	q := New("lists", 1, 10)
	for i := range uint32(3 * maxLatest) {
		leave, err := q.Enter(For(t.Context(), netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})))
		if err != nil {
			t.Fatal(err)
		}
		leave()
		if len(q.latest) > maxLatest {
			t.Fatalf("%d addresses are remembered", len(q.latest))
		}
	}
}

// expired returns a context whose deadline has passed.
func expired(t *testing.T, from netip.Addr) context.Context {
	t.Helper()
	ctx, cancel := context.WithDeadline(For(t.Context(), from), time.Unix(1, 0))
	t.Cleanup(cancel)
	return ctx
}

// TestALongLineDoesNotRefuseOthers: an address with no line is not refused because another address
// has a long line.
func TestALongLineDoesNotRefuseOthers(t *testing.T) {
	q := New("pictures", 1, 1000)
	q.busy, q.average = 1, 100*time.Millisecond
	long := &line{from: greedy, waiters: make([]waiter, 50)}
	q.lines[greedy], q.turns = long, []*line{long}
	if wait := q.wait(modest); wait != 200*time.Millisecond {
		t.Errorf("the next one waits for %v", wait)
	}
	q.average = time.Minute
	if _, err := q.Enter(expired(t, modest)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the first one does not wait: %v", err)
	}
	q.average = 100 * time.Millisecond
	want := Busy{Work: "pictures", RetryAfter: 5 * time.Second}
	if _, err := q.Enter(For(t.Context(), greedy)); !errors.Is(err, want) {
		t.Errorf("the long line grows: %v", err)
	}
}

// TestACallerThatLeavesMakesRoom: a caller that gives up waiting takes no turn from others.
func TestACallerThatLeavesMakesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New("lists", 1, 10)
		leave := hold(t, q)
		ctx, cancel := context.WithCancel(For(t.Context(), modest))
		gone := make(chan error, 1)
		go func() { _, err := q.Enter(ctx); gone <- err }()
		synctest.Wait()
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) || q.Waiting() != 0 {
			t.Errorf("%v, and %d wait", err, q.Waiting())
		}
		leave()
		hold(t, q)()
		checkEmpty(t, q)
	})
}
