package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// A wrkResult is the result of one run of wrk, and its cost for the server.
type wrkResult struct {
	Requests     int64 `json:"requests"`
	Bytes        int64 `json:"bytes"`
	Microseconds int64 `json:"microseconds"`
	Errors       int64 `json:"errors"` // of connections, and answers with a status above 399

	cpu time.Duration
}

// perRequest returns the server's processor time for one request, in microseconds.
func (r wrkResult) perRequest() float64 {
	return float64(r.cpu.Nanoseconds()) / 1000 / float64(max(r.Requests, 1))
}

// rate returns requests per second.
func (r wrkResult) rate() float64 { return float64(r.Requests) / (float64(r.Microseconds) / 1e6) }

// wrkCost is the cost of a request when wrk sends many over 64 connections.
func (h *harness) wrkCost(ctx context.Context, s *side) (float64, error) {
	r, err := h.wrk(ctx, s, 64)
	return r.perRequest(), err
}

// wrk sends requests to a side over some connections, while a witness checks its answers.
func (h *harness) wrk(ctx context.Context, s *side, connections int) (wrkResult, error) {
	end := s.watch(ctx)
	r, err := h.runWrk(ctx, s, connections)
	if wrong := end(); err == nil {
		err = wrong
	}
	switch {
	case err != nil:
		return r, err
	case r.Errors > 0:
		return r, fmt.Errorf("%s: %d errors in %d answers", s.Name, r.Errors, r.Requests)
	case s.size == 0:
		return r, nil
	}
	// wrk also counts the bytes of answers that were unfinished at the end.
	if extra := r.Bytes - r.Requests*int64(s.size); extra < 0 || extra > 64*int64(s.size) {
		return r, fmt.Errorf("%s: wrk counted %d answers of %d bytes, but %d bytes in all", s.Name, r.Requests, s.size,
			r.Bytes)
	}
	return r, nil
}

func (h *harness) runWrk(ctx context.Context, s *side, connections int) (wrkResult, error) {
	args := []string{"-t", "2", "-c", strconv.Itoa(connections), "-d", strconv.Itoa(int(h.span.Seconds())) + "s",
		"--timeout", "10s", "-s", filepath.Join(h.root, "bench", "load.lua")}
	for _, line := range s.header {
		args = append(args, "-H", line)
	}
	args = append(args, s.url+s.path)
	if s.targets != "" {
		args = append(args, "--", s.targets, "2")
	}
	before, err := s.CPU()
	if err != nil {
		return wrkResult{}, err
	}
	out, err := exec.CommandContext(ctx, "wrk", args...).CombinedOutput()
	if err != nil {
		return wrkResult{}, fmt.Errorf("running wrk: %w: %s", err, out)
	}
	after, err := s.CPU()
	if err != nil {
		return wrkResult{}, err
	}
	r, err := parseWrk(out)
	r.cpu = after - before
	return r, err
}

// parseWrk finds the line of figures in wrk's output.
func parseWrk(out []byte) (wrkResult, error) {
	_, rest, found := bytes.Cut(out, []byte("\n@"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	var r wrkResult
	if !found {
		return r, fmt.Errorf("wrk printed no figures: %s", out)
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return r, fmt.Errorf("reading wrk's figures: %w: %s", err, line)
	}
	if r.Requests == 0 {
		return r, errors.New("wrk got no answer at all")
	}
	return r, nil
}
