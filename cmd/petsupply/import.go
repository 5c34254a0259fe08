package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"petsupply/internal/pet"
	"petsupply/internal/store"
)

// importCmd takes in pets that no chain can be asked for any more.
type importCmd struct {
	File string `arg:"" name:"pets.jsonl" help:"One pet a line, as a JSON object with the keys of rawData and its owner."`
	where
}

// maxComplaints is how many bad lines are told one by one.
const maxComplaints = 100

// Run imports the file. Bad lines are left out and told; then the exit code
// is 1, though the good lines are in.
func (c *importCmd) Run(p *program) error {
	s, err := p.settings(c.where, "8080")
	if err != nil {
		return err
	}
	if s.demo {
		return usageError{errors.New("importing pets takes a configuration whose realms say which are closed; give it with --config FILE")}
	}
	in, err := os.Open(c.File)
	if err != nil {
		return usageError{fmt.Errorf("opening the pets: %w", err)}
	}
	defer in.Close()
	db, err := store.Open(p.ctx, s.Store, s.Lease, nil)
	if err != nil {
		return fmt.Errorf("opening the store: %w", err)
	}
	defer db.Close()
	bar, complaints := newProgress(p.stderr, "pets", 0), 0
	done, err := pet.Import(p.ctx, in, s.Realms, func(ctx context.Context, pets []pet.Pet) (int, error) {
		defer bar.add(len(pets))
		return db.ImportPets(ctx, s.Realms, pets)
	}, func(line int, err error) {
		if complaints++; complaints <= maxComplaints {
			fmt.Fprintf(p.stderr, "%s: line %d: %s\n", c.File, line, strings.ReplaceAll(err.Error(), "\n", "; "))
		}
	})
	if bar.live {
		bar.done()
	}
	if complaints > maxComplaints {
		fmt.Fprintf(p.stderr, "%s: and %d more bad lines\n", c.File, complaints-maxComplaints)
	}
	fmt.Fprintf(p.stdout, "%d pets read, %d new or different, %d bad lines left out\n", done.Lines-done.Bad, done.Changed, done.Bad)
	if err == nil && done.Bad > 0 {
		return errNo
	}
	return err
}
