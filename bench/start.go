package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// start measures how soon the service is ready and how much memory it takes, at
// rest and under everything at once.
func start(ctx context.Context, y *yard) ([]row, error) {
	data := filepath.Join(y.dir, "start")
	var first float64
	var ready, idle []float64
	for round := range y.rounds + 1 {
		took, resident, err := y.startOnce(ctx, data)
		if err != nil {
			return nil, err
		}
		if round == 0 {
			first = took // also fills the demo's store
			continue
		}
		ready, idle = append(ready, took), append(idle, resident/1e6)
	}
	y.say("  ready after %.0f ms, on an empty directory %.0f ms; %.0f MB idle", median(ready), first, median(idle))
	a, b := within("start until ready", "ms", 300, ready), within("memory idle", "MB resident", 60, idle)
	a.Note = fmt.Sprintf("On an empty data directory, where the demo kingdom is first written to the store: %.0f ms.", first)
	full, err := y.fullLoad(ctx)
	return append([]row{a, b}, full...), err
}

// startOnce starts the demo, and returns the milliseconds until it was ready
// and the memory that it has a little later.
func (y *yard) startOnce(ctx context.Context, data string) (took, resident float64, err error) {
	address, err := freeAddress()
	if err != nil {
		return 0, 0, err
	}
	ops, err := freeAddress()
	if err != nil {
		return 0, 0, err
	}
	began := time.Now()
	p, err := launch(ctx, exec.Command(y.binary, "serve", "--listen", address, "--ops", ops, "--data", data), func() error { return ready(ctx, ops) })
	if err != nil {
		return 0, 0, err
	}
	defer p.stop()
	took = ms(began)
	a, err := get(ctx, "http://"+address+figurePath, nil)
	if err != nil || a.status != http.StatusOK {
		return 0, 0, fmt.Errorf("ready, but the figure is %d: %w", a.status, err)
	}
	time.Sleep(3 * time.Second) // idle is what is left when starting is over
	resident, _, err = p.memory()
	return took, resident, err
}

// fullLoad asks for everything at once: the metadata of a hundred thousand pets,
// as many pictures, most of them never drawn before, and gzip of both, on many
// connections.
func (y *yard) fullLoad(ctx context.Context) ([]row, error) {
	if _, err := y.herdStage(ctx); err != nil {
		return nil, err
	}
	s, err := y.serve(ctx, "--config", y.herdConfig)
	if err != nil {
		return nil, err
	}
	defer s.stop()
	var targets []string
	for i := range y.herdSize() {
		id := strconv.Itoa(i*7919%y.herdSize() + 1)
		targets = append(targets, "/pets/token/"+id, "/pets/image/"+id, "/pets/image/"+id+"?frame=false&size=720")
	}
	file, err := y.targetFile("full", targets)
	if err != nil {
		return nil, err
	}
	span := 15 * time.Second
	if y.quick {
		span = 3 * time.Second
	}
	var got shot
	for _, header := range [][]string{nil, acceptGzip} {
		part, err := y.fire(ctx, s.process, load{url: s.url, targets: file, header: header, connections: 512}, span)
		if err != nil && part.Status == 0 { // 503 with Retry-After is an answer to too much
			return nil, err
		}
		got.Requests, got.Status, got.Microseconds = got.Requests+part.Requests, got.Status+part.Status, got.Microseconds+part.Microseconds
	}
	now, most, err := s.memory()
	if err != nil {
		return nil, err
	}
	y.say("  full load: %.0f requests/s, %d of %d refused; %.0f MB now, %.0f MB at most", got.rate(), got.Status, got.Requests, now/1e6, most/1e6)
	r := within("memory under full load", "MB resident at most", 150, []float64{most / 1e6})
	return []row{r}, os.Remove(file)
}
