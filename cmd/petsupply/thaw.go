package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/frozen"
	"petsupply/internal/supply/audit"
	"petsupply/internal/terminal"
)

// thawCmd serves or checks a frozen copy.
type thawCmd struct {
	Copy   string `arg:"" placeholder:"DIR|FILE.zip" help:"The copy: a folder or a zip."`
	Check  bool   `help:"Check every file of the copy against the root of the copy, print the root, and exit."`
	Listen string `default:"127.0.0.1:8080" placeholder:"ADDR" help:"Public address. Default: 127.0.0.1:8080."`
	Base   string `placeholder:"URL" help:"The address at which the copy is served. Links begin with it. Default: http://localhost, on the port of --listen."`
	Demo   bool   `help:"Serve a copy of the demo kingdom on an address that other machines can reach."`
}

func (c *thawCmd) Help() string {
	return `Answers the same requests as the service did, including listings, and pictures with
options and in all sizes. Nothing is measured, and each figure has the status "past".
thaw reads the copy once and does not change it. It checks the files that it uses
against the root in provenance.json, which is the SHA-256 of SHA256SUMS. Before it
serves, it compares its own answers with the log of the copy. --check checks all
files, as sha256sum -c SHA256SUMS does, and nothing else.`
}

// Run restores a store from the copy and serves that store. With --check it only checks the copy.
func (c *thawCmd) Run(ctx context.Context, p *program) error {
	if _, _, err := net.SplitHostPort(c.Listen); err != nil {
		return usage("%q is not an address to listen on; write it like 127.0.0.1:8080 or :8080", c.Listen)
	}
	copied, err := frozen.Open(c.Copy)
	if err != nil {
		return err
	}
	defer copied.Close()
	app.LimitMemory(p.getenv, p.warnings(), math.MaxInt64)
	checked := terminal.NewProgress(p.stderr, "files checked", 0)
	if c.Check {
		provenance, err := copied.Check(ctx, true, checked.Add)
		if err == nil {
			checked.Done()
			fmt.Fprintln(p.stdout, provenance.Root)
		}
		return err
	}
	head, err := copied.Head()
	if err != nil {
		return err
	}
	if head.Demo && !c.Demo && !loopback(c.Listen) {
		return usage("this is a copy of the demo, whose figures are invented; to serve it on %s anyway, add --demo",
			c.Listen)
	}
	provenance, err := copied.Check(ctx, false, checked.Add)
	if err != nil {
		return err
	}
	checked.Done()
	public, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return err
	}
	defer public.Close()
	work, err := os.MkdirTemp("", "petsupply-thaw-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	_, port, err := net.SplitHostPort(public.Addr().String())
	if err != nil {
		return err
	}
	bar := terminal.NewProgress(p.stderr, "rows read", 0)
	s, err := app.LoadFrozen(ctx, copied, work, port, bar.Add)
	if err != nil {
		return err
	}
	bar.Done()
	if base := strings.TrimRight(c.Base, "/"); base != "" {
		s.SupplyURL, s.PetsURL, s.SiteURL = base+"/supply", base+"/pets", base
	}
	a, err := app.Open(ctx, s, p.warnings())
	if err != nil {
		return err
	}
	defer a.Close()
	service, err := a.NewService(ctx, app.ServiceConfig{Public: public, Express: true, Version: versionText()})
	if err != nil {
		return err
	}
	if err := compareThawed(ctx, copied, provenance, s.SupplyURL, service.Handler()); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "A frozen copy, as of %s: nothing in it is measured any more.\n", head.AsOf.Format(time.RFC3339))
	if provenance.Log == nil && len(head.Tokens) > 0 {
		fmt.Fprintln(p.stdout, "It has no log, so its figures were compared with nothing.")
	}
	p.printAddresses(s, nil, p.warnings())
	return service.Run(ctx)
}

// compareThawed audits a thawed service: its newest figures and its log must agree with the log of
// the copy. Figures of the past are not compared.
func compareThawed(ctx context.Context, copied *frozen.Copy, of *frozen.Provenance, address string,
	h http.Handler) error {
	if of.Log == nil {
		return nil // without a log there is nothing to compare with
	}
	client := &http.Client{Transport: frozen.Transport{Handler: h}}
	report, err := audit.Run(ctx, audit.Config{URL: address, Client: client})
	if err != nil {
		return fmt.Errorf("the database rows in the copy do not agree with its log: %w", err)
	}
	f, err := copied.Published("log/checkpoint")
	if err != nil {
		return err
	}
	defer f.Close()
	signed, err := io.ReadAll(f)
	if err == nil && !bytes.Equal(signed, report.Checkpoint) {
		err = errors.New("the log in the database rows of the copy does not agree with supply/log/checkpoint")
	}
	return err
}
