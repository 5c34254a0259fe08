package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"gocloud.dev/blob"

	"petsupply/internal/art"
	"petsupply/internal/pet"
	"petsupply/internal/supply"
	"petsupply/internal/web"
)

// A service is a house that answers: the web server in front of it, and the
// loops that keep it true.
type service struct {
	*house
	web      *web.Server
	gallery  *art.Gallery
	bucket   *blob.Bucket
	registry *prometheus.Registry
	campaign *campaign
	refresh  *supply.Refresher
	indexers []*pet.Indexer
	loops    []func(context.Context) error
}

// service puts the web server in front of the house and lays out the loops.
// Nothing runs yet.
func (h *house) service() (_ *service, err error) {
	v := &service{house: h, registry: newRegistry()}
	if h.Blobs != "" {
		if v.bucket, err = blob.OpenBucket(context.Background(), h.Blobs); err != nil {
			return nil, fmt.Errorf("opening the blob store: %w", err)
		}
	}
	if v.gallery, err = art.NewGallery(art.GalleryConfig{
		Blobs: v.bucket, Renders: h.Limits.Renders, Queue: h.Limits.Queue, Log: h.log}); err != nil {
		return nil, err
	}
	cfg := web.Config{
		SupplyURL: h.SupplyURL, PetsURL: h.PetsURL, SiteURL: h.SiteURL,
		Supply: len(h.Tokens) > 0, Past: h.store,
		Collection: web.Collection(h.Collection),
		Limit:      web.Limit{Trusted: h.Limits.TrustedProxies},
		Demo:       h.demo, Log: h.log,
	}
	if r := h.Limits.PerIP; r.Events > 0 {
		cfg.Limit.PerSecond = float64(r.Events) / r.Per.Seconds()
	}
	if len(h.Realms) > 0 {
		cfg.Pets, cfg.Realms, cfg.Packs, cfg.Gallery = h.herd, h.Realms, h.packs, v.gallery
	}
	if v.web, err = web.New(cfg); err != nil {
		return nil, err
	}
	h.board.Subscribe(v.web.Publish)
	v.follow()
	v.lead()
	v.measureSelf()
	return v, nil
}

// follow lays out the loops that every instance runs.
func (v *service) follow() {
	v.loops = append(v.loops, v.board.Run, supply.NewFollower(v.store, v.board, v.log).Run)
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
		v.refresh = supply.NewRefresher(v.Tokens, chains, v.store, v.board, v.Refresh.Every, v.Refresh.Agree, v.log)
	}
	for _, r := range v.Realms {
		if !r.Closed {
			v.indexers = append(v.indexers, v.indexer(r))
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
		all.Go(func() { v.keep(ctx, "indexing "+x.Realm().Key, x.Run) })
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

// measureSelf registers the metrics of every part.
func (v *service) measureSelf() {
	add := func(list []prometheus.Collector) { v.registry.MustRegister(list...) }
	add(v.web.Collectors())
	add(v.gallery.Collectors())
	add(v.board.Collectors())
	add(v.herd.Collectors())
	if v.refresh != nil {
		add(v.refresh.Collectors())
	}
	for _, c := range v.chains {
		add(c.Collectors())
	}
	for _, x := range v.indexers {
		add(x.Collectors())
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

// troubles says in words what is amiss though answers go on.
func (v *service) troubles() []string {
	var out []string
	for _, s := range v.board.Now().States {
		switch s.Status {
		case supply.Stale, supply.Holding, supply.Unavailable:
			out = append(out, s.Token.Path+" is "+string(s.Status))
		}
	}
	for name, c := range v.chains {
		healthy := 0
		for _, p := range c.Health() {
			if p.State == "ok" {
				healthy++
			}
		}
		if healthy == 0 {
			out = append(out, "no provider of chain "+name+" answers")
		}
	}
	return out
}

// stop ends what would keep connections open for ever, before shutdown waits
// for them.
func (v *service) stop() {}

// lane is where the express lane will stand.
func (v *service) lane(l net.Listener) net.Listener { return l }

func (v *service) close() {
	if v.bucket != nil {
		if err := v.bucket.Close(); err != nil && !errors.Is(err, context.Canceled) {
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
