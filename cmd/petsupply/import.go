package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"petsupply/internal/pet"
	"petsupply/internal/terminal"
)

// importCmd imports pets whose chain can no longer be read.
type importCmd struct {
	File string `arg:"" name:"pets.jsonl" help:"File, or - for standard input: one pet a line, as a JSON object with the keys of rawData and its owner. A file whose name ends in .csv is a table with these keys in its first row."`
	configFlags
}

// maxComplaints is how many bad lines are listed.
const maxComplaints = 100

// Run imports the file. It lists bad lines and leaves them out; the exit code is
// then 1, although the good lines are imported.
func (c *importCmd) Run(ctx context.Context, p *program) error {
	if c.Config == "" {
		return usage("importing pets needs a configuration with closed realms; give it with --config FILE")
	}
	s, err := c.load(p)
	if err != nil {
		return err
	}
	in, err := p.open(c.File)
	if err != nil {
		return usage("opening the pets: %w", err)
	}
	defer in.Close()
	db, err := s.OpenStore(ctx, nil)
	if err != nil {
		return err
	}
	defer db.Close()
	bar := terminal.NewProgress(p.stderr, "pets", 0)
	read, changed, bad := 0, 0, 0
	take := s.Kingdom().Import
	if strings.EqualFold(filepath.Ext(c.File), ".csv") {
		take = s.Kingdom().ImportCSV
	}
	err = take(ctx, in, func(ctx context.Context, pets []pet.Pet) error {
		n, err := db.ImportPets(ctx, s.Kingdom(), pets)
		if err == nil {
			read, changed = read+len(pets), changed+n
		}
		bar.Add(len(pets))
		return err
	}, func(line int, err error) {
		if bad++; bad <= maxComplaints {
			fmt.Fprintf(p.stderr, "%s: line %d: %s\n", c.File, line, strings.ReplaceAll(err.Error(), "\n", "; "))
		}
	})
	if bad > maxComplaints {
		fmt.Fprintf(p.stderr, "%s: and %d more bad lines\n", c.File, bad-maxComplaints)
	}
	fmt.Fprintf(p.stdout, "%d pets read, %d new or different, %d bad lines left out\n", read, changed, bad)
	if err == nil && bad > 0 {
		return errReported
	}
	return err
}
