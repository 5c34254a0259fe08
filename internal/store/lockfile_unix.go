//go:build unix

package store

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lockFile waits for the lock on path and returns how to let it go.
func lockFile(ctx context.Context, path string) (func(), error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("locking the store: %w", err)
	}
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, fmt.Errorf("locking the store: %w", ctx.Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}
