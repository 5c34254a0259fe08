package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"petsupply/internal/app"
	"petsupply/internal/config"
	"petsupply/internal/demo/compose"
	"petsupply/internal/store"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/tlog"
)

// configFlags name the configuration and the data of a command.
type configFlags struct {
	Config string `short:"c" placeholder:"FILE" help:"Configuration file; - for standard input. Default: ./petsupply.yaml, if it exists."`
	Data   string `placeholder:"DIR" help:"Directory of the embedded store. Default: petsupply in the user's data directory, or a temporary one for the demo."`
}

// hereFile is the configuration file that commands of the operator use if --config names none.
const hereFile = "petsupply.yaml"

// useHere sets the configuration file to ./petsupply.yaml if --config names none and this file
// exists. It says so.
func (f *configFlags) useHere(p *program) {
	if f.Config != "" {
		return
	}
	if info, err := os.Stat(hereFile); err == nil && info.Mode().IsRegular() {
		f.Config = hereFile
		fmt.Fprintf(p.stderr, "petsupply: using ./%s\n", hereFile)
	}
}

// load reads the configuration for a command that does not serve. Without a configuration it returns
// the demo's settings.
func (f *configFlags) load(p *program) (*app.Settings, error) {
	f.useHere(p)
	return f.loadFor(p, "8080")
}

// loadReal is load for a command that does not work on the demo.
func (f *configFlags) loadReal(p *program) (*app.Settings, error) {
	s, err := f.load(p)
	if err == nil && s.Notice != "" {
		err = usage("there is no ./%s; give the configuration with --config FILE", hereFile)
	}
	return s, err
}

// loadFor is like load, for a service that listens on this port. It also runs the additional
// checks in the argument more. Without a configuration it returns the demo's settings.
func (f *configFlags) loadFor(p *program, port string, more ...config.Check) (*app.Settings, error) {
	if f.Config == "" {
		return compose.Settings(f.Data, port, p.getenv)
	}
	text, err := f.read(p)
	if err != nil {
		return nil, err
	}
	return app.Load(f.Config, text, f.Data, port, p.getenv, more...)
}

// demoFolder gives the demo a temporary folder for its store, unless --data names one. done removes
// the temporary folder.
func (f *configFlags) demoFolder() (done func(), err error) {
	if f.Config != "" || f.Data != "" {
		return func() {}, nil
	}
	f.Data, err = os.MkdirTemp("", "petsupply-demo-")
	if err != nil {
		return nil, usage("making a folder for the demo: %w; name another one with --data DIR", err)
	}
	return func() { os.RemoveAll(f.Data) }, nil
}

// openApp opens what the settings name.
func openApp(ctx context.Context, s *app.Settings, log *slog.Logger) (*app.App, error) {
	if s.Notice != "" {
		return compose.Open(ctx, s, log)
	}
	return app.Open(ctx, s, log)
}

// read returns the text of the configuration.
func (f *configFlags) read(p *program) ([]byte, error) {
	in, err := p.open(f.Config)
	if err != nil {
		return nil, usage("reading the configuration: %w", err)
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, config.MaxFile+1))
	if err != nil {
		return nil, usage("reading the configuration: %w", err)
	}
	return text, nil
}

// openStore loads the configuration and opens its store, which must exist. The caller closes the
// store.
func (f *configFlags) openStore(ctx context.Context, p *program) (*app.Settings, *store.Store, error) {
	s, err := f.loadReal(p)
	if err != nil {
		return nil, nil, err
	}
	s.Existing = true
	db, err := s.OpenStore(ctx, nil)
	return s, db, err
}

// quiet returns a log that discards everything.
func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// A duration is a flag such as 10s, 24h or 30d.
type duration time.Duration

func (d *duration) UnmarshalText(text []byte) error {
	v, err := ledger.ParseDuration(string(text))
	*d = duration(v)
	return err
}

// logKey returns the verifier key that the flag --key gives, or "" if the flag is not set.
func logKey(given string) (string, error) {
	key, err := verifierKey("--key", given)
	if err != nil || given == "" {
		return "", err
	}
	if _, err := note.NewVerifier(key); err != nil { // the key is "" if --key names an empty file
		return "", usage("--key %.80q is not the verifier key of a log, NAME+HASH+KEY: %w", given, err)
	}
	return key, nil
}

// verifierKey returns the key that a flag gives. The flag has the key itself, or the name of a file
// with the key.
func verifierKey(flag, given string) (string, error) {
	if given == "" || strings.Count(given, "+") >= 2 {
		return given, nil
	}
	text, err := os.ReadFile(given)
	if err != nil {
		return "", usage("%s wants a verifier key, NAME+HASH+KEY, or a file: %w", flag, err)
	}
	return strings.TrimSpace(string(text)), nil
}

// witnessPolicy reads the policy in a file, or the key of one witness. A policy says who must have
// signed the head of a log. witnessPolicy returns nil if the flag is not set.
func witnessPolicy(given string) (*tlog.Policy, error) {
	if given == "" {
		return nil, nil
	}
	text, err := verifierKey("--witness", given)
	if err != nil {
		return nil, err
	}
	policy, err := tlog.ParsePolicy(text)
	if err != nil {
		return nil, usage("--witness %.80q: %w", given, err)
	}
	return policy, nil
}
