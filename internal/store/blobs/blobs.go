// Package blobs stores bytes under names outside the process, in a directory or in a bucket of an
// S3-compatible object store. Open returns the Store at an address.
package blobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"slices"
	"strings"
)

// A Store keeps whole blobs under keys such as "pack/1.0/picture.png". It is safe for concurrent
// use. directory and bucket implement it.
type Store interface {
	// Get returns the blob under key. The error wraps fs.ErrNotExist if there is none. Get reads at
	// most 8 MB, the limit of Put.
	Get(ctx context.Context, key string) ([]byte, error)

	// Put writes the blob under key. A reader finds the whole old blob or the whole new one. More
	// than 8 MB is an error. Put neither changes body nor keeps it.
	Put(ctx context.Context, key string, body []byte) error

	// Close releases the resources of the store. No call may be in progress.
	Close() error
}

// maxSize is the largest blob in bytes.
const maxSize = 8 << 20

// Open returns the store at address: file:///directory, which is created if it is missing, or
// s3://bucket?endpoint=https://host&region=name. Both parameters are optional for Amazon S3. Open
// does not contact the bucket; the first Get does. Nothing is ever deleted from a store.
func Open(address string) (Store, error) {
	u, err := parse(address)
	if err != nil {
		return nil, err
	}
	if u.Scheme == "file" {
		return openDirectory(u.Path)
	}
	return openBucket(u)
}

// Check returns an error if Open does not understand the address. It opens nothing.
func Check(address string) error {
	_, err := parse(address)
	return err
}

// parse checks and parses an address. Its errors never quote the address, which may contain a
// secret.
func parse(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("blobs: not an address; want file:///directory or s3://bucket")
	}
	switch u.Scheme {
	case "file":
		if u.Host != "" || len(u.Path) < 2 {
			return nil, errors.New("blobs: the address names no local directory; want file:///directory, with three slashes")
		}
		return u, onlyParameters(u)
	case "s3":
		if u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" {
			return nil, errors.New("blobs: the address has no bucket, or has access keys or a path; " +
				"want s3://bucket?endpoint=https://host&region=name, " +
				"and the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
		}
		if _, err := endpoint(u); err != nil {
			return nil, err
		}
		return u, onlyParameters(u, "endpoint", "region")
	}
	return nil, fmt.Errorf("blobs: cannot open %s://; want file:///directory or s3://bucket "+
		"(the protocol of most object stores)", u.Scheme)
}

// onlyParameters returns an error if the address has a parameter that is not in known.
func onlyParameters(u *url.URL, known ...string) error {
	for name := range u.Query() {
		if !slices.Contains(known, name) {
			return fmt.Errorf("blobs: unknown parameter %s; the parameters of %s:// are %q", name, u.Scheme, known)
		}
	}
	return nil
}

// readBlob reads a blob of the given size, but at most its first maxSize bytes. A negative size
// means that the size is unknown.
func readBlob(r io.Reader, size int64) ([]byte, error) {
	if size < 0 {
		return io.ReadAll(io.LimitReader(r, maxSize))
	}
	body := make([]byte, min(size, maxSize))
	if n, err := io.ReadFull(r, body); err != nil {
		return nil, fmt.Errorf("reading ended after %d of %d bytes: %w", n, size, err)
	}
	return body, nil
}

// checkPut returns an error if body is too long, or if key is not a plain path.
func checkPut(key string, body []byte) error {
	if !fs.ValidPath(key) || key == "." {
		return &fs.PathError{Op: "put", Path: key, Err: fs.ErrInvalid}
	}
	if len(body) > maxSize {
		return fmt.Errorf("put %s: its %d bytes are more than the limit of %d", key, len(body), maxSize)
	}
	return nil
}
