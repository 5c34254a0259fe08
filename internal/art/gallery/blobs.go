package gallery

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"petsupply/internal/art/gridpng"
	"petsupply/internal/store/blobs"
)

// A blobCache keeps pictures in a blob store, each under the name that art.Pack.File returns. It
// counts and logs faults of the store. Callers never see them, because the picture can be drawn
// instead.
type blobCache struct {
	blobs   blobs.Store
	metrics *metrics
	log     *slog.Logger

	pausedUntil atomic.Int64  // unix nanoseconds; the store is not used until then
	backOff     atomic.Int64  // nanoseconds of the last pause; 0 after a read without an error
	writing     chan struct{} // one element for each write under way
	writes      sync.WaitGroup
}

const (
	readTime    = 500 * time.Millisecond // the longest read; drawing a picture usually takes far less
	writeTime   = 10 * time.Second
	maxWrites   = 32
	firstWait   = time.Second
	longestWait = 30 * time.Second
)

// read returns a picture if it is complete and undamaged.
func (c *blobCache) read(ctx context.Context, name string) ([]byte, bool) {
	if time.Now().UnixNano() < c.pausedUntil.Load() {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	png, err := c.blobs.Get(ctx, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.metrics.readFailed.Inc()
		c.failed("reading from the blob store", name, err)
		return nil, false
	}
	c.backOff.Store(0)
	if err != nil {
		return nil, false
	}
	if err := gridpng.Check(png); err != nil {
		c.metrics.damaged.Inc()
		c.log.Warn("picture in the blob store is damaged and will be replaced", "name", name, "error", err)
		return nil, false
	}
	return png, true
}

// write stores a picture in the background. It does nothing while the store is paused or too many
// writes are under way, because the picture can be drawn again.
func (c *blobCache) write(ctx context.Context, name string, png []byte) {
	if time.Now().UnixNano() < c.pausedUntil.Load() {
		c.metrics.skipped.Inc()
		return
	}
	select {
	case c.writing <- struct{}{}:
	default:
		c.metrics.skipped.Inc()
		return
	}
	c.writes.Go(func() {
		defer func() { <-c.writing }()
		ctx, cancel := context.WithTimeout(ctx, writeTime)
		defer cancel()
		if err := c.blobs.Put(ctx, name, png); err != nil {
			c.metrics.writeFailed.Inc()
			c.failed("writing to the blob store", name, err)
			return
		}
		c.metrics.written.Inc()
	})
}

// failed pauses the use of the store. Each failure in a row doubles the pause, up to longestWait.
func (c *blobCache) failed(doing, name string, err error) {
	wait := min(max(2*time.Duration(c.backOff.Load()), firstWait), longestWait)
	c.backOff.Store(int64(wait))
	c.pausedUntil.Store(time.Now().Add(wait).UnixNano())
	c.log.Warn(doing+" failed", "name", name, "error", err, "again_in", wait)
}

// wait waits until no write is under way, or until ctx ends.
func (c *blobCache) wait(ctx context.Context) error {
	done := make(chan struct{})
	go func() {
		c.writes.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waiting for pictures to reach the blob store: %w", ctx.Err())
	}
}
