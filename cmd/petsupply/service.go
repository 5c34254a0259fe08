package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"petsupply/internal/art"
	"petsupply/internal/pet/index"
	"petsupply/internal/supply"
	"petsupply/internal/web"
)

// A service is a house that answers: the web server in front of it, and the
// loops that keep it true.
type service struct {
	*house
	web      *web.Server
	gallery  *art.Gallery
	blobs    art.Blobs // nil without a blob store
	events   *web.Events
	registry *prometheus.Registry
	started  time.Time
	express  bool // answer prepared requests ahead of net/http
	campaign *campaign
	refresh  *supply.Refresher
	indexers []*index.Indexer
	loops    []func(context.Context) error
}

// service puts the web server in front of the house and lays out the loops.
// Nothing runs yet.
func (h *house) service() (_ *service, err error) {
	v := &service{house: h, registry: newRegistry(), started: time.Now()}
	if h.Blobs != "" {
		if v.blobs, err = openBlobs(h.Blobs); err != nil {
			return nil, err
		}
	}
	if v.gallery, err = art.NewGallery(art.GalleryConfig{
		Blobs: v.blobs, Renders: h.Limits.MaxRenders, Queue: h.Limits.Queue, Log: h.log}); err != nil {
		return nil, err
	}
	cfg := web.Config{
		SupplyURL: h.SupplyURL, PetsURL: h.PetsURL, SiteURL: h.SiteURL,
		Supply: len(h.Tokens) > 0, Past: h.store,
		Collection: web.Collection{Name: h.Collection.Name, Description: h.Collection.Description,
			Image: h.Collection.Image, ExternalLink: h.Collection.ExternalLink},
		Limit: web.Limit{Trusted: h.Limits.TrustedProxies},
		Demo:  h.demo, Log: h.log,
	}
	if r := h.Limits.PerIP; r.Events > 0 {
		cfg.Limit.PerSecond = float64(r.Events) / r.Per.Seconds()
	}
	if len(h.Realms) > 0 {
		cfg.Pets, cfg.Realms, cfg.Packs, cfg.Gallery = h.herd, h.Realms, h.packs, v.gallery
	}
	var pages pagesLater
	cfg.Site = &pages
	if v.web, err = web.New(cfg); err != nil {
		return nil, err
	}
	v.events = v.web.NewEvents(0, 0)
	v.follow()
	v.lead()
	if pages.Handler, err = v.site(); err != nil {
		return nil, err
	}
	h.board.Subscribe(v.web.Publish)
	v.register()
	return v, nil
}

// pagesLater stands for the site while the web server, whose event stream the
// site uses, is made.
type pagesLater struct{ http.Handler }

// follow lays out the loops that every instance runs.
func (v *service) follow() {
	v.loops = append(v.loops, v.board.Run, supply.NewPoller(v.store, v.board, v.log).Run)
	if len(v.Realms) > 0 {
		v.loops = append(v.loops, v.herd.Run)
	}
}

// lead lays out what only the leader does: measure and index.
func (v *service) lead() {
	if v.demo {
		return
	}
	chains := map[string]supply.Chain{}
	for name, c := range v.chains {
		chains[name] = c
	}
	if len(v.Tokens) > 0 {
		v.refresh = supply.NewRefresher(v.Tokens, chains, v.store, v.board, v.Refresh.Every, v.Refresh.Confirmations, v.log)
	}
	for _, r := range v.Realms {
		if c := v.chains[r.Chain]; !r.Closed && c != nil {
			x := index.New(r, v.Realms, c, v.store, v.log)
			x.Poll = v.Index.Every
			v.indexers = append(v.indexers, x)
		}
	}
	v.campaign = &campaign{lease: v.store, name: instance(), ttl: v.Lease, work: v.term, log: v.log}
	v.loops = append(v.loops, v.campaign.run)
}

// term is the work of one term as leader: it returns when ctx ends.
func (v *service) term(ctx context.Context) {
	var all sync.WaitGroup
	if v.refresh != nil {
		all.Go(func() { v.keep(ctx, "refreshing", v.refresh.Run) })
	}
	for _, x := range v.indexers {
		all.Go(func() { v.keep(ctx, "indexing", x.Run) })
	}
	all.Wait()
}

// keep runs a loop again when it ends with an error, a little later each time.
func (v *service) keep(ctx context.Context, doing string, loop func(context.Context) error) {
	for wait := time.Second; ctx.Err() == nil; wait = min(2*wait, 30*time.Second) {
		began := time.Now()
		if err := loop(ctx); err != nil && ctx.Err() == nil {
			v.log.Error(doing, "error", err)
		}
		if time.Since(began) > time.Minute {
			wait = time.Second
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// server wraps a handler with the limits that hold for every connection.
func (v *service) server(handler http.Handler, log *slog.Logger) *http.Server {
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

// front gives the public server what it accepts from: the listener itself or,
// for plain HTTP, the express lane before it, which answers what is prepared.
// drain is to be called before the server's own shutdown.
func (v *service) front(server *http.Server, l net.Listener) (_ net.Listener, drain func(context.Context) error) {
	if v.TLS != nil || !v.express {
		return l, func(context.Context) error { return nil }
	}
	lane := v.web.NewLane(l, web.LaneLimits{Header: headerTime, Idle: idleTime, Write: answerTime})
	server.ConnContext = lane.ConnContext
	return lane, lane.Shutdown
}

// flushTime bounds the sending of the last pictures.
const flushTime = 2 * time.Second

// close lets pictures that are on their way to the blob store arrive.
func (v *service) close() {
	if v.blobs != nil {
		ctx, cancel := context.WithTimeout(context.Background(), flushTime)
		defer cancel()
		if err := v.gallery.Close(ctx); err != nil {
			v.log.Warn("keeping the last pictures", "error", err)
		}
		if err := v.blobs.Close(); err != nil && !errors.Is(err, context.Canceled) {
			v.log.Error("closing the blob store", "error", err)
		}
	}
}

// instance names this process among others on the same store.
func instance() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return host + "/" + strconv.Itoa(os.Getpid())
}
