package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"petsupply/testkit/process"
)

// A load is the requests that wrk sends to one server.
type load struct {
	url         string
	path        string   // path of every request; "" means those in targets
	targets     string   // a file of request targets
	header      []string // "Name: value"
	connections int      // 0 means 64
}

// A wrkResult is the result of one run of wrk, and its cost for the server.
type wrkResult struct {
	Requests     int64 `json:"requests"`
	Bytes        int64 `json:"bytes"`
	Microseconds int64 `json:"microseconds"`

	// The number of errors of each kind.
	Connect int64 `json:"connect"`
	Read    int64 `json:"read"`
	Write   int64 `json:"write"`
	Status  int64 `json:"status"`
	Timeout int64 `json:"timeout"`

	cpu time.Duration
}

// perRequest returns the server's processor time for one request, in microseconds.
func (s wrkResult) perRequest() float64 {
	return float64(s.cpu.Nanoseconds()) / 1000 / float64(max(s.Requests, 1))
}

// rate returns requests per second.
func (s wrkResult) rate() float64 { return float64(s.Requests) / (float64(s.Microseconds) / 1e6) }

// runWrk runs wrk for about span against the server p. It returns an error for any error of wrk, or
// any status above 399.
func (h *harness) runWrk(ctx context.Context, p *process.Process, l load, span time.Duration) (wrkResult, error) {
	before, err := p.CPU()
	if err != nil {
		return wrkResult{}, err
	}
	out, err := exec.CommandContext(ctx, "wrk", h.wrkArgs(l, span)...).CombinedOutput()
	if err != nil {
		return wrkResult{}, fmt.Errorf("running wrk: %w: %s", err, out)
	}
	after, err := p.CPU()
	if err != nil {
		return wrkResult{}, err
	}
	s, err := parseWrk(out)
	s.cpu = after - before
	if err == nil && s.Connect+s.Read+s.Write+s.Status+s.Timeout > 0 {
		err = fmt.Errorf("%s: %d errors connecting, %d reading, %d writing, %d answers with an error status, "+
			"%d time-outs", p.Name, s.Connect, s.Read, s.Write, s.Status, s.Timeout)
	}
	return s, err
}

func (h *harness) wrkArgs(l load, span time.Duration) []string {
	connections := l.connections
	if connections == 0 {
		connections = 64
	}
	script := filepath.Join(h.root, "bench", "load.lua")
	if l.path != "" {
		script = filepath.Join(h.root, "bench", "report.lua")
	}
	args := []string{"-t", "2", "-c", strconv.Itoa(connections), "-d",
		strconv.Itoa(max(1, int(span.Round(time.Second).Seconds()))) + "s", "--timeout", "10s", "-s", script}
	for _, h := range l.header {
		args = append(args, "-H", h)
	}
	args = append(args, l.url+l.path)
	if l.path == "" {
		args = append(args, "--", l.targets, "2")
	}
	return args
}

// parseWrk finds the line of figures in wrk's output.
func parseWrk(out []byte) (wrkResult, error) {
	_, rest, found := bytes.Cut(out, []byte("\n@"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	var s wrkResult
	if !found {
		return s, fmt.Errorf("wrk printed no figures: %s", out)
	}
	if err := json.Unmarshal(line, &s); err != nil {
		return s, fmt.Errorf("reading wrk's figures: %w: %s", err, line)
	}
	if s.Requests == 0 {
		return s, errors.New("wrk got no answer at all")
	}
	return s, nil
}

// targetFile writes request targets for a load.
func (h *harness) targetFile(name string, targets []string) (string, error) {
	var b bytes.Buffer
	for _, t := range targets {
		b.WriteString(t + "\n")
	}
	file := filepath.Join(h.dir, name)
	return file, os.WriteFile(file, b.Bytes(), 0o644)
}
