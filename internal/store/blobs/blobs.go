// Package blobs keeps bytes under a name, outside of the process: in a
// directory or in a bucket of an S3-compatible object store. Open returns the
// one that an address names.
package blobs

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"slices"
)

// A Store keeps whole blobs under keys such as "pack/1.0/picture.png". It is
// safe for concurrent use. A directory and a bucket implement it.
type Store interface {
	// Get returns the blob under key; fs.ErrNotExist if there is none. It reads
	// at most MaxSize bytes: more than that was not written by Put.
	Get(ctx context.Context, key string) ([]byte, error)

	// Put writes the blob under key. A reader finds the old one or the new
	// one, never a part of it. One larger than MaxSize is an error.
	Put(ctx context.Context, key string, body []byte) error

	// Close lets go of what Open took. Nothing may be under way.
	Close() error
}

// MaxSize is the largest blob in bytes.
const MaxSize = 8 << 20

// Served says how a bucket gives the blob of a key to those who read it there: its
// media type, and for how long they may keep it. A directory has no use for it.
type Served func(key string) (mediaType, cacheControl string)

// onlyParameters is an error if the address has a parameter besides known.
func onlyParameters(u *url.URL, known ...string) error {
	for name := range u.Query() {
		if !slices.Contains(known, name) {
			return fmt.Errorf("blobs: unknown parameter %s; known with %s:// are %q", name, u.Scheme, known)
		}
	}
	return nil
}

// readBlob reads a blob of size bytes, but no more than MaxSize.
func readBlob(r io.Reader, size int64) ([]byte, error) {
	body := make([]byte, min(max(size, 0), MaxSize))
	if n, err := io.ReadFull(r, body); err != nil {
		return nil, fmt.Errorf("after %d of %d bytes: %w", n, size, err)
	}
	return body, nil
}

// checkPut says whether a blob may be written under key.
func checkPut(key string, body []byte) error {
	if !fs.ValidPath(key) || key == "." {
		return &fs.PathError{Op: "put", Path: key, Err: fs.ErrInvalid}
	}
	if len(body) > MaxSize {
		return fmt.Errorf("put %s: %d bytes are more than %d", key, len(body), MaxSize)
	}
	return nil
}
