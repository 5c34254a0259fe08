package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"petsupply/internal/config"
	"petsupply/internal/demo"
	"petsupply/internal/store"
	"petsupply/internal/store/blobs"
	"petsupply/internal/supply"
)

// Settings are a checked configuration and where its data lies.
type Settings struct {
	*config.Config
	Demo    bool   // no configuration was given: everything is invented
	DataDir string // of the embedded store
}

// A ConfigError: there is no usable configuration, and the call is at fault.
type ConfigError struct{ error }

func (e ConfigError) Unwrap() error { return e.error }

// Load reads a configuration file, or makes up the demo's where name is empty.
// dataDir may be empty for the user's own; port is what public addresses that
// the file leaves out point to. Its errors are ConfigErrors.
func Load(name, dataDir, port string, getenv func(string) string) (*Settings, error) {
	dataDir, err := dataDirectory(dataDir, getenv)
	if err != nil {
		return nil, ConfigError{err}
	}
	cfg, err := ReadConfig(name, getenv)
	if err != nil {
		return nil, ConfigError{err}
	}
	s := &Settings{Config: cfg, Demo: name == "", DataDir: dataDir}
	if s.Demo {
		cfg.Tokens, cfg.Realms = demo.Tokens(), demo.Realms()
		cfg.Collection.Name = "Pets of the demo kingdom"
	} else if cfg.Store == "" { // the demo's own is named after what is in it
		cfg.Store = "sqlite://" + filepath.Join(dataDir, "petsupply.db")
	}
	cfg.Addresses(port)
	return s, nil
}

// ReadConfig reads and checks a configuration file; the empty name stands for
// an empty file. A file that cannot be read is a ConfigError; what is wrong
// inside of it is not.
func ReadConfig(name string, getenv func(string) string) (*config.Config, error) {
	var text []byte
	if name != "" {
		var err error
		if text, err = os.ReadFile(name); err != nil {
			return nil, ConfigError{fmt.Errorf("reading the configuration: %w", err)}
		}
	}
	cfg, err := config.Load(name, text, getenv)
	if err != nil {
		return nil, err
	}
	if cfg.Blobs != "" {
		err = blobs.Check(cfg.Blobs)
	}
	return cfg, err
}

// dataDirectory is the directory asked for, or the user's own.
func dataDirectory(asked string, getenv func(string) string) (string, error) {
	switch home, xdg := getenv("HOME"), getenv("XDG_DATA_HOME"); {
	case asked != "":
		return filepath.Abs(asked)
	case filepath.IsAbs(xdg):
		return filepath.Join(xdg, "petsupply"), nil
	case home != "":
		return filepath.Join(home, ".local", "share", "petsupply"), nil
	}
	return "", errors.New("neither XDG_DATA_HOME nor HOME is set; say where the data lies with --data DIR")
}

// Token finds a configured token by its path, in any case.
func (s *Settings) Token(path string) (supply.Token, error) {
	var paths []string
	for _, t := range s.Tokens {
		if strings.EqualFold(t.Path, path) {
			return t, nil
		}
		paths = append(paths, t.Path)
	}
	return supply.Token{}, ConfigError{fmt.Errorf("no token %q; there are: %s", path, strings.Join(paths, ", "))}
}

// OpenStore opens the store that the settings name. Close it.
func (s *Settings) OpenStore(ctx context.Context, log *slog.Logger) (*store.Store, error) {
	db, err := store.Open(ctx, s.Store, s.Lease, log)
	if err != nil {
		return nil, fmt.Errorf("opening the store: %w", err)
	}
	return db, nil
}
