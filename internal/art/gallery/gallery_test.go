package gallery

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maypok86/otter/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"petsupply/internal/art"
	"petsupply/internal/pet/collection"
	"petsupply/internal/store/blobs"
	"petsupply/internal/turns"
)

func newGallery(t *testing.T, cfg Config) *Gallery {
	t.Helper()
	cfg.Renders, cfg.Queue = cmp.Or(cfg.Renders, 2), cmp.Or(cfg.Queue, 1024)
	cfg.Log = cmp.Or(cfg.Log, slog.New(slog.DiscardHandler))
	g, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return g
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

// smallPack opens a pack of few layers.
func smallPack(t *testing.T) *art.Pack {
	t.Helper()
	p, err := art.OpenDraft(collection.Pets(), "../testdata/draft")
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
	first, second := hold(t, g.ordinary), hold(t, g.ordinary) // both places are taken, so all must wait
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			if _, err := g.Picture(t.Context(), p, p.Look(map[string]uint64{"appearance": 1}), art.Whole); err != nil {
				t.Error(err)
			}
		})
	}
	synctest.Wait()
	if n := g.ordinary.Waiting(); n != 1 {
		t.Errorf("%d wait", n)
	}
	first()
	second()
	all.Wait()
	if d := count(g.metrics.drawn); d != 1 {
		t.Errorf("drawn %d times", d)
	}
}

func TestRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, g := smallPack(t), newGallery(t, Config{Renders: 1, Queue: 1})
		leave := hold(t, g.ordinary)
		var waiting sync.WaitGroup
		waiting.Go(func() {
			if _, err := g.Picture(t.Context(), p, p.Look(nil), art.Whole); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		_, err := g.Picture(t.Context(), p, p.Look(map[string]uint64{"appearance": 1}), art.Whole)
		if want := (turns.Busy{Work: "pictures", RetryAfter: time.Second}); !errors.Is(err, want) {
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
		p, g := smallPack(t), newGallery(t, Config{Renders: 1})
		leave := hold(t, g.ordinary)
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
	p, err := art.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	g := newGallery(t, Config{Memory: 100_000})
	for appearance := range 100 {
		mustPicture(t, g, p, p.Look(map[string]uint64{"appearance": uint64(appearance + 1)}))
	}
	memory := g.memory.(*otter.Cache[string, []byte])
	memory.CleanUp()
	if n, size := memory.EstimatedSize(), memory.WeightedSize(); n < 5 || n > 60 || size > 100_000 {
		t.Errorf("%d pictures, %d bytes", n, size)
	}
}

// testBlobs checks the promises about any blob store: pictures are found again after a restart, a
// damaged one is replaced, and the layout is as documented.
func testBlobs(t *testing.T, reopen func() blobs.Store) {
	t.Helper()
	p := smallPack(t)
	l := p.Look(map[string]uint64{"egg": 3, "appearance": 1})
	name := p.File(p.Key(l, art.Whole))
	start := func() (*Gallery, blobs.Store) {
		b := reopen()
		return newGallery(t, Config{Blobs: b}), b
	}

	g, b := start()
	png := mustPicture(t, g, p, l)
	if err := g.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	kept, err := b.Get(t.Context(), name)
	if err != nil || !bytes.Equal(kept, png) {
		t.Fatalf("%s is not in the store: %v", name, err)
	}

	g, b = start()
	mustPicture(t, g, p, l)
	if d, n := count(g.metrics.drawn), count(g.metrics.blob); d != 0 || n != 1 {
		t.Errorf("after a restart: %d drawn, %d from the store", d, n)
	}

	for _, damage := range [][]byte{nil, png[:len(png)/2], []byte("<html>"), bytes.Replace(png, []byte("IDAT"),
		[]byte("IDAX"), 1)} {
		if err := b.Put(t.Context(), name, damage); err != nil {
			t.Fatal(err)
		}
		g, b = start()
		mustPicture(t, g, p, l)
		if err := g.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		kept, err := b.Get(t.Context(), name)
		if err != nil || !bytes.Equal(kept, png) || count(g.metrics.damaged) != 1 {
			t.Errorf("a damaged picture was not replaced: %v", err)
		}
	}
}

// memoryBlobs is a blob store in memory, until it is closed.
type memoryBlobs struct {
	mu     sync.Mutex
	bodies map[string][]byte // nil when closed
}

func (b *memoryBlobs) Get(_ context.Context, key string) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	body, ok := b.bodies[key]
	switch {
	case b.bodies == nil:
		return nil, fs.ErrClosed
	case !ok:
		return nil, fs.ErrNotExist
	}
	return bytes.Clone(body), nil
}

func (b *memoryBlobs) Put(_ context.Context, key string, body []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bodies == nil {
		return fs.ErrClosed
	}
	b.bodies[key] = bytes.Clone(body)
	return nil
}

func (b *memoryBlobs) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bodies = nil
	return nil
}

func TestBlobs(t *testing.T) {
	b := &memoryBlobs{bodies: map[string][]byte{}}
	testBlobs(t, func() blobs.Store { return b })
}

// counter is a log that only counts.
type counter struct {
	slog.Handler
	n *atomic.Int32
}

func (c counter) Enabled(context.Context, slog.Level) bool      { return true }
func (c counter) Handle(_ context.Context, r slog.Record) error { c.n.Add(1); return nil }

// TestBlobsFail: a store that does not answer is counted and logged. It is not used for a while,
// and callers notice nothing.
func TestBlobsFail(t *testing.T) {
	b := &memoryBlobs{} // closed
	var told atomic.Int32
	p := smallPack(t)
	g := newGallery(t, Config{Blobs: b, Log: slog.New(counter{slog.DiscardHandler, &told})})
	for egg := range uint64(5) {
		mustPicture(t, g, p, p.Look(map[string]uint64{"egg": egg}))
	}
	if n := count(g.metrics.readFailed); n != 1 {
		t.Errorf("%d reads of a store that is away", n)
	}
	if told.Load() == 0 || count(g.metrics.skipped) == 0 {
		t.Errorf("logged %d times, %d writes left out", told.Load(), count(g.metrics.skipped))
	}
	g.blobs.pausedUntil.Store(0)
	mustPicture(t, g, p, p.Look(map[string]uint64{"egg": 1, "appearance": 1}))
	if n := count(g.metrics.readFailed); n != 2 {
		t.Errorf("%d reads: not tried again", n)
	}
	if wait := time.Duration(g.blobs.backOff.Load()); wait < 2*firstWait {
		t.Errorf("the second wait is %v", wait)
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
	if err != nil || len(families) < 4 {
		t.Errorf("%d metrics, %v", len(families), err)
	}
}

// TestOrdinaryPicturesDoNotWaitForCostlyOnes: an ordinary picture is drawn at once, although costly
// ones take all their places and fill their queue.
func TestOrdinaryPicturesDoNotWaitForCostlyOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := art.Embedded()
		if err != nil {
			t.Fatal(err)
		}
		g := newGallery(t, Config{Renders: 1, Queue: 1})
		leave := hold(t, g.costly)
		var costly sync.WaitGroup
		costly.Go(func() {
			view := art.View{Frame: true, Background: true, Scale: 12, Form: art.GIF}
			if _, err := g.Picture(t.Context(), p, p.Look(nil), view); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		for _, view := range []art.View{art.Whole, {Frame: true, Scale: p.MaxScale()}} {
			if _, err := g.Picture(t.Context(), p, p.Look(map[string]uint64{"appearance": 1}), view); err != nil {
				t.Errorf("an ordinary picture: %v", err)
			}
		}
		if _, err := g.Picture(t.Context(), p, p.Look(map[string]uint64{"appearance": 2}),
			art.View{Form: art.Moving}); err == nil {
			t.Error("a moving picture was drawn although the queue of costly ones is full")
		}
		leave()
		costly.Wait()
	})
}

// TestAPanicIsAnError: a pack that cannot be drawn fails its own pictures only.
func TestAPanicIsAnError(t *testing.T) {
	g := newGallery(t, Config{Renders: 1})
	for range 3 { // the place is free again
		_, err := g.Card(t.Context(), "broken", func() []byte { panic("a defect") })
		if err == nil || !strings.Contains(err.Error(), "a defect") {
			t.Fatalf("a drawing that panics: %v", err)
		}
	}
	png, err := g.Card(t.Context(), "sound", func() []byte { return []byte("png") })
	if err != nil || string(png) != "png" {
		t.Errorf("the next one: %q, %v", png, err)
	}
}
