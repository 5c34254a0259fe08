package gallery

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"petsupply/internal/art"
	"petsupply/internal/pet/collection"
	"petsupply/internal/turns"
)

func newGallery(t *testing.T, cfg Config) *Gallery {
	t.Helper()
	cfg.Turns = cmp.Or(cfg.Turns, turns.New("answers", 1, 4))
	return New(cfg)
}

// mustPicture returns a picture from the gallery, and checks that the pack draws the same one.
func mustPicture(t *testing.T, g *Gallery, p *art.Pack, l art.Look) []byte {
	t.Helper()
	png, err := g.Picture(t.Context(), p, l, art.Whole)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(png, p.Draw(l, art.Whole)) {
		t.Fatalf("%v: not the picture that the pack draws", l)
	}
	return png
}

// openSmall opens a pack of few layers once for all tests: it never changes.
var openSmall = sync.OnceValues(func() (*art.Pack, error) {
	return art.Open(collection.Pets(), "../../../packs/starter")
})

func smallPack(t *testing.T) *art.Pack {
	t.Helper()
	p, err := openSmall()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// hold takes a place of a queue. leave gives it back.
func hold(t *testing.T, q *turns.Queue) (leave func()) {
	t.Helper()
	leave, err := q.Enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return leave
}

func count(c prometheus.Collector) int { return int(testutil.ToFloat64(c)) }

func TestRemembers(t *testing.T) {
	p, g := smallPack(t), newGallery(t, Config{})
	l := p.Look(map[string]uint64{"appearance": 1})
	if _, ok := g.Peek(p.Key(l, art.Whole)); ok {
		t.Error("there before it was asked for")
	}
	first := mustPicture(t, g, p, l)
	again, ok := g.Peek(p.Key(l, art.Whole))
	if !ok || &again[0] != &first[0] {
		t.Error("the picture was not remembered")
	}
	mustPicture(t, g, p, l)
	// drawn alike, so it is the same picture
	mustPicture(t, g, p, p.Look(map[string]uint64{"appearance": 1, "background": 250}))
	if d, m := count(g.metrics.drawn), count(g.metrics.memory); d != 1 || m != 3 {
		t.Errorf("%d drawn, %d from memory", d, m)
	}
}

// TestDrawsOnce: a picture is drawn once, however many callers ask at the same time.
func TestDrawsOnce(t *testing.T) { synctest.Test(t, testDrawsOnce) }

func testDrawsOnce(t *testing.T) {
	p, g := smallPack(t), newGallery(t, Config{})
	leave := hold(t, g.turns) // the only place is taken, so all must wait
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			if _, err := g.Picture(t.Context(), p, p.Look(map[string]uint64{"appearance": 1}), art.Whole); err != nil {
				t.Error(err)
			}
		})
	}
	synctest.Wait()
	if n := g.turns.Waiting(); n != 1 {
		t.Errorf("%d wait", n)
	}
	leave()
	all.Wait()
	if d := count(g.metrics.drawn); d != 1 {
		t.Errorf("drawn %d times", d)
	}
}

func TestRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, g := smallPack(t), newGallery(t, Config{})
		leave := hold(t, g.turns)
		var waiting sync.WaitGroup
		waiting.Go(func() {
			if _, err := g.Picture(t.Context(), p, p.Look(nil), art.Whole); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		_, err := g.Picture(t.Context(), p, p.Look(map[string]uint64{"appearance": 1}), art.Whole)
		if want := (turns.Busy{Work: "answers"}); !errors.Is(err, want) {
			t.Errorf("not refused as it should be: %v", err)
		}
		leave()
		waiting.Wait()
		if n := count(g.metrics.busy); n != 1 {
			t.Errorf("%d refused", n)
		}
		mustPicture(t, g, p, p.Look(map[string]uint64{"appearance": 1}))
	})
}

// TestAPictureIsKeptAfterItsCallerLeft: a picture is drawn and kept although its caller has left.
func TestAPictureIsKeptAfterItsCallerLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, g := smallPack(t), newGallery(t, Config{})
		leave := hold(t, g.turns)
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan error)
		go func() {
			_, err := g.Picture(ctx, p, p.Look(nil), art.Whole)
			left <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("left with %v", err)
		}
		leave()
		synctest.Wait()
		if _, ok := g.Peek(p.Key(p.Look(nil), art.Whole)); !ok {
			t.Error("the picture was not drawn")
		}
	})
}

func TestIsBounded(t *testing.T) {
	p := smallPack(t)
	g := newGallery(t, Config{Memory: 30_000})
	keys := map[string]bool{}
	for i := range 40 {
		look := p.Look(map[string]uint64{"element": uint64(i % 8), "egg": uint64(i / 8)})
		mustPicture(t, g, p, look)
		keys[p.Key(look, art.Whole)] = true
	}
	pictures, size := 0, 0
	for key := range keys {
		if png, ok := g.Peek(key); ok {
			pictures++
			size += cap(png)
		}
	}
	if pictures < 5 || pictures == len(keys) || size > 30_000 {
		t.Errorf("%d of %d pictures, %d bytes", pictures, len(keys), size)
	}
}

func TestMetrics(t *testing.T) {
	g := newGallery(t, Config{})
	r := prometheus.NewPedanticRegistry()
	for _, c := range g.Collectors() {
		if err := r.Register(c); err != nil {
			t.Error(err)
		}
	}
	p := smallPack(t)
	mustPicture(t, g, p, p.Look(nil))
	families, err := r.Gather()
	if err != nil || len(families) < 2 {
		t.Errorf("%d metrics, %v", len(families), err)
	}
}

// TestAPanicIsAnError: a pack that cannot be drawn fails its own pictures only.
func TestAPanicIsAnError(t *testing.T) {
	g := newGallery(t, Config{})
	picture := func(paint func() []byte) ([]byte, error) {
		return g.once(t.Context(), "key", paint)
	}
	for range 3 { // the place is free again
		_, err := picture(func() []byte { panic("a defect") })
		if err == nil || !strings.Contains(err.Error(), "a defect") {
			t.Fatalf("a drawing that panics: %v", err)
		}
	}
	png, err := picture(func() []byte { return []byte("png") })
	if err != nil || string(png) != "png" {
		t.Errorf("the next one: %q, %v", png, err)
	}
}
