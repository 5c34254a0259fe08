package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"petsupply/internal/config"
	"petsupply/internal/demo"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/pet/index"
	"petsupply/internal/store"
	"petsupply/internal/store/database"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/tlog"
)

// The length of the demo's past. The first start makes all of it.
const (
	demoPast    = 30 * day // figures: about one a day, and two a day in the last week
	demoPetPast = 8 * day  // pets: one step a day
	day         = 24 * time.Hour
)

// Increase demoEdition when a change of the code changes the demo's data. The demo then makes a new
// store instead of continuing an old one.
const demoEdition = 2

// configureDemo sets the values that otherwise come from a configuration file.
func (s *Settings) configureDemo() {
	s.Tokens, s.Realms = demo.Tokens(), demo.Realms()
	s.Collection.Name = "Pets of the demo kingdom"
	s.Refresh.Every, s.Index.Every = 30*time.Second, 10*time.Second
	s.Chains = map[string]config.Chain{}
	for name, id := range demo.ChainIDs() {
		s.Chains[name] = config.Chain{ID: id, RPC: []config.Provider{{URL: demo.NodeURL(name)}}, Finality: "latest",
			Proofs: supply.ProofsOff}.WithDefaults(name)
	}
}

// demoFile names the demo's store after its content and schema. A version of the program with
// another kingdom or another schema makes its own store.
func (s *Settings) demoFile(words map[string]collection.Table) string {
	sum := sha256.New()
	pets := collection.Pets()
	fmt.Fprintln(sum, database.NewestSchema(), demoEdition, s.fixed, pets.Layout, pets.GetterText())
	for _, t := range demo.Tokens() {
		fmt.Fprintln(sum, t.LedgerHash())
	}
	for _, p := range demo.Sample(words) {
		fmt.Fprintln(sum, p)
	}
	return "demo-" + hex.EncodeToString(sum.Sum(nil)[:6]) + ".db"
}

// loadDemo gives the demo a past, unless it has one. It continues a load that was interrupted.
func (a *App) loadDemo(ctx context.Context) error {
	for {
		l, err := a.Store.Log(ctx, "")
		if err == nil && l.SignedSize() > 1 { // the first leaf only says that a log begins
			return nil
		}
		if err != nil && !errors.Is(err, tlog.ErrNone) {
			return err
		}
		won, err := a.Store.Campaign(ctx, "demo", a.Settings.Lease)
		if err != nil {
			return err
		}
		if won {
			break
		}
		select { // another process is loading the demo, or stopped while it did
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	defer a.Store.Resign(context.WithoutCancel(ctx))
	p := &demoLoad{App: a, until: a.Settings.Now().UTC(), log: slog.New(slog.DiscardHandler)}
	p.world = demo.NewWorld(func() time.Time { return p.now }, a.Packs.Current().Tables())
	a.Store.Now = func() time.Time { return p.now } // nothing else in this process uses the store yet
	defer func() { a.Store.Now = nil }()
	if err := p.pets(ctx); err != nil {
		return err
	}
	return p.figures(ctx)
}

// A demoLoad makes the demo's past. It sets a clock to one past time after the other, and each time
// runs the code that measures and follows real chains.
type demoLoad struct {
	*App
	world *demo.World
	now   time.Time    // time of the clock
	until time.Time    // where the past ends
	log   *slog.Logger // discards lines about the past
}

// figureMoments returns the times at which the demo was measured.
func (p *demoLoad) figureMoments() (list []time.Time) {
	at := p.until.Add(-demoPast).Truncate(day)
	for first := at; at.Before(p.until); at = at.Add(day / 2) {
		if since := at.Sub(first); since < day || since%day == 0 || p.until.Sub(at) < 7*day+day/2 {
			list = append(list, at)
		}
	}
	for _, sale := range demo.Sales(list[0], p.until) {
		list = append(list, sale, sale.Add(3*time.Hour))
	}
	list = append(list, p.until)
	slices.SortFunc(list, time.Time.Compare)
	list = slices.CompactFunc(list, time.Time.Equal)
	return slices.DeleteFunc(list, func(t time.Time) bool { return t.After(p.until) })
}

// figures measures the demo's tokens through its past, and signs the log. On the first day the
// ledger of the first token lacks an entry, so its figures of that day are corrected. Held figures
// are released, as an operator would do it.
func (p *demoLoad) figures(ctx context.Context) error {
	moments := p.figureMoments()
	p.now = moments[0]
	keeper := tlog.NewKeeper(tlog.Config{Store: p.Store, Key: tlog.NewKey(demo.LogKey()), Origin: demo.Origin, Log: p.log,
		Leading: func() bool { return true }, Now: func() time.Time { return p.now }})
	if err := keeper.Step(ctx); err != nil {
		return err
	}
	if seen, err := p.Store.Sequences(ctx); err != nil || len(seen) > 0 { // the figures are stored already
		return errors.Join(err, keeper.Step(ctx))
	}
	incomplete := slices.Clone(p.Settings.Tokens)
	first := &incomplete[0]
	first.Ledger = slices.DeleteFunc(slices.Clone(first.Ledger), func(e ledger.Entry) bool { return e.Amount != nil })
	into := &demoFigures{Store: p.Store}
	wrong, right := p.refresher(incomplete, into), p.refresher(p.Settings.Tokens, into)
	for _, at := range moments {
		p.now = at
		r := right
		if at.Sub(moments[0]) < day {
			r = wrong
		}
		if err := errors.Join(into.decide(ctx, r == right), r.Step(ctx)); err != nil {
			return fmt.Errorf("measuring the demo at %s: %w", at, err)
		}
	}
	if _, err := p.Store.Save(ctx, into.changes); err != nil {
		return err
	}
	proofs := supply.NewProver(p.Chains.ForProofs(p.Settings.Chains), p.Store, p.log)
	for _, record := range into.records() {
		proofs.Keep(ctx, record.Snapshot)
	}
	return keeper.Step(ctx)
}

// refresher returns a Refresher that uses the clock of the past.
func (p *demoLoad) refresher(tokens []ledger.Token, into *demoFigures) *supply.Refresher {
	chains := map[string]supply.Chain{}
	for name, c := range p.world.Chains() {
		chains[name] = c
	}
	r := supply.NewRefresher(tokens, chains, into, supply.NewBoard(tokens, supply.AgePolicy{}, true), 0,
		p.Settings.Refresh.Rules(), p.log)
	r.Now = func() time.Time { return p.now }
	return r
}

// demoFigures collects the figures of the past, so that they are stored in one transaction.
type demoFigures struct {
	*store.Store
	changes   []supply.Change
	open      []supply.Decision
	corrected bool
}

// Save collects changes, and removes the decisions that they apply.
func (f *demoFigures) Save(_ context.Context, changes []supply.Change) (int64, error) {
	f.changes = append(f.changes, changes...)
	for _, c := range changes {
		f.open = slices.DeleteFunc(f.open, func(d supply.Decision) bool {
			return slices.ContainsFunc(c.Decided, func(taken supply.Decision) bool { return taken.ID == d.ID })
		})
	}
	return 0, nil
}

// records returns the newest record of each token.
func (f *demoFigures) records() map[string]supply.Record {
	newest := map[string]supply.Record{}
	for _, c := range f.changes {
		newest[c.Record.Token] = c.Record
	}
	return newest
}

// Records returns the record of every token.
func (f *demoFigures) Records(context.Context, int64) ([]supply.Record, error) {
	return slices.Collect(maps.Values(f.records())), nil
}

// Ledgers returns the versions of the ledger that a token's figures were published with.
func (f *demoFigures) Ledgers(_ context.Context, token string) (list []ledger.Version, _ error) {
	for _, c := range f.changes {
		if c.Record.Token == token && c.Ledger != nil {
			list = append(list, *c.Ledger)
		}
	}
	return list, nil
}

// OpenDecisions returns the decisions that are not applied yet.
func (f *demoFigures) OpenDecisions(context.Context) ([]supply.Decision, error) { return f.open, nil }

// decide acts as an operator. It releases held figures. Once the ledger of the first token is
// complete, it also corrects all earlier figures of this token.
func (f *demoFigures) decide(ctx context.Context, complete bool) error {
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
func (p *demoLoad) pets(ctx context.Context) error {
	work := &demoWork{Store: p.Store, load: p, touched: map[string][]uint64{}}
	var indexers []*index.Indexer
	for _, r := range p.Settings.Realms {
		x := index.New(r, p.Settings.Kingdom(), p.world.Chains()[r.Chain], work, p.log)
		x.SweepEvery = 0
		indexers = append(indexers, x)
	}
	for p.now = p.until.Add(-demoPetPast); ; p.now = p.now.Add(day) {
		last := !p.now.Before(p.until)
		if last {
			p.now = p.until
		}
		for _, r := range p.Settings.Realms {
			work.touched[r.Key] = p.world.Touched(r, p.now.Add(-day), p.now)
		}
		for i, x := range indexers {
			for more := true; more; {
				result, err := x.Step(ctx)
				if err != nil {
					return fmt.Errorf("reading %s: %w", p.Settings.Realms[i].Name, err)
				}
				more = result.More
			}
		}
		if last {
			return nil
		}
	}
}

// demoWork is the store for the indexers that make the demo's past. It moves each indexer to the
// block before the newest, and tells it which pets have changed since its last step. So the
// indexers need not search all blocks.
type demoWork struct {
	*store.Store
	load    *demoLoad
	touched map[string][]uint64 // pets that changed since the last step, by realm
}

// PetWork returns the work of a realm's indexer.
func (w *demoWork) PetWork(ctx context.Context, realm string, limit int) (index.Work, error) {
	work, err := w.Store.PetWork(ctx, realm, limit)
	i := slices.IndexFunc(w.load.Settings.Realms, func(r pet.Realm) bool { return r.Key == realm })
	chain := w.load.world.Chains()[w.load.Settings.Realms[i].Chain]
	if err != nil || work.Position == nil || work.Position.Block.Number == 0 {
		return work, err // if err is nil, the realm is being read for the first time
	}
	head, err := chain.Pin(ctx, time.Time{})
	if err == nil && head.Number > work.Position.Block.Number+1 {
		before, err := chain.Blocks(ctx, head.Number-1)
		if err != nil {
			return work, err
		}
		work.Position.Block = before[0]
		work.Wanted = append(work.Wanted, w.touched[realm]...)
	}
	return work, err
}
