//go:build unix

// Package postgres runs a real PostgreSQL for tests. TestMain must call Main, and each test that
// needs a database calls Start. A test that stops and starts the server makes its own Server.
package postgres

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"petsupply/testkit/process"
)

// cluster is the server of this test binary. The first test that needs it starts it, and Main ends
// it.
var cluster struct {
	sync.Mutex
	dir    string
	server *Server
	main   atomic.Bool
	next   atomic.Int64
}

// Main runs the tests, ends the server if one was started, and returns the
// exit code.
func Main(m interface{ Run() int }) int {
	cluster.main.Store(true)
	code := m.Run()
	cluster.Lock()
	defer cluster.Unlock()
	if cluster.server != nil {
		cluster.server.Stop()
	}
	if cluster.dir != "" {
		os.RemoveAll(cluster.dir)
	}
	return code
}

// OnBoth runs a test on a new SQLite file and on a new PostgreSQL database.
func OnBoth(t *testing.T, promise func(t *testing.T, url string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { promise(t, "sqlite://"+filepath.Join(t.TempDir(), "store.db")) })
	t.Run("postgres", func(t *testing.T) { promise(t, Start(t)) })
}

// Start returns the address of a new, empty database. It starts the server if necessary, and fails
// the test if it cannot.
func Start(t testing.TB) string {
	t.Helper()
	process.SkipShort(t)
	if !cluster.main.Load() {
		t.Fatal("postgres: TestMain must call postgres.Main, which ends the server")
	}
	cluster.Lock()
	defer cluster.Unlock()
	if cluster.server == nil {
		if err := launch(); err != nil {
			t.Fatalf("postgres: starting PostgreSQL: %v", err)
		}
	}
	server, name := cluster.server, fmt.Sprintf("test%d", cluster.next.Add(1))
	address, err := server.Database(name)
	if err != nil {
		t.Fatalf("postgres: making a database: %v", err)
	}
	t.Cleanup(func() {
		if err := server.Execute("postgres", "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Errorf("postgres: dropping a database: %v", err)
		}
	})
	return address
}

// launch makes a cluster without durability, on its own socket.
func launch() (err error) {
	if cluster.dir, err = os.MkdirTemp("", "pg-"); err != nil {
		return err
	}
	server, err := NewServer(cluster.dir, append(Unsafe, "shared_buffers=64MB", "max_wal_size=1GB")...)
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	cluster.server = server
	return nil
}
