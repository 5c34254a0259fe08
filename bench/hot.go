package main

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
)

// Requests to the demo kingdom.
const (
	figurePath   = "/supply/jewel/totalsupply"
	documentPath = "/supply/jewel"
	allPath      = "/supply"
	pictures     = 1000
)

var acceptGzip = []string{"Accept-Encoding: gzip"}

// hot compares a prepared answer with the same answer as a file.
func hot(name, path string, header []string, status int) func(context.Context, *harness) ([]row, error) {
	return func(ctx context.Context, h *harness) ([]row, error) {
		s, err := h.demoStage(ctx)
		if err != nil {
			return nil, err
		}
		ours, peer, err := s.sides(ctx, path, header, status)
		if err != nil {
			return nil, err
		}
		reach := 1.1
		if status == http.StatusNotModified {
			reach = 1
		}
		cpu, slow, err := h.takeTurns(ctx, name, reach, ours, peer)
		return []row{cpu, slow}, err
	}
}

// hotPictures compares pictures in memory with the same pictures as files.
func hotPictures(ctx context.Context, h *harness) ([]row, error) {
	s, err := h.demoStage(ctx)
	if err != nil {
		return nil, err
	}
	paths, err := s.differentPictures(ctx)
	if err != nil {
		return nil, err
	}
	targets, err := h.targetFile("pictures", paths)
	if err != nil {
		return nil, err
	}
	ours, peer := s.many(targets, paths)
	cpu, slow, err := h.takeTurns(ctx, "hot pictures", 1, ours, peer)
	return []row{cpu, slow}, err
}

// copyPictures makes nginx serve the pictures of the demo's pets.
func (s *stage) copyPictures(ctx context.Context) error {
	paths, err := s.differentPictures(ctx)
	if err != nil {
		return err
	}
	var header http.Header
	for _, path := range paths {
		a, err := get(ctx, s.ours.url+path, nil)
		if err != nil {
			return err
		}
		if err := keep(s.file(path), a); err != nil {
			return err
		}
		header = a.header
	}
	s.site.locations = append(s.site.locations, location{match: "/pets/image/", media: "image/png",
		header: headersOf(header)})
	return nil
}

// differentPictures returns the paths of pets that all look different.
func (s *stage) differentPictures(ctx context.Context) ([]string, error) {
	seen := map[string]bool{}
	var paths []string
	for id := 1; len(paths) < pictures; id++ {
		path := "/pets/image/" + strconv.Itoa(id)
		a, err := get(ctx, s.ours.url+path, []string{"If-None-Match: *"})
		if err != nil {
			return nil, err
		}
		tag := a.header.Get("Etag")
		switch {
		case a.status != http.StatusNotModified || tag == "":
			return nil, fmt.Errorf("looking for %d different pictures: after %d, pet %d answered %d", pictures, len(paths), id,
				a.status)
		case !seen[tag]:
			seen[tag] = true
			paths = append(paths, path)
		}
	}
	return paths, nil
}
