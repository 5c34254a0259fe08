package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"os"
	"sync"
	"syscall"

	"petsupply/internal/app"
	"petsupply/internal/art"
)

type serveCmd struct {
	configFlags
	packFlag
	Watch     bool   `help:"With --pack: reload the pack, and the pages in the browser, whenever one of its files is saved."`
	Listen    string `placeholder:"ADDR" help:"Public address. Default: 127.0.0.1:8080 for the demo, :8080 with a configuration."`
	Ops       string `default:"127.0.0.1:9090" placeholder:"ADDR" help:"Address for probes, metrics and profiles, which are not for the public; empty for none. Default: 127.0.0.1:9090."`
	Demo      bool   `help:"Serve the demo kingdom, also where a petsupply.yaml exists, and on an address that other machines can reach."`
	LogFormat string `enum:"text,json" default:"text" help:"Format of the log: text or json."`
	Verbose   bool   `short:"v" help:"Log every request."`
}

func (c *serveCmd) Help() string {
	return `Serves the tokens and pets of the configuration: measures the tokens, and follows the
pets on their chains. See petsupply config check.

Without a configuration, or with --demo, serves the demo kingdom on 127.0.0.1:8080
instead. It has every address and page. Its figures are invented, and every answer says
so. What it stores is gone when it ends, unless --data names a directory. Only with --demo
may --listen name an address that other machines can reach.

With --pack DIR --watch, you can paint a pack while it is served. Pages reload when a
file is saved, and describe mistakes in files that cannot be drawn.`
}

// Run opens the listeners first, so that it fails early if an address is in use.
func (c *serveCmd) Run(ctx context.Context, p *program) error {
	if !c.Demo {
		c.useHere(p)
	}
	if err := c.complete(); err != nil {
		return err
	}
	public, ops, err := c.listeners()
	if err != nil {
		return err
	}
	defer public.Close()
	if ops != nil {
		defer ops.Close()
	}
	done, err := c.demoFolder()
	if err != nil {
		return err
	}
	defer done()
	log := c.logger(p)
	app.LimitMemory(p.getenv, log, math.MaxInt64)
	if c.Watch {
		return c.watch(ctx, p, log, public, ops)
	}
	return c.serve(ctx, p, log, c.open, app.ServiceConfig{Public: public, Ops: ops},
		func(s *app.Settings) { p.printAddresses(s, ops, log) })
}

// serve serves until ctx ends, with the pack that open returns, if it returns one. It calls ready once, just
// before it begins to answer.
func (c *serveCmd) serve(ctx context.Context, p *program, log *slog.Logger,
	open func(*app.Settings) (*art.Pack, error), cfg app.ServiceConfig, ready func(*app.Settings)) error {
	_, port, err := net.SplitHostPort(cfg.Public.Addr().String())
	if err != nil {
		return err
	}
	s, err := c.loadFor(p, port)
	if err != nil {
		return err
	}
	s.Pack, err = open(s)
	if err != nil {
		return err
	}
	a, err := openApp(ctx, s, log)
	if err != nil {
		return err
	}
	defer a.Close()
	if err := a.Store.Check(ctx); err != nil {
		return fmt.Errorf("checking the store %s: %w", s.StoreName(), err)
	}
	cfg.Version = versionText()
	service, err := a.NewService(ctx, cfg)
	if err != nil {
		return err
	}
	ready(s)
	return service.Run(ctx)
}

// watch serves until ctx ends. When the pack has changed, watch starts the service again at the same
// addresses. The demo makes another store whenever the pack gets other creatures.
func (c *serveCmd) watch(ctx context.Context, p *program, log *slog.Logger, public, ops net.Listener) error {
	w := newPackWatch(c.Pack, p.stdout, func() (*art.Pack, error) {
		s, err := c.loadFor(p, "8080") // Run has chosen the configuration, which --demo leaves out
		if err != nil {
			return nil, err
		}
		return c.open(s)
	})
	c.Listen = public.Addr().String()
	if ops != nil {
		c.Ops = ops.Addr().String()
	}
	ready := func(s *app.Settings) { p.printAddresses(s, ops, log) }
	for {
		turn, end := context.WithCancel(ctx)
		pack := w.pack
		var awaiting sync.WaitGroup
		awaiting.Go(func() { w.await(turn); end() })
		cfg := app.ServiceConfig{Public: public, Ops: ops, Notice: w.fault}
		err := c.serve(turn, p, log, func(*app.Settings) (*art.Pack, error) { return pack, nil }, cfg, ready)
		end()
		awaiting.Wait()
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
		if ctx.Err() != nil {
			return nil
		}
		public.Close() // unless the service has done it
		if ops != nil {
			ops.Close()
		}
		public, ops, err = c.listeners()
		if err != nil {
			return err
		}
		ready = func(*app.Settings) { fmt.Fprintf(p.stdout, "%s: loaded again\n", c.Pack) }
	}
}

// complete sets a missing address. It rejects flags that contradict each other or would publish
// private data.
func (c *serveCmd) complete() error {
	if c.Listen == "" {
		c.Listen = ":8080"
		if c.Config == "" || c.Watch {
			c.Listen = "127.0.0.1:8080"
		}
	}
	for _, address := range []string{c.Listen, c.Ops} {
		if _, _, err := net.SplitHostPort(address); err != nil && address != "" {
			return usage("%q is not an address to listen on; write it like 127.0.0.1:8080 or :8080", address)
		}
	}
	if c.Config != "" && c.Demo {
		return usage("--demo serves invented figures, --config real ones; give only one of them")
	}
	if c.Config == "" && !c.Demo && !loopback(c.Listen) {
		return usage("without --config the figures are invented; to serve them on %s anyway, add --demo", c.Listen)
	}
	if info, err := os.Stat(c.Pack); c.Watch && (err != nil || !info.IsDir()) {
		return usage("--watch wants --pack DIR, the directory of a pack; petsupply pack new DIR makes one")
	}
	if c.Watch && c.Config == "-" {
		return usage("--watch reads the configuration several times; give it as a file")
	}
	if c.Watch && !loopback(c.Listen) {
		return usage("--watch shows a pack on this machine only; give a --listen address such as 127.0.0.1:8080")
	}
	return nil
}

// listeners listens on the addresses of the service. ops is nil if --ops is empty.
func (c *serveCmd) listeners() (public, ops net.Listener, err error) {
	public, err = listen("--listen", c.Listen)
	if err != nil || c.Ops == "" {
		return public, nil, err
	}
	ops, err = listen("--ops", c.Ops)
	if err != nil {
		public.Close()
		return nil, nil, err
	}
	return public, ops, nil
}

// listen listens on the address that a flag names.
func listen(flag, address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("another program uses %s: end it, or choose another address with %s", address, flag)
	}
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", err, flag)
	}
	return l, nil
}

// loopback reports whether only this machine can reach an address.
func loopback(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

// logger makes the log of the service. Without --verbose it does not log requests.
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

// printAddresses prints the addresses of the service and where its data is. For the demo it also
// prints a figure and a picture to try, and what to do next.
func (p *program) printAddresses(s *app.Settings, ops net.Listener, log *slog.Logger) {
	fmt.Fprintf(p.stdout, "petsupply %s\n", versionText())
	if s.Notice != "" {
		fmt.Fprintln(p.stdout, "This is the demo kingdom: every figure and pet in it is invented.")
		log.Warn("serving the demo kingdom: every figure and pet is invented")
	}
	line := func(what, where string) { fmt.Fprintf(p.stdout, "  %-7s %s\n", what, where) }
	line("site", s.SiteURL+"/")
	if s.Notice != "" {
		line("figure", s.SupplyURL+"/"+s.Tokens[0].Path+"/totalsupply")
		line("picture", s.PetsURL+"/image/1")
	}
	if len(s.Tokens) > 0 {
		line("supply", s.SupplyURL+"/")
	}
	if len(s.Realms) > 0 {
		line("pets", s.PetsURL+"/tokens")
	}
	if ops != nil {
		line("ops", "http://"+ops.Addr().String()+"/metrics")
	}
	line("data", s.DataDir)
	if s.Notice != "" {
		fmt.Fprintln(p.stdout, "To publish your own token: petsupply init --rpc URL --token ADDRESS")
	}
}
