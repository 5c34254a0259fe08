// Package compose puts the demo together: the service of package app with a configuration, chains
// and a clock of the demo's own. Nothing else in the program knows that its data is invented, except
// by the notice. Begin with Settings and Open.
package compose

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/config"
	"petsupply/internal/demo"
	"petsupply/internal/pet/collection"
	"petsupply/internal/store/database"
	"petsupply/internal/supply"
)

// Notice says that the data is invented. Pages replace {one} by the collection's word for a pet.
const Notice = "Every figure and {one} here is invented."

// timeVariable names the environment variable that stops the demo's clock.
const timeVariable = "PETSUPPLY_DEMO_TIME"

// Increase edition when a change of the code changes the demo's data. The demo then makes a new
// store instead of continuing an old one.
const edition = 2

// Settings returns the demo's configuration, its chains without pets, and its clock. Its data is in
// the folder dir. Its public addresses are on localhost, at the given port. Errors are
// app.ConfigErrors.
func Settings(dir, port string, getenv func(string) string) (*app.Settings, error) {
	s, err := app.Load("", nil, dir, port, getenv)
	if err != nil {
		return nil, err
	}
	s.Notice = Notice
	s.Tokens = demo.Tokens()
	s.Realms = demo.Realms()
	s.Collection.Name = "Pets of the demo kingdom"
	s.Refresh.Every = 30 * time.Second
	s.Refresh.StaleAfter = s.Refresh.RefuseAfter * 2 / 3 // the past has about one measurement a day
	s.Index.Every = 10 * time.Second
	s.Chains = map[string]config.Chain{}
	for name, id := range demo.ChainIDs() {
		s.Chains[name] = config.Chain{ID: id, RPC: []config.Provider{{URL: demo.NodeURL(name)}}, Finality: "latest",
			Proofs: supply.ProofsOff}.WithDefaults(name)
	}
	if text := getenv(timeVariable); text != "" {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return nil, app.ConfigError{Err: fmt.Errorf("%s: %q is not a time such as 2026-11-01T12:00:00Z",
				timeVariable, text)}
		}
		s.Now = func() time.Time { return at }
	}
	s.Transport = demo.NewWorld(s.Now, nil).Nodes()
	return s, nil
}

// Open opens the demo on the chains of its world, which have the pets of the pack. A new store of
// the demo gets a past first.
func Open(ctx context.Context, s *app.Settings, log *slog.Logger) (*app.App, error) {
	var err error
	s.Art, err = s.OpenPacks()
	if err != nil {
		return nil, err
	}
	words := s.Art.Current().Tables()
	s.Transport = demo.NewWorld(s.Now, words).Nodes()
	s.Store = "sqlite://" + filepath.Join(s.DataDir, storeFile(words))
	a, err := app.Open(ctx, s, log)
	if err != nil {
		return nil, err
	}
	if err := makePast(ctx, a, words); err != nil {
		a.Close()
		return nil, fmt.Errorf("making the past of the demo kingdom: %w", err)
	}
	return a, nil
}

// storeFile names the demo's store after its content and schema. A version of the program with
// another kingdom or another schema makes its own store.
func storeFile(words map[string]collection.Table) string {
	sum := sha256.New()
	pets := collection.Pets()
	fmt.Fprintln(sum, database.NewestSchema(), edition, pets.Layout, pets.GetterText())
	for _, t := range demo.Tokens() {
		fmt.Fprintln(sum, t.LedgerHash())
	}
	for _, p := range demo.Sample(words) {
		fmt.Fprintln(sum, p)
	}
	return "demo-" + hex.EncodeToString(sum.Sum(nil)[:6]) + ".db"
}
