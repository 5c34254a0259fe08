package app

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"

	"petsupply/internal/config"
	"petsupply/internal/frozen"
	"petsupply/internal/pet/collection"
)

// FrozenHead returns the part of the settings that a frozen copy contains. Addresses of nodes and
// stores are not in it.
func (s *Settings) FrozenHead() frozen.Head {
	return frozen.Head{
		Demo: s.Demo, Tokens: s.Tokens, Realms: s.Realms,
		Collection: frozen.Collection{File: string(s.Kingdom().Collection.Source()), Name: s.Collection.Name,
			Description: s.Collection.Description, Image: s.Collection.Image, ExternalLink: s.Collection.ExternalLink},
		Chains: s.ChainIDs(), SupplyURL: s.SupplyURL, PetsURL: s.PetsURL, SiteURL: s.SiteURL,
	}
}

// LoadFrozen makes settings from a frozen copy. It writes the copy's store and art pack to the
// directory work, which must be empty. The public addresses are on localhost, at the given port;
// the caller may set others. LoadFrozen calls rows with the number of rows read since the last
// call.
func LoadFrozen(ctx context.Context, copied *frozen.Copy, work, port string, rows func(int)) (*Settings, error) {
	file, pack := filepath.Join(work, "petsupply.db"), filepath.Join(work, "pack")
	head, err := copied.Restore(ctx, file, pack, rows)
	if err != nil {
		return nil, fmt.Errorf("opening the frozen copy: %w", err)
	}
	s, err := Load("", nil, work, port, func(string) string { return "" })
	if err != nil {
		return nil, err
	}
	s.Demo, s.Frozen, s.FrozenChains = head.Demo, true, head.Chains
	s.Store, s.Packs = "sqlite://"+file, []string{pack}
	if head.Plain {
		s.Packs = []string{"embedded"}
	}
	s.Tokens, s.Realms, s.Chains = head.Tokens, head.Realms, nil
	c := head.Collection
	s.Collection = config.Collection{Name: c.Name, Description: c.Description, Image: c.Image,
		ExternalLink: c.ExternalLink}
	kept, err := collection.Parse("the collection file of the copy", []byte(c.File))
	if err != nil {
		return nil, err
	}
	s.SetCollection(kept)
	return s, nil
}

// Handler returns the public handler, for callers within the process.
func (v *Service) Handler() http.Handler { return v.web }
