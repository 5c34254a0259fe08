package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// start measures how soon the service is ready and how much memory it takes, idle and under full
// load.
func start(ctx context.Context, h *harness) ([]row, error) {
	data := filepath.Join(h.dir, "start")
	var first float64
	var ready, idle []float64
	for round := range h.rounds + 1 {
		took, resident, err := h.startOnce(ctx, data)
		if err != nil {
			return nil, err
		}
		if round == 0 {
			first = took // the first start also fills the demo's store
			continue
		}
		ready, idle = append(ready, took), append(idle, resident/1e6)
	}
	h.say("  ready after %.0f ms, on an empty directory %.0f ms; %.0f MB idle", median(ready), first, median(idle))
	a, b := within("start until ready", "ms", 300, ready), within("memory idle", "MB resident", 55, idle)
	a.Note = fmt.Sprintf("It takes %.0f ms with an empty data directory, because the past of the demo is written "+
		"first.", first)
	full, err := h.fullLoad(ctx)
	return append([]row{a, b}, full...), err
}

// startOnce starts the demo. It returns how many milliseconds it takes until the demo is ready, and
// how many bytes of memory the demo uses three seconds later.
func (h *harness) startOnce(ctx context.Context, data string) (took, resident float64, err error) {
	began := time.Now()
	s, err := h.serveFrom(ctx, data)
	if err != nil {
		return 0, 0, err
	}
	defer s.Stop()
	took = ms(began)
	a, err := get(ctx, s.url+figurePath, nil)
	if err != nil || a.status != http.StatusOK {
		return 0, 0, fmt.Errorf("the service is ready, but the figure has status %d, error: %v", a.status, err)
	}
	time.Sleep(3 * time.Second) // after the start, the service still works in the background
	resident, _, err = s.Memory()
	return took, resident, err
}

// fullLoad requests metadata and pictures of pets all over the collection, on many connections,
// first without and then with gzip. Most of the pictures were never drawn before.
func (h *harness) fullLoad(ctx context.Context) ([]row, error) {
	if _, err := h.collectionStage(ctx); err != nil {
		return nil, err
	}
	s, err := h.serve(ctx, "--config", h.collectionConfig)
	if err != nil {
		return nil, err
	}
	defer s.Stop()
	var targets []string
	for i := range h.collectionSize() {
		id := strconv.Itoa(i*7919%h.collectionSize() + 1)
		targets = append(targets, "/pets/token/"+id, "/pets/image/"+id, "/pets/image/"+id+"?frame=false&size=720")
	}
	file, err := h.targetFile("full", targets)
	if err != nil {
		return nil, err
	}
	span := 15 * time.Second
	if h.quick {
		span = 3 * time.Second
	}
	var got wrkResult
	for _, header := range [][]string{nil, acceptGzip} {
		part, err := h.runWrk(ctx, s.Process, load{url: s.url, targets: file, header: header, connections: 512}, span)
		// An error status is accepted: the service answers 503 with Retry-After if the load is too high.
		if err != nil && part.Status == 0 {
			return nil, err
		}
		got.Requests, got.Status, got.Microseconds = got.Requests+part.Requests, got.Status+part.Status,
			got.Microseconds+part.Microseconds
	}
	now, most, err := s.Memory()
	if err != nil {
		return nil, err
	}
	h.say("  full load: %.0f requests/s, %d of %d refused; %.0f MB now, %.0f MB at most", got.rate(), got.Status,
		got.Requests, now/1e6, most/1e6)
	r := within("memory under full load", "MB resident at most", 160, []float64{most / 1e6})
	return []row{r}, os.Remove(file)
}
