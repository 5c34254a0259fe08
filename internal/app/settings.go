package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"petsupply/internal/art"
	"petsupply/internal/config"
	"petsupply/internal/store"
	"petsupply/internal/supply/ledger"
)

// Settings are a checked configuration and the other options of a program.
type Settings struct {
	*config.Config
	Demo     bool      // no configuration was given: everything is invented
	DataDir  string    // directory of the embedded store
	Pack     *art.Pack // an art pack to draw with instead of the configured one; nil for none
	Existing bool      // fail if the store does not exist
	// Now is the clock that measurements use. PETSUPPLY_DEMO_TIME stops the demo's clock.
	Now   func() time.Time
	fixed string // the time at which the demo's clock was stopped; "" if the clock runs
}

// A ConfigError says that the configuration or a flag is wrong.
type ConfigError struct{ error }

func (e ConfigError) Unwrap() error { return e.error }

// Load reads the text of a configuration file, or returns the demo's settings if name is empty. If
// dataDir is empty, it uses a directory of the user. Public addresses that the file leaves out are
// on localhost, at the given port. All errors are ConfigErrors.
func Load(name string, text []byte, dataDir, port string, getenv func(string) string,
	more ...config.Check) (*Settings, error) {
	dataDir, err := dataDirectory(dataDir, getenv)
	if err != nil {
		return nil, ConfigError{err}
	}
	base := "" // the working directory, for a text from standard input
	if name != "-" && name != "" {
		base = filepath.Dir(name)
	}
	s := &Settings{Demo: name == "", DataDir: dataDir, Now: time.Now}
	place := func(c *config.Config) []config.Fault {
		c.ResolveFiles(base)
		faults := c.LoadCollection()
		if c.Store == "" && !s.Demo { // the demo names its own store
			c.Store = "sqlite://" + filepath.Join(dataDir, "petsupply.db")
		}
		return faults
	}
	s.Config, err = config.Load(name, text, getenv, append([]config.Check{place}, more...)...)
	if err != nil {
		return nil, ConfigError{err}
	}
	if s.Demo {
		s.configureDemo()
		if s.fixed = getenv("PETSUPPLY_DEMO_TIME"); s.fixed != "" {
			at, err := time.Parse(time.RFC3339, s.fixed)
			if err != nil {
				return nil, ConfigError{fmt.Errorf("PETSUPPLY_DEMO_TIME: %q is not a time such as 2026-11-01T12:00:00Z", s.fixed)}
			}
			s.Now = func() time.Time { return at }
		}
	}
	s.Addresses(port)
	return s, nil
}

// dataDirectory returns the given directory, or the user's default.
func dataDirectory(asked string, getenv func(string) string) (string, error) {
	switch home, xdg, windows := getenv("HOME"), getenv("XDG_DATA_HOME"), getenv("LOCALAPPDATA"); {
	case asked != "":
		return filepath.Abs(asked)
	case filepath.IsAbs(xdg):
		return filepath.Join(xdg, "petsupply"), nil
	case home != "":
		return filepath.Join(home, ".local", "share", "petsupply"), nil
	case windows != "":
		return filepath.Join(windows, "petsupply"), nil
	}
	return "", errors.New("none of XDG_DATA_HOME, HOME and LOCALAPPDATA is set; set the directory with --data DIR")
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
	db.SetCollection(s.Kingdom().Collection)
	return db, nil
}
