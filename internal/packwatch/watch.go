// Package packwatch shows the demo with a pack that is being painted, anew whenever
// a file of it is saved.
package packwatch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/art"
)

// A Watch shows a pack as it changes.
type Watch struct {
	Dir     string // the pack's
	Data    string // where the demos keep their store
	Version string // of the program
	Out     io.Writer
	Getenv  func(string) string

	front *front
	port  string
	stop  func() // ends the demo that is shown
}

// every is how often the pack's files are looked at.
const every = 300 * time.Millisecond

// Run shows the demo with the pack on public until the context ends. A pack that
// does not open leaves the last one that did in its place, with the reason above it.
func (w *Watch) Run(ctx context.Context, public net.Listener) error {
	var err error
	if _, w.port, err = net.SplitHostPort(public.Addr().String()); err != nil {
		return err
	}
	w.front = newFront()
	server := &http.Server{Handler: w.front, ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	go server.Serve(public) // until Close
	defer server.Close()
	fmt.Fprintf(w.Out, "  sheet   http://localhost:%s%s\n  site    http://localhost:%s/\n", w.port, sheetPath, w.port)
	last := ""
	for {
		if now := art.Fingerprint(w.Dir); now != last {
			last = now
			w.show(ctx)
		}
		select {
		case <-ctx.Done():
			if w.stop != nil {
				w.stop()
			}
			return nil
		case <-time.After(every):
		}
	}
}

// show puts the pack, as it is now, in the place of what is shown.
func (w *Watch) show(ctx context.Context) {
	began := time.Now()
	pack, err := art.OpenDraft(w.Dir)
	if err == nil {
		w.front.hold()
		if w.stop != nil {
			w.stop()
			w.stop = nil
		}
		var address string
		if address, w.stop, err = w.serve(ctx); err == nil {
			w.front.show(pack, address)
			fmt.Fprintf(w.Out, "%s: shown after %v\n", w.Dir, time.Since(began).Round(time.Millisecond))
			return
		}
	}
	if ctx.Err() != nil {
		return
	}
	w.front.fail(err)
	fmt.Fprintf(w.Out, "%s: %v\n", w.Dir, err)
}

// serve runs the demo with the pack, reached only through the front.
func (w *Watch) serve(ctx context.Context) (address string, stop func(), err error) {
	s, err := app.Load("", nil, w.Data, w.port, w.Getenv)
	if err != nil {
		return "", nil, err
	}
	s.Draft = w.Dir
	a, err := app.Open(ctx, s, slog.New(slog.DiscardHandler))
	if err != nil {
		return "", nil, err
	}
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		a.Close()
		return "", nil, err
	}
	service, err := a.NewService(ctx, app.ServiceConfig{Public: inner, Version: w.Version})
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
