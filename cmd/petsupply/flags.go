package main

import (
	"errors"
	"log/slog"

	"petsupply/internal/app"
)

// configFlags say which configuration and which data a command works on.
type configFlags struct {
	Config string `short:"c" placeholder:"FILE" help:"Configuration file. Without one: the embedded demo kingdom."`
	Data   string `placeholder:"DIR" help:"Where the embedded store lies. Default: petsupply in the user's data directory."`
}

// load reads the configuration, for a command that serves nothing.
func (f configFlags) load(p *program) (*app.Settings, error) {
	return app.Load(f.Config, f.Data, "8080", p.getenv)
}

// loadFile is load for a command that is of no use in the demo, and says why.
func (f configFlags) loadFile(p *program, why string) (*app.Settings, error) {
	if f.Config == "" {
		return nil, usageError{errors.New(why)}
	}
	return f.load(p)
}

// quiet is no log at all.
func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// warnings is a log of what goes wrong, for commands that ask nodes.
func (p *program) warnings() *slog.Logger {
	return slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
}
