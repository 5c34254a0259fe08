package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strings"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/frozen"
	"petsupply/internal/terminal"
)

// freezeCmd writes what is published into files.
type freezeCmd struct {
	Out string `short:"o" required:"" placeholder:"DIR" help:"The folder to write. It must not exist yet."`
	configFlags
}

func (c *freezeCmd) Help() string {
	return `Writes what is published into plain files, which any web server can serve: the
figures with their evidence, proofs and history, the log, and a document and a
picture of every pet. SHA256SUMS lists the files.

The files show the moment at which the command started. The service may run
meanwhile. The folder appears only when it is complete.`
}

// Run copies the store as of this moment, and writes the answers of a service on that copy.
func (c *freezeCmd) Run(ctx context.Context, p *program) error {
	app.LimitMemory(p.getenv, quiet(), math.MaxInt64)
	if strings.Contains(c.Out, "://") {
		return usage("freeze cannot write to %q; write a folder, and copy it there with a tool such as rclone", c.Out)
	}
	if _, err := os.Lstat(c.Out); !errors.Is(err, fs.ErrNotExist) {
		return usage("%s exists already; name another folder", c.Out)
	}
	done, err := c.demoFolder()
	if err != nil {
		return err
	}
	defer done()
	s, err := c.load(p)
	if err != nil {
		return err
	}
	s.Existing = s.Notice == ""
	a, err := openApp(ctx, s, quiet())
	if err != nil {
		return err
	}
	defer a.Close()
	work, err := os.MkdirTemp("", "petsupply-freeze-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	still, err := copyStore(ctx, p, a, work)
	if err != nil {
		return err
	}
	defer still.Close()
	bar := terminal.NewProgress(p.stderr, "files", 2*still.PetCount(ctx)) // a document and a picture each
	source := still.Source()
	pets, root, err := frozen.Write(ctx, source, c.Out, bar.Add)
	if err != nil {
		return err
	}
	bar.Done()
	what := []string{count(len(source.Tokens), "token")}
	if source.ListPets != nil {
		what = append(what, count(pets, "pet"))
	}
	fmt.Fprintf(p.stdout, "%s as of %s in %s\nSHA-256 of SHA256SUMS: %s\n", strings.Join(what, " and "),
		source.At.UTC().Format(time.RFC3339), c.Out, root)
	return nil
}

// copyStore copies the store to the folder work. It tries again until the newest figures are signed
// in the log, which a running service does within seconds.
func copyStore(ctx context.Context, p *program, a *app.App, work string) (*app.StillApp, error) {
	for range 10 {
		dir, err := os.MkdirTemp(work, "")
		if err != nil {
			return nil, err
		}
		bar := terminal.NewProgress(p.stderr, "rows read", 0)
		still, err := a.Still(ctx, dir, bar.Add)
		if err != nil {
			return nil, err
		}
		if still.Signed() {
			bar.Done()
			return still, nil
		}
		still.Close()
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return nil, errors.New("the newest figures are not signed in the log yet; let the service run until they are")
}
