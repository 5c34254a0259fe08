package main

import (
	"fmt"
	"os"

	"petsupply/internal/art"
)

type packCmd struct {
	Lint  packLintCmd  `cmd:"" help:"Check a pack: everything that would refuse it, and what merely looks wrong."`
	Lock  packLockCmd  `cmd:"" help:"Write the layers' checksums into pack.json, as after painting."`
	Sheet packSheetCmd `cmd:"" help:"Draw a contact sheet of a pack, as a PNG and as a page."`
	New   packNewCmd   `cmd:"" help:"Write a plain pack to paint over."`
}

type packLintCmd struct {
	Dir  string `arg:"" help:"The pack: a directory, a zip file, or embedded."`
	Sign bool   `hidden:""`
}

// Run lists what is wrong; the exit code is 1 if the pack cannot be published.
func (c *packLintCmd) Run(p *program) error {
	if c.Sign {
		return usage("--sign is a command of its own now: petsupply pack lock %s", c.Dir)
	}
	r, err := art.Lint(c.Dir)
	if err != nil {
		return usageError{err}
	}
	for _, f := range r.Faults {
		fmt.Fprintln(p.stdout, "fault:", oneLine(f))
	}
	for _, n := range r.Notes {
		fmt.Fprintln(p.stdout, "note: ", oneLine(n))
	}
	if !r.OK() {
		fmt.Fprintf(p.stdout, "%s: %d faults\n", c.Dir, len(r.Faults))
		return errReported
	}
	fmt.Fprintf(p.stdout, "%s: %s %s is sound: %d looks", c.Dir, r.Pack.ID(), r.Pack.Version(), r.Looks)
	if r.Colours > 0 {
		fmt.Fprintf(p.stdout, ", at most %d colours in a picture", r.Colours)
	}
	fmt.Fprintf(p.stdout, ", %d files, %d kB\n", r.Files, (r.Bytes+1023)/1024)
	return nil
}

type packLockCmd struct {
	Dir string `arg:"" help:"The pack's directory."`
}

func (c *packLockCmd) Run(p *program) error {
	n, err := art.Lock(c.Dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s: %d checksums written\n", c.Dir, n)
	return nil
}

type packSheetCmd struct {
	Dir   string `arg:"" help:"The pack: a directory, a zip file, or embedded."`
	Out   string `short:"o" default:"sheet" placeholder:"NAME" help:"Where to: NAME.png and NAME.html."`
	Scale int    `default:"2" help:"Pixels for each pixel of the pack's grid, 1 to 12."`
	Brief bool   `help:"Only the appearances."`
}

func (c *packSheetCmd) Run(p *program) error {
	if c.Scale < 1 || c.Scale > 12 {
		return usage("--scale is 1 to 12")
	}
	pack, err := art.Open(c.Dir)
	if err != nil {
		return err
	}
	sheet := art.Sheet{Pack: pack, Scale: c.Scale, Brief: c.Brief}
	for _, form := range []struct {
		ending string
		draw   func() ([]byte, error)
	}{{".png", sheet.PNG}, {".html", sheet.HTML}} {
		data, err := form.draw()
		if err != nil {
			return fmt.Errorf("drawing a sheet of %s: %w", c.Dir, err)
		}
		if err := os.WriteFile(c.Out+form.ending, data, 0o644); err != nil {
			return fmt.Errorf("writing the sheet: %w", err)
		}
		fmt.Fprintln(p.stdout, c.Out+form.ending)
	}
	return nil
}

type packNewCmd struct {
	Dir     string `arg:"" help:"A directory that is empty or not there yet."`
	ID      string `default:"my-pack" help:"The pack's own name: lower-case letters, digits and dashes."`
	Author  string `help:"Who made it."`
	Licence string `default:"CC0-1.0" help:"Under which terms its pictures may be used."`
}

func (c *packNewCmd) Run(p *program) error {
	if err := (art.Starter{ID: c.ID, Author: c.Author, Licence: c.Licence}).Write(c.Dir); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s: paint its layers in any pixel editor, then: petsupply pack lock %s\n", c.Dir, c.Dir)
	return nil
}
