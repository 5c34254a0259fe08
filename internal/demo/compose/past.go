package compose

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"petsupply/internal/app"
	"petsupply/internal/demo"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/pet/index"
	"petsupply/internal/store"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/tlog"
)

// The length of the demo's past. The first start makes all of it.
const (
	figuresPast = 30 * day // about one measurement a day, and two a day in the last week
	petsPast    = 8 * day  // one step a day
	day         = 24 * time.Hour
)

// makePast gives the demo a past, unless it has one. It continues after an interruption.
func makePast(ctx context.Context, a *app.App, words map[string]collection.Table) error {
	made, err := await(ctx, a)
	if made || err != nil {
		return err
	}
	defer a.Store.Resign(context.WithoutCancel(ctx))
	p := &past{App: a, until: a.Settings.Now().UTC(), log: slog.New(slog.DiscardHandler)}
	p.world = demo.NewWorld(p.clock, words)
	a.Store.Now = p.clock // nothing else in this process uses the store yet
	defer func() { a.Store.Now = nil }()
	if err := p.pets(ctx); err != nil {
		return err
	}
	return p.figures(ctx)
}

// await reports whether the store has a past. If it has none, await takes the store's lease.
func await(ctx context.Context, a *app.App) (made bool, err error) {
	for {
		l, err := a.Store.Log(ctx, "")
		if err == nil && l.SignedSize() > 1 { // the first leaf only says that a log begins
			return true, nil
		}
		if err != nil && !errors.Is(err, tlog.ErrNone) {
			return false, err
		}
		won, err := a.Store.Campaign(ctx, "demo", a.Settings.Lease)
		if won || err != nil {
			return false, err
		}
		select { // another process is making the past, or stopped while it did
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// A past sets a clock to one past time after the other, and each time runs the code that measures
// and follows real chains.
type past struct {
	*app.App
	world *demo.World
	now   time.Time    // time of the clock
	until time.Time    // where the past ends
	log   *slog.Logger // discards lines about the past
}

func (p *past) clock() time.Time { return p.now }

// moments returns the times at which the demo was measured.
func moments(until time.Time) (list []time.Time) {
	first := until.Add(-figuresPast).Truncate(day)
	for at := first; at.Before(until); at = at.Add(day / 2) {
		since := at.Sub(first)
		if since < day || since%day == 0 || until.Sub(at) < 7*day+day/2 {
			list = append(list, at)
		}
	}
	for _, sale := range demo.Sales(first, until) {
		list = append(list, sale, sale.Add(3*time.Hour))
	}
	list = append(list, until)
	slices.SortFunc(list, time.Time.Compare)
	list = slices.CompactFunc(list, time.Time.Equal)
	return slices.DeleteFunc(list, func(t time.Time) bool { return t.After(until) })
}

// figures measures the demo's tokens through its past, and signs the log.
func (p *past) figures(ctx context.Context) error {
	list := moments(p.until)
	p.now = list[0]
	cfg, err := p.LogConfig()
	if err != nil {
		return err
	}
	cfg.Log = p.log
	cfg.Leading = func() bool { return true }
	cfg.Now = p.clock
	keeper := tlog.NewKeeper(cfg)
	if err := keeper.Step(ctx); err != nil {
		return err
	}
	stored, err := p.Store.Sequences(ctx)
	if err != nil {
		return err
	}
	if len(stored) == 0 {
		if err := p.measure(ctx, list); err != nil {
			return err
		}
	}
	return keeper.Step(ctx)
}

// measure measures the tokens at each moment. On the first day the ledger of the first token lacks
// an entry, so its figures of that day are corrected. Held figures are released, as an operator
// would do it.
func (p *past) measure(ctx context.Context, moments []time.Time) error {
	incomplete := slices.Clone(p.Settings.Tokens)
	first := &incomplete[0]
	first.Ledger = slices.DeleteFunc(slices.Clone(first.Ledger), func(e ledger.Entry) bool { return e.Amount != nil })
	into := &figures{Store: p.Store}
	wrong := p.refresher(incomplete, into)
	right := p.refresher(p.Settings.Tokens, into)
	for _, at := range moments {
		p.now = at
		complete := at.Sub(moments[0]) >= day
		if err := into.decide(ctx, complete); err != nil {
			return fmt.Errorf("deciding on figures of the demo at %s: %w", at, err)
		}
		r := wrong
		if complete {
			r = right
		}
		if err := r.Step(ctx); err != nil {
			return fmt.Errorf("measuring the demo at %s: %w", at, err)
		}
	}
	if _, err := p.Store.Save(ctx, into.changes); err != nil {
		return err
	}
	proofs := supply.NewProver(p.Chains.ForProofs(p.Settings.Chains), p.Store, p.log)
	for _, record := range into.records() {
		proofs.StoreProof(ctx, record.Snapshot, nil)
	}
	return nil
}

// refresher returns a Refresher that uses the clock of the past.
func (p *past) refresher(tokens []ledger.Token, into *figures) *supply.Refresher {
	chains := map[string]supply.Chain{}
	for name, c := range p.world.Chains() {
		chains[name] = c
	}
	r := supply.NewRefresher(tokens, chains, into, p.Settings.Refresh.Rules(), p.log)
	r.Now = p.clock
	return r
}

// figures collects the figures of the past, so that they are stored in one transaction.
type figures struct {
	*store.Store
	changes   []supply.Change
	open      []supply.Decision
	corrected bool
}

// Save collects changes, and removes the decisions that they apply.
func (f *figures) Save(_ context.Context, changes []supply.Change) (int64, error) {
	f.changes = append(f.changes, changes...)
	for _, c := range changes {
		f.open = slices.DeleteFunc(f.open, func(d supply.Decision) bool {
			return slices.ContainsFunc(c.Decided, func(taken supply.Decision) bool { return taken.ID == d.ID })
		})
	}
	return 0, nil
}

// records returns the newest record of each token.
func (f *figures) records() map[string]supply.Record {
	newest := map[string]supply.Record{}
	for _, c := range f.changes {
		newest[c.Record.Token] = c.Record
	}
	return newest
}

// Records returns the record of every token.
func (f *figures) Records(context.Context) ([]supply.Record, error) {
	return slices.Collect(maps.Values(f.records())), nil
}

// OpenDecisions returns the decisions that are not applied yet.
func (f *figures) OpenDecisions(context.Context) ([]supply.Decision, error) { return f.open, nil }

// decide acts as an operator. It releases held figures. Once the ledger of the first token is
// complete, it also corrects all earlier figures of this token.
func (f *figures) decide(ctx context.Context, complete bool) error {
	var wanted []supply.Decision
	if complete && !f.corrected {
		f.corrected = true
		for _, c := range f.changes {
			if c.Record.Token == f.changes[0].Record.Token {
				wanted = append(wanted, supply.Decision{Kind: supply.Wrong, Token: c.Record.Token,
					Subject: c.Record.Snapshot.ID, Reason: "The ledger left out the team grant."})
			}
		}
	}
	for token, r := range f.records() {
		if r.Hold != nil {
			wanted = append(wanted, supply.Decision{Kind: supply.Right, Token: token,
				Subject: r.Hold.Candidate.ID, Reason: "The treasury had announced the sale."})
		}
	}
	for _, d := range wanted {
		d, err := f.AskDecision(ctx, d)
		if err != nil {
			return err
		}
		f.open = append(f.open, d)
	}
	return nil
}

// pets reads the realms at the beginning of the pets' past, and then the changes of each day.
func (p *past) pets(ctx context.Context) error {
	work := &petWork{Store: p.Store, past: p, touched: map[string][]uint64{}}
	var indexers []*index.Indexer
	for _, r := range p.Settings.Realms {
		x := index.New(r, p.Settings.Registry(), p.world.Chains()[r.Chain], work, p.log)
		x.SweepEvery = 0
		indexers = append(indexers, x)
	}
	p.now = p.until.Add(-petsPast)
	for {
		for i, r := range p.Settings.Realms {
			work.touched[r.Key] = p.world.Touched(r, p.now.Add(-day), p.now)
			if err := readAll(ctx, indexers[i]); err != nil {
				return fmt.Errorf("reading %s: %w", r.Name, err)
			}
		}
		if !p.now.Before(p.until) {
			return nil
		}
		p.now = p.now.Add(day)
		if p.now.After(p.until) {
			p.now = p.until
		}
	}
}

// readAll takes steps until there is no more to read.
func readAll(ctx context.Context, x *index.Indexer) error {
	for {
		result, err := x.Step(ctx)
		if err != nil || !result.More {
			return err
		}
	}
}

// petWork is the store for the indexers that make the demo's past. It moves each indexer to the
// block before the newest, and tells it which pets have changed since its last step. So the
// indexers need not search all blocks.
type petWork struct {
	*store.Store
	past    *past
	touched map[string][]uint64 // pets that changed since the last step, by realm
}

// PetWork returns the work of a realm's indexer.
func (w *petWork) PetWork(ctx context.Context, realm string, limit int) (index.Work, error) {
	work, err := w.Store.PetWork(ctx, realm, limit)
	if err != nil || work.Position == nil || work.Position.Block.Number == 0 {
		return work, err // if err is nil, the realm is being read for the first time
	}
	realms := w.past.Settings.Realms
	i := slices.IndexFunc(realms, func(r pet.Realm) bool { return r.Key == realm })
	chain := w.past.world.Chains()[realms[i].Chain]
	head, err := chain.Pin(ctx, time.Time{})
	if err != nil {
		return work, err
	}
	if head.Number > work.Position.Block.Number+1 {
		before, err := chain.Blocks(ctx, head.Number-1)
		if err != nil {
			return work, err
		}
		work.Position.Block = before[0]
		work.Wanted = append(work.Wanted, w.touched[realm]...)
	}
	return work, nil
}
