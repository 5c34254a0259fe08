package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"petsupply/examples"
	"petsupply/internal/app"
	"petsupply/internal/config"
	"petsupply/internal/probe"
	"petsupply/internal/store"
	"petsupply/internal/yamlfile"
)

type configCmd struct {
	Check  configCheckCmd  `cmd:"" help:"Check a file, and the packs, certificates and stores that it names. With --online also its chains."`
	Schema configSchemaCmd `cmd:"" help:"Print the JSON Schema of the file, for editors."`
}

// A configFile names the configuration file that a command is about.
type configFile struct {
	File string `arg:"" optional:"" help:"The configuration file; - for standard input. Default: ./petsupply.yaml."`
	Data string `placeholder:"DIR" help:"Directory of the embedded store. Default: petsupply in the user's data directory."`
}

// flags returns the flags of a command that reads this file.
func (c *configFile) flags(p *program) (configFlags, error) {
	f := configFlags{Config: c.File, Data: c.Data}
	f.useHere(p)
	if f.Config == "" {
		return f, usage("there is no ./%s; name the file to check", hereFile)
	}
	c.File = f.Config
	return f, nil
}

type configCheckCmd struct {
	configFile
	Online bool `help:"Also check on the chains: ids, code, decimals, every call, some pets of each realm, tokenURI and contractURI."`
	JSON   bool `help:"Print the findings as JSON."`
}

// A configReport has the results of config check.
type configReport struct {
	File     string         `json:"file"`
	Valid    bool           `json:"valid"`
	Faults   []config.Fault `json:"faults"`
	Warnings []string       `json:"warnings"`
	Tokens   int            `json:"tokens"`
	Realms   int            `json:"realms"`
	Chains   int            `json:"chains"`
	// Online is null unless the chains were checked.
	Online *probe.Report `json:"online"`
}

// Run lists every fault with its line. The exit code is 2 if there are faults, as with serve, and 1
// if the file is valid but does not fit its chains.
func (c *configCheckCmd) Run(ctx context.Context, p *program) error {
	flags, err := c.flags(p)
	if err != nil {
		return err
	}
	s, err := flags.loadFor(p, "8080", app.CheckFiles(ctx))
	if err != nil {
		if faults, ok := errors.AsType[*yamlfile.Faults](err); ok && c.JSON {
			report := configReport{File: c.File, Faults: faults.List, Warnings: []string{}}
			return cmp.Or(p.printJSON(report), error(errUnusable))
		}
		return err
	}
	report := configReport{File: c.File, Valid: true, Faults: []config.Fault{}, Tokens: len(s.Tokens),
		Realms: len(s.Realms),
		Chains: len(s.Chains), Warnings: append([]string{}, s.Warnings()...)}
	out := p.stdout
	if c.JSON {
		out = io.Discard
	} else {
		for _, w := range report.Warnings {
			fmt.Fprintln(p.stderr, "warning:", w)
		}
	}
	fmt.Fprintf(out, "%s: valid: %s, %s, %s\n", c.File,
		count(report.Tokens, "token"), count(report.Realms, "realm"), count(report.Chains, "chain"))
	if c.Online {
		published, err := publishedRecords(ctx, s)
		if err != nil && !errors.Is(err, store.ErrNoStore) {
			return err
		}
		found := probe.Compare(ctx, s.Config, published, out)
		report.Online = &found
		fmt.Fprintf(out, "faults: %d, warnings: %d\n", len(found.Faults), len(found.Warnings)+len(report.Warnings))
	}
	if c.JSON {
		if err := p.printJSON(report); err != nil {
			return err
		}
	}
	if report.Online != nil && len(report.Online.Faults) > 0 {
		return errReported
	}
	return nil
}

// count returns text such as "2 tokens".
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

type configSchemaCmd struct {
	Collection bool `help:"Print the schema of collection files instead."`
}

func (c *configSchemaCmd) Run(p *program) error {
	text := examples.Schema
	if c.Collection {
		text = examples.CollectionSchema
	}
	_, err := fmt.Fprintln(p.stdout, strings.TrimSpace(text))
	return err
}
