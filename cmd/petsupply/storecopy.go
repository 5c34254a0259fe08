package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"petsupply/internal/config"
	"petsupply/internal/store"
	"petsupply/internal/terminal"
)

// storeCmd groups the commands for stores.
type storeCmd struct {
	Copy storeCopyCmd `cmd:"" help:"Copy or move a store to a new SQLite file or an empty PostgreSQL database."`
}

// storeCopyCmd copies or moves a store.
type storeCopyCmd struct {
	From string `arg:"" help:"The store: sqlite:///path/to/file.db or postgres://…."`
	To   string `arg:"" help:"The new store: a file that does not exist, or an empty database."`
	Move bool   `help:"Move the store with its log. Stop the service first."`
	configFlags
}

func (c *storeCopyCmd) Help() string {
	return `The copy has everything that was in the store at one moment. The service may run
meanwhile. A service that starts on the copy begins a new log, and sends webhooks
only about what happens from then on.

With --move the service must be stopped. The key of the log and its newest
checkpoint go along, the log continues, and no service uses the old store any more.
If one of the stores is PostgreSQL, --move needs the configuration of the service.

The rows of both stores are counted and compared. If the command is interrupted,
run it again.`
}

// Run copies or moves the store.
func (c *storeCopyCmd) Run(ctx context.Context, p *program) error {
	from, fromName, err := storeAddress("FROM", c.From)
	if err != nil {
		return err
	}
	to, toName, err := storeAddress("TO", c.To)
	if err != nil {
		return err
	}
	bar := terminal.NewProgress(p.stderr, "rows copied", 0)
	if c.Move {
		err = c.move(ctx, p, from, to, toName, bar)
	} else {
		err = copyStoreTo(ctx, from, to, bar)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return errors.New("the new store is not complete; run the command again")
	case errors.Is(err, store.ErrNoStore), errors.Is(err, store.ErrExists):
		return usage("copying %s to %s: %w", fromName, toName, err)
	case err != nil:
		return fmt.Errorf("copying %s to %s: %w", fromName, toName, err)
	}
	fmt.Fprintf(p.stdout, "Copied %d rows from %s to %s, and compared them.\n", bar.Done(), fromName, toName)
	if c.Move {
		fmt.Fprintln(p.stdout, `Set the key "store" of the configuration to the new store.`)
	}
	return nil
}

// copyStoreTo copies the store at one address to another.
func copyStoreTo(ctx context.Context, from, to string, bar *terminal.Progress) error {
	s, err := store.OpenExisting(ctx, from, 0)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Copy(ctx, to, bar.Add)
}

// move moves the store with the files of its log.
func (c *storeCopyCmd) move(ctx context.Context, p *program, from, to, toName string, bar *terminal.Progress) error {
	s, err := c.load(p)
	if err != nil {
		return err
	}
	if s.Notice != "" && !(strings.HasPrefix(from, "sqlite://") && strings.HasPrefix(to, "sqlite://")) {
		return usage("moving a store from or to PostgreSQL needs the configuration of its service; " +
			"give it with --config FILE")
	}
	key, err := s.MoveStore(ctx, from, to, toName, bar.Add)
	if err == nil && key != "" {
		fmt.Fprintf(p.stdout, "Set tlog.key in the configuration to the text in %s, which is the key of the log.\n"+
			"Without it there is no log on PostgreSQL.\n", key)
	}
	return err
}

// storeAddress checks the address of a store in an argument. It returns the address with an absolute
// path, and the address without user and password.
func storeAddress(argument, address string) (absolute, name string, err error) {
	path, file := strings.CutPrefix(address, "sqlite://")
	switch {
	case file && path != "" && path != "/":
		path, err = filepath.Abs(path)
		if err != nil {
			return "", "", err
		}
		address = "sqlite://" + path
	case !strings.HasPrefix(address, "postgres://") && !strings.HasPrefix(address, "postgresql://"):
		return "", "", usage("%s wants sqlite:///path/to/file.db or postgres://…", argument)
	}
	return address, (&config.Config{Store: address}).StoreName(), nil
}
