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

// A stage is our service and nginx side by side. nginx serves our own answers as files.
type stage struct {
	ours *service
	peer *process.Process
	site site
}

func (s *stage) url(p *process.Process) string {
	switch {
	case p != s.peer:
		return s.ours.url
	case s.site.cert != "":
		return "https://" + s.site.address
	}
	return "http://" + s.site.address
}

// demoStage is the demo kingdom, with the measured figures, documents and pictures. It is set up
// once.
func (h *harness) demoStage(ctx context.Context) (*stage, error) {
	if h.demo != nil {
		return h.demo, nil
	}
	s := &stage{site: site{root: filepath.Join(h.dir, "demo-files")}}
	var err error
	if s.ours, err = h.serve(ctx); err != nil {
		return nil, err
	}
	for _, path := range []string{figurePath, documentPath, allPath} {
		if err := s.copyAnswer(ctx, path); err != nil {
			return nil, fmt.Errorf("copying %s for nginx: %w", path, err)
		}
	}
	if err := s.copyPictures(ctx); err != nil {
		return nil, fmt.Errorf("copying pictures for nginx: %w", err)
	}
	if s.peer, err = h.nginx(ctx, &s.site); err != nil {
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
	media := plain.header.Get("Content-Type")
	s.site.locations = append(s.site.locations, location{match: "= " + path, file: file, media: media,
		header: headersOf(plain.header)})
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

// sides returns both servers with one path as their work.
func (s *stage) sides(ctx context.Context, path string, header []string, status int) (ours, peer *side, err error) {
	make := func(p *process.Process) (*side, error) {
		url := s.url(p)
		sent := header
		if status == http.StatusNotModified { // each server gets its own ETag
			a, err := get(ctx, url+path, header)
			if err != nil {
				return nil, err
			}
			sent = append(sent[:len(sent):len(sent)], "If-None-Match: "+a.header.Get("Etag"))
		}
		a, err := get(ctx, url+path, sent)
		if err != nil {
			return nil, err
		}
		file := s.file(path)
		if a.header.Get("Content-Encoding") == "gzip" {
			file += ".gz"
		}
		return &side{Process: p, load: load{url: url, path: path, header: sent}, targets: []string{path}, status: status,
			size: a.size,
			bodies: func(string) ([]byte, error) {
				if status == http.StatusNotModified {
					return nil, nil
				}
				return os.ReadFile(file)
			}}, nil
	}
	if ours, err = make(s.ours.Process); err != nil {
		return nil, nil, err
	}
	peer, err = make(s.peer)
	return ours, peer, err
}

// many returns both servers with many paths as their work.
func (s *stage) many(targets string, paths []string) (ours, peer *side) {
	make := func(p *process.Process) *side {
		return &side{Process: p, load: load{url: s.url(p), targets: targets}, targets: paths, status: http.StatusOK,
			bodies: func(target string) ([]byte, error) { return os.ReadFile(s.file(target)) }}
	}
	return make(s.ours.Process), make(s.peer)
}
