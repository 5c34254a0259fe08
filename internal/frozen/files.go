package frozen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"

	"petsupply/internal/frozen/car"
)

// root is the CID of a folder of the copy, "" where there is none.
func (w *Writer) root(ctx context.Context, dir string) (string, error) {
	if _, err := os.Stat(w.name(dir)); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	cid, err := car.Root(ctx, os.DirFS(w.name(dir)))
	return cid.String(), err
}

func (w *Writer) name(file string) string { return filepath.Join(w.Dir, filepath.FromSlash(file)) }

// put makes a file have this content.
func (w *Writer) put(file string, content []byte) error {
	name := w.name(file)
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, content) {
		w.Progress(1)
		return nil
	}
	err := os.WriteFile(name, content, 0o644)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(name), 0o755); err == nil {
			err = os.WriteFile(name, content, 0o644)
		}
	}
	if err == nil {
		w.Progress(1)
	}
	return err
}

// errUnavailable: the service had no answer at that time, so neither has the copy.
var errUnavailable = errors.New("not available")

// get asks the restored service. found is false for what it does not have.
func (w *Writer) get(ctx context.Context, address string) (body []byte, found bool, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, false, err
	}
	r.RequestURI = r.URL.RequestURI()
	a := &recorder{header: http.Header{}}
	w.Answers.ServeHTTP(a, r)
	switch a.status {
	case http.StatusOK:
		return a.body.Bytes(), true, nil
	case http.StatusNotFound, http.StatusGone:
		return nil, false, ctx.Err()
	case http.StatusServiceUnavailable:
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		return nil, false, fmt.Errorf("%w: %s", errUnavailable, &a.body)
	}
	return nil, false, fmt.Errorf("asking for %s: %d %s", address, a.status, &a.body)
}

// A recorder keeps one answer.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *recorder) Header() http.Header { return a.header }

func (a *recorder) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

func (a *recorder) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(b)
}
