package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"time"
)

// start measures how long it takes from the start of the demo's process to its first figure, on the
// data of an earlier start. The first start also writes the past of the demo.
func start(ctx context.Context, h *harness) (row, error) {
	data := filepath.Join(h.dir, "start")
	first, err := h.startOnce(ctx, data)
	if err != nil {
		return row{}, err
	}
	var later []float64
	for range h.rounds {
		took, err := h.startOnce(ctx, data)
		if err != nil {
			return row{}, err
		}
		later = append(later, took)
	}
	r := within("start until the first figure", "ms", 200, later)
	r.Note = fmt.Sprintf("On an empty directory it takes %s ms. Our limit for that is 700 ms.", figure(first))
	return r, nil
}

// startOnce starts the demo, and returns how many milliseconds it takes until it answers with a
// figure.
func (h *harness) startOnce(ctx context.Context, data string) (float64, error) {
	began := time.Now()
	s, err := h.begin("--data", data)
	if err != nil {
		return 0, err
	}
	defer s.Stop()
	for time.Since(began) < time.Minute {
		a, err := get(ctx, s.url+figurePath, nil)
		if err == nil && a.status == http.StatusOK {
			return ms(began), nil
		}
		time.Sleep(2 * time.Millisecond)
	}
	return 0, errors.New("the service gives no figure")
}
