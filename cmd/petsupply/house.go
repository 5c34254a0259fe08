package main

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"

	"petsupply/internal/art"
	"petsupply/internal/evm"
	"petsupply/internal/pet/directory"
	"petsupply/internal/store"
	"petsupply/internal/supply"
)

// A house is everything that a configuration asks for, opened. Close it.
type house struct {
	*settings
	log    *slog.Logger
	store  *store.Store
	packs  art.Packs
	chains map[string]*evm.Chain
	board  *supply.Board
	herd   *directory.Directory
}

// open opens the packs, the store and the chains, without any traffic to a
// node, and loads the demo where there is no configuration.
func (s *settings) open(ctx context.Context, log *slog.Logger) (_ *house, err error) {
	h := &house{settings: s, log: log, chains: map[string]*evm.Chain{}}
	defer func() {
		if err != nil {
			h.close()
		}
	}()
	if h.packs, err = art.OpenAll(s.Packs); err != nil {
		return nil, fmt.Errorf("opening the art packs: %w", err)
	}
	if s.demo && s.Store == "" {
		s.Store = "sqlite://" + filepath.Join(s.data, demoFile(h.packs.Current().Dictionary()))
	}
	if h.store, err = store.Open(ctx, s.Store, s.Lease, log); err != nil {
		return nil, fmt.Errorf("opening the store: %w", err)
	}
	if h.chains, err = s.dial(log); err != nil {
		return nil, err
	}
	if s.demo {
		if err := h.loadDemo(ctx); err != nil {
			return nil, fmt.Errorf("loading the demo kingdom: %w", err)
		}
	}
	policy := supply.AgePolicy{StaleAfter: s.Refresh.StaleAfter, RefuseAfter: s.Refresh.RefuseAfter}
	h.board = supply.NewBoard(s.Tokens, policy, s.demo)
	latest := map[string]directory.Chain{}
	for name, c := range h.chains {
		latest[name] = c
	}
	h.herd, err = directory.New(directory.Config{Realms: s.Realms, Chains: latest, Reader: h.store, Feed: h.store, Log: log, Complete: s.demo})
	return h, err
}

// dial prepares the chains that have providers, without any traffic. Close each.
func (s *settings) dial(log *slog.Logger) (map[string]*evm.Chain, error) {
	chains := map[string]*evm.Chain{}
	for name, c := range s.Chains {
		if len(c.RPC) == 0 {
			continue
		}
		chain, err := evm.Dial(c.EVM(name), log)
		if err != nil {
			for _, c := range chains {
				c.Close()
			}
			return nil, usageError{err}
		}
		chains[name] = chain
	}
	return chains, nil
}

// follow brings the board up to what the store holds, once.
func (h *house) follow(ctx context.Context) error {
	return supply.NewPoller(h.store, h.board, h.log).Step(ctx)
}

// close lets go of everything; the store last, for others may still write.
func (h *house) close() {
	for _, c := range h.chains {
		c.Close()
	}
	if h.store != nil {
		if err := h.store.Close(); err != nil {
			h.log.Error("closing the store", "error", err)
		}
	}
}

// token finds a configured token by its path, in any case.
func (s *settings) token(path string) (supply.Token, error) {
	var paths []string
	for _, t := range s.Tokens {
		if strings.EqualFold(t.Path, path) {
			return t, nil
		}
		paths = append(paths, t.Path)
	}
	return supply.Token{}, usageError{fmt.Errorf("no token %q; there are: %s", path, strings.Join(paths, ", "))}
}
