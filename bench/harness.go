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
	root    string // top of the source tree
	dir     string
	binary  string // petsupply
	commit  string
	machine string
	quick   bool // only checks that everything works
	rounds  int
	span    time.Duration // length of one measurement of a server
	out     io.Writer

	closers    []func()
	demo       *stage // the demo kingdom beside nginx
	tls        *stage // one token beside nginx, both with TLS
	collection *stage // a hundred thousand pets beside nginx
	pg         *postgres.Server

	collectionConfig string // file
}

// newHarness makes a directory for temporary files, and builds the program there.
func newHarness(ctx context.Context, quick bool, out io.Writer) (*harness, error) {
	h := &harness{machine: machine(), quick: quick, rounds: 5, span: 2 * time.Second, out: out}
	if quick {
		h.rounds = 1
		h.span = time.Second
	}
	var err error
	h.root, err = tools.Root()
	if err != nil {
		return nil, err
	}
	h.commit, err = commit(ctx, h.root)
	if err != nil {
		return nil, err
	}
	h.dir, err = os.MkdirTemp("", "petsupply-bench-")
	if err != nil {
		return nil, err
	}
	h.onClose(func() { os.RemoveAll(h.dir) })
	h.binary = filepath.Join(h.dir, "petsupply")
	if err := tools.Program(ctx, h.binary, h.commit); err != nil {
		h.close()
		return nil, err
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
	url          string
}

// serve starts petsupply with an empty data directory and returns once it is ready. extra are more
// flags.
func (h *harness) serve(ctx context.Context, extra ...string) (*service, error) {
	data, err := os.MkdirTemp(h.dir, "data-")
	if err != nil {
		return nil, err
	}
	s, err := h.begin(append([]string{"--data", data}, extra...)...)
	if err != nil {
		return nil, err
	}
	return s, s.Until(ctx, func() error {
		a, err := get(ctx, "http://"+s.ops+"/readyz", nil)
		if err == nil && a.status != http.StatusOK {
			err = errors.New(string(a.body))
		}
		return err
	})
}

// begin starts petsupply and does not wait for anything.
func (h *harness) begin(flags ...string) (*service, error) {
	s := new(service)
	var err error
	s.address, err = process.FreeAddress()
	if err != nil {
		return nil, err
	}
	s.ops, err = process.FreeAddress()
	if err != nil {
		return nil, err
	}
	s.url = "http://" + s.address
	cmd := exec.Command(h.binary, append([]string{"serve", "--listen", s.address, "--ops", s.ops}, flags...)...)
	cmd.Env = append(os.Environ(), "PETSUPPLY_DEMO_TIME=2026-11-01T00:00:00Z") // for constant figures
	s.Process, err = process.Start(cmd)
	if err == nil {
		h.onClose(s.Stop)
	}
	return s, err
}

// postgres starts the server of this run, once, without durability: only look-ups are measured, and
// the stores are used for this run only.
func (h *harness) postgres() (*postgres.Server, error) {
	if h.pg != nil {
		return h.pg, nil
	}
	dir, err := os.MkdirTemp("", "petsupply-pg-")
	if err != nil {
		return nil, err
	}
	h.onClose(func() { os.RemoveAll(dir) })
	pg, err := postgres.NewServer(dir, append(postgres.Unsafe, "shared_buffers=1GB", "max_wal_size=8GB",
		"checkpoint_timeout=1h")...)
	if err != nil {
		return nil, err
	}
	if err := pg.Start(); err != nil {
		return nil, err
	}
	h.onClose(pg.Stop)
	h.pg = pg
	return pg, nil
}
