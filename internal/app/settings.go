package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"petsupply/internal/art"
	"petsupply/internal/config"
	"petsupply/internal/store"
	"petsupply/internal/supply/ledger"
)

// Settings are a checked configuration and what surrounds it. The demo is a composition of its own:
// another configuration, a transport into invented chains, a clock, and a notice.
type Settings struct {
	*config.Config
	DataDir   string            // directory of the embedded store
	Existing  bool              // fail if the store does not exist
	Pack      *art.Pack         // a pack to draw with instead of the configured ones; nil for none
	Art       art.Packs         // the open packs; nil if Open opens them
	Transport http.RoundTripper // to the nodes; nil for the network
	Now       func() time.Time  // the clock that measurements use
	Notice    string            // says that all data is invented; "" for real data
}

// A ConfigError says that the configuration or a flag is wrong.
type ConfigError struct{ Err error }

func (e ConfigError) Error() string { return e.Err.Error() }
func (e ConfigError) Unwrap() error { return e.Err }

// Load reads the text of a configuration file. If dataDir is empty, it uses a directory of the user.
// Public addresses that the file leaves out are on localhost, at the given port. All errors are
// ConfigErrors.
func Load(name string, text []byte, dataDir, port string, getenv func(string) string,
	more ...config.Check) (*Settings, error) {
	dataDir, err := dataDirectory(dataDir, getenv)
	if err != nil {
		return nil, ConfigError{err}
	}
	base := "" // the working directory, for a text from standard input
	if name != "-" {
		base = filepath.Dir(name)
	}
	place := func(c *config.Config) []config.Fault {
		c.ResolveFiles(base)
		faults := c.LoadCollection()
		if c.Store == "" {
			c.Store = "sqlite://" + filepath.Join(dataDir, "petsupply.db")
		}
		return faults
	}
	loaded, err := config.Load(name, text, getenv, append([]config.Check{place}, more...)...)
	if err != nil {
		return nil, ConfigError{err}
	}
	loaded.Addresses(port)
	return &Settings{Config: loaded, DataDir: dataDir, Now: time.Now}, nil
}

// dataDirectory returns the given directory, or the user's default.
func dataDirectory(asked string, getenv func(string) string) (string, error) {
	if asked != "" {
		return filepath.Abs(asked)
	}
	if xdg := getenv("XDG_DATA_HOME"); filepath.IsAbs(xdg) {
		return filepath.Join(xdg, "petsupply"), nil
	}
	if home := getenv("HOME"); home != "" {
		return filepath.Join(home, ".local", "share", "petsupply"), nil
	}
	if windows := getenv("LOCALAPPDATA"); windows != "" {
		return filepath.Join(windows, "petsupply"), nil
	}
	return "", errors.New("none of XDG_DATA_HOME, HOME and LOCALAPPDATA is set; set the directory with --data DIR")
}

// OpenPacks opens the configured packs, with Pack before them if there is one. Its errors are
// ConfigErrors.
func (s *Settings) OpenPacks() (art.Packs, error) {
	packs, err := art.OpenAll(s.Registry().Collection, s.Realms, s.Packs)
	if err != nil {
		return nil, ConfigError{fmt.Errorf("opening the art packs: %w", err)}
	}
	if s.Pack != nil {
		packs = append(art.Packs{s.Pack}, packs...)
	}
	return packs, nil
}

// Token returns a configured token by its path, in upper or lower case.
func (s *Settings) Token(path string) (ledger.Token, error) {
	var paths []string
	for _, t := range s.Tokens {
		if strings.EqualFold(t.Path, path) {
			return t, nil
		}
		paths = append(paths, t.Path)
	}
	if len(paths) == 0 {
		return ledger.Token{}, ConfigError{fmt.Errorf("no token %q; the configuration has no tokens", path)}
	}
	return ledger.Token{}, ConfigError{fmt.Errorf("no token %q; the tokens are: %s", path,
		strings.Join(paths, ", "))}
}

// OpenStore opens the store that the settings name. Its errors are ConfigErrors.
func (s *Settings) OpenStore(ctx context.Context, log *slog.Logger) (*store.Store, error) {
	var db *store.Store
	var err error
	if s.Existing {
		db, err = store.OpenExisting(ctx, s.Store, s.Lease)
	} else {
		db, err = store.Open(ctx, s.Store, s.Lease, log)
	}
	if err != nil {
		return nil, ConfigError{fmt.Errorf("opening the store: %w", err)}
	}
	db.SetCollection(s.Registry().Collection)
	return db, nil
}
