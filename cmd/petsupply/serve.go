package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"petsupply/internal/config"
	"petsupply/internal/web"
)

type serveCmd struct {
	where
	Listen    string `placeholder:"ADDR" help:"Public address. Default: 127.0.0.1:8080 for the demo, :8080 with a configuration."`
	Ops       string `default:"127.0.0.1:9090" placeholder:"ADDR" help:"Address for probes, metrics and profiles; empty for none. Default: 127.0.0.1:9090."`
	OpsPublic bool   `help:"Allow --ops on an address that others can reach."`
	Demo      bool   `help:"Serve the invented figures of the demo kingdom on an address that others can reach."`
	Express   bool   `default:"true" negatable:"" help:"Answer plain requests for prepared answers ahead of the general server."`
	Most      int    `name:"connections" placeholder:"N" help:"How many connections to hold at once. Default: as many as open files and memory allow."`
	Log       string `enum:"text,json" default:"text" help:"Form of the log: text or json."`
	Verbose   bool   `short:"v" help:"Log every request too."`
}

func (c *serveCmd) Help() string {
	return `With no configuration, the demo kingdom is served on 127.0.0.1:8080: the whole
contract, with invented figures, and every answer says so. To serve the demo
where others can reach it takes --demo.

With --config FILE the tokens and pets of that file are measured and followed
on their chains; see petsupply config check.`
}

// How long things may take.
const (
	headerTime   = 5 * time.Second
	requestTime  = 15 * time.Second
	answerTime   = 30 * time.Second
	idleTime     = 2 * time.Minute
	shutdownTime = answerTime + 2*time.Second
	maxHeader    = 16 << 10
)

func (c *serveCmd) Run(p *program) error {
	if c.Listen == "" {
		c.Listen = ":8080"
		if c.Config == "" {
			c.Listen = "127.0.0.1:8080"
		}
	}
	if _, err := portOf(c.Listen); err != nil {
		return err
	}
	if c.Config != "" && c.Demo {
		return usageError{errors.New("--demo serves the invented kingdom, --config a real one; give one of them")}
	}
	if c.Config == "" && !c.Demo && !loopback(c.Listen) {
		return usageError{fmt.Errorf("without --config the figures are invented; to serve them on %s all the same, add --demo", c.Listen)}
	}
	if c.Ops != "" && !c.OpsPublic && !loopback(c.Ops) {
		return usageError{fmt.Errorf("--ops %s can be reached by others, and shows profiles and metrics; use a loopback address, or add --ops-public", c.Ops)}
	}
	log := p.logger(c.Log, c.Verbose)
	public, err := listen(c.Listen)
	if err != nil {
		return err
	}
	defer public.Close()
	ops, err := listen(c.Ops)
	if err != nil {
		return fmt.Errorf("%w (--ops)", err)
	}
	if ops != nil {
		defer ops.Close()
	}
	port, err := portOf(public.Addr().String())
	if err != nil {
		return err
	}
	s, err := p.settings(c.where, port)
	if err != nil {
		return err
	}
	p.limitMemory(log)
	h, err := s.open(p.ctx, log)
	if err != nil {
		return err
	}
	defer h.close()
	if err := h.store.Check(p.ctx); err != nil {
		return fmt.Errorf("checking the store %s: %w", strings.TrimPrefix(h.Store, "sqlite://"), err)
	}
	if c.Most <= 0 {
		c.Most = places(log)
	}
	return p.serve(h, c.Express, newCrowd(public, c.Most), ops)
}

func listen(addr string) (net.Listener, error) {
	if addr == "" {
		return nil, nil
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listening on %s: %w", addr, errors.Unwrap(err))
	}
	return l, nil
}

// serve runs the service until the program's context ends, and then finishes
// every request that it has accepted.
func (p *program) serve(h *house, express bool, public *crowd, ops net.Listener) error {
	v, err := h.service()
	if err != nil {
		return err
	}
	v.count(public)
	v.express = express
	defer v.close()
	if err := h.follow(p.ctx); err != nil {
		return err
	}
	p.greet(h, ops)
	go debug.FreeOSMemory() // what starting up took is given back
	group, ctx := errgroup.WithContext(p.ctx)
	for _, loop := range v.loops {
		group.Go(func() error { return loop(ctx) })
	}
	server := v.server(v.web.Handler(), h.log)
	front, drain := v.front(server, public)
	serveOn(group, ctx, server, front, h.TLS, h.log, func(ctx context.Context) error {
		v.events.Close() // its streams would hold the shutdown up
		return drain(ctx)
	})
	if ops != nil {
		probes := v.web.Ops(web.OpsConfig{Gatherer: v.registry, Troubles: v.troubles, Leader: v.leader})
		serveOn(group, ctx, v.server(probes, h.log), ops, nil, h.log, nil)
	}
	err = group.Wait()
	h.log.Info("stopped")
	return err
}

// serveOn serves on l until ctx ends; then it calls first, takes no more
// connections, and waits for the answers that are under way.
func serveOn(group *errgroup.Group, ctx context.Context, server *http.Server, l net.Listener,
	files *config.TLS, log *slog.Logger, first func(context.Context) error) {
	group.Go(func() (err error) {
		if files != nil {
			err = server.ServeTLS(l, files.Cert, files.Key)
		} else {
			err = server.Serve(l)
		}
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		return fmt.Errorf("serving on %s: %w", l.Addr(), err)
	})
	group.Go(func() (err error) {
		<-ctx.Done()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
		defer cancel()
		if first != nil {
			err = first(ctx)
		}
		if err = errors.Join(err, server.Shutdown(ctx)); errors.Is(err, context.DeadlineExceeded) {
			log.Warn("answers were still under way when the time for stopping was over")
			err = server.Close()
		}
		return err
	})
}

// greet says where everything is.
func (p *program) greet(h *house, ops net.Listener) {
	fmt.Fprintf(p.stdout, "petsupply %s\n", versionText())
	if h.demo {
		fmt.Fprintln(p.stdout, "This is the demo kingdom: every figure and pet in it is invented.")
		h.log.Warn("serving the demo kingdom: every figure and pet is invented")
	}
	line := func(what, where string) { fmt.Fprintf(p.stdout, "  %-7s %s\n", what, where) }
	line("site", h.SiteURL+"/")
	line("supply", h.SupplyURL+"/")
	line("pets", h.PetsURL+"/token/1")
	if ops != nil {
		line("ops", "http://"+ops.Addr().String()+"/metrics")
	}
	line("data", h.data)
}

// logger writes the program's own log, and without verbose leaves out the
// single requests.
func (p *program) logger(form string, verbose bool) *slog.Logger {
	opts := &slog.HandlerOptions{Level: slog.LevelInfo}
	if verbose {
		opts.Level = slog.LevelDebug
	}
	if form == "json" {
		return slog.New(slog.NewJSONHandler(p.stderr, opts))
	}
	return slog.New(slog.NewTextHandler(p.stderr, opts))
}

// limitMemory lets the heap grow by two fifths of what is in use before it
// is collected: hot answers make no garbage, so that memory is worth more than the
// collector's time. It also keeps the heap within nine tenths of the container's
// limit, so that the collector works harder before the kernel ends the process.
// What GOGC and GOMEMLIMIT say stands.
func (p *program) limitMemory(log *slog.Logger) {
	if p.getenv("GOGC") == "" {
		debug.SetGCPercent(40)
	}
	if debug.SetMemoryLimit(-1) < 1<<62 {
		return
	}
	text, err := os.ReadFile("/sys/fs/cgroup/memory.max")
	var limit int64
	if _, scan := fmt.Sscan(strings.TrimSpace(string(text)), &limit); err != nil || scan != nil || limit <= 0 {
		return
	}
	debug.SetMemoryLimit(limit / 10 * 9)
	log.Info("memory limited", "bytes", limit/10*9)
}
