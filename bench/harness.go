package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"petsupply/testkit/postgres"
	"petsupply/testkit/process"
	"petsupply/testkit/tools"
)

// A harness has a directory for temporary files, the measured program, and everything that was
// started. Close it.
type harness struct {
	root   string // top of the source tree
	dir    string
	binary string // petsupply
	commit string
	quick  bool // only checks that everything works
	rounds int
	span   time.Duration // length of one run of wrk
	out    io.Writer

	closers    []func()
	demo       *stage          // the demo kingdom beside nginx
	arrivals   map[bool]*stage // one token beside nginx; true means with TLS
	collection *stage          // a hundred thousand pets beside nginx
	pg         *postgres.Server
	three      []*chain

	collectionConfig string // file
}

// newHarness makes a directory for temporary files. If binary is "", it also builds the program there.
// Otherwise binary is the program to measure.
func newHarness(ctx context.Context, binary string, quick bool, out io.Writer) (*harness, error) {
	h := &harness{quick: quick, rounds: 5, span: 2 * time.Second, out: out}
	if quick {
		h.rounds, h.span = 2, time.Second
	}
	var err error
	if h.root, err = tools.Root(); err != nil {
		return nil, err
	}
	if h.commit, err = commit(ctx, h.root); err != nil {
		return nil, err
	}
	if h.dir, err = os.MkdirTemp("", "petsupply-bench-"); err != nil {
		return nil, err
	}
	h.onClose(func() { os.RemoveAll(h.dir) })
	if h.binary = binary; binary == "" {
		h.binary = filepath.Join(h.dir, "petsupply")
		if err := tools.Program(ctx, h.binary, h.commit); err != nil {
			h.close()
			return nil, err
		}
	}
	return h, nil
}

// commit returns the measured commit. A plus means that the tree has uncommitted changes.
func commit(ctx context.Context, root string) (string, error) {
	id, err := exec.CommandContext(ctx, "git", "-C", root, "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return "unknown", nil // a tree without its history
	}
	changed, err := exec.CommandContext(ctx, "git", "-C", root, "status", "--porcelain", "--untracked-files=no", "--",
		"*.go", "go.mod", "internal").Output()
	if err != nil {
		return "", fmt.Errorf("asking git what was changed: %w", err)
	}
	name := strings.TrimSpace(string(id))
	if len(changed) > 0 {
		name += "+"
	}
	return name, nil
}

// onClose adds a function that close calls, the last one first.
func (h *harness) onClose(f func()) { h.closers = append(h.closers, f) }

func (h *harness) close() {
	for len(h.closers) > 0 {
		last := len(h.closers) - 1
		f := h.closers[last]
		h.closers = h.closers[:last]
		f()
	}
}

func (h *harness) say(format string, args ...any) { fmt.Fprintf(h.out, format+"\n", args...) }

// A service is a running petsupply.
type service struct {
	*process.Process
	address, ops string
	url          string // http://address
}

// serve starts petsupply with an empty data directory and returns once it is ready. extra are more
// flags.
func (h *harness) serve(ctx context.Context, extra ...string) (*service, error) {
	data, err := os.MkdirTemp(h.dir, "data-")
	if err != nil {
		return nil, err
	}
	return h.serveFrom(ctx, data, extra...)
}

func (h *harness) serveFrom(ctx context.Context, data string, extra ...string) (*service, error) {
	s := new(service)
	var err error
	if s.address, err = process.FreeAddress(); err != nil {
		return nil, err
	}
	if s.ops, err = process.FreeAddress(); err != nil {
		return nil, err
	}
	s.url = "http://" + s.address
	args := append([]string{"serve", "--listen", s.address, "--ops", s.ops, "--data", data}, extra...)
	cmd := exec.Command(h.binary, args...)
	cmd.Env = append(os.Environ(), "PETSUPPLY_DEMO_TIME=2026-11-01T00:00:00Z") // for constant figures
	s.Process, err = launch(ctx, cmd, func() error { return ready(ctx, s.ops) })
	if err == nil {
		h.onClose(s.Stop)
	}
	return s, err
}

// launch starts a server and waits until it is ready.
func launch(ctx context.Context, cmd *exec.Cmd, ready func() error) (*process.Process, error) {
	p, err := process.Start(cmd)
	if err != nil {
		return nil, err
	}
	return p, p.Until(ctx, ready)
}

// ready asks the readiness probe.
func ready(ctx context.Context, ops string) error {
	a, err := get(ctx, "http://"+ops+"/readyz", nil)
	if err == nil && a.status != http.StatusOK {
		err = errors.New(string(a.body))
	}
	return err
}
