package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/frozen"
	"petsupply/internal/store/blobs"
	"petsupply/internal/supply"
	"petsupply/internal/terminal"
)

// freezeCmd copies everything that is published into files.
type freezeCmd struct {
	Out  string `short:"o" required:"" placeholder:"DIR|FILE.car|s3://…" help:"Where to: a folder, a CAR file, or a bucket: s3://bucket?endpoint=https://host&region=name."`
	Base string `placeholder:"URL" help:"Where the copy will be found: documents link to the pictures in it. Default: ipfs:// and their folder's CID in a CAR, else the addresses of the service."`
	Log  bool   `help:"Say in the log which copy was made: its root, and the hash of its provenance. The running service does that."`
	Work string `placeholder:"DIR" help:"Where the files lie until a CAR or a bucket has them. Default: FILE.car.part, or in the data directory."`
	configFlags
}

func (c *freezeCmd) Help() string {
	return `Everything that is published becomes plain files that need no service any more:
figures, evidence, proofs, history, a document for every pet, the pictures of
every look, the art pack, and an nginx.conf that serves them under the same
paths. petsupply thaw serves a copy by the whole contract.

What is copied is fixed when it begins. If it is broken off, call it again the
same way: it goes on with the same moment, and the copy has the same bytes.
The service may go on meanwhile.`
}

// Run takes the moment down, and makes the files out of what was taken.
func (c *freezeCmd) Run(ctx context.Context, p *program) error {
	app.LimitMemory(p.getenv, quiet())
	s, err := c.load(p)
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
	provenance, err := c.write(ctx, p, dir)
	if err != nil {
		return err
	}
	hash, err := frozen.ProvenanceHash(dir)
	if err == nil {
		err = c.deliver(ctx, p, dir, provenance)
	}
	if err != nil || !c.Log {
		return err
	}
	return c.tell(ctx, p, s, provenance.Root, hash)
}

// tell has the running service say in its log which copy was made. The copy was
// taken before, and does not hold that leaf.
func (c *freezeCmd) tell(ctx context.Context, p *program, s *app.Settings, root, hash string) error {
	db, err := s.OpenStore(ctx, nil)
	if err != nil {
		return err
	}
	defer db.Close()
	return askDecision(ctx, p, db, supply.Decision{Kind: supply.RecordCopy, Token: s.Tokens[0].Path, Subject: root, Reason: hash},
		duration(10*time.Second), "Logged: the copy with the provenance "+hash+".")
}

func (c *freezeCmd) toCAR() bool    { return strings.HasSuffix(c.Out, ".car") }
func (c *freezeCmd) toBucket() bool { return strings.HasPrefix(c.Out, "s3://") }

// folder is where the files are made, and refuses what would be overwritten.
func (c *freezeCmd) folder(s *app.Settings) (string, error) {
	if c.Base != "" {
		if u, err := url.Parse(c.Base); err != nil || u.Scheme == "" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
			return "", usage("--base %q is not an address like https://pets.example.com", c.Base)
		}
	}
	if c.Log && (c.Config == "" || len(s.Tokens) == 0) {
		return "", usage("--log is for a service with tokens, whose log tells what it published; give its configuration with --config FILE")
	}
	dir := c.Work
	switch {
	case c.toBucket():
		if err := blobs.Check(c.Out); err != nil {
			return "", usageError{err}
		}
		if dir == "" {
			u, _ := url.Parse(c.Out) // Check has
			dir = filepath.Join(s.DataDir, "freeze-"+u.Host)
		}
		return dir, nil
	case c.toCAR():
		if _, err := os.Stat(c.Out); !errors.Is(err, fs.ErrNotExist) {
			return "", usage("%s is there already; name another file", c.Out)
		}
		if dir == "" {
			dir = c.Out + ".part"
		}
		return dir, nil
	}
	if c.Work != "" {
		return "", usage("--work is for a CAR or a bucket; a folder is its own")
	}
	if copied, closer, err := frozen.Open(c.Out); err == nil {
		closer.Close()
		h, err := frozen.ReadHead(copied)
		if err != nil {
			return "", err
		}
		return "", usage("%s is a whole copy as of %s already; name another folder", c.Out, h.AsOf.Format("2006-01-02 15:04:05"))
	}
	return c.Out, nil
}

// take fixes the moment, unless that was done before.
func (c *freezeCmd) take(ctx context.Context, p *program, s *app.Settings, dir string) error {
	a, err := app.Open(ctx, s, quiet())
	if err != nil {
		return err
	}
	defer a.Close()
	bar := terminal.NewProgress(p.stderr, "rows read", 0)
	head, resumed, err := frozen.Take(ctx, a.Store, s.Packs[0], s.FrozenHead(), dir, bar.Add)
	if err != nil {
		return err
	}
	if resumed {
		fmt.Fprintf(p.stderr, "going on with the copy that was begun: as of %s\n", head.AsOf.Format(time.RFC3339))
		return nil
	}
	bar.Done()
	return nil
}

// write makes the published files out of what was taken, and of that alone.
func (c *freezeCmd) write(ctx context.Context, p *program, dir string) (*frozen.Provenance, error) {
	work, err := os.MkdirTemp("", "petsupply-freeze-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	head, err := frozen.ReadHead(os.DirFS(dir))
	if err != nil {
		return nil, err
	}
	s, err := app.LoadFrozen(ctx, os.DirFS(dir), work, "8080", func(int) {})
	if err != nil {
		return nil, err
	}
	s.SupplyURL, s.PetsURL, s.SiteURL = head.SupplyURL, head.PetsURL, head.SiteURL
	a, err := app.Open(ctx, s, quiet())
	if err != nil {
		return nil, err
	}
	defer a.Close()
	service, err := a.NewService(ctx, app.ServiceConfig{MaxConns: 1, Version: versionText()})
	if err != nil {
		return nil, err
	}
	bar := terminal.NewProgress(p.stderr, "files", 0)
	w := frozen.Writer{Dir: dir, Head: head, Base: c.Base, CAR: c.toCAR(), Answers: service.Handler(),
		Pack: a.Packs.Current(), Pets: a.Store, Progress: bar.Add}
	provenance, err := w.Write(ctx)
	if err == nil {
		bar.Done()
	}
	return provenance, err
}

// deliver brings the files to where they were asked for, and says what there is.
func (c *freezeCmd) deliver(ctx context.Context, p *program, dir string, of *frozen.Provenance) error {
	fmt.Fprintf(p.stdout, "%d pets and %d tokens as of %s, root %s\n", of.Pets, len(of.Figures), of.AsOf.Format(time.RFC3339), of.Root)
	switch {
	case c.toCAR():
		bar := terminal.NewProgress(p.stderr, "files packed", 0)
		cid, err := frozen.Pack(ctx, dir, c.Out, bar.Add)
		if err != nil {
			return err
		}
		bar.Done()
		fmt.Fprintf(p.stdout, "%s: ipfs://%s\n", c.Out, cid)
	case c.toBucket():
		bucket, err := blobs.OpenAs(c.Out, frozen.Served)
		if err != nil {
			return err
		}
		defer bucket.Close()
		bar := terminal.NewProgress(p.stderr, "files sent", 0)
		if err := frozen.Upload(ctx, dir, bucket, bar.Add); err != nil {
			return err
		}
		bar.Done()
		fmt.Fprintf(p.stdout, "in the bucket\n")
	default:
		fmt.Fprintf(p.stdout, "in %s; petsupply thaw %s serves it\n", dir, dir)
		return nil
	}
	if c.Work != "" {
		return nil
	}
	return os.RemoveAll(dir)
}
