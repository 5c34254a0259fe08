// Package app opens everything that a configuration names, connects it, runs it and stops it. Only
// the commands and the demo import it.
//
// Open makes what most commands need. NewService makes a service from that: what is published, what
// answers, what the leader does. Run runs the parts of a service, and lead those of the leader. This
// file has all of the order; the other files say how one part works.
package app

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"petsupply/internal/art"
	"petsupply/internal/art/gallery"
	"petsupply/internal/pet"
	"petsupply/internal/pet/directory"
	"petsupply/internal/pet/index"
	"petsupply/internal/store"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
	"petsupply/internal/turns"
	"petsupply/internal/web"
	"petsupply/internal/webhook"
)

// An App has the packs, the store and the chains of a configuration, all open. Close it after use.
type App struct {
	Settings *Settings
	Packs    art.Packs
	Store    *store.Store // closed by Close
	Chains   Chains       // closed by Close
	Board    *supply.Board
	Pets     *directory.Directory
	log      *slog.Logger
}

// Open opens the packs, the store and the chains. It sends no request to a node.
func Open(ctx context.Context, s *Settings, log *slog.Logger) (_ *App, err error) {
	a := &App{Settings: s, Packs: s.Art, log: log}
	defer func() {
		if err != nil {
			a.Close()
		}
	}()
	if a.Packs == nil {
		a.Packs, err = s.OpenPacks()
		if err != nil {
			return nil, err
		}
	}
	a.Store, err = s.OpenStore(ctx, log)
	if err != nil {
		return nil, err
	}
	err = a.Store.CheckCollection(ctx)
	if err != nil {
		return nil, ConfigError{fmt.Errorf("the store %s: %w", s.StoreName(), err)}
	}
	a.Chains, err = s.Dial(log)
	if err != nil {
		return nil, err
	}
	ages := supply.AgePolicy{StaleAfter: s.Refresh.StaleAfter, RefuseAfter: s.Refresh.RefuseAfter,
		MaxLag: map[string]time.Duration{}}
	for name, c := range s.Chains {
		ages.MaxLag[name] = c.MaxLag
	}
	a.Board = supply.NewBoard(s.Tokens, ages, s.Notice != "")
	a.Pets = directory.New(directory.Config{Registry: s.Registry(), Reader: a.Store, Feed: a.Store, Log: log})
	return a, nil
}

// Close closes the chains and the store.
func (a *App) Close() {
	a.Chains.Close()
	if a.Store == nil {
		return
	}
	if err := a.Store.Close(); err != nil {
		a.log.Error("closing the store failed", "error", err)
	}
}

// ServiceConfig has the listeners and other options of a service.
type ServiceConfig struct {
	Public  net.Listener // Run closes it
	Ops     net.Listener // probes, metrics and profiles; nil for none
	Version string       // version of the program
	Notice  string       // stands above every page, instead of that of the settings
}

// A Service is an App that answers requests, and keeps its figures and pets up to date.
type Service struct {
	*App
	cfg     ServiceConfig
	started time.Time

	// What is published.
	poller    *supply.Poller
	keeper    *tlog.Keeper    // nil if no tokens are configured
	witnesses *tlog.Witnesses // nil if no witnesses are configured
	included  included        // used by stepLog only
	words     *pet.Words      // nil if no realms are configured

	// What the leader does.
	leader   *leader
	refresh  *supply.Refresher // nil if no tokens are configured
	indexers []*index.Indexer
	webhooks *webhook.Sender // nil if no webhooks are configured

	// What answers.
	processor *turns.Queue // pictures, pages and lists wait here for a processor
	gallery   *gallery.Gallery
	specs     specs
	web       *web.Server
	cert      *certificate // nil for plain HTTP
	public    *boundedListener
	registry  *prometheus.Registry
}

// maxWaiting is how many requests may wait for a processor.
const maxWaiting = 1024

// NewService makes a service and loads the figures of the store. Nothing runs before Run. A service
// that never runs needs no listeners.
func (a *App) NewService(ctx context.Context, cfg ServiceConfig) (*Service, error) {
	v := &Service{App: a, cfg: cfg, started: time.Now()}
	v.leader = &leader{store: a.Store, instance: instanceName(), ttl: a.Settings.Lease, work: v.lead, log: a.log}
	if err := v.makePublished(); err != nil {
		return nil, err
	}
	v.makeWork()
	if err := v.makeAnswers(); err != nil {
		return nil, err
	}
	a.Board.Subscribe(v.web.OnPublication)
	if err := v.poller.Step(ctx); err != nil {
		return nil, err
	}
	if v.keeper != nil {
		_ = v.stepLog(ctx) // figures are served anyway; the loop logs the error
	}
	return v, nil
}

// makePublished makes what is published: figures, their log, and the words of pets.
func (v *Service) makePublished() (err error) {
	s := v.Settings
	v.poller = supply.NewPoller(v.Store, v.Board, v.log)
	if len(s.Tokens) > 0 {
		v.keeper, err = v.newKeeper()
		if err != nil {
			return err
		}
		v.witnesses, err = v.newWitnesses()
		if err != nil {
			return err
		}
	}
	if len(s.Realms) > 0 {
		v.words, err = pet.NewWords(s.Registry().Collection, v.Packs.Current().Tables(), s.Realms)
	}
	return err
}

// makeWork makes what only the leader does: measuring, indexing, sending events.
func (v *Service) makeWork() {
	s := v.Settings
	if len(s.Tokens) > 0 {
		v.refresh = supply.NewRefresher(s.Tokens, v.Chains.ForSupply(), v.Store, s.Refresh.Rules(), v.log)
		v.refresh.Now = s.Now
		v.refresh.Published = v.poller.Step
		v.refresh.Proofs = supply.NewProver(v.Chains.ForProofs(s.Chains), v.Store, v.log)
	}
	for _, r := range s.Realms {
		c := v.Chains[r.Chain]
		if r.Closed || c == nil {
			continue
		}
		x := index.New(r, s.Registry(), c.AtLatest(), v.Store, v.log)
		x.Poll = s.Index.Every
		v.indexers = append(v.indexers, x)
	}
	if len(s.Webhooks) > 0 {
		v.webhooks = webhook.New(webhook.Config{Hooks: s.Webhooks, Store: v.Store, Log: v.log})
	}
}

// makeAnswers makes what answers requests.
func (v *Service) makeAnswers() error {
	places := runtime.GOMAXPROCS(0) - 1 // one is left to prepared answers
	if v.cfg.Public == nil {
		places = maxWaiting // there are no callers to keep apart
	}
	v.processor = turns.New("answers", places, maxWaiting)
	v.gallery = gallery.New(gallery.Config{Turns: v.processor})
	v.specs = v.describe()
	pages, err := v.newSite()
	if err != nil {
		return err
	}
	v.web, err = web.New(v.webConfig(pages))
	if err != nil {
		return err
	}
	if files := v.Settings.TLS; files != nil {
		v.cert, err = loadCertificate(*files, v.log)
		if err != nil {
			return err
		}
	}
	v.public = newBoundedListener(v.cfg.Public, maxConns(v.log))
	v.registry = v.newRegistry()
	return nil
}

const (
	// pollEvery is how often the store is checked for new figures. All instances have a new figure
	// within a second.
	pollEvery = 500 * time.Millisecond
	// fileEvery is how often the store's file is checked.
	fileEvery = 2 * time.Second
)

// Run answers until ctx ends, and then finishes the requests that it has accepted. All parts end at
// once, because none of them needs another one to end. The caller closes the App afterwards.
func (v *Service) Run(ctx context.Context) error {
	go v.saveMemory(ctx)
	group, ctx := errgroup.WithContext(ctx)
	start := func(part func(context.Context) error) {
		group.Go(func() error { return part(ctx) })
	}
	start(repeat(fileEvery, "using the store's file", v.log,
		func(context.Context) error { return v.Store.CheckFile() }))
	start(v.Board.Run)
	start(repeat(pollEvery, "reading new figures from the store", v.log, v.poller.Step))
	if v.keeper != nil {
		start(repeat(logEvery, "keeping the log of publications", v.log, v.stepLog))
	}
	if v.witnesses != nil {
		start(v.witnesses.Run)
	}
	if len(v.Settings.Realms) > 0 {
		start(v.Pets.Run)
	}
	start(v.leader.run)
	if v.cert != nil {
		start(repeat(certificateEvery, "reloading the certificate", v.log, v.cert.step))
	}
	start(v.servePublic)
	if v.cfg.Ops != nil {
		start(v.serveOps)
	}
	err := group.Wait()
	v.log.Info("stopped")
	return err
}

// lead does the work of the leader until ctx ends. Its parts continue after faults.
func (v *Service) lead(ctx context.Context) {
	var group errgroup.Group
	start := func(part func(context.Context) error) {
		group.Go(func() error { return part(ctx) })
	}
	if v.refresh != nil {
		start(v.refresh.Run)
	}
	for _, x := range v.indexers {
		start(x.Run)
	}
	if len(v.Settings.Realms) > 0 {
		start(v.indexPets)
		start(v.logReading)
	}
	if v.webhooks != nil {
		start(func(ctx context.Context) error { v.webhooks.Run(ctx); return nil })
	}
	if keep := v.Settings.Index.KeepChanges; keep > 0 {
		start(func(ctx context.Context) error { index.Retain(ctx, v.Store, keep, v.log); return nil })
	}
	if err := group.Wait(); err != nil {
		v.log.Error("the work of the leader failed", "error", err)
	}
}
