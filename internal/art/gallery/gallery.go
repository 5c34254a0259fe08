// Package gallery keeps the pictures that art draws, in memory. It draws each picture once, however
// many callers wait for it. It refuses callers when too many wait.
package gallery

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/singleflight"

	"petsupply/internal/art"
	"petsupply/internal/cache"
	"petsupply/internal/turns"
)

// A Config has the settings of a Gallery.
type Config struct {
	Memory int          // bytes of pictures kept in memory; 0 means 16 MB
	Turns  *turns.Queue // pictures wait here for a processor
}

// A Gallery returns pictures from memory, or draws them. It draws each once, however many callers
// ask at the same time.
type Gallery struct {
	memory  *cache.Cache[string, []byte] // pictures by their render keys (art.Pack.Key)
	flights singleflight.Group
	turns   *turns.Queue
	metrics *metrics
}

// New returns an empty gallery.
func New(cfg Config) *Gallery {
	weight := func(key string, png []byte) int { return len(key) + cap(png) + entryCost }
	memory := cache.NewWeighed(cmp.Or(cfg.Memory, 16<<20), weight)
	return &Gallery{memory: memory, turns: cfg.Turns, metrics: newMetrics()}
}

// entryCost is about how many bytes the cache needs for one picture, besides its key and its PNG.
const entryCost = 128

// Peek returns the picture with this render key if it is in memory. The bytes are shared and must
// not be changed.
func (g *Gallery) Peek(key string) ([]byte, bool) {
	png, ok := g.memory.Get(key)
	if ok {
		g.metrics.memory.Inc()
	}
	return png, ok
}

// Picture returns the picture of a look, drawn at most once however many callers ask. It returns a
// turns.Busy if the wait would be too long, and ctx's error if ctx ends first. The bytes are shared
// and must not be changed.
func (g *Gallery) Picture(ctx context.Context, p *art.Pack, l art.Look, v art.View) ([]byte, error) {
	return g.once(ctx, p.Key(l, v), func() []byte { return p.Draw(l, v) })
}

// once returns the picture with a key from memory. If it is not there, once calls paint. Callers
// that ask for the same key meanwhile share the result.
func (g *Gallery) once(ctx context.Context, key string, paint func() []byte) ([]byte, error) {
	if png, ok := g.Peek(key); ok {
		return png, nil
	}
	// The flight continues when the caller that began it leaves. Others may be waiting for it, and
	// the picture is worth keeping.
	flight := g.flights.DoChan(key, func() (picture any, err error) {
		defer func() {
			if p := recover(); p != nil { // this goroutine has no other recover
				err = fmt.Errorf("drawing %s panicked: %v\n%s", key, p, debug.Stack())
			}
		}()
		return g.draw(context.WithoutCancel(ctx), key, paint)
	})
	select {
	case r := <-flight:
		if r.Err != nil {
			return nil, r.Err
		}
		return r.Val.([]byte), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// draw paints a picture when its turn comes, and keeps it in memory. For each key, only one caller at
// a time does this.
func (g *Gallery) draw(ctx context.Context, key string, paint func() []byte) ([]byte, error) {
	if png, ok := g.memory.Get(key); ok { // another caller has just drawn it
		g.metrics.memory.Inc()
		return png, nil
	}
	leave, err := g.turns.Enter(ctx)
	if err != nil {
		g.metrics.busy.Inc()
		return nil, err
	}
	defer leave()
	began := time.Now()
	png := paint()
	g.metrics.drawn.Inc()
	g.metrics.seconds.Observe(time.Since(began).Seconds())
	g.memory.Set(key, png)
	return png, nil
}

// Collectors returns the gallery's metrics.
func (g *Gallery) Collectors() []prometheus.Collector { return g.metrics.all }
