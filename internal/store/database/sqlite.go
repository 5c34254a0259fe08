package database

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite" // the embedded engine
	codes "modernc.org/sqlite/lib"
)

// ErrDamaged: the file is not a sound SQLite database.
var ErrDamaged = errors.New("the file is damaged; restore a backup of it, or move it away to start with an empty store")

const sqliteClock = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"

// openFile opens a SQLite file and creates its tables if it is new.
func openFile(ctx context.Context, path string, log *slog.Logger) (*DB, error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("creating the data directory: %w", err)
	}
	if err := checkFile(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) // SQLite would create it with another mode
	if err != nil {
		if _, missing := os.Stat(path); missing != nil {
			return nil, cmp.Or(probeDirectory(dir), err)
		}
		return readFile(ctx, path, log, err)
	}
	f.Close()
	keepPrivate(path)
	return useFile(ctx, path, log, func(db *DB) error {
		err := db.create(ctx, log)
		for try := 0; try < 5 && primary(err) == codes.SQLITE_BUSY; try++ {
			err = db.create(ctx, log) // while a process makes a new file a WAL database, SQLite lets no other wait
		}
		return err
	})
}

func openExistingFile(ctx context.Context, path string) (*DB, error) {
	err := checkFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w at %s; check the path, --data and the configuration", ErrNoStore, path)
	}
	if err != nil {
		return nil, err
	}
	return useFile(ctx, path, nil, func(db *DB) error { return db.exists(ctx) })
}

// useFile opens a file, which exists, and calls check. If the file cannot be written, as on a
// read-only disk, useFile opens it for reading.
func useFile(ctx context.Context, path string, log *slog.Logger, check func(*DB) error) (*DB, error) {
	db, err := dialFile(path, url.Values{"mode": {"rw"}, "_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "mmap_size(268435456)",
		"temp_store(MEMORY)", // where to keep temporary data, such as the data for undoing a statement
		// SQLite must not add indexes for single queries, because it reads a whole table to make
		// one. Every table has the indexes that it needs.
		"automatic_index(0)",
	}})
	if err != nil {
		return nil, err
	}
	if err = check(db); err == nil {
		return db, nil
	}
	db.Close()
	if unwritable(err) {
		return readFile(ctx, path, log, err)
	}
	return nil, explain(path, err)
}

// checkFile returns an error if there is no file, if it is not a file, or if this user is not allowed
// to read it.
func checkFile(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", path)
	}
	if err == nil {
		var f *os.File
		if f, err = os.Open(path); err == nil {
			return f.Close()
		}
	}
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w; run this as the user who owns the store", err)
	}
	return err
}

// keepPrivate makes the store's files readable only by their owner. SQLite gives the mode of the
// database's file to the write-ahead log and to the log's index.
func keepPrivate(path string) {
	for _, file := range []string{path, path + "-wal", path + "-shm"} {
		if info, err := os.Stat(file); err == nil && info.Mode().Perm()&0o077 != 0 {
			os.Chmod(file, info.Mode().Perm()&^0o077)
		}
	}
}

func dialFile(path string, q url.Values) (*DB, error) {
	address := "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
	first, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	same := func() error { return checkSame(path, first) }
	db, err := newDB("sqlite", sqliteClock, 8, func() (*sql.DB, error) {
		db, err := sql.Open("sqlite", address)
		if err != nil {
			return nil, err
		}
		defer db.Close() // only its driver is used
		return sql.OpenDB(&fileConnector{driver: db.Driver(), address: address, same: same}), nil
	})
	if err == nil {
		db.CheckFile = same
	}
	return db, err
}

// checkSame returns an error if path is no longer the file that was opened first.
func checkSame(path string, first fs.FileInfo) error {
	now, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the file %s was removed or renamed; stop the service, put the file back, and start again",
			path)
	case err != nil:
		return fmt.Errorf("checking the store's file: %w", err)
	case !os.SameFile(first, now):
		return fmt.Errorf("the file %s was replaced by another; stop the service and start it again", path)
	}
	return nil
}

// A fileConnector opens connections only while its path still leads to the file that was there at
// first, because connections to different files would give different answers.
type fileConnector struct {
	driver  driver.Driver
	address string
	same    func() error
}

func (c *fileConnector) Connect(context.Context) (driver.Conn, error) {
	if err := c.same(); err != nil {
		return nil, err
	}
	conn, err := c.driver.Open(c.address)
	if err != nil {
		return nil, err
	}
	return &fileConn{engineConn: conn.(engineConn), kept: map[string]*keptStatement{}}, nil
}

func (c *fileConnector) Driver() driver.Driver { return c.driver }

// readFile opens a file that cannot be written. It first tries with the write-ahead log, and then
// without it. Without the log the newest writes may be missing.
func readFile(ctx context.Context, path string, log *slog.Logger, why error) (*DB, error) {
	var faults []error
	for _, mode := range []url.Values{
		{"mode": {"ro"}, "_pragma": {"busy_timeout(5000)", "mmap_size(268435456)", "automatic_index(0)"}},
		{"mode": {"ro"}, "immutable": {"1"}, "_pragma": {"mmap_size(268435456)", "automatic_index(0)"}},
	} {
		db, err := dialFile(path, mode)
		if err == nil {
			if err = db.exists(ctx); err == nil {
				if log != nil {
					log.Warn("the store cannot be written; it is served read-only", "file", path, "error", why)
				}
				return db, nil
			}
			db.Close()
		}
		faults = append(faults, err)
	}
	return nil, explain(path, fmt.Errorf("%w; opening it read-only failed too: %w", why, errors.Join(faults...)))
}

// unwritable reports whether an error means that the file cannot be written.
func unwritable(err error) bool {
	switch primary(err) {
	case codes.SQLITE_READONLY, codes.SQLITE_CANTOPEN, codes.SQLITE_PERM:
		return true
	}
	return false
}

// explain adds the path of the file to an error and, for some errors, the likely cause or a remedy.
func explain(path string, err error) error {
	switch primary(err) {
	case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB:
		return fmt.Errorf("%s: %w (%w)", path, ErrDamaged, err)
	case codes.SQLITE_FULL, codes.SQLITE_IOERR:
		return fmt.Errorf("%s: the disk may be full or broken: %w", path, err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// primary returns SQLite's primary error code, or 0 for other errors.
func primary(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

// checkTime limits Check. If the check takes longer, Check reports no damage.
const checkTime = 2 * time.Second

// Check looks for damage in a SQLite file, for at most checkTime. PostgreSQL does this itself.
func (db *DB) Check(ctx context.Context) error {
	if db.Kind != "sqlite" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	found, err := db.quickCheck(ctx)
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil:
		return explain("looking for damage", err)
	case found != "ok":
		return fmt.Errorf("%w (%s)", ErrDamaged, found)
	}
	return nil
}

// quickCheck reads every page, on a connection that is closed afterwards and without mapping the
// file. So an unreadable disk gives an error, and no page stays in memory.
func (db *DB) quickCheck(ctx context.Context) (found string, err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	defer conn.Raw(func(any) error { return driver.ErrBadConn })
	if _, err = conn.ExecContext(ctx, `PRAGMA mmap_size = 0; PRAGMA cache_size = 64`); err != nil {
		return "", err
	}
	err = conn.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&found)
	return found, err
}
