package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"
	"golang.org/x/term"

	"petsupply/internal/app"
	"petsupply/internal/art"
	"petsupply/internal/pet"
	"petsupply/internal/terminal"
)

type renderCmd struct {
	ID         string `arg:"" optional:"" help:"The pet's id."`
	Frame      bool   `default:"true" negatable:"" help:"Draw the frame."`
	Background bool   `default:"true" negatable:"" help:"Draw the background."`
	Size       string `placeholder:"N" help:"Width in pixels: a multiple of the pack's grid, up to 3240. Default: the default size of the pack."`
	Animated   bool   `help:"Draw a moving picture: APNG, or GIF with --format gif."`
	Format     string `placeholder:"FORM" help:"png or gif. Default: gif if -o ends in .gif, otherwise png."`
	Out        string `short:"o" placeholder:"FILE" help:"File to write; - for standard output. Default: standard output; with --all, a directory named pictures."`
	All        bool   `help:"Draw the pictures of all pets into a directory. A picture's file is named after the id of the pet."`
	Blobs      bool   `help:"With --all: write each picture once, in the layout of a file:// blob store."`
	packFlag
	configFlags `set:"demo= Default: the embedded demo kingdom."`
}

func (c *renderCmd) Run(ctx context.Context, p *program) error {
	switch {
	case c.All == (c.ID != ""):
		return usage("give the id of a pet, or --all")
	case c.All && c.Out == "-":
		return usage("--all draws many pictures; name a directory with -o DIR")
	case c.Blobs && (!c.All || c.format() == "gif"):
		return usage("--blobs works only with --all, and only for PNGs")
	}
	if f, ok := p.raw.(*os.File); ok && c.Out == "" && !c.All && term.IsTerminal(int(f.Fd())) {
		return usage("a terminal cannot show a picture; name a file with -o FILE")
	}
	s, err := c.load(p)
	if err != nil {
		return err
	}
	if s.Draft, err = c.draft(s); err != nil {
		return err
	}
	a, err := app.Open(ctx, s, quiet())
	if err != nil {
		return err
	}
	defer a.Close()
	r := renderer{App: a, pack: a.Packs.Current(), blobs: c.Blobs}
	r.view = art.View{Frame: c.Frame, Background: c.Background, Scale: r.pack.Scale()}
	if c.Size != "" {
		if r.view.Scale, err = r.pack.ParseSize(c.Size); err != nil {
			return usage("--size: %w", err)
		}
	}
	if r.view.Form, err = r.pack.ParseForm(c.format(), c.Animated, r.view.Scale); err != nil {
		return usage("--format: %w", err)
	}
	if c.All {
		if err := r.renderAll(ctx, p, c.Out); err != nil {
			return fmt.Errorf("drawing all pictures: %w", err)
		}
		return nil
	}
	return r.renderOne(ctx, p, c.ID, c.Out)
}

// format returns the requested format. Without one it returns "gif" if the file's name ends in
// .gif, and otherwise "", which means png.
func (c *renderCmd) format() string {
	if c.Format == "" && strings.HasSuffix(c.Out, ".gif") {
		return "gif"
	}
	return c.Format
}

// A renderer draws the pets of an App with one pack and one view.
type renderer struct {
	*app.App
	pack  *art.Pack
	view  art.View
	blobs bool // files are named as in a blob store
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
	png := r.pack.Draw(r.pack.LookOf(which), r.view)
	return p.write(cmp.Or(file, "-"), png)
}

// renderAll draws every picture of the collection once, and writes a file for each pet that has it.
// With --blobs it writes each picture once.
func (r *renderer) renderAll(ctx context.Context, p *program, dir string) error {
	if dir == "" {
		dir = "pictures"
	}
	pictures, pets, err := r.pictures(ctx)
	if err != nil {
		return fmt.Errorf("listing the pets: %w", err)
	}
	if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(path.Dir(r.name("", 0)))), 0o755); err != nil {
		return err
	}
	bar := terminal.NewProgress(p.stderr, "pictures", len(pictures))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for key, one := range pictures {
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			defer bar.Add(1)
			png := r.pack.Draw(one.look, r.view)
			ids := one.ids
			if r.blobs {
				ids = ids[:1]
			}
			for _, id := range ids {
				if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(r.name(key, id))), png, 0o644); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	bar.Done()
	fmt.Fprintf(p.stdout, "%d different pictures of %d pets in %s\n", len(pictures), pets, dir)
	return nil
}

// name returns the name of a picture's file, with slashes.
func (r *renderer) name(key string, id uint64) string {
	if r.blobs {
		return r.pack.File(key)
	}
	return strconv.FormatUint(id, 10) + "." + path.Base(r.view.Form.Media())
}

// A sharedPicture is a picture and the pets that have it.
type sharedPicture struct {
	look art.Look // of the first pet; another look may have the same picture
	ids  []uint64
}

// pictures groups all pets by the render keys of their pictures (art.Pack.Key). It also returns the
// number of pets.
func (r *renderer) pictures(ctx context.Context) (map[string]*sharedPicture, int, error) {
	out, pets := map[string]*sharedPicture{}, 0
	q := pet.Query{Limit: pet.MaxLimit}
	for {
		page, err := r.Pets.List(ctx, q)
		if err != nil {
			return nil, 0, err
		}
		for _, one := range page.Pets {
			look := r.pack.LookOf(one)
			key := r.pack.Key(look, r.view)
			if out[key] == nil {
				out[key] = &sharedPicture{look: look}
			}
			out[key].ids = append(out[key].ids, one.ID)
			pets++
		}
		if page.Next == "" {
			return out, pets, nil
		}
		q.PageToken = page.Next
	}
}
