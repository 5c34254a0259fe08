package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"strings"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/frozen"
	"petsupply/internal/supply"
	"petsupply/internal/terminal"
)

// freezeCmd copies everything that is published into files.
type freezeCmd struct {
	Out         string `short:"o" required:"" placeholder:"DIR|FILE.zip" help:"The folder or zip to write."`
	Base        string `placeholder:"URL" help:"The address at which the copy will be served. Documents link to the pictures there. Default: the addresses of the service."`
	Log         bool   `help:"Record the copy in the log of the running service. The log gets the root of the copy and the hash of its provenance.json."`
	configFlags `set:"demo= Default: the embedded demo kingdom."`
}

func (c *freezeCmd) Help() string {
	return `Writes everything that is published into plain files: figures, evidence, proofs,
history, a document for every pet, the pictures of every look, and the art pack.
SHA256SUMS lists the files, and its SHA-256 is the root of the copy. petsupply thaw
serves a copy as the service did.

The copy shows the moment at which the command started. The service may run
meanwhile. If freeze is interrupted, run it again with the same arguments: it
continues with the same moment, and the copy gets the same bytes as without the
interruption.

A zip is packed from the folder FILE.zip.part, which is removed at the end.`
}

// Run copies the rows of one moment, makes the files from them, and packs everything.
func (c *freezeCmd) Run(ctx context.Context, p *program) error {
	app.LimitMemory(p.getenv, quiet(), math.MaxInt64)
	s, err := c.loadExisting(p)
	if err != nil {
		return err
	}
	dir, err := c.folder(s)
	if err != nil {
		return err
	}
	if err := c.take(ctx, p, s, dir); err != nil {
		return err
	}
	provenance, hash, err := c.write(ctx, p, dir)
	if err == nil && dir != c.Out {
		err = c.zip(ctx, p, dir)
	}
	if err != nil {
		return err
	}
	what := []string{count(len(provenance.Figures), "token")}
	if len(s.Realms) > 0 {
		what = append(what, count(int(provenance.Pets), "pet"))
	}
	fmt.Fprintf(p.stdout, "%s as of %s, root %s\nin %s; petsupply thaw %s serves it\n",
		strings.Join(what, " and "), provenance.AsOf.Format(time.RFC3339), provenance.Root, c.Out, c.Out)
	if !c.Log {
		return nil
	}
	return c.tell(ctx, p, s, provenance.Root, hash)
}

// tell asks the running service to record the copy in the service's log. The log in the copy lacks
// this record.
func (c *freezeCmd) tell(ctx context.Context, p *program, s *app.Settings, root, hash string) error {
	db, err := s.OpenStore(ctx, nil)
	if err != nil {
		return err
	}
	defer db.Close()
	return askDecision(ctx, p, s, db,
		supply.Decision{Kind: supply.RecordCopy, Token: s.Tokens[0].Path, Subject: root, Reason: hash},
		duration(10*time.Second), "Logged: the copy with the provenance "+hash+".")
}

// folder returns the folder for the files, and refuses to overwrite a copy.
func (c *freezeCmd) folder(s *app.Settings) (string, error) {
	if c.Base != "" {
		u, err := url.Parse(c.Base)
		if err != nil || u.Scheme == "" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
			return "", usage("--base %q is not an address like https://pets.example.com", c.Base)
		}
	}
	if c.Log && (c.Config == "" || len(s.Tokens) == 0) {
		return "", usage("--log needs the log of a service with tokens; give the configuration of one with --config FILE")
	}
	if strings.Contains(c.Out, "://") {
		return "", usage("freeze cannot write to %q; write a folder, and copy it there with a tool such as rclone", c.Out)
	}
	if strings.HasSuffix(c.Out, ".zip") {
		if _, err := os.Stat(c.Out); !errors.Is(err, fs.ErrNotExist) {
			return "", usage("%s exists already; name another file", c.Out)
		}
		return c.Out + ".part", nil
	}
	copied, err := frozen.Open(c.Out)
	if errors.Is(err, fs.ErrNotExist) {
		return c.Out, nil
	}
	if err != nil {
		return "", err
	}
	defer copied.Close()
	if of, err := copied.Provenance(); err == nil {
		return "", usage("%s is a complete copy as of %s already; name another folder", c.Out, of.AsOf.Format(time.RFC3339))
	}
	return c.Out, nil
}

// take copies the rows of this moment into the folder. If an interrupted freeze has done so before,
// it keeps those rows.
func (c *freezeCmd) take(ctx context.Context, p *program, s *app.Settings, dir string) error {
	a, err := app.Open(ctx, s, quiet())
	if err != nil {
		return err
	}
	defer a.Close()
	bar := terminal.NewProgress(p.stderr, "rows read", 0)
	of := s.FrozenHead()
	of.Plain = a.Packs.Current().IsPlain() || len(s.Realms) == 0
	var head *frozen.Head
	var resumed bool
	for try := 1; ; try++ { // the service signs the newest head of its log within seconds
		head, resumed, err = frozen.Take(ctx, a.Store, s.Packs[0], of, dir, bar.Add)
		if !errors.Is(err, frozen.ErrUnsigned) || try == 10 {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
	if err != nil {
		return err
	}
	if resumed {
		fmt.Fprintf(p.stderr, "continuing the copy that was begun, as of %s\n", head.AsOf.Format(time.RFC3339))
		return nil
	}
	bar.Done()
	return nil
}

// write makes the published files. It reads only the rows and the pack in the folder.
func (c *freezeCmd) write(ctx context.Context, p *program, dir string) (*frozen.Provenance, string, error) {
	work, err := os.MkdirTemp("", "petsupply-freeze-")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(work)
	copied, err := frozen.Open(dir)
	if err != nil {
		return nil, "", err
	}
	defer copied.Close()
	head, err := copied.Head()
	if err != nil {
		return nil, "", err
	}
	s, err := app.LoadFrozen(ctx, copied, work, "8080", func(int) {})
	if err != nil {
		return nil, "", err
	}
	s.SupplyURL, s.PetsURL, s.SiteURL = head.SupplyURL, head.PetsURL, head.SiteURL
	a, err := app.Open(ctx, s, quiet())
	if err != nil {
		return nil, "", err
	}
	defer a.Close()
	service, err := a.NewService(ctx, app.ServiceConfig{MaxConns: 1, Version: versionText()})
	if err != nil {
		return nil, "", err
	}
	bar := terminal.NewProgress(p.stderr, "files", 0)
	w := frozen.Writer{
		Dir: dir, Head: head, Base: c.Base,
		Answers: service.Handler(), Pack: a.Packs.Current(), Store: a.Store, Progress: bar.Add,
	}
	provenance, hash, err := w.Write(ctx)
	if err == nil {
		bar.Done()
	}
	return provenance, hash, err
}

// zip packs the folder and removes it.
func (c *freezeCmd) zip(ctx context.Context, p *program, dir string) error {
	bar := terminal.NewProgress(p.stderr, "files packed", 0)
	if err := frozen.Zip(ctx, dir, c.Out, bar.Add); err != nil {
		return err
	}
	bar.Done()
	return os.RemoveAll(dir)
}
