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
)

// A yard is where the measuring is done: a directory for what is made on the
// way, the program that is measured, and what was started. Close it.
type yard struct {
	root   string // of the source tree
	dir    string
	binary string // petsupply
	commit string
	quick  bool // show that it works, not how fast it is
	rounds int
	span   time.Duration // of one shot
	out    io.Writer

	closers []func()
	demo    *stage // the demo kingdom beside nginx
	herd    *stage // a hundred thousand pets beside nginx
	pg      *postgres
	three   []*land

	herdConfig string // file
}

// newYard builds the program and makes the directory.
func newYard(ctx context.Context, binary string, quick bool, out io.Writer) (*yard, error) {
	y := &yard{quick: quick, rounds: 5, span: 2 * time.Second, out: out}
	if quick {
		y.rounds, y.span = 2, time.Second
	}
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return nil, fmt.Errorf("looking for the source tree: %w", err)
	}
	y.root = strings.TrimSpace(string(root))
	if y.commit, err = commit(ctx, y.root); err != nil {
		return nil, err
	}
	if y.dir, err = os.MkdirTemp("", "petsupply-bench-"); err != nil {
		return nil, err
	}
	y.onClose(func() { os.RemoveAll(y.dir) })
	if y.binary = binary; binary == "" {
		y.binary = filepath.Join(y.dir, "petsupply")
		build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", y.binary, "./cmd/petsupply")
		build.Dir, build.Env = y.root, append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			y.close()
			return nil, fmt.Errorf("building petsupply: %w: %s", err, out)
		}
	}
	return y, nil
}

// commit names what is measured; a plus says that the tree has changes that
// are not committed.
func commit(ctx context.Context, root string) (string, error) {
	id, err := exec.CommandContext(ctx, "git", "-C", root, "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return "unknown", nil // a tree without its history
	}
	changed, err := exec.CommandContext(ctx, "git", "-C", root, "status", "--porcelain", "--untracked-files=no", "--", "*.go", "go.mod", "internal").Output()
	if err != nil {
		return "", fmt.Errorf("asking git what was changed: %w", err)
	}
	name := strings.TrimSpace(string(id))
	if len(changed) > 0 {
		name += "+"
	}
	return name, nil
}

// onClose has f called when the yard is closed; the last one first.
func (y *yard) onClose(f func()) { y.closers = append(y.closers, f) }

func (y *yard) close() {
	for len(y.closers) > 0 {
		last := len(y.closers) - 1
		f := y.closers[last]
		y.closers = y.closers[:last]
		f()
	}
}

func (y *yard) say(format string, args ...any) { fmt.Fprintf(y.out, format+"\n", args...) }

// A service is a running petsupply.
type service struct {
	*process
	address, ops string
	url          string // http://address
}

// serve starts petsupply and returns once it is ready. extra are more flags.
func (y *yard) serve(ctx context.Context, extra ...string) (*service, error) {
	s := new(service)
	var err error
	if s.address, err = freeAddress(); err != nil {
		return nil, err
	}
	if s.ops, err = freeAddress(); err != nil {
		return nil, err
	}
	s.url = "http://" + s.address
	data, err := os.MkdirTemp(y.dir, "data-")
	if err != nil {
		return nil, err
	}
	args := append([]string{"serve", "--listen", s.address, "--ops", s.ops, "--data", data}, extra...)
	s.process, err = launch(ctx, exec.Command(y.binary, args...), func() error { return ready(ctx, s.ops) })
	if err == nil {
		y.onClose(s.stop)
	}
	return s, err
}

// ready asks the probe.
func ready(ctx context.Context, ops string) error {
	a, err := get(ctx, "http://"+ops+"/readyz", nil)
	if err == nil && a.status != http.StatusOK {
		err = errors.New(string(a.body))
	}
	return err
}
