package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/jackc/pgx/v5"
)

// A postgres is a PostgreSQL of our own, on a socket in its directory.
type postgres struct {
	*process
	dir string
}

// postgres starts a server that keeps nothing safe: what is measured is
// lookups, and the stores are made for this run alone.
func (y *yard) postgres(ctx context.Context) (*postgres, error) {
	if y.pg != nil {
		return y.pg, nil
	}
	initdb, err := pgProgram("initdb")
	if err != nil {
		return nil, err
	}
	server, err := pgProgram("postgres")
	if err != nil {
		return nil, err
	}
	pg := &postgres{}
	if pg.dir, err = os.MkdirTemp("", "petsupply-pg-"); err != nil { // a socket's path must be short
		return nil, err
	}
	y.onClose(func() { os.RemoveAll(pg.dir) })
	as, err := servant(pg.dir)
	if err != nil {
		return nil, err
	}
	data := filepath.Join(pg.dir, "data")
	prepare := exec.CommandContext(ctx, initdb, "-D", data, "-U", "petsupply", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions")
	prepare.Dir, prepare.SysProcAttr = pg.dir, as
	if out, err := prepare.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	cmd := exec.Command(server, "-D", data, "-k", pg.dir, "-h", "", "-F", "-c", "synchronous_commit=off", "-c", "full_page_writes=off",
		"-c", "shared_buffers=1GB", "-c", "max_connections=200", "-c", "max_wal_size=8GB", "-c", "checkpoint_timeout=1h", "-c", "track_activities=on")
	cmd.Dir, cmd.SysProcAttr = pg.dir, &syscall.SysProcAttr{Credential: as.Credential}
	pg.process, err = launch(ctx, cmd, func() error { return pg.execute(ctx, "postgres", "SELECT 1") })
	if err != nil {
		return nil, err
	}
	y.onClose(pg.quit)
	y.pg = pg
	return pg, nil
}

// quit ends the server without waiting for its clients.
func (pg *postgres) quit() {
	pg.cmd.Process.Signal(syscall.SIGINT)
	<-pg.ended
}

// database makes an empty database and returns its address.
func (pg *postgres) database(ctx context.Context, name string) (string, error) {
	return pg.address(name), pg.execute(ctx, "postgres", "CREATE DATABASE "+name)
}

func (pg *postgres) address(database string) string {
	q := url.Values{"host": {pg.dir}, "user": {"petsupply"}}
	return "postgres:///" + database + "?" + q.Encode()
}

func (pg *postgres) execute(ctx context.Context, database string, statements ...string) error {
	conn, err := pgx.Connect(ctx, pg.address(database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for _, s := range statements {
		if _, err := conn.Exec(ctx, s); err != nil {
			return fmt.Errorf("%.60s: %w", s, err)
		}
	}
	return nil
}

// number asks for one figure.
func (pg *postgres) number(ctx context.Context, database, query string) (n float64, err error) {
	conn, err := pgx.Connect(ctx, pg.address(database))
	if err != nil {
		return 0, err
	}
	defer conn.Close(ctx)
	err = conn.QueryRow(ctx, query).Scan(&n)
	return n, err
}

// servant says who runs the server: it refuses root, so root lends its
// directory to the user that the package made for it.
func servant(dir string) (*syscall.SysProcAttr, error) {
	attr := new(syscall.SysProcAttr)
	if os.Geteuid() != 0 {
		return attr, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, err := strconv.Atoi(u.Uid)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.Atoi(u.Gid)
	if err != nil {
		return nil, err
	}
	attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return attr, os.Chown(dir, uid, gid)
}
