package main

import (
	"fmt"
	"os"

	"petsupply/internal/config"
)

type configCmd struct {
	Check configCheckCmd `cmd:"" help:"Validate a file and print it with every default written out and secrets masked."`
}

type configCheckCmd struct {
	File   string `arg:"" type:"path" help:"The configuration file."`
	Online bool   `help:"Ask the chains too: ids, code, decimals, every call."`
}

func (c *configCheckCmd) Run(p *program) error {
	text, err := os.ReadFile(c.File)
	if err != nil {
		return usageError{fmt.Errorf("reading the configuration: %w", err)}
	}
	cfg, err := config.Load(c.File, text, p.getenv)
	if err == nil {
		err = checkBlobs(cfg.Blobs)
	}
	if err != nil {
		fmt.Fprintln(p.stderr, err)
		return errNo
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
	if c.Online {
		return p.checkOnline(cfg)
	}
	fmt.Fprintln(p.stderr, c.File+": valid")
	return nil
}
