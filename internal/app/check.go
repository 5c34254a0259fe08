package app

import (
	"context"
	"crypto/tls"
	"slices"
	"strings"
	"time"

	"petsupply/internal/art"
	"petsupply/internal/config"
	"petsupply/internal/store/database"
)

// checkPacks returns the faults of the packs. A collection without a pack of its own must have all
// its tables in the collection file. For such a collection, checkPacks returns the faults of this
// file.
func checkPacks(c *config.Config) []config.Fault {
	read := c.Registry().Collection
	embedded := slices.Equal(c.Packs, []string{"embedded"})
	if read == nil || embedded && c.Collection.File == "pets" {
		return nil // the collection file has faults, or collection and pack are part of the program
	}
	_, err := art.OpenAll(read, c.Realms, c.Packs)
	switch {
	case err == nil:
		return nil
	case embedded:
		return []config.Fault{{Path: "collection", Text: "the collection file has faults:\n" + err.Error()}}
	}
	return []config.Fault{{Path: "packs", Text: strings.ReplaceAll(err.Error(), "\n", "; ")}}
}

// storeTime bounds how long CheckFiles waits for a store.
const storeTime = 10 * time.Second

// CheckFiles returns a check of the packs, certificates and stores that a configuration names. It
// changes nothing.
func CheckFiles(ctx context.Context) config.Check {
	return func(c *config.Config) (faults []config.Fault) {
		add := func(path string, err error) {
			faults = append(faults, config.Fault{Path: path, Text: strings.ReplaceAll(err.Error(), "\n", "; ")})
		}
		faults = append(faults, checkPacks(c)...)
		if c.TLS != nil && c.TLS.Cert != "" && c.TLS.Key != "" {
			if _, err := tls.LoadX509KeyPair(c.TLS.Cert, c.TLS.Key); err != nil {
				add("tls", err)
			}
		}
		ctx, cancel := context.WithTimeout(ctx, storeTime)
		defer cancel()
		if err := database.Probe(ctx, c.Store); err != nil {
			add("store", err)
		}
		return faults
	}
}
