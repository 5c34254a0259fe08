package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/frozen"
	"petsupply/internal/terminal"
)

// thawCmd serves a frozen copy.
type thawCmd struct {
	Copy   string `arg:"" placeholder:"FILE.car|DIR" help:"The copy: a CAR file or a folder."`
	Listen string `default:"127.0.0.1:8080" placeholder:"ADDR" help:"Public address. Default: 127.0.0.1:8080."`
	Base   string `placeholder:"URL" help:"Where it is found: links begin with it. Default: http://localhost, on the port of --listen."`
	Demo   bool   `help:"Serve a copy of the demo kingdom on an address that others can reach."`
}

func (c *thawCmd) Help() string {
	return `A frozen copy is served by the whole contract, listings, switches and sizes
included. Nothing is measured any more: every figure says that it is of the past.
The copy is read once, and held against its provenance; it is not written to.`
}

// Run reads the copy into a store of its own and serves that.
func (c *thawCmd) Run(ctx context.Context, p *program) error {
	if _, _, err := net.SplitHostPort(c.Listen); err != nil {
		return usage("%q is not an address to listen on; write it like 127.0.0.1:8080 or :8080", c.Listen)
	}
	copied, closer, err := frozen.Open(c.Copy)
	if err != nil {
		return err
	}
	defer closer.Close()
	head, err := frozen.ReadHead(copied)
	if err != nil {
		return err
	}
	if head.Demo && !c.Demo && !loopback(c.Listen) {
		return usage("this is a copy of the demo, whose figures are invented; to serve it on %s all the same, add --demo", c.Listen)
	}
	app.LimitMemory(p.getenv, p.warnings())
	if _, err := frozen.Verify(ctx, copied); err != nil {
		return err
	}
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
	fmt.Fprintf(p.stdout, "A frozen copy, as of %s: nothing in it is measured any more.\n", head.AsOf.Format(time.RFC3339))
	p.printAddresses(s, nil, p.warnings())
	return service.Run(ctx)
}
