package frozen

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"petsupply/internal/frozen/car"
	"petsupply/internal/store/blobs"
)

// Pack makes one file of a whole copy, and returns the CID of the copy. The file
// appears when it is whole.
func Pack(ctx context.Context, dir, file string, added func(int)) (car.CID, error) {
	part := file + ".tmp"
	f, err := os.Create(part)
	if err != nil {
		return car.CID{}, err
	}
	cid, err := car.Pack(ctx, os.DirFS(dir), f, func(string, int64) { added(1) })
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		os.Remove(part)
		return car.CID{}, err
	}
	return cid, os.Rename(part, file)
}

// Served says how a bucket gives the files of a copy out: as nginx.conf does, the
// bare figures and the head of the log as text. A later copy may take the place of
// this one.
func Served(name string) (mediaType, cacheControl string) {
	switch {
	case strings.HasSuffix(name, ".json"):
		mediaType = "application/json"
	case strings.HasSuffix(name, ".png"):
		mediaType = "image/png"
	case strings.HasPrefix(name, logDir+"/tile/"):
		mediaType = "application/octet-stream"
	default:
		mediaType = "text/plain; charset=utf-8"
	}
	return mediaType, "public, max-age=3600"
}

// Upload brings a whole copy into a bucket. What is there already, as it should
// be, is not sent again. provenance.json comes last.
func Upload(ctx context.Context, dir string, to blobs.Store, added func(int)) error {
	copied := os.DirFS(dir)
	send := func(name string) error {
		body, err := fs.ReadFile(copied, name)
		if err != nil {
			return err
		}
		if old, err := to.Get(ctx, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("reading %s in the bucket: %w", name, err)
		} else if err == nil && string(old) == string(body) {
			added(1)
			return nil
		}
		if err := to.Put(ctx, name, body); err != nil {
			return fmt.Errorf("writing %s into the bucket: %w", name, err)
		}
		added(1)
		return nil
	}
	err := fs.WalkDir(copied, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || name == provenanceFile {
			return err
		}
		return send(name)
	})
	if err == nil {
		err = send(provenanceFile)
	}
	return err
}
