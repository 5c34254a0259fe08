package app

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"petsupply/internal/art/gallery"
	"petsupply/internal/pet"
	"petsupply/internal/pet/index"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
	"petsupply/internal/turns"
	"petsupply/internal/web"
	"petsupply/internal/web/answer"
	"petsupply/internal/web/openapi"
	"petsupply/internal/webhook"
)

// ServiceConfig has the listeners and other options of a service.
type ServiceConfig struct {
	Public   net.Listener // the service closes it
	Ops      net.Listener // probes, metrics and profiles; nil for none
	MaxConns int          // on Public; 0 means as many as open files and memory allow
	Express  bool         // use the lane, which sends prepared answers ahead of net/http
	Version  string       // version of the program
	// Wrap, if not nil, wraps the public server's handler. With Express, the wrapper does not see
	// requests that the lane answers.
	Wrap func(http.Handler) http.Handler
}

// A Service is an App with a web server, and with the loops that keep its figures and pets up to
// date.
type Service struct {
	*App
	cfg    ServiceConfig
	public *boundedListener
	cert   *certificate // nil for plain HTTP
	web    *web.Server
	// The specifications of the interfaces; nil for an interface that does not exist.
	supplySpec, petsSpec *openapi.Document

	processor *turns.Queue // pictures, pages and lists wait here for a processor
	gallery   *gallery.Gallery
	registry  *prometheus.Registry
	words     *pet.Words // nil if no realms are configured
	started   time.Time
	leader    *leader // nil on a frozen copy, where nothing is measured
	refresh   *supply.Refresher
	indexers  []*index.Indexer
	webhooks  *webhook.Sender // nil if no webhooks are configured
	keeper    *tlog.Keeper    // nil if no tokens are configured
	included  included        // used by stepLog only
	witnesses *tlog.Witnesses // nil if no witnesses are configured
}

// maxWaiting is how many requests may wait for a processor.
const maxWaiting = 1024

// NewService makes a service of an App, and loads the figures of the store. Nothing runs before
// Run. Run also closes what NewService opened.
func (a *App) NewService(ctx context.Context, cfg ServiceConfig) (_ *Service, err error) {
	if cfg.MaxConns <= 0 {
		cfg.MaxConns = defaultMaxConns(a.log)
	}
	v := &Service{App: a, cfg: cfg, started: time.Now(),
		public: newBoundedListener(cfg.Public, cfg.MaxConns)}
	if files := a.Settings.TLS; files != nil {
		if v.cert, err = loadCertificate(*files); err != nil {
			return nil, err
		}
		if info, err := os.Stat(files.Key); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o004 != 0 {
			a.log.Warn("every user of this machine can read the private key: use chmod o= on it", "file", files.Key)
		}
	}
	// One processor is left to prepared answers. Without a listener there are no callers to keep apart.
	if cfg.Public != nil {
		v.processor = turns.New("answers", runtime.GOMAXPROCS(0)-1, maxWaiting)
	}
	v.gallery = gallery.New(gallery.Config{Turns: v.processor})
	if len(a.Settings.Tokens) > 0 {
		if v.keeper, err = v.newKeeper(); err == nil {
			v.witnesses, err = v.newWitnesses()
		}
		if err != nil {
			return nil, err
		}
	}
	if len(a.Settings.Realms) > 0 {
		v.words, err = pet.NewWords(a.Settings.Kingdom().Collection, a.Packs.Current().Tables(), a.Settings.Realms)
		if err != nil {
			return nil, err
		}
	}
	v.describe()
	pages, err := v.newSite()
	if err != nil {
		return nil, err
	}
	if v.web, err = web.New(v.webConfig(pages)); err != nil {
		return nil, err
	}
	v.newLeader()
	v.registry = v.newRegistry()
	a.Board.Subscribe(v.web.OnPublication)
	if err := a.LoadBoard(ctx); err != nil || v.keeper == nil {
		return v, err
	}
	_ = v.stepLog(ctx) // figures are served anyway; the loop logs the error
	return v, nil
}

// describe makes the OpenAPI specifications of the interfaces that the service has.
func (v *Service) describe() {
	s := v.Settings
	service := openapi.Service{SupplyURL: s.SupplyURL, PetsURL: s.PetsURL, SiteURL: s.SiteURL, Pet: 1,
		Grid: v.Packs.Current().Grid(), Licence: s.About.Licence}
	if v.words != nil {
		service.Collection, service.Texts = v.words.Collection, v.words.Texts
	}
	for _, t := range s.Tokens {
		service.Tokens = append(service.Tokens, t.Path)
	}
	for _, r := range s.Realms {
		service.Realms = append(service.Realms, r.Key+" ("+r.Name+")")
	}
	for _, r := range s.Realms {
		if r.Offset != nil {
			service.Pet = *r.Offset + 1
			break
		}
	}
	if len(s.Tokens) > 0 {
		v.supplySpec = openapi.Supply(service)
	}
	if len(s.Realms) > 0 {
		v.petsSpec = openapi.Pets(service)
	}
}

func (v *Service) webConfig(site web.Pages) web.Config {
	s := v.Settings
	cfg := web.Config{
		SupplyURL: s.SupplyURL, PetsURL: s.PetsURL, SiteURL: s.SiteURL,
		Supply: len(s.Tokens) > 0, Past: v.Store, Proofs: v.Store,
		Collection: web.Collection{Name: s.Collection.Name, Description: s.Collection.Description,
			Image: s.Collection.Image, ExternalLink: s.Collection.ExternalLink},
		Limit: answer.Limit{PerSecond: s.Limits.PerIP.PerSecond(), Trusted: s.Limits.TrustedProxies,
			SparePrivate: s.Limits.PerIP.PublicOnly},
		Processor: v.processor, Unsent: unsentMemory(), Gallery: v.gallery,
		Site: site, Demo: s.Demo, Secure: s.TLS != nil, Log: v.log, SupplySpec: v.supplySpec, PetsSpec: v.petsSpec,
	}
	if v.keeper != nil {
		cfg.TLog = v.keeper
	}
	if len(s.Realms) > 0 {
		cfg.Pets, cfg.PetListings, cfg.Realms, cfg.Packs = v.Pets, v.Pets, s.Realms, v.Packs
		cfg.Words = v.words
	}
	return cfg
}

// settle does the work that the start does not wait for. Once the first answers are prepared, it
// returns unused memory to the system.
func (v *Service) settle(ctx context.Context) {
	v.Packs.Current().Unpack()
	for !v.web.Ready() && ctx.Err() == nil {
		time.Sleep(100 * time.Millisecond)
	}
	runtime.GC() // sync.Pools are empty after two garbage collections; FreeOSMemory is the second
	debug.FreeOSMemory()
}

// Run answers until ctx ends, and then finishes the requests that it has accepted.
func (v *Service) Run(ctx context.Context) error {
	go v.settle(ctx)
	group, ctx := errgroup.WithContext(ctx)
	for _, loop := range v.loops() {
		group.Go(func() error { return loop(ctx) })
	}
	v.servePublic(ctx, group)
	if v.cfg.Ops != nil {
		v.serveOps(ctx, group)
	}
	err := group.Wait()
	v.log.Info("stopped")
	return err
}

// pollEvery is how often the store is checked for new figures. All instances have a new figure
// within a second.
const pollEvery = 500 * time.Millisecond

// fileEvery is how often the store's file is checked.
const fileEvery = 2 * time.Second

// loops returns the loops that run beside the web server.
func (v *Service) loops() []func(context.Context) error {
	loops := []func(context.Context) error{v.Board.Run,
		repeat(pollEvery, "reading new figures from the store", v.log,
			supply.NewPoller(v.Store, v.Board, v.log).Step),
		repeat(fileEvery, "using the store's file", v.log, func(context.Context) error { return v.Store.CheckFile() })}
	if v.keeper != nil {
		loops = append(loops, repeat(logEvery, "keeping the log of publications", v.log, v.stepLog))
	}
	if v.witnesses != nil {
		loops = append(loops, v.witnesses.Run)
	}
	if len(v.Settings.Realms) > 0 {
		loops = append(loops, v.Pets.Run)
	}
	if v.leader != nil {
		loops = append(loops, v.leader.run)
	}
	return loops
}

// newLeader prepares the work that only the leader does: measuring, indexing, sending events.
func (v *Service) newLeader() {
	s := v.Settings
	if len(s.Tokens) > 0 {
		v.refresh = supply.NewRefresher(s.Tokens, v.Chains.ForSupply(), v.Store, v.Board,
			s.Refresh.Every, s.Refresh.Rules(), v.log)
		v.refresh.Now = s.Now
		log := v.log
		if s.Demo { // its chains give no proofs, so the prover's log would be noise
			log = slog.New(slog.DiscardHandler)
		}
		v.refresh.Proofs = supply.NewProver(v.Chains.ForProofs(s.Chains), v.Store, log)
	}
	for _, r := range s.Realms {
		if c := v.Chains[r.Chain]; !r.Closed && c != nil {
			x := index.New(r, s.Kingdom(), c.AtLatest(), v.Store, v.log)
			x.Poll = s.Index.Every
			if s.Demo { // sweep less often: the demo's events name every change
				x.SweepEvery = time.Minute
			}
			v.indexers = append(v.indexers, x)
		}
	}
	if len(s.Webhooks) > 0 {
		v.webhooks = webhook.New(webhook.Config{Hooks: s.Webhooks, Store: v.Store, Log: v.log})
	}
	v.leader = &leader{store: v.Store, instance: instanceName(), ttl: s.Lease, work: v.leaderWork, log: v.log}
}

// leaderWork measures, indexes and sends events until ctx ends. Its loops continue after faults.
func (v *Service) leaderWork(ctx context.Context) {
	var group errgroup.Group
	if v.refresh != nil {
		group.Go(func() error { return v.refresh.Run(ctx) })
	}
	for _, x := range v.indexers {
		group.Go(func() error { return x.Run(ctx) })
	}
	if len(v.Settings.Realms) > 0 {
		group.Go(func() error { v.indexPets(ctx); return nil })
		group.Go(func() error { v.logReading(ctx); return nil })
	}
	if v.webhooks != nil {
		group.Go(func() error { v.webhooks.Run(ctx); return nil })
	}
	if keep := v.Settings.Index.KeepChanges; keep > 0 {
		group.Go(func() error { index.Retain(ctx, v.Store, keep, v.log); return nil })
	}
	if err := group.Wait(); err != nil {
		v.log.Error("the work of the leader failed", "error", err)
	}
}

// firstReading is how long indexPets waits for a realm whose nodes do not answer.
const firstReading = time.Minute

// indexPets creates the indexes of listings once no realm is being read for the first time, because
// reading is faster without the indexes.
func (v *Service) indexPets(ctx context.Context) {
	began, tick := time.Now(), time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		reading := slices.ContainsFunc(v.indexers, func(x *index.Indexer) bool {
			p := x.Progress()
			return !p.Following() && (p.Phase != "" || time.Since(began) < firstReading)
		})
		if !reading {
			err := v.Store.IndexPets(ctx)
			if err == nil || ctx.Err() != nil {
				return
			}
			v.log.Warn("pets: making the indexes of listings failed", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// logReading logs once which pets belong to no configured realm, and every ten seconds how far
// realms are read that are being read from the start.
func (v *Service) logReading(ctx context.Context) {
	for _, text := range v.strayPets(ctx) {
		v.log.Warn("pets: " + text)
	}
	tick := time.NewTicker(10 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, x := range v.indexers {
			p := x.Progress()
			if p.Phase == "" || p.Following() {
				continue
			}
			v.log.Info("pets: a realm is being read", "realm", p.Realm, "phase", p.Phase, "percent", int(p.Share),
				"pets_per_second", int(p.Rate), "left", p.Left.Round(time.Second))
		}
	}
}

// strayPets describes the pets of realms that are not configured.
func (v *Service) strayPets(ctx context.Context) (out []string) {
	stray, err := v.Store.StrayPets(ctx, v.Settings.Kingdom())
	if err != nil {
		return nil // the store is away, or its counts are not ready
	}
	for _, realm := range slices.Sorted(maps.Keys(stray)) {
		out = append(out, fmt.Sprintf("%d %s belong to realm %s, which is not configured; if its key was not misspelt, "+
			"remove them with petsupply reindex --forget %s", stray[realm], v.Settings.Kingdom().Collection.Many, realm, realm))
	}
	return out
}

// instanceName returns a name for this process among the instances that share a store.
func instanceName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return host + "/" + strconv.Itoa(os.Getpid())
}
