package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"petsupply/internal/art"
	"petsupply/internal/art/petpack"
)

// A packWatch shows a pack while it is being painted. When the files have changed, the service starts
// again. If the pack cannot be opened, the service keeps the last good version, and every page says
// why. Open pages ask for news every second.
type packWatch struct {
	dir  string
	open func() (*art.Pack, error)
	out  io.Writer
	seen string // fingerprint of the files at the last check

	fault string    // why the newest version cannot be shown; "" if it is shown
	pack  *art.Pack // the last version that could be opened, nil if there is none
}

// watchEvery is how often the pack's files are checked.
const watchEvery = 300 * time.Millisecond

func newPackWatch(dir string, out io.Writer, open func() (*art.Pack, error)) *packWatch {
	w := &packWatch{dir: dir, open: open, out: out, seen: fingerprint(dir)}
	w.load()
	return w
}

// load opens the pack as it is now.
func (w *packWatch) load() {
	pack, err := w.open()
	if err != nil {
		w.fault = err.Error()
		fmt.Fprintf(w.out, "%s: %v\n", w.dir, err)
		return
	}
	w.fault = ""
	w.pack = pack
}

// await waits until the pack has changed, and loads it, or until ctx ends.
func (w *packWatch) await(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(watchEvery):
		}
		if now := fingerprint(w.dir); now != w.seen {
			w.seen = now
			w.load()
			return
		}
	}
}

// fingerprint returns a text that changes when the name, length or time of a file in a directory
// changes. It looks at no more than petpack.MaxFiles files. A directory that cannot be listed has a
// fingerprint too.
func fingerprint(dir string) string {
	h := sha256.New()
	files := 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files++
		if files > petpack.MaxFiles {
			return fs.SkipAll
		}
		if info, err := e.Info(); err == nil {
			fmt.Fprintf(h, "%s\x00%d\x00%d\n", path, info.Size(), info.ModTime().UnixNano())
		}
		return nil
	})
	fmt.Fprint(h, err)
	return hex.EncodeToString(h.Sum(nil))
}
