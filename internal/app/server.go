package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"petsupply/internal/config"
	"petsupply/internal/web/express"
)

// How long things may take, and how much a request may bring.
const (
	headerTime   = 5 * time.Second
	requestTime  = 15 * time.Second
	answerTime   = 30 * time.Second
	idleTime     = 2 * time.Minute
	shutdownTime = answerTime + 2*time.Second
	flushTime    = 2 * time.Second // for the last pictures to reach the blob store
	maxHeader    = 16 << 10
)

// newServer wraps a handler with the limits that hold for every connection.
func newServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       requestTime,
		WriteTimeout:      answerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// servePublic serves the public listener: itself or, for plain HTTP, through
// the express lane, which answers prepared requests ahead of net/http.
func (v *Service) servePublic(ctx context.Context, group *errgroup.Group) {
	at := listening{server: newServer(v.web, v.log), listener: v.public, tls: v.Settings.TLS}
	drain := func(context.Context) error { return nil }
	if v.cfg.Express && at.tls == nil {
		lane := v.web.NewLane(v.public, express.Limits{Header: headerTime, Idle: idleTime, Write: answerTime})
		at.server.ConnContext = lane.ConnContext
		at.listener, drain = lane, lane.Shutdown
	}
	at.beforeShutdown = func(ctx context.Context) error {
		v.events.Close() // its streams would hold the shutdown up
		return drain(ctx)
	}
	serveOn(ctx, group, at, v.log)
}

// listening is a server and where it listens.
type listening struct {
	server         *http.Server
	listener       net.Listener
	tls            *config.TLS                 // nil for plain HTTP
	beforeShutdown func(context.Context) error // nil for nothing
}

// serveOn serves until ctx ends; then it takes no more connections and waits
// for the answers that are under way.
func serveOn(ctx context.Context, group *errgroup.Group, at listening, log *slog.Logger) {
	group.Go(func() (err error) {
		if at.tls != nil {
			err = at.server.ServeTLS(at.listener, at.tls.Cert, at.tls.Key)
		} else {
			err = at.server.Serve(at.listener)
		}
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		return fmt.Errorf("serving on %s: %w", at.listener.Addr(), err)
	})
	group.Go(func() (err error) {
		<-ctx.Done()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
		defer cancel()
		if at.beforeShutdown != nil {
			err = at.beforeShutdown(ctx)
		}
		if err = errors.Join(err, at.server.Shutdown(ctx)); errors.Is(err, context.DeadlineExceeded) {
			log.Warn("answers were still under way when the time for stopping was over")
			err = at.server.Close()
		}
		return err
	})
}
