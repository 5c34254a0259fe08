package main

import (
	"context"
	"fmt"
	"strings"

	"petsupply/examples"
	"petsupply/internal/app"
	"petsupply/internal/onlinecheck"
)

type configCmd struct {
	Check  configCheckCmd  `cmd:"" help:"Check a file, the packs, certificates and stores that it names, and with --online its chains."`
	Show   configShowCmd   `cmd:"" help:"Print a file with every default written out and secrets masked."`
	Schema configSchemaCmd `cmd:"" help:"Print the JSON Schema of the file, for editors."`
}

// A configFile names the file of a command.
type configFile struct {
	File string `arg:"" help:"The configuration file; - for standard input."`
	Data string `placeholder:"DIR" help:"Directory of the embedded store. Default: petsupply in the user's data directory."`
}

func (c *configFile) flags() configFlags { return configFlags{Config: c.File, Data: c.Data} }

type configCheckCmd struct {
	configFile
	Online bool `help:"Also ask the chains: ids, code, decimals, every call, a pet of each realm, and the requests of a day."`
}

// Run lists every fault with its line. The exit code is then 2, as it is for serve.
// It is 1 for a valid file that does not fit its chains.
func (c *configCheckCmd) Run(ctx context.Context, p *program) error {
	s, err := c.flags().loadFor(p, "8080", app.CheckFiles(ctx))
	if err != nil {
		return err
	}
	for _, w := range s.Warnings() {
		fmt.Fprintln(p.stderr, "warning:", w)
	}
	fmt.Fprintf(p.stdout, "%s: valid: %s, %s, %s\n", c.File,
		count(len(s.Tokens), "token"), count(len(s.Realms), "realm"), count(len(s.Chains), "chain"))
	if !c.Online {
		return nil
	}
	chains, err := app.Dial(s.Chains, nil)
	if err != nil {
		return err
	}
	defer chains.Close()
	if faults := onlinecheck.Run(ctx, s.Config, chains, p.stdout); faults > 0 {
		return errReported
	}
	return nil
}

// count returns a number of things, such as 2 tokens.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

type configShowCmd struct{ configFile }

func (c *configShowCmd) Run(p *program) error {
	s, err := c.flags().load(p)
	if err != nil {
		return err
	}
	shown, err := s.YAML()
	if err != nil {
		return fmt.Errorf("printing the configuration: %w", err)
	}
	_, err = p.stdout.Write(shown)
	return err
}

type configSchemaCmd struct{}

func (configSchemaCmd) Run(p *program) error {
	_, err := fmt.Fprintln(p.stdout, strings.TrimSpace(examples.Schema))
	return err
}
