//go:build unix

package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// A Server is a PostgreSQL of one's own, which may be stopped and started
// again. It listens on a socket in its directory and nowhere else.
type Server struct {
	dir      string
	as       *syscall.SysProcAttr
	settings []string

	mu   sync.Mutex
	cmd  *exec.Cmd // nil: not running
	done chan error
	said bytes.Buffer
}

// NewServer makes a cluster in dir, which must be empty, and starts nothing.
// A setting is like "max_connections=200".
func NewServer(dir string, settings ...string) (*Server, error) {
	initdb, err := Program("initdb")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, settings: settings}
	if s.as, err = owner(dir); err != nil {
		return nil, err
	}
	prepare := exec.Command(initdb, "-D", s.data(), "-U", "petsupply", "-A", "trust", "-E", "UTF8", "--locale=C",
		"--no-sync", "--no-instructions", "--wal-segsize=1")
	prepare.Dir, prepare.SysProcAttr = dir, s.as
	if out, err := prepare.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	return s, nil
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// Socket is the file that the server listens on.
func (s *Server) Socket() string { return filepath.Join(s.dir, ".s.PGSQL.5432") }

// Address is the URL of one of its databases.
func (s *Server) Address(database string) string {
	q := url.Values{"host": {s.dir}, "user": {"petsupply"}}
	return "postgres:///" + database + "?" + q.Encode()
}

// Start runs the server and returns when it answers.
func (s *Server) Start() error {
	program, err := Program("postgres")
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	args := []string{"-D", s.data(), "-k", s.dir, "-h", ""}
	for _, x := range s.settings {
		args = append(args, "-c", x)
	}
	s.said.Reset()
	cmd, done := exec.Command(program, args...), make(chan error, 1)
	cmd.Dir, cmd.SysProcAttr, cmd.Stderr = s.dir, s.as, &s.said
	if err := start(cmd, done); err != nil {
		return err
	}
	deadline := time.Now().Add(30 * time.Second)
	for {
		err := s.Execute("postgres", "SELECT 1")
		if err == nil {
			s.cmd, s.done = cmd, done
			return nil
		}
		select {
		case failed := <-done:
			return fmt.Errorf("postgres ended: %w: %s", errors.Join(failed, err), s.said.String())
		case <-time.After(50 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			cmd.Process.Kill()
			<-done
			return fmt.Errorf("postgres does not answer: %w", err)
		}
	}
}

// Stop ends every session and then the server. One that has ended by itself, or
// was never started, is fine.
func (s *Server) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil {
		return
	}
	s.cmd.Process.Signal(syscall.SIGINT)
	select {
	case <-s.done:
	case <-time.After(10 * time.Second):
		s.cmd.Process.Kill()
		<-s.done
	}
	s.cmd = nil
}

// Execute runs one statement in a database.
func (s *Server) Execute(database, statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.Address(database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}

// start runs cmd from a thread that lives as long as cmd: the system ends a
// child with the thread that started it.
func start(cmd *exec.Cmd, done chan<- error) error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			done <- cmd.Wait()
		}
	}()
	return <-started
}

// Program finds one of PostgreSQL's programs, which Debian keeps out of PATH.
func Program(name string) (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if err != nil {
		return "", err
	}
	if len(found) > 0 {
		return found[len(found)-1], nil
	}
	return exec.LookPath(name)
}

// owner says who runs the server: it refuses root, so root lends its
// directory to the user that the package made for it.
func owner(dir string) (*syscall.SysProcAttr, error) {
	attr := diesWithParent()
	if os.Geteuid() != 0 {
		return attr, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return attr, os.Chown(dir, int(uid), int(gid))
}
