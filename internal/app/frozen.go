package app

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"

	"petsupply/internal/config"
	"petsupply/internal/frozen"
)

// FrozenHead is what a frozen copy says of the settings: nothing of how chains
// and stores are reached.
func (s *Settings) FrozenHead() frozen.Head {
	return frozen.Head{
		Demo: s.Demo, Tokens: s.Tokens, Realms: s.Realms, Collection: frozen.Collection(s.Collection),
		Chains: s.ChainIDs(), SupplyURL: s.SupplyURL, PetsURL: s.PetsURL, SiteURL: s.SiteURL,
	}
}

// LoadFrozen makes settings of a frozen copy: it fills a store and an art pack out
// of it, in the empty directory work. Addresses that are to be others than the
// service had are the caller's to set. rows is told how many more rows were read.
func LoadFrozen(ctx context.Context, copied fs.FS, work, port string, rows func(int)) (*Settings, error) {
	file, pack := filepath.Join(work, "petsupply.db"), filepath.Join(work, "pack")
	head, err := frozen.Restore(ctx, copied, file, rows)
	if err == nil {
		err = frozen.ExtractPack(copied, pack)
	}
	if err != nil {
		return nil, fmt.Errorf("opening the frozen copy: %w", err)
	}
	s, err := Load("", nil, work, port, func(string) string { return "" })
	if err != nil {
		return nil, err
	}
	s.Demo, s.Frozen, s.FrozenChains = head.Demo, true, head.Chains
	s.Store, s.Packs = "sqlite://"+file, []string{pack}
	s.Tokens, s.Realms, s.Collection = head.Tokens, head.Realms, config.Collection(head.Collection)
	return s, nil
}

// Handler answers as the public listener does, to callers within the process.
func (v *Service) Handler() http.Handler { return v.web }
