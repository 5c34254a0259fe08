package turns

import (
	"context"
	"errors"
	"net/netip"
	"slices"
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

// hold takes a place of a queue for an address.
func hold(t *testing.T, q *Queue, from netip.Addr) (leave func()) {
	t.Helper()
	leave, err := q.Enter(For(t.Context(), from))
	if err != nil {
		t.Fatal(err)
	}
	return leave
}

func checkEmpty(t *testing.T, q *Queue, places int) {
	t.Helper()
	if !q.places.TryAcquire(int64(places)) || q.Waiting() != 0 || len(q.lines) != 0 {
		t.Errorf("not all of %d places are free, or %d wait, or %d addresses work", places, q.Waiting(), len(q.lines))
		return
	}
	q.places.Release(int64(places))
}

// A record keeps in which order callers get their turns.
type record struct {
	*testing.T
	q     *Queue
	mu    sync.Mutex
	names []string
	all   sync.WaitGroup
}

func (l *record) ask(from netip.Addr, name string) {
	l.all.Go(func() {
		leave, err := l.q.Enter(For(l.Context(), from))
		if err != nil {
			l.add(name + " refused")
			return
		}
		l.add(name)
		time.Sleep(time.Millisecond)
		leave()
	})
	synctest.Wait()
}

func (l *record) add(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.names = append(l.names, name)
}

func (l *record) expect(want string) {
	l.Helper()
	l.all.Wait()
	if got := strings.Join(l.names, ", "); got != want {
		l.Errorf("the order was %s, not %s", got, want)
	}
}

func TestFirstComeFirstServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &record{T: t, q: New("pictures", 1, 128)}
		leave := hold(t, l.q, netip.Addr{})
		l.ask(greedy, "a")
		l.ask(modest, "b")
		l.ask(greedy, "c")
		leave()
		l.expect("a, b, c")
		checkEmpty(t, l.q, 1)
	})
}

// An address that asks for much delays only itself.
func TestTheFirstOfEachAddressGoesBeforeTheSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &record{T: t, q: New("pictures", 1, 128)}
		leave := hold(t, l.q, greedy)
		for range 4 {
			l.ask(greedy, "greedy")
		}
		l.ask(modest, "modest")
		l.ask(modest, "modest too")
		leave()
		l.expect("modest, greedy, modest too, greedy, greedy, greedy")
		checkEmpty(t, l.q, 1)
	})
}

// An address has half of the places to work. Others do not wait for it.
func TestASlowAddressKeepsNobodyOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New("lists", 4, 128)
		held := []func(){hold(t, q, greedy), hold(t, q, greedy)}
		waits := &record{T: t, q: q}
		waits.ask(greedy, "greedy")
		if q.Waiting() != 1 {
			t.Error("a third caller of one address works")
		}
		others := []func(){hold(t, q, modest), hold(t, q, netip.MustParseAddr("2001:db8::"))}
		for _, leave := range slices.Concat(held, others) {
			leave()
		}
		waits.expect("greedy")
		checkEmpty(t, q, 4)
	})
}

// An address has one in 32 of the places to wait. The others are for other addresses.
func TestTheRoomToWaitIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &record{T: t, q: New("pictures", 1, 64)}
		leave := hold(t, l.q, greedy)
		for range 4 {
			l.ask(greedy, "greedy")
		}
		l.ask(modest, "modest")
		leave()
		l.expect("greedy refused, greedy refused, modest, greedy, greedy")

		leave = hold(t, l.q, greedy)
		for i := range 70 {
			l.ask(netip.AddrFrom4([4]byte{10, 0, 0, byte(i)}), "one")
		}
		if n := l.q.Waiting(); n != 64 {
			t.Errorf("%d wait", n)
		}
		leave()
		l.all.Wait()
		checkEmpty(t, l.q, 1)
	})
}

func TestNobodyWaitsForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New("lists", 1, 8)
		leave := hold(t, q, greedy)
		begin := time.Now()
		_, err := q.Enter(For(t.Context(), modest))
		if want := (Busy{"lists"}); !errors.Is(err, want) || time.Since(begin) != maxWait {
			t.Errorf("after %v: %v", time.Since(begin), err)
		}
		leave()
		checkEmpty(t, q, 1)
	})
}

func TestACallerWhoLeavesTakesNoTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New("pictures", 1, 8)
		leave := hold(t, q, greedy)
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan error)
		go func() {
			_, err := q.Enter(ctx)
			gone <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) || q.Waiting() != 0 {
			t.Errorf("%v, and %d wait", err, q.Waiting())
		}
		leave()
		checkEmpty(t, q, 1)
	})
}

// Turns that come at the moment in which their callers give up are not lost.
func TestNoPlaceIsLost(t *testing.T) {
	q := New("pictures", 2, 1000)
	var all sync.WaitGroup
	for i := range 400 {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%20)*10*time.Microsecond)
			defer cancel()
			leave, err := q.Enter(For(ctx, netip.AddrFrom4([4]byte{10, 0, 0, byte(i % 7)})))
			if err == nil {
				leave()
			}
		})
	}
	all.Wait()
	checkEmpty(t, q, 2)
}
