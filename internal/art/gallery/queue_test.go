package gallery

import (
	"errors"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"petsupply/internal/art"
)

var (
	greedy = netip.MustParseAddr("192.0.2.1")
	modest = netip.MustParseAddr("192.0.2.2")
)

// TestAddressesTakeTurns: one that asks for many pictures delays only itself.
func TestAddressesTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newDrawQueue(1, 10)
		hold(t, q)
		var mu sync.Mutex
		var order []string
		var all sync.WaitGroup
		ask := func(from netip.Addr, name string) {
			all.Go(func() {
				err := q.draw(from, func() {
					mu.Lock()
					defer mu.Unlock()
					order = append(order, name)
				})
				if err != nil {
					mu.Lock()
					defer mu.Unlock()
					order = append(order, name+" refused")
				}
			})
			synctest.Wait()
		}
		for range 10 {
			ask(greedy, "greedy")
		}
		ask(modest, "modest") // the queue is full: the longest line gives way
		q.leave(0)
		all.Wait()
		want := "greedy refused, greedy, modest, greedy, greedy, greedy, greedy, greedy, greedy, greedy, greedy"
		if got := strings.Join(order, ", "); got != want {
			t.Errorf("drawn in this order: %s", got)
		}
		if q.busy != 0 || q.waiting != 0 || len(q.lines) != 0 {
			t.Errorf("%d draw and %d wait in %d lines", q.busy, q.waiting, len(q.lines))
		}
	})
}

// TestALongLineIsNotWaitedFor: what others wait for does not refuse the picture of an
// address that waits for none.
func TestALongLineIsNotWaitedFor(t *testing.T) {
	q := newDrawQueue(1, 1000)
	q.busy, q.average = 1, 100*time.Millisecond
	q.lines[greedy] = make([]*waiter, 50)
	if wait := q.wait(modest); wait != 200*time.Millisecond {
		t.Errorf("the next one waits for %v", wait)
	}
	if err := q.enter(greedy); !errors.Is(err, Busy{RetryAfter: 5 * time.Second}) {
		t.Errorf("the long line grows: %v", err)
	}
}

// TestOrdinaryPicturesDoNotWaitForDearOnes: while dear ones take all their places and
// fill their queue, an ordinary one is drawn at once.
func TestOrdinaryPicturesDoNotWaitForDearOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := art.Embedded()
		if err != nil {
			t.Fatal(err)
		}
		g := newGallery(t, Config{Renders: 1, Queue: 1})
		hold(t, g.dear)
		var dear sync.WaitGroup
		dear.Go(func() {
			view := art.View{Frame: true, Background: true, Scale: 12, Form: art.GIF}
			if _, err := g.Picture(t.Context(), greedy, p, p.Look(nil), view); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		for _, view := range []art.View{art.Whole, {Frame: true, Scale: p.MaxScale()}} {
			if _, err := g.Picture(t.Context(), greedy, p, p.Look(map[string]uint64{"appearance": 1}), view); err != nil {
				t.Errorf("an ordinary picture: %v", err)
			}
		}
		if _, err := g.Picture(t.Context(), modest, p, p.Look(map[string]uint64{"appearance": 2}), art.View{Form: art.Moving}); err == nil {
			t.Error("a moving picture was drawn although the queue of dear ones is full")
		}
		g.dear.leave(0)
		dear.Wait()
	})
}

// TestAPanicIsAnError: a pack that cannot be drawn fails its own pictures only.
func TestAPanicIsAnError(t *testing.T) {
	g := newGallery(t, Config{Renders: 1})
	for range 3 { // the place is free again
		_, err := g.Card(t.Context(), netip.Addr{}, "broken", func() []byte { panic("a defect") })
		if err == nil || !strings.Contains(err.Error(), "a defect") {
			t.Fatalf("a drawing that panics: %v", err)
		}
	}
	png, err := g.Card(t.Context(), netip.Addr{}, "sound", func() []byte { return []byte("png") })
	if err != nil || string(png) != "png" {
		t.Errorf("the next one: %q, %v", png, err)
	}
}
