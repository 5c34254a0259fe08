package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/art"
)

type packWatchCmd struct {
	Dir    string `arg:"" help:"The pack's directory."`
	Listen string `default:"127.0.0.1:8080" placeholder:"ADDR" help:"Where to show it, on this machine only."`
}

// watchEvery is how often the pack's files are looked at.
const watchEvery = 300 * time.Millisecond

// Run shows the demo with the pack until it is stopped. A pack that does not
// open leaves the last one that did in its place, with the reason above it.
func (c *packWatchCmd) Run(ctx context.Context, p *program) error {
	if !loopback(c.Listen) {
		return usage("--listen %s: a draft is shown on this machine only, as on 127.0.0.1:8080", c.Listen)
	}
	if info, err := os.Stat(c.Dir); err != nil || !info.IsDir() {
		return usage("%s is not a directory; petsupply pack new %s makes a pack there", c.Dir, c.Dir)
	}
	public, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return err
	}
	data, err := os.MkdirTemp("", "petsupply-watch")
	if err != nil {
		return err
	}
	defer os.RemoveAll(data)
	f := newPackFront()
	server := &http.Server{Handler: f, ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	go server.Serve(public) // until Close
	defer server.Close()
	_, port, err := net.SplitHostPort(public.Addr().String())
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "  sheet   http://localhost:%s%s\n  site    http://localhost:%s/\n", port, sheetPath, port)
	w := packWatch{p: p, dir: c.Dir, data: data, port: port, front: f}
	return w.run(ctx)
}

// A packWatch shows a pack as it changes.
type packWatch struct {
	p               *program
	dir, data, port string
	front           *packFront
	stop            func() // ends the demo that is shown
}

func (w *packWatch) run(ctx context.Context) error {
	last := ""
	for {
		if now := art.Fingerprint(w.dir); now != last {
			last = now
			w.show(ctx)
		}
		select {
		case <-ctx.Done():
			if w.stop != nil {
				w.stop()
			}
			return nil
		case <-time.After(watchEvery):
		}
	}
}

// show puts the pack, as it is now, in the place of what is shown.
func (w *packWatch) show(ctx context.Context) {
	began := time.Now()
	pack, err := art.OpenDraft(w.dir)
	if err == nil {
		w.front.hold()
		if w.stop != nil {
			w.stop()
			w.stop = nil
		}
		var address string
		if address, w.stop, err = w.serve(ctx); err == nil {
			w.front.show(pack, address)
			fmt.Fprintf(w.p.stdout, "%s: shown after %v\n", w.dir, time.Since(began).Round(time.Millisecond))
			return
		}
	}
	if ctx.Err() != nil {
		return
	}
	w.front.fail(err)
	fmt.Fprintf(w.p.stdout, "%s: %v\n", w.dir, err)
}

// serve runs the demo with the pack, reached only through the front.
func (w *packWatch) serve(ctx context.Context) (address string, stop func(), err error) {
	s, err := app.Load("", nil, w.data, w.port, w.p.getenv)
	if err != nil {
		return "", nil, err
	}
	s.Draft = w.dir
	a, err := app.Open(ctx, s, quiet())
	if err != nil {
		return "", nil, err
	}
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		a.Close()
		return "", nil, err
	}
	service, err := a.NewService(ctx, app.ServiceConfig{Public: inner, Version: versionText()})
	if err != nil {
		a.Close()
		return "", nil, errors.Join(err, inner.Close())
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		service.Run(ctx) // its end is asked for
		a.Close()
	}()
	return inner.Addr().String(), func() { cancel(); <-ended }, nil
}
