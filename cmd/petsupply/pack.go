package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"

	"petsupply/internal/app"
	"petsupply/internal/art"
	"petsupply/internal/pet/collection"
	"petsupply/internal/terminal"
)

type packCmd struct {
	New   packNewCmd   `cmd:"" help:"Write a pack to paint over: plain pictures, or a copy of the default pack."`
	Lint  packLintCmd  `cmd:"" help:"Say what is wrong with a pack."`
	Sheet packSheetCmd `cmd:"" help:"Draw every kind of pet in a pack, as a PNG and as a page."`
}

// A packFlag names a pack to draw with.
type packFlag struct {
	Pack string `placeholder:"DIR" help:"Draw with the art pack in this directory. Links to pictures of the configured packs still work."`
}

// open opens the pack for the collection of a configuration. It returns nil if no pack was given.
func (f packFlag) open(s *app.Settings) (*art.Pack, error) {
	if f.Pack == "" {
		return nil, nil
	}
	return art.Open(s.Registry().Collection, f.Pack)
}

// A collectionFlag names the collection that a pack is for.
type collectionFlag struct {
	Collection string `placeholder:"FILE" help:"The collection that the pack is for: a collection file, or pets for the default one. Default: the collection of ./petsupply.yaml, if it exists."`
}

// load reads the collection. If it comes from ./petsupply.yaml, load says so.
func (c *collectionFlag) load(p *program) (*collection.Collection, error) {
	if c.Collection == "" {
		file, err := collectionHere()
		if err != nil {
			return nil, usageError{err}
		}
		if file != "" {
			fmt.Fprintf(p.stderr, "petsupply: using the collection %s of ./%s\n", terminal.OneLine(file), hereFile)
		}
		c.Collection = cmp.Or(file, "pets")
	}
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

// collectionHere returns what ./petsupply.yaml says under collection, or "". It reads nothing else
// of the file, so no secret has to be in the environment.
func collectionHere() (string, error) {
	text, err := os.ReadFile(hereFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("reading the configuration: %w", err)
	}
	var file struct {
		Collection any `yaml:"collection"`
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		return "", fmt.Errorf("%s is not valid; petsupply config check says why, and --collection names a collection",
			hereFile)
	}
	settings, ok := file.Collection.(map[string]any)
	if ok {
		file.Collection = settings["file"]
	}
	name, _ := file.Collection.(string)
	return name, nil
}

type packLintCmd struct {
	collectionFlag
	Dir string `arg:"" help:"The directory of the pack, or embedded."`
}

// Run lists what is wrong. The exit code is 1 if there is anything.
func (c *packLintCmd) Run(p *program) error {
	drawn, err := c.load(p)
	if err != nil {
		return err
	}
	pack, faults := art.Lint(drawn, c.Dir)
	for _, fault := range faults {
		fmt.Fprintln(p.stdout, terminal.OneLine(fault.Error()))
	}
	if len(faults) > 0 {
		fmt.Fprintf(p.stdout, "%s: %s\n", c.Dir, count(len(faults), "fault"))
		return errReported
	}
	fmt.Fprintf(p.stdout, "%s: %s %s is sound\n", c.Dir, pack.ID(), pack.Version())
	return nil
}

type packSheetCmd struct {
	collectionFlag
	Dir   string `arg:"" help:"The directory of the pack, or embedded."`
	Out   string `short:"o" placeholder:"NAME" help:"File to write: NAME.png, NAME.html, or both if NAME has neither ending. Default: sheet.png and sheet.html."`
	Scale int    `default:"2" help:"Pixels for each pixel of the pack's grid, 1 to 12."`
}

func (c *packSheetCmd) Run(p *program) error {
	if c.Scale < 1 || c.Scale > 12 {
		return usage("--scale must be 1 to 12")
	}
	drawn, err := c.load(p)
	if err != nil {
		return err
	}
	pack, err := art.Open(drawn, c.Dir)
	if err != nil {
		return err
	}
	sheet := art.Sheet{Pack: pack, Scale: c.Scale}
	for _, name := range c.files() {
		draw := sheet.PNG
		if strings.HasSuffix(name, ".html") {
			draw = sheet.HTML
		}
		data, err := draw()
		if err != nil {
			return fmt.Errorf("drawing a sheet of %s: %w", c.Dir, err)
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return fmt.Errorf("writing the sheet: %w", err)
		}
		fmt.Fprintln(p.stdout, name)
	}
	return nil
}

// files returns the names of the files to write.
func (c *packSheetCmd) files() []string {
	if strings.HasSuffix(c.Out, ".png") || strings.HasSuffix(c.Out, ".html") {
		return []string{c.Out}
	}
	name := cmp.Or(c.Out, "sheet")
	return []string{name + ".png", name + ".html"}
}

// packID matches valid ids in pack.json.
var packID = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

type packNewCmd struct {
	collectionFlag
	Dir  string `arg:"" help:"A directory that is empty or does not exist."`
	From string `enum:"starter,embedded" default:"starter" help:"starter: plain pictures for the collection. embedded: a copy of the default pack."`
	ID   string `placeholder:"ID" help:"Id of the pack: lower-case letters, digits and dashes. Default: the name of the directory."`
}

func (c *packNewCmd) Run(p *program) error {
	if c.From == "embedded" {
		if err := art.Copy("embedded", c.Dir); err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, "%s is a copy of the default pack. Give it an id of your own in pack.json.\n"+
			"To see it in the browser: petsupply serve --pack %s --watch\n", c.Dir, c.Dir)
		return nil
	}
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return err
	}
	id := cmp.Or(c.ID, filepath.Base(dir))
	if c.ID == "" && !packID.MatchString(id) {
		return usage("%q cannot be the id of a pack, which has lower-case letters, digits and dashes; "+
			"give one with --id", id)
	}
	drawn, err := c.load(p)
	if err != nil {
		return err
	}
	if err := (art.Starter{ID: id, Collection: drawn}).Write(c.Dir); err != nil {
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
