package main

import (
	"context"
	"errors"
	"fmt"

	"petsupply/internal/app"
	"petsupply/internal/probe"
)

type configCmd struct {
	Check configCheckCmd `cmd:"" help:"Validate a file and print it with every default written out and secrets masked."`
}

type configCheckCmd struct {
	File   string `arg:"" type:"path" help:"The configuration file."`
	Online bool   `help:"Ask the chains too: ids, code, decimals, every call."`
}

func (c *configCheckCmd) Run(ctx context.Context, p *program) error {
	cfg, err := app.ReadConfig(c.File, p.getenv)
	if errors.As(err, new(app.ConfigError)) {
		return err
	} else if err != nil { // what the command is for: to say what is wrong
		fmt.Fprintln(p.stderr, err)
		return errReported
	}
	cfg.Addresses("8080")
	shown, err := cfg.YAML()
	if err != nil {
		return fmt.Errorf("printing the configuration: %w", err)
	}
	fmt.Fprintf(p.stdout, "%s", shown)
	for _, w := range cfg.Warnings() {
		fmt.Fprintln(p.stderr, "warning:", w)
	}
	if !c.Online {
		fmt.Fprintln(p.stderr, c.File+": valid")
		return nil
	}
	chains, err := app.Dial(cfg.Chains, nil)
	if err != nil {
		return err
	}
	defer chains.Close()
	if faults := probe.Audit(ctx, cfg, chains, p.stdout); faults > 0 {
		return errReported
	}
	return nil
}
