package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"petsupply/internal/config"
	"petsupply/internal/demo"
)

// where says which configuration and which data a command works on.
type where struct {
	Config string `short:"c" placeholder:"FILE" help:"Configuration file. Without one: the embedded demo kingdom."`
	Data   string `placeholder:"DIR" help:"Where the embedded store lies. Default: petsupply in the user's data directory."`
}

// settings are a checked configuration and where its data lies.
type settings struct {
	*config.Config
	demo bool
	data string
}

// settings reads the file, or makes up the demo's where there is none. port is
// what public addresses that the file leaves out point to.
func (p *program) settings(w where, port string) (*settings, error) {
	data, err := p.dataDir(w.Data)
	if err != nil {
		return nil, usageError{err}
	}
	name, text := w.Config, []byte(nil)
	if name != "" {
		if text, err = os.ReadFile(name); err != nil {
			return nil, usageError{fmt.Errorf("reading the configuration: %w", err)}
		}
	}
	cfg, err := config.Load(name, text, p.getenv)
	if err != nil {
		return nil, usageError{err}
	}
	if err := checkBlobs(cfg.Blobs); err != nil {
		return nil, usageError{err}
	}
	s := &settings{Config: cfg, demo: name == "", data: data}
	if s.demo {
		cfg.Tokens, cfg.Realms = demo.Tokens(), demo.Realms()
		cfg.Collection.Name = "Pets of the demo kingdom"
	}
	if cfg.Store == "" && !s.demo { // the demo's own is named after what is in it
		cfg.Store = "sqlite://" + filepath.Join(data, "petsupply.db")
	}
	cfg.Addresses(port)
	return s, nil
}

// dataDir is the directory asked for, or the user's own.
func (p *program) dataDir(asked string) (string, error) {
	switch home, xdg := p.getenv("HOME"), p.getenv("XDG_DATA_HOME"); {
	case asked != "":
		return filepath.Abs(asked)
	case filepath.IsAbs(xdg):
		return filepath.Join(xdg, "petsupply"), nil
	case home != "":
		return filepath.Join(home, ".local", "share", "petsupply"), nil
	}
	return "", errors.New("neither XDG_DATA_HOME nor HOME is set; say where the data lies with --data DIR")
}

// portOf is the port of an address to listen on.
func portOf(listen string) (string, error) {
	_, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", usageError{fmt.Errorf("%q is not an address to listen on; write it like 127.0.0.1:8080 or :8080", listen)}
	}
	return port, nil
}

// loopback says whether only this machine can reach an address.
func loopback(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}
