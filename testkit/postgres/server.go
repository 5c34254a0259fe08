//go:build unix

package postgres

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"petsupply/testkit/process"
)

// A Server is a PostgreSQL that may be stopped and started again. It listens only on a socket in
// its directory.
type Server struct {
	Dir string

	as       *syscall.SysProcAttr
	settings []string

	mu  sync.Mutex
	run *process.Process // nil means not running
}

// Unsafe are the settings of a server without durability, for stores that are used for one run
// only.
var Unsafe = []string{"fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"}

// NewServer makes a cluster in dir and starts nothing. dir must be empty and have a short path,
// because the socket is in it. A setting is like "max_connections=200".
func NewServer(dir string, settings ...string) (*Server, error) {
	initdb, err := Program("initdb")
	if err != nil {
		return nil, err
	}
	s := &Server{Dir: dir, settings: settings}
	if s.as, err = owner(dir); err != nil {
		return nil, err
	}
	prepare := exec.Command(initdb, "-D", s.data(), "-U", "petsupply", "-A", "trust", "-E", "UTF8", "--locale=C",
		"--locale-provider=icu", "--icu-locale=en-US", // orders text by locale, as most clusters do
		"--no-sync", "--no-instructions", "--wal-segsize=1")
	prepare.Dir, prepare.SysProcAttr = dir, s.attributes()
	if out, err := prepare.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	return s, nil
}

func (s *Server) data() string { return filepath.Join(s.Dir, "data") }

// attributes returns a copy of the process attributes, because starting a process changes them.
func (s *Server) attributes() *syscall.SysProcAttr {
	as := *s.as
	return &as
}

// Socket returns the file that the server listens on.
func (s *Server) Socket() string { return filepath.Join(s.Dir, ".s.PGSQL.5432") }

// Address returns the URL of one of its databases.
func (s *Server) Address(database string) string {
	q := url.Values{"host": {s.Dir}, "user": {"petsupply"}}
	return "postgres:///" + database + "?" + q.Encode()
}

// Start starts the server and waits until it answers.
func (s *Server) Start() error {
	program, err := Program("postgres")
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	args := []string{"-D", s.data(), "-k", s.Dir, "-h", ""}
	for _, x := range s.settings {
		args = append(args, "-c", x)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.SysProcAttr = s.Dir, s.attributes()
	run, err := process.Start(cmd)
	if err != nil {
		return err
	}
	if err := run.Until(context.Background(), func() error { return s.Execute("postgres", "SELECT 1") }); err != nil {
		return err
	}
	s.run = run
	return nil
}

// Stop ends every session and then the server. It does nothing if the server has ended or was never
// started.
func (s *Server) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run != nil {
		s.run.StopBy(syscall.SIGINT)
		s.run = nil
	}
}

// Database makes an empty database and returns its address.
func (s *Server) Database(name string) (string, error) {
	return s.Address(name), s.Execute("postgres", "CREATE DATABASE "+name)
}

// Execute runs statements in a database, one after the other.
func (s *Server) Execute(database string, statements ...string) error {
	return s.connected(database, func(ctx context.Context, conn *pgx.Conn) error {
		for _, statement := range statements {
			if _, err := conn.Exec(ctx, statement); err != nil {
				return fmt.Errorf("%.60s: %w", statement, err)
			}
		}
		return nil
	})
}

// patience is how long statements may take. Benchmarks fill tables with millions of rows.
const patience = 20 * time.Minute

func (s *Server) connected(database string, do func(context.Context, *pgx.Conn) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	dialling, dialled := context.WithTimeout(ctx, time.Minute)
	defer dialled()
	conn, err := pgx.Connect(dialling, s.Address(database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return do(ctx, conn)
}

// Program finds one of PostgreSQL's programs. On Debian, most of them are not in PATH.
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

// owner returns process attributes with the user that runs the server. PostgreSQL refuses to run
// as root. So if this process is root, the user is postgres, and owner gives it the directory.
func owner(dir string) (*syscall.SysProcAttr, error) {
	attr := new(syscall.SysProcAttr)
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
