// Package app opens everything that a configuration names, connects it, runs it and
// stops it. Only the commands import it.
package app

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"petsupply/internal/art"
	"petsupply/internal/demo"
	"petsupply/internal/pet/directory"
	"petsupply/internal/store"
	"petsupply/internal/supply"
)

// An App has the store, the packs and the chains of a configuration, all open. Close it after use.
type App struct {
	Settings *Settings
	Store    *store.Store
	Packs    art.Packs
	Chains   Chains
	Board    *supply.Board
	Pets     *directory.Directory
	log      *slog.Logger
}

// Open opens the packs, the store and the chains, without a request to any node. It
// loads the demo if there is no configuration.
func Open(ctx context.Context, s *Settings, log *slog.Logger) (_ *App, err error) {
	a := &App{Settings: s, log: log}
	defer func() {
		if err != nil {
			a.Close()
		}
	}()
	if a.Packs, err = art.OpenAll(s.Kingdom().Collection, s.Realms, s.Packs); err != nil {
		return nil, ConfigError{fmt.Errorf("opening the art packs: %w", err)}
	}
	if s.Pack != nil {
		a.Packs = append(art.Packs{s.Pack}, a.Packs...)
	}
	if s.Demo && s.Store == "" {
		s.Store = "sqlite://" + filepath.Join(s.DataDir, s.demoFile(a.Packs.Current().Tables()))
	}
	if a.Store, err = s.OpenStore(ctx, log); err != nil {
		return nil, err
	}
	if err := a.Store.CheckCollection(ctx); err != nil {
		return nil, ConfigError{fmt.Errorf("the store %s: %w", s.StoreName(), err)}
	}
	var world *demo.World
	if s.Demo {
		world = demo.NewWorld(s.Now, a.Packs.Current().Tables())
	}
	if a.Chains, err = Dial(s.Chains, world, log); err != nil {
		return nil, err
	}
	if s.Demo {
		if err := a.loadDemo(ctx); err != nil {
			return nil, fmt.Errorf("loading the demo kingdom: %w", err)
		}
	}
	a.connect()
	return a, nil
}

// connect makes the board and the directory of pets, which read the store.
func (a *App) connect() {
	s := a.Settings
	policy := supply.AgePolicy{StaleAfter: s.Refresh.StaleAfter, RefuseAfter: s.Refresh.RefuseAfter,
		MaxLag: map[string]time.Duration{}}
	for name, c := range s.Chains {
		policy.MaxLag[name] = c.MaxLag
	}
	a.Board = supply.NewBoard(s.Tokens, policy, s.Demo)
	a.Pets = directory.New(directory.Config{Kingdom: s.Kingdom(), Reader: a.Store, Feed: a.Store, Log: a.log})
}

// LoadBoard puts the figures of the store on the board. It does not follow later changes.
func (a *App) LoadBoard(ctx context.Context) error {
	return supply.NewPoller(a.Store, a.Board, a.log).Step(ctx)
}

// Close closes the chains and the store.
func (a *App) Close() {
	a.Chains.Close()
	if a.Store != nil {
		if err := a.Store.Close(); err != nil {
			a.log.Error("closing the store failed", "error", err)
		}
	}
}
