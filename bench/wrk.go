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
)

// A load is what wrk sends to one server.
type load struct {
	url         string
	path        string   // of every request; "": targets
	targets     string   // a file of request targets
	header      []string // "Name: value"
	connections int      // 0: 64
}

// A shot is what one run of wrk came to, and what it cost the server.
type shot struct {
	Requests     int64 `json:"requests"`
	Bytes        int64 `json:"bytes"`
	Microseconds int64 `json:"microseconds"`
	Connect      int64 `json:"connect"` // the errors of each kind
	Read         int64 `json:"read"`
	Write        int64 `json:"write"`
	Status       int64 `json:"status"`
	Timeout      int64 `json:"timeout"`

	cpu time.Duration
}

// perRequest is the server's processor time for one request, in microseconds.
func (s shot) perRequest() float64 {
	return float64(s.cpu.Nanoseconds()) / 1000 / float64(max(s.Requests, 1))
}

// rate is in requests a second.
func (s shot) rate() float64 { return float64(s.Requests) / (float64(s.Microseconds) / 1e6) }

// fire runs wrk for about span against a server that runs as p, and returns what was
// measured. Any error of wrk's, or any answer of a status above 399, is one.
func (y *yard) fire(ctx context.Context, p *process, l load, span time.Duration) (shot, error) {
	before, err := p.cpu()
	if err != nil {
		return shot{}, err
	}
	out, err := exec.CommandContext(ctx, "wrk", y.wrkArgs(l, span)...).CombinedOutput()
	if err != nil {
		return shot{}, fmt.Errorf("running wrk: %w: %s", err, out)
	}
	after, err := p.cpu()
	if err != nil {
		return shot{}, err
	}
	s, err := parseShot(out)
	s.cpu = after - before
	if err == nil && s.Connect+s.Read+s.Write+s.Status+s.Timeout > 0 {
		err = fmt.Errorf("%s: %d errors connecting, %d reading, %d writing, %d of status, %d time-outs", p.name, s.Connect, s.Read, s.Write, s.Status, s.Timeout)
	}
	return s, err
}

func (y *yard) wrkArgs(l load, span time.Duration) []string {
	connections := l.connections
	if connections == 0 {
		connections = 64
	}
	script := filepath.Join(y.root, "bench", "load.lua")
	if l.path != "" {
		script = filepath.Join(y.root, "bench", "report.lua")
	}
	args := []string{"-t", "2", "-c", strconv.Itoa(connections), "-d", strconv.Itoa(max(1, int(span.Round(time.Second).Seconds()))) + "s", "--timeout", "10s", "-s", script}
	for _, h := range l.header {
		args = append(args, "-H", h)
	}
	args = append(args, l.url+l.path)
	if l.path == "" {
		args = append(args, "--", l.targets, "2")
	}
	return args
}

// parseShot finds the line of figures in what wrk printed.
func parseShot(out []byte) (shot, error) {
	_, rest, found := bytes.Cut(out, []byte("\n@"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	var s shot
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
func (y *yard) targetFile(name string, targets []string) (string, error) {
	var b bytes.Buffer
	for _, t := range targets {
		b.WriteString(t + "\n")
	}
	file := filepath.Join(y.dir, name)
	return file, os.WriteFile(file, b.Bytes(), 0o644)
}
