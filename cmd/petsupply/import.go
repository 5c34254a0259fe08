package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/terminal"
)

// importCmd imports pets that no chain has, or the traits of pets whose contract has none.
type importCmd struct {
	Path string `arg:"" name:"file" help:"A table (.csv), ERC-721 metadata (a .json file or a folder), or JSON lines (any other file, or - for standard input). The columns or keys are id, the fields of the collection and, for a closed realm, owner."`
	configFlags
}

// maxComplaints is how many bad lines are listed.
const maxComplaints = 100

// Run reads everything once before it imports anything. If lines are bad, it lists them and imports
// nothing.
func (c *importCmd) Run(ctx context.Context, p *program) error {
	s, err := c.loadReal(p)
	if err != nil {
		return err
	}
	path, err := c.spool(p)
	if err != nil {
		return usage("opening the pets: %w", err)
	}
	if path != c.Path {
		defer os.Remove(path)
	}
	bad := 0
	report := func(file string, line int, err error) {
		bad++
		if bad <= maxComplaints {
			fmt.Fprintf(p.stderr, "%s: line %d: %s\n", file, line, strings.ReplaceAll(err.Error(), "\n", "; "))
		}
	}
	check := s.Registry().NewImport(func(context.Context, []pet.Pet) error { return nil }, report)
	if err := c.read(ctx, check, path); err != nil {
		return usage("reading the pets: %w", err)
	}
	if bad > 0 {
		c.refuse(p, bad, s.Registry().Collection.Fields)
		return errReported
	}
	db, err := s.OpenStore(ctx, nil)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.CheckCollection(ctx); err != nil {
		return fmt.Errorf("the store %s: %w", s.StoreName(), err)
	}
	bar := terminal.NewProgress(p.stderr, "pets", 0)
	read := 0
	changed := 0
	err = c.read(ctx, s.Registry().NewImport(func(ctx context.Context, pets []pet.Pet) error {
		n, err := db.ImportPets(ctx, s.Registry(), pets)
		if err == nil {
			read += len(pets)
			changed += n
		}
		bar.Add(len(pets))
		return err
	}, report), path)
	fmt.Fprintf(p.stdout, "%d %s read, %d new or different\n", read, s.Registry().Collection.Many, changed)
	if err == nil && bad > 0 {
		err = fmt.Errorf("%s changed while it was imported; import it again", c.Path)
	}
	return err
}

// refuse says that nothing is imported because of bad lines, and which fields a line can have.
func (c *importCmd) refuse(p *program, bad int, fields []collection.Field) {
	if bad > maxComplaints {
		fmt.Fprintf(p.stderr, "%s: and %s more\n", c.Path, count(bad-maxComplaints, "bad line"))
	}
	var names []string
	for _, f := range fields {
		names = append(names, f.Name)
	}
	fmt.Fprintf(p.stderr, "nothing is imported: %s; fields of the collection: %s; "+
		"docs/COLLECTIONS.md has the rules\n",
		count(bad, "bad line"), cmp.Or(strings.Join(names, ", "), "none"))
}

// spool returns the path of the file to import. Standard input becomes a file, because it is read
// twice.
func (c *importCmd) spool(p *program) (path string, err error) {
	if c.Path != "-" {
		_, err := os.Stat(c.Path)
		return c.Path, err
	}
	file, err := os.CreateTemp("", "petsupply-import-*.jsonl")
	if err != nil {
		return "", err
	}
	defer file.Close()
	_, err = io.Copy(file, p.stdin)
	return file.Name(), err
}

// read reads a file or a folder.
func (c *importCmd) read(ctx context.Context, in *pet.Import, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		if err := in.ReadFolder(ctx, path, os.DirFS(path)); err != nil {
			return err
		}
		return in.Flush(ctx)
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := in.Read(ctx, path, file); err != nil {
		return err
	}
	return in.Flush(ctx)
}
