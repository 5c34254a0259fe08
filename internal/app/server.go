package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"petsupply/internal/web"
	"petsupply/internal/web/express"
)

// Limits of a request and its answer.
const (
	headerTime   = 5 * time.Second
	requestTime  = 15 * time.Second
	answerTime   = 30 * time.Second
	idleTime     = 2 * time.Minute
	shutdownTime = 4500 * time.Millisecond // then answers that are still being sent are cut off
	maxHeader    = 16 << 10
	maxStreams   = 20 // per HTTP/2 connection
)

// newServer returns a server with the limits that hold for every connection.
func newServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       requestTime,
		WriteTimeout:      answerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: maxStreams, WriteByteTimeout: answerTime / 2},
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// servePublic serves the public listener, with the express lane, until ctx ends.
func (v *Service) servePublic(ctx context.Context) error {
	server := newServer(v.web, v.log)
	var secure *tls.Config
	if v.cert != nil {
		secure = v.cert.config()
	}
	lane := express.Listen(v.public, secure, server, v.web.Find, v.web.Now)
	return v.serve(ctx, server, lane, func(ctx context.Context) error {
		lane.Drain()
		return v.public.shutdown(ctx, server, lane.Drained)
	})
}

// serveOps serves probes, metrics and profiles until ctx ends.
func (v *Service) serveOps(ctx context.Context) error {
	local, ok := v.cfg.Ops.Addr().(*net.TCPAddr)
	ops := v.web.Ops(web.OpsConfig{Gatherer: v.registry, Leader: v.leader.status,
		Problems: func() []string { return problemTexts(v.problems()) }, LocalOnly: ok && local.IP.IsLoopback()})
	server := newServer(ops, v.log)
	listener := newBoundedListener(v.cfg.Ops, maxOpsConns)
	return v.serve(ctx, server, listener, func(ctx context.Context) error {
		server.SetKeepAlivesEnabled(false)
		return listener.shutdown(ctx, server, func() bool { return true })
	})
}

// maxOpsConns bounds the connections of probes and operators.
const maxOpsConns = 64

// serve runs a server until ctx ends. It then accepts no more connections and waits for answers
// that are being sent.
func (v *Service) serve(ctx context.Context, server *http.Server, listener net.Listener,
	shutdown func(context.Context) error) error {
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	err := shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		v.log.Warn("stopped before all answers were sent")
		return server.Close()
	}
	return err
}
