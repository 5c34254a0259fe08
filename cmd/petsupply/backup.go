package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"petsupply/internal/config"
	"petsupply/internal/store"
	"petsupply/internal/terminal"
)

// backupCmd copies a store into a file.
type backupCmd struct {
	File string `arg:"" help:"The file to write. It must not exist."`
	configFlags
}

func (c *backupCmd) Help() string {
	return `The file is a SQLite database with everything that is in the store at one moment,
also if the store is PostgreSQL. Only the owner of the file can read it. The service
may run meanwhile. petsupply restore creates a store from the file.

The key of the log is not in the file. With SQLite it is in a file beside the store,
with PostgreSQL in the configuration. Keep a copy of the key as well.`
}

// Run copies the store into a new file, and compares both row by row.
func (c *backupCmd) Run(ctx context.Context, p *program) (err error) {
	defer orInterrupted(ctx, &err, "no backup was written")
	s, db, err := c.openStore(ctx, p, "the demo needs no backup")
	if err != nil {
		return err
	}
	defer db.Close()
	rows := newRows(p)
	if err := db.Backup(ctx, c.File, rows.Add); errors.Is(err, fs.ErrExist) {
		return usage("%s exists already; name another file", c.File)
	} else if err != nil {
		return fmt.Errorf("copying the store %s: %w", s.StoreName(), err)
	}
	fmt.Fprintf(p.stdout, "Wrote %s: %d rows of the store %s.\n", c.File, rows.Done(), s.StoreName())
	if key := s.LogKeyFile(); key != "" {
		fmt.Fprintf(p.stdout, "The key of the log is not in it. Keep a copy of %s as well.\n", key)
	}
	return nil
}

// restoreCmd makes a store from a backup.
type restoreCmd struct {
	File string `arg:"" help:"A file that petsupply backup wrote."`
	To   string `required:"" placeholder:"URL" help:"The store to fill, which must be empty or not exist: sqlite:///path/to/file.db or postgres://…."`
}

// Run fills the store.
func (c *restoreCmd) Run(ctx context.Context, p *program) (err error) {
	defer orInterrupted(ctx, &err, "nothing was restored")
	to, name, err := fillTarget(c.To)
	if err != nil {
		return err
	}
	if info, err := os.Stat(c.File); err != nil {
		return usage("opening the backup: %w", err)
	} else if !info.Mode().IsRegular() {
		return usage("the backup %s is not a file", c.File)
	}
	rows := newRows(p)
	if err := store.RestoreBackup(ctx, c.File, to, rows.Add); err != nil {
		return fmt.Errorf("restoring %s into the store %s: %w", c.File, name, err)
	}
	fmt.Fprintf(p.stdout, "Restored %d rows into the store %s. Before you start the service on it, put the log's key and\n"+
		"newest checkpoint in their places (docs/OPERATIONS.md): figures may have been published since the backup.\n",
		rows.Done(), name)
	return nil
}

// moveCmd moves the store of a configuration elsewhere.
type moveCmd struct {
	To string `required:"" placeholder:"URL" help:"The new store, which must be empty or not exist: sqlite:///path/to/file.db or postgres://…."`
	configFlags
}

func (c *moveCmd) Help() string {
	return `Stop the service first. move takes the leader's lease, so that nothing else writes.
It copies everything, compares both stores row by row, and copies the log's key and
checkpoint to where the service looks for them. Then it marks the old store as moved.
The old store is not deleted, but no service uses it any more.

If move is interrupted, the old store is unchanged. Run it again.`
}

// Run moves the store.
func (c *moveCmd) Run(ctx context.Context, p *program) (err error) {
	defer orInterrupted(ctx, &err, "the move is not finished; run it again")
	to, name, err := fillTarget(c.To)
	if err != nil {
		return err
	}
	s, err := c.loadExisting(p)
	if err != nil {
		return err
	}
	if s.Notice != "" {
		return usage("the demo's store cannot be moved; give the configuration with --config FILE")
	}
	if to == s.Store {
		return usage("--to names the store that is to be moved; name another one")
	}
	rows := newRows(p)
	notes, err := s.MoveStore(ctx, to, name, rows.Add)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "Moved %d rows from %s to %s, and compared them.\n", rows.Done(), s.StoreName(), name)
	for _, note := range append([]string{"Set the key \"store\" of the configuration to the new store."}, notes...) {
		fmt.Fprintln(p.stdout, note)
	}
	return nil
}

// orInterrupted replaces the error of an interrupted command with the argument done, a text that
// says what the command has or has not done.
func orInterrupted(ctx context.Context, err *error, done string) {
	if *err != nil && ctx.Err() != nil {
		*err = errors.New(done)
	}
}

// fillTarget checks the address of a store to fill. It returns the address with an absolute path,
// and the address without user and password.
func fillTarget(address string) (to, name string, err error) {
	path, file := strings.CutPrefix(address, "sqlite://")
	if file && path != "" && path != "/" {
		if path, err = filepath.Abs(path); err != nil {
			return "", "", err
		}
		address = "sqlite://" + path
	} else if !strings.HasPrefix(address, "postgres://") && !strings.HasPrefix(address, "postgresql://") {
		return "", "", usage("--to wants sqlite:///path/to/file.db or postgres://…")
	}
	return address, (&config.Config{Store: address}).StoreName(), nil
}

// newRows shows how many rows were copied.
func newRows(p *program) *terminal.Progress { return terminal.NewProgress(p.stderr, "rows copied", 0) }
