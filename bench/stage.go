package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"petsupply/testkit/process"
)

// Requests to the demo kingdom.
const (
	figurePath   = "/supply/jewel/totalsupply"
	documentPath = "/supply/jewel"
)

var (
	acceptGzip = []string{"Accept-Encoding: gzip"}
	closing    = []string{"Connection: close"}
)

// A request is what all callers of a benchmark send. The status 0 means 200.
type request struct {
	path   string
	header []string // "Name: value"
	status int
}

// A stage is our service and nginx side by side. nginx serves our own answers as files.
type stage struct {
	ours *service
	peer *process.Process
	site site
}

// A side is one of the two servers of a stage, with its work.
type side struct {
	*process.Process
	request
	url     string
	targets string   // a file of paths; "" means request.path
	paths   []string // what the witness requests
	bodies  func(path string) ([]byte, error)
	size    int // bytes of every answer on the wire; 0 means that they differ
}

// right returns the fault of an answer, or nil.
func (s *side) right(path string, a answer) error {
	if a.status != s.status {
		return fmt.Errorf("status %d, not %d", a.status, s.status)
	}
	want, err := s.bodies(path)
	if err != nil {
		return err
	}
	if string(a.body) != string(want) {
		return fmt.Errorf("the body of %d bytes differs from the expected one of %d bytes", len(a.body), len(want))
	}
	return nil
}

// hot compares an answer of the demo kingdom with the same answer as a file.
func hot(name string, reach float64, r request) func(context.Context, *harness) (row, error) {
	return func(ctx context.Context, h *harness) (row, error) {
		s, err := h.demoStage(ctx)
		if err != nil {
			return row{}, err
		}
		return h.versus(ctx, name, reach, s, r, (*harness).wrkCost)
	}
}

// A cost returns the processor time of a server for one request, in microseconds.
type cost func(*harness, context.Context, *side) (float64, error)

// versus compares the cost of a request between the servers of a stage.
func (h *harness) versus(ctx context.Context, name string, reach float64, s *stage, r request, of cost) (row, error) {
	ours, err := s.side(ctx, s.ours.Process, s.ours.url, r)
	if err != nil {
		return row{}, err
	}
	peer, err := s.side(ctx, s.peer, s.site.url(), r)
	if err != nil {
		return row{}, err
	}
	return h.versusSides(ctx, name, reach, ours, peer, of)
}

const perRequest = "µs of server CPU per request"

func (h *harness) versusSides(ctx context.Context, name string, reach float64, ours, peer *side, of cost) (row, error) {
	rounds, err := h.takeTurns(perRequest,
		func() (float64, error) { return of(h, ctx, ours) },
		func() (float64, error) { return of(h, ctx, peer) })
	return compare(name, perRequest, "nginx", reach, rounds), err
}

// side returns a server with one path as its work.
func (s *stage) side(ctx context.Context, p *process.Process, url string, r request) (*side, error) {
	body := []byte(nil)
	if r.status == http.StatusNotModified { // each server gets its own ETag
		a, err := get(ctx, url+r.path, r.header)
		if err != nil {
			return nil, err
		}
		r.header = append(r.header[:len(r.header):len(r.header)], "If-None-Match: "+a.header.Get("Etag"))
	} else {
		r.status = http.StatusOK
	}
	a, err := get(ctx, url+r.path, r.header)
	if err != nil {
		return nil, err
	}
	if r.status == http.StatusOK {
		file := s.file(r.path)
		if a.header.Get("Content-Encoding") == "gzip" {
			file += ".gz"
		}
		body, err = os.ReadFile(file)
	}
	return &side{Process: p, request: r, url: url, paths: []string{r.path}, size: a.size,
		bodies: func(string) ([]byte, error) { return body, nil }}, err
}

// many returns both servers with many paths as their work.
func (h *harness) many(s *stage, name string, paths []string) (ours, peer *side, err error) {
	targets := filepath.Join(h.dir, name)
	if err := os.WriteFile(targets, []byte(strings.Join(paths, "\n")+"\n"), 0o644); err != nil {
		return nil, nil, err
	}
	make := func(p *process.Process, url string) *side {
		return &side{Process: p, request: request{status: http.StatusOK}, url: url, targets: targets, paths: paths,
			bodies: func(path string) ([]byte, error) { return os.ReadFile(s.file(path)) }}
	}
	return make(s.ours.Process, s.ours.url), make(s.peer, s.site.url()), nil
}

// demoStage is the demo kingdom, with the measured figures, documents and pictures. It is set up
// once.
func (h *harness) demoStage(ctx context.Context) (*stage, error) {
	if h.demo != nil {
		return h.demo, nil
	}
	s := &stage{site: site{root: filepath.Join(h.dir, "demo-files")}}
	var err error
	s.ours, err = h.serve(ctx)
	if err != nil {
		return nil, err
	}
	for _, path := range []string{figurePath, documentPath} {
		if err := s.copyAnswer(ctx, path); err != nil {
			return nil, fmt.Errorf("copying %s for nginx: %w", path, err)
		}
	}
	if err := s.copyPictures(ctx); err != nil {
		return nil, fmt.Errorf("copying pictures for nginx: %w", err)
	}
	s.peer, err = h.nginx(ctx, &s.site)
	if err != nil {
		return nil, err
	}
	h.demo = s
	return s, nil
}

// copyAnswer makes nginx serve our answer at path, in each encoding.
func (s *stage) copyAnswer(ctx context.Context, path string) error {
	plain, err := get(ctx, s.ours.url+path, nil)
	if err != nil {
		return err
	}
	file := s.file(path)
	if err := keep(file, plain); err != nil {
		return err
	}
	s.site.locations = append(s.site.locations, location{match: "= " + path, file: file,
		media: plain.header.Get("Content-Type"), header: headersOf(plain.header)})
	zipped, err := get(ctx, s.ours.url+path, acceptGzip)
	if err != nil || zipped.header.Get("Content-Encoding") != "gzip" {
		return err
	}
	return keep(file+".gz", zipped)
}

// file returns where the answer at a path is saved. For pets, of which there are many, nginx finds
// it by its path.
func (s *stage) file(path string) string {
	if !strings.HasPrefix(path, "/pets/") {
		path += ".body"
	}
	return filepath.Join(s.site.root, filepath.FromSlash(path))
}

// keep saves an answer's body as a file. The file gets the time in Last-Modified, if there is one.
func keep(file string, a answer) error {
	if a.status != http.StatusOK {
		return fmt.Errorf("status %d: %s", a.status, a.body)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(file, a.body, 0o644); err != nil {
		return err
	}
	modified, err := http.ParseTime(a.header.Get("Last-Modified"))
	if err != nil {
		return nil // not every answer has a Last-Modified
	}
	return os.Chtimes(file, time.Now(), modified)
}
