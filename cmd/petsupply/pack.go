package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"petsupply/internal/app"
	"petsupply/internal/art"
	"petsupply/internal/art/petpack"
	"petsupply/internal/pet/collection"
	"petsupply/internal/terminal"
)

type packCmd struct {
	New    packNewCmd    `cmd:"" help:"Write a plain pack to paint over."`
	Export packExportCmd `cmd:"" help:"Copy a pack to start from, such as the embedded one."`
	Lint   packLintCmd   `cmd:"" aliases:"check" help:"Check a pack. Lists faults, which prevent publishing, and notes."`
	Sheet  packSheetCmd  `cmd:"" help:"Draw a contact sheet of a pack, as a PNG and as a page."`
	Lock   packLockCmd   `cmd:"" help:"Write the checksums of a finished pack into pack.lock."`
	Schema packSchemaCmd `cmd:"" help:"Print the JSON Schema of pack.json."`
}

// A packFlag names a pack to draw with, which need not be finished.
type packFlag struct {
	Pack string `placeholder:"DIR" help:"Draw with this art pack, finished or not: a directory or a zip file. Links to pictures of the configured packs still work."`
}

// draft opens the pack for the collection of a configuration. It returns nil if no pack was given.
func (f packFlag) draft(s *app.Settings) (*art.Pack, error) {
	if f.Pack == "" {
		return nil, nil
	}
	return art.OpenDraft(s.Kingdom().Collection, f.Pack)
}

// A collectionFlag names the collection that a pack is for.
type collectionFlag struct {
	Collection string `default:"pets" placeholder:"FILE" help:"The collection that the pack is for: a collection file, or pets for the default one."`
}

func (c *collectionFlag) load() (*collection.Collection, error) {
	if c.Collection == "pets" {
		return collection.Pets(), nil
	}
	text, err := os.ReadFile(c.Collection)
	if err != nil {
		return nil, usageError{fmt.Errorf("reading the collection: %w", err)}
	}
	parsed, err := collection.Parse(c.Collection, text)
	if err != nil {
		return nil, usageError{err}
	}
	return parsed, nil
}

type packLintCmd struct {
	collectionFlag
	Dir  string `arg:"" help:"The pack: a directory, a zip file, or embedded."`
	HTML string `name:"html" placeholder:"FILE" help:"Also write the report as an HTML page with small pictures of the layers; - for standard output."`
}

// Run lists the findings. The exit code is 1 if the pack cannot be published.
func (c *packLintCmd) Run(p *program) error {
	drawn, err := c.load()
	if err != nil {
		return err
	}
	r, err := art.Lint(drawn, c.Dir)
	if err != nil {
		return usageError{err}
	}
	if c.HTML != "" {
		page, err := r.HTML(c.Dir)
		if err == nil {
			err = p.write(c.HTML, page)
		}
		if err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	if c.HTML != "-" {
		printReport(p.stdout, c.Dir, r)
	}
	if !r.OK() {
		return errReported
	}
	return nil
}

// printReport lists the findings, and sums up the pack in one line.
func printReport(out io.Writer, name string, r *art.Report) {
	for _, f := range r.Faults {
		fmt.Fprintln(out, "fault:", terminal.OneLine(f.String()))
	}
	for _, n := range r.Notes {
		fmt.Fprintln(out, "note: ", terminal.OneLine(n.String()))
	}
	if !r.OK() {
		fmt.Fprintf(out, "%s: %s\n", name, count(len(r.Faults), "fault"))
		return
	}
	fmt.Fprintf(out, "%s: %s %s is sound: %d looks", name, r.Pack.ID(), r.Pack.Version(), r.Looks)
	if r.Colours > 0 {
		fmt.Fprintf(out, ", at most %d colours in a picture", r.Colours)
	}
	fmt.Fprintf(out, ", %d files, %d kB\n", r.Files, (r.Bytes+999)/1000)
}

type packLockCmd struct {
	Dir string `arg:"" help:"The pack's directory."`
}

func (c *packLockCmd) Run(p *program) error {
	n, err := petpack.Lock(c.Dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s: %s written\n", c.Dir, count(n, "checksum"))
	return nil
}

type packSheetCmd struct {
	collectionFlag
	Dir   string `arg:"" help:"The pack: a directory, a zip file, or embedded."`
	Out   string `short:"o" placeholder:"NAME" help:"File to write: NAME.png, NAME.html, both if NAME has neither ending, or - for the PNG on standard output. Default: sheet.png and sheet.html."`
	Scale int    `default:"2" help:"Pixels for each pixel of the pack's grid, 1 to 12."`
	Brief bool   `help:"Draw only one picture of each kind of token."`
	Moves bool   `help:"Draw only the kinds of token, each with all frames of its movement side by side."`
}

func (c *packSheetCmd) Run(p *program) error {
	if c.Scale < 1 || c.Scale > 12 {
		return usage("--scale must be 1 to 12")
	}
	drawn, err := c.load()
	if err != nil {
		return err
	}
	pack, err := art.OpenDraft(drawn, c.Dir)
	if err != nil {
		return err
	}
	if c.Moves && !pack.Moves() {
		return usage("nothing in %s moves: its pack.json has no delays", c.Dir)
	}
	sheet := art.Sheet{Pack: pack, Scale: c.Scale, Brief: c.Brief, Moves: c.Moves}
	for _, name := range c.files() {
		bar := terminal.NewProgress(p.stderr, "pictures", sheet.Count())
		sheet.Drawn = func() { bar.Add(1) }
		draw := sheet.PNG
		if strings.HasSuffix(name, ".html") {
			draw = sheet.HTML
		}
		data, err := draw()
		if err != nil {
			return fmt.Errorf("drawing a sheet of %s: %w", c.Dir, err)
		}
		if terminal.Is(p.stderr) {
			bar.Done()
		}
		if err := p.write(name, data); err != nil {
			return fmt.Errorf("writing the sheet: %w", err)
		}
		if name != "-" {
			fmt.Fprintln(p.stdout, name)
		}
	}
	return nil
}

// files returns the names of the files to write.
func (c *packSheetCmd) files() []string {
	switch {
	case c.Out == "":
		return []string{"sheet.png", "sheet.html"}
	case c.Out == "-", strings.HasSuffix(c.Out, ".png"), strings.HasSuffix(c.Out, ".html"):
		return []string{c.Out}
	}
	return []string{c.Out + ".png", c.Out + ".html"}
}

// packID matches valid ids in pack.json.
var packID = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

type packNewCmd struct {
	collectionFlag
	Dir     string `arg:"" help:"A directory that is empty or does not exist."`
	ID      string `help:"Id of the pack: lower-case letters, digits and dashes. Default: the name of the directory."`
	Author  string `help:"Who made it."`
	Licence string `default:"CC0-1.0" help:"Licence of its pictures."`
}

func (c *packNewCmd) Run(p *program) error {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return err
	}
	id := cmp.Or(c.ID, filepath.Base(dir))
	if c.ID == "" && !packID.MatchString(id) {
		return usage("%q cannot be the id of a pack, which has lower-case letters, digits and dashes; give one with --id", id)
	}
	drawn, err := c.load()
	if err != nil {
		return err
	}
	if err := (art.Starter{ID: id, Author: c.Author, Licence: c.Licence, Collection: drawn}).Write(c.Dir); err != nil {
		return err
	}
	with := ""
	if c.Collection != "pets" {
		with = " --config FILE"
	}
	fmt.Fprintf(p.stdout, "%s is a pack to paint over. To see it in the browser: petsupply serve%s --pack %s --watch\n",
		c.Dir, with, c.Dir)
	return nil
}

type packExportCmd struct {
	Pack string `arg:"" help:"The pack: embedded, a directory or a zip file."`
	Dir  string `arg:"" help:"A directory that is empty or does not exist."`
}

func (c *packExportCmd) Run(p *program) error {
	if err := art.Export(c.Pack, c.Dir); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s is a copy of the pack. Give it an id and a version of your own in pack.json.\n"+
		"To see it in the browser: petsupply serve --pack %s --watch\n", c.Dir, c.Dir)
	return nil
}

type packSchemaCmd struct{}

func (c *packSchemaCmd) Run(p *program) error {
	_, err := p.stdout.Write(bytes.TrimSpace(petpack.Schema))
	fmt.Fprintln(p.stdout)
	return err
}
