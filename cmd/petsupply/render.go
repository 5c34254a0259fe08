package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"petsupply/internal/art"
	"petsupply/internal/pet"
	"petsupply/internal/pet/directory"
)

type renderCmd struct {
	ID         string `arg:"" optional:"" help:"The pet's id."`
	Frame      bool   `default:"true" negatable:"" help:"Draw the frame."`
	Background bool   `default:"true" negatable:"" help:"Draw the background."`
	Size       string `placeholder:"N" help:"Width in pixels: the pack's grid times 1 to 12. Default: as served without size."`
	Out        string `short:"o" placeholder:"FILE" help:"Where to. Default: standard output; with --all the directory pictures."`
	All        bool   `help:"Draw the pictures of all pets into a directory, which file:// blobs can then serve."`
	where
}

func (c *renderCmd) Run(p *program) error {
	if c.All == (c.ID != "") {
		return usageError{errors.New("give the id of a pet, or --all")}
	}
	if c.Out == "" && !c.All && isTerminal(p.stdout) {
		return usageError{errors.New("a picture is not for a terminal; say where to with -o FILE")}
	}
	s, err := p.settings(c.where, "8080")
	if err != nil {
		return err
	}
	h, err := s.open(p.ctx, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer h.close()
	pack := h.packs.Current()
	view := art.View{Frame: c.Frame, Background: c.Background, Scale: pack.Scale()}
	if c.Size != "" {
		if view.Scale, err = pack.ParseSize(c.Size); err != nil {
			return usageError{err}
		}
	}
	if c.All {
		return c.all(p, h.herd, pack, view)
	}
	return c.one(p, h.herd, pack, view)
}

func (c *renderCmd) one(p *program, herd *directory.Directory, pack *art.Pack, view art.View) error {
	id, err := pet.ParseID(c.ID)
	if err != nil {
		return usageError{fmt.Errorf("reading the id %q: %w", c.ID, err)}
	}
	which, err := herd.Pet(p.ctx, id)
	if err != nil {
		return fmt.Errorf("looking up pet %d: %w", id, err)
	}
	png := pack.Draw(art.LookOf(which), view)
	if c.Out == "" {
		_, err = p.stdout.Write(png)
		return err
	}
	return os.WriteFile(c.Out, png, 0o644)
}

// all draws every picture of the collection once, and lists which pet has which
// in pets.tsv. The directory is laid out as the blob store is.
func (c *renderCmd) all(p *program, herd *directory.Directory, pack *art.Pack, view art.View) error {
	dir := c.Out
	if dir == "" {
		dir = "pictures"
	}
	if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, filepath.FromSlash(pack.File("")))), 0o755); err != nil {
		return fmt.Errorf("drawing all pictures: %w", err)
	}
	list, err := os.Create(filepath.Join(dir, "pets.tsv"))
	if err != nil {
		return fmt.Errorf("drawing all pictures: %w", err)
	}
	defer list.Close()
	looks, pets, err := spread(p.ctx, herd, pack, view, list)
	if err != nil {
		return fmt.Errorf("listing the pets: %w", err)
	}
	bar := newProgress(p.stderr, "pictures", len(looks))
	if err := drawAll(p.ctx, dir, looks, pack, view, bar); err != nil {
		return fmt.Errorf("drawing all pictures: %w", err)
	}
	bar.done()
	fmt.Fprintf(p.stdout, "%d pictures of %d pets in %s\n", len(looks), pets, dir)
	return list.Close()
}

// spread goes through all pets and returns one look for each different picture.
func spread(ctx context.Context, herd *directory.Directory, pack *art.Pack, view art.View, list io.Writer) (map[string]art.Look, int, error) {
	looks, pets := map[string]art.Look{}, 0
	q := pet.Query{Limit: pet.MaxLimit}
	for {
		page, err := herd.List(ctx, q)
		if err != nil {
			return nil, 0, err
		}
		for _, one := range page.Pets {
			look := art.LookOf(one)
			key := pack.Key(look, view)
			looks[key] = look
			pets++
			if _, err := fmt.Fprintf(list, "%d\t%s\n", one.ID, pack.File(key)); err != nil {
				return nil, 0, err
			}
		}
		if page.Next == "" {
			return looks, pets, nil
		}
		q.PageToken = page.Next
	}
}

// drawAll draws on all processors.
func drawAll(ctx context.Context, dir string, looks map[string]art.Look, pack *art.Pack, view art.View, bar *progress) error {
	type job struct {
		key  string
		look art.Look
	}
	jobs := make(chan job)
	group, ctx := errgroup.WithContext(ctx)
	var feed sync.WaitGroup
	feed.Go(func() {
		defer close(jobs)
		for key, look := range looks {
			select {
			case jobs <- job{key, look}:
			case <-ctx.Done():
				return
			}
		}
	})
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			for j := range jobs {
				to := filepath.Join(dir, filepath.FromSlash(pack.File(j.key)))
				if err := os.WriteFile(to, pack.Draw(j.look, view), 0o644); err != nil {
					return err
				}
				bar.add(1)
			}
			return ctx.Err()
		})
	}
	err := group.Wait()
	feed.Wait()
	return err
}
