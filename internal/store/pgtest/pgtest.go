//go:build unix

// Package pgtest runs a real PostgreSQL for tests. Let TestMain call Main, and
// each test that wants a database of its own call Start.
package pgtest

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
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// cluster is the server of this test binary, started by the first test that
// needs it and ended by Main.
var cluster struct {
	sync.Mutex
	dir  string
	cmd  *exec.Cmd
	done chan error
	main atomic.Bool
	next atomic.Int64
}

// Main runs the tests, ends the server if one was started, and returns the
// exit code.
func Main(m *testing.M) int {
	cluster.main.Store(true)
	code := m.Run()
	cluster.Lock()
	defer cluster.Unlock()
	if cluster.cmd != nil {
		cluster.cmd.Process.Signal(syscall.SIGINT) // ends sessions, then itself
		select {
		case <-cluster.done:
		case <-time.After(10 * time.Second):
			cluster.cmd.Process.Kill()
			<-cluster.done
		}
	}
	if cluster.dir != "" {
		os.RemoveAll(cluster.dir)
	}
	return code
}

// Start returns the address of a new, empty database. The server is started if
// need be; one that cannot be fails the test.
func Start(t testing.TB) string {
	t.Helper()
	if !cluster.main.Load() {
		t.Fatal("pgtest: TestMain must call pgtest.Main, which ends the server")
	}
	cluster.Lock()
	defer cluster.Unlock()
	if cluster.cmd == nil {
		if err := launch(); err != nil {
			t.Fatalf("pgtest: starting PostgreSQL: %v", err)
		}
	}
	name := fmt.Sprintf("test%d", cluster.next.Add(1))
	if err := execute("postgres", "CREATE DATABASE "+name); err != nil {
		t.Fatalf("pgtest: making a database: %v", err)
	}
	t.Cleanup(func() {
		if err := execute("postgres", "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Errorf("pgtest: dropping a database: %v", err)
		}
	})
	return address(name)
}

func address(database string) string {
	q := url.Values{"host": {cluster.dir}, "user": {"petsupply"}}
	return "postgres:///" + database + "?" + q.Encode()
}

func execute(database, statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, address(database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}

// launch makes a cluster that keeps nothing safe, on a socket of its own.
func launch() error {
	initdb, err := program("initdb")
	if err != nil {
		return err
	}
	server, err := program("postgres")
	if err != nil {
		return err
	}
	if cluster.dir, err = os.MkdirTemp("", "pg-"); err != nil {
		return err
	}
	as, err := owner(cluster.dir)
	if err != nil {
		return err
	}
	data := filepath.Join(cluster.dir, "data")
	prepare := exec.Command(initdb, "-D", data, "-U", "petsupply", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions")
	prepare.Dir, prepare.SysProcAttr = cluster.dir, as
	if out, err := prepare.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	var said bytes.Buffer
	cmd := exec.Command(server, "-D", data, "-k", cluster.dir, "-h", "", "-F",
		"-c", "synchronous_commit=off", "-c", "full_page_writes=off", "-c", "shared_buffers=64MB", "-c", "max_connections=200")
	cmd.Dir, cmd.SysProcAttr, cmd.Stderr = cluster.dir, as, &said
	done := make(chan error, 1)
	if err := start(cmd, done); err != nil {
		return err
	}
	deadline := time.Now().Add(30 * time.Second)
	for {
		err := execute("postgres", "SELECT 1")
		if err == nil {
			cluster.cmd, cluster.done = cmd, done
			return nil
		}
		select {
		case failed := <-done:
			return fmt.Errorf("postgres ended: %w: %s", errors.Join(failed, err), said.String())
		case <-time.After(50 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			cmd.Process.Kill()
			return fmt.Errorf("postgres does not answer: %w", err)
		}
	}
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

// program finds one of the server's programs, which Debian keeps out of PATH.
func program(name string) (string, error) {
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
