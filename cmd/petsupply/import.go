package main

import (
	"context"
	"fmt"
	"strings"

	"petsupply/internal/pet"
	"petsupply/internal/terminal"
)

// importCmd takes in pets that no chain can be asked for any more.
type importCmd struct {
	File string `arg:"" name:"pets.jsonl" help:"File, or - for standard input: one pet a line, as a JSON object with the keys of rawData and its owner."`
	configFlags
}

// maxComplaints is how many bad lines are told one by one.
const maxComplaints = 100

// Run imports the file. Bad lines are left out and told; then the exit code
// is 1, though the good lines are in.
func (c *importCmd) Run(ctx context.Context, p *program) error {
	if c.Config == "" {
		return usage("importing pets takes a configuration whose realms say which are closed; give it with --config FILE")
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
	err = pet.Import(ctx, in, s.Realms, func(ctx context.Context, pets []pet.Pet) error {
		n, err := db.ImportPets(ctx, s.Realms, pets)
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
