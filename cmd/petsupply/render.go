package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sync/errgroup"
	"golang.org/x/term"

	"petsupply/internal/app"
	"petsupply/internal/art"
	"petsupply/internal/pet"
)

type renderCmd struct {
	ID         string `arg:"" optional:"" help:"The pet's id."`
	Frame      bool   `default:"true" negatable:"" help:"Draw the frame."`
	Background bool   `default:"true" negatable:"" help:"Draw the background."`
	Size       string `placeholder:"N" help:"Width in pixels: the pack's grid times 1 to 12. Default: as served without size."`
	Out        string `short:"o" placeholder:"FILE" help:"Where to. Default: standard output; with --all the directory pictures."`
	All        bool   `help:"Draw the pictures of all pets into a directory, which file:// blobs can then serve."`
	configFlags
}

func (c *renderCmd) Run(ctx context.Context, p *program) error {
	if c.All == (c.ID != "") {
		return usage("give the id of a pet, or --all")
	}
	if f, ok := p.raw.(*os.File); ok && c.Out == "" && !c.All && term.IsTerminal(int(f.Fd())) {
		return usage("a picture is not for a terminal; say where to with -o FILE")
	}
	s, err := c.load(p)
	if err != nil {
		return err
	}
	a, err := app.Open(ctx, s, quiet())
	if err != nil {
		return err
	}
	defer a.Close()
	r := renderer{App: a, pack: a.Packs.Current()}
	r.view = art.View{Frame: c.Frame, Background: c.Background, Scale: r.pack.Scale()}
	if c.Size != "" {
		if r.view.Scale, err = r.pack.ParseSize(c.Size); err != nil {
			return usageError{err}
		}
	}
	if c.All {
		if err := r.renderAll(ctx, p, c.Out); err != nil {
			return fmt.Errorf("drawing all pictures: %w", err)
		}
		return nil
	}
	return r.renderOne(ctx, p, c.ID, c.Out)
}

// A renderer draws the pets of an App in one way.
type renderer struct {
	*app.App
	pack *art.Pack
	view art.View
}

func (r *renderer) renderOne(ctx context.Context, p *program, id, file string) error {
	n, err := pet.ParseID(id)
	if err != nil {
		return usage("reading the id %q: %w", id, err)
	}
	which, err := r.Pets.Pet(ctx, n)
	if err != nil {
		return fmt.Errorf("looking up pet %d: %w", n, err)
	}
	png := r.pack.Draw(art.LookOf(which), r.view)
	if file == "" {
		_, err = p.raw.Write(png)
		return err
	}
	return os.WriteFile(file, png, 0o644)
}

// renderAll draws every picture of the collection once, and lists which pet has
// which in pets.tsv. The directory is laid out as the blob store is.
func (r *renderer) renderAll(ctx context.Context, p *program, dir string) error {
	if dir == "" {
		dir = "pictures"
	}
	if err := os.MkdirAll(filepath.Dir(r.file(dir, "")), 0o755); err != nil {
		return err
	}
	list, err := os.Create(filepath.Join(dir, "pets.tsv"))
	if err != nil {
		return err
	}
	defer list.Close()
	looks, pets, err := r.distinctLooks(ctx, list)
	if err != nil {
		return fmt.Errorf("listing the pets: %w", err)
	}
	bar := newProgress(p.stderr, "pictures", len(looks))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for key, look := range looks {
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			defer bar.add(1)
			return os.WriteFile(r.file(dir, key), r.pack.Draw(look, r.view), 0o644)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	bar.done()
	fmt.Fprintf(p.stdout, "%d pictures of %d pets in %s\n", len(looks), pets, dir)
	return list.Close()
}

// file is where the picture with a render key lies under a directory.
func (r *renderer) file(dir, key string) string {
	return filepath.Join(dir, filepath.FromSlash(r.pack.File(key)))
}

// distinctLooks lists all pets and returns one look for each different picture,
// by render key, and the number of pets.
func (r *renderer) distinctLooks(ctx context.Context, list io.Writer) (map[string]art.Look, int, error) {
	looks, pets := map[string]art.Look{}, 0
	q := pet.Query{Limit: pet.MaxLimit}
	for {
		page, err := r.Pets.List(ctx, q)
		if err != nil {
			return nil, 0, err
		}
		for _, one := range page.Pets {
			look := art.LookOf(one)
			key := r.pack.Key(look, r.view)
			looks[key] = look
			pets++
			if _, err := fmt.Fprintf(list, "%d\t%s\n", one.ID, r.pack.File(key)); err != nil {
				return nil, 0, err
			}
		}
		if page.Next == "" {
			return looks, pets, nil
		}
		q.PageToken = page.Next
	}
}
