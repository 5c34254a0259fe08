package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"strings"

	"petsupply/internal/app"
)

type serveCmd struct {
	configFlags
	packFlag
	Listen    string `placeholder:"ADDR" help:"Public address. Default: 127.0.0.1:8080 for the demo, :8080 with a configuration."`
	Ops       string `default:"127.0.0.1:9090" placeholder:"ADDR" help:"Address for probes, metrics and profiles; empty for none. Default: 127.0.0.1:9090."`
	OpsPublic bool   `help:"Allow --ops on an address that others can reach."`
	Demo      bool   `help:"Serve the invented figures of the demo kingdom on an address that others can reach."`
	Express   bool   `default:"true" negatable:"" help:"Answer plain requests for prepared answers ahead of the general server."`
	MaxConns  int    `placeholder:"N" help:"How many connections to hold at once. Default: as many as open files and memory allow."`
	LogFormat string `enum:"text,json" default:"text" help:"Form of the log: text or json."`
	Verbose   bool   `short:"v" help:"Log every request too."`
}

func (c *serveCmd) Help() string {
	return `With no configuration, the demo kingdom is served on 127.0.0.1:8080: the whole
contract, with invented figures, and every answer says so. To serve the demo
where others can reach it takes --demo.

With --config FILE the tokens and pets of that file are measured and followed
on their chains; see petsupply config check.`
}

// Run opens the listeners first, so that a taken address costs no start-up.
func (c *serveCmd) Run(ctx context.Context, p *program) error {
	if err := c.complete(); err != nil {
		return err
	}
	log := c.logger(p)
	public, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return err
	}
	defer public.Close()
	var ops net.Listener
	if c.Ops != "" {
		if ops, err = net.Listen("tcp", c.Ops); err != nil {
			return fmt.Errorf("%w (--ops)", err)
		}
		defer ops.Close()
	}
	_, port, err := net.SplitHostPort(public.Addr().String())
	if err != nil {
		return err
	}
	s, err := c.loadFor(p, port)
	if err != nil {
		return err
	}
	s.Draft = c.Pack
	app.LimitMemory(p.getenv, log)
	a, err := app.Open(ctx, s, log)
	if err != nil {
		return err
	}
	defer a.Close()
	if err := a.Store.Check(ctx); err != nil {
		return fmt.Errorf("checking the store %s: %w", strings.TrimPrefix(s.Store, "sqlite://"), err)
	}
	service, err := a.NewService(ctx, app.ServiceConfig{
		Public: public, Ops: ops, MaxConns: c.MaxConns, Express: c.Express, Version: versionText()})
	if err != nil {
		return err
	}
	p.printAddresses(s, ops, log)
	return service.Run(ctx)
}

// complete fills the address in and refuses combinations that would publish
// what should not be.
func (c *serveCmd) complete() error {
	if c.Listen == "" {
		c.Listen = ":8080"
		if c.Config == "" {
			c.Listen = "127.0.0.1:8080"
		}
	}
	if _, _, err := net.SplitHostPort(c.Listen); err != nil {
		return usage("%q is not an address to listen on; write it like 127.0.0.1:8080 or :8080", c.Listen)
	}
	if c.Config != "" && c.Demo {
		return usage("--demo serves the invented kingdom, --config a real one; give one of them")
	}
	if c.Config == "" && !c.Demo && !loopback(c.Listen) {
		return usage("without --config the figures are invented; to serve them on %s all the same, add --demo", c.Listen)
	}
	if c.Ops != "" && !c.OpsPublic && !loopback(c.Ops) {
		return usage("--ops %s can be reached by others, and shows profiles and metrics; use a loopback address, or add --ops-public", c.Ops)
	}
	return nil
}

// loopback says whether only this machine can reach an address.
func loopback(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

// logger writes the program's own log, and without --verbose leaves out the
// single requests.
func (c *serveCmd) logger(p *program) *slog.Logger {
	opts := &slog.HandlerOptions{Level: slog.LevelInfo}
	if c.Verbose {
		opts.Level = slog.LevelDebug
	}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(p.stderr, opts))
	}
	return slog.New(slog.NewTextHandler(p.stderr, opts))
}

// printAddresses says where everything is.
func (p *program) printAddresses(s *app.Settings, ops net.Listener, log *slog.Logger) {
	fmt.Fprintf(p.stdout, "petsupply %s\n", versionText())
	if s.Demo {
		fmt.Fprintln(p.stdout, "This is the demo kingdom: every figure and pet in it is invented.")
		log.Warn("serving the demo kingdom: every figure and pet is invented")
	}
	line := func(what, where string) { fmt.Fprintf(p.stdout, "  %-7s %s\n", what, where) }
	line("site", s.SiteURL+"/")
	line("supply", s.SupplyURL+"/")
	line("pets", s.PetsURL+"/token/1")
	if ops != nil {
		line("ops", "http://"+ops.Addr().String()+"/metrics")
	}
	line("data", s.DataDir)
}
