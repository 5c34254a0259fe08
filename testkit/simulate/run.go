package simulate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"log/slog"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/store"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/world"
)

// A Result is the result of a run.
type Result struct {
	Trace   string         // a hash of everything that was published, and when
	Steps   int            // refreshes
	Failure *Failure       // nil if no rule was broken
	Seen    map[string]int // how often each outcome was seen
}

// A Failure is a rule that was broken.
type Failure struct {
	Kind  string        // the rule
	Cause string        // distinguishes failures of the same Kind; its numbers are replaced with N
	At    time.Duration // since the start
	Text  string
}

func (f *Failure) String() string {
	return fmt.Sprintf("%s (%s) after %s: %s", f.Kind, f.Cause, f.At, f.Text)
}

// Run plays a scenario in virtual time, until its end or until a rule is broken.
func Run(t *testing.T, s Scenario) (result Result) {
	dir := storeDirectory(t)
	defer os.RemoveAll(dir)
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Duration(s.Start) * time.Minute) // the clock of a synctest bubble begins at midnight
		r := newRun(s, dir)
		r.play(t.Context())
		result = Result{Trace: hex.EncodeToString(r.trace.Sum(nil)), Steps: r.steps, Failure: r.failure, Seen: r.seen}
	})
	return result
}

// newRun prepares a run that begins now.
func newRun(s Scenario, dir string) *run {
	r := &run{kingdom: newKingdom(s, time.Now()), trace: sha256.New(), dir: dir,
		log:   slog.New(slog.DiscardHandler),
		kills: map[int]bool{}, ledgers: map[string]ledger.Token{}, petView: newPetView()}
	if s.Pets != nil {
		r.collection = collection.Pets()
		r.petRealms = s.realms()
	}
	r.observer = newObserver(r.kingdom)
	for _, t := range r.tokens {
		r.ledgers[t.LedgerHash()] = t
	}
	return r
}

// storeDirectory makes a directory for a store, in memory if possible.
func storeDirectory(t *testing.T) string {
	for _, parent := range []string{"/dev/shm", ""} {
		if dir, err := os.MkdirTemp(parent, "petsupply-simulate-"); err == nil {
			return dir
		}
	}
	return t.TempDir()
}

// A run is a scenario that is being played.
type run struct {
	*kingdom
	*observer
	instances []*instance
	trace     hash.Hash
	dir       string
	log       *slog.Logger
	asked     atomic.Int64
	steps     int
	decisions int // how many were asked for
	restores  []restore
	kills     map[int]bool            // the kill faults that have happened
	ledgers   map[string]ledger.Token // by the hash of their ledger
	ctx       context.Context

	petView    *petView
	receiver   receiver
	answers    petAnswers
	collection *collection.Collection
	petRealms  []pet.Realm
	former     []string      // keys of realms that are no longer configured
	renamed    time.Duration // when a realm got another key, or former realms were last forgotten
}

// An instance is one process of the service.
type instance struct {
	number    int
	db        *store.Store
	chains    map[string]*evm.Chain
	board     *supply.Board
	refresher *supply.Refresher // nil while it does not lead
	poller    *supply.Poller
	killed    bool         // it no longer writes
	pets      *petInstance // nil in a world without pets
}

// keepEvidence is how many rows of a token keep their evidence.
const keepEvidence = 20

// since returns the time since the start.
func (k *kingdom) since() time.Duration { return time.Since(k.start) }

// play runs the scenario.
func (r *run) play(ctx context.Context) {
	r.ctx = ctx
	for i := range r.Instances {
		r.instances = append(r.instances, r.open(ctx, i))
	}
	defer func() {
		for _, x := range r.instances {
			x.close()
		}
		time.Sleep(time.Minute) // wait for reads that go on after their callers have left
	}()
	done := make([]bool, len(r.Faults))
	end := time.Duration(r.Minutes) * time.Minute
	for next := r.since(); r.since() < end && r.failure == nil; {
		for i, f := range r.Faults {
			if !done[i] && r.since() >= time.Duration(f.From)*time.Second {
				done[i] = true
				r.act(ctx, f)
			}
		}
		r.putBack(ctx)
		for i := range r.instances {
			r.step(ctx, r.instances[i])
		}
		next = max(next+time.Duration(r.Every)*time.Second, r.since())
		time.Sleep(next - r.since())
	}
	switch {
	case r.failure != nil:
	case r.Pets != nil:
		r.checkPetsEnd()
	default:
		r.checkEnd(r.instances)
	}
}

// act does the part of a fault that happens once, at its beginning.
func (r *run) act(ctx context.Context, f Fault) {
	switch f.Kind {
	case "restart":
		r.reopen(ctx, f.Instance)
	case "restore":
		r.backup(ctx, f)
	case "ledger":
		r.changeLedger(ctx, f.Token)
	case "reread", "rekey":
		r.changeRealms(ctx, f)
	case "correct":
		token := r.tokens[f.Token].Path
		if list := r.published[token]; len(list) > int(f.Amount) {
			r.ask(ctx, r.instances[0], supply.Decision{Kind: supply.Wrong, Token: token,
				Subject: list[len(list)-1-int(f.Amount)].ID, Reason: "it was wrong"})
		}
	case "undo":
		r.undo(ctx, r.instances[0], r.tokens[f.Token].Path)
	}
}

// undo takes back the correction that withdraws a token's figure, if there is one.
func (r *run) undo(ctx context.Context, x *instance, token string) {
	if n := r.corrected[token]; n != nil {
		r.undone[token] = true
		r.ask(ctx, x, supply.Decision{Kind: supply.Right, Token: token, Subject: n.ID, Reason: "it was right"})
	}
}

func (r *run) ask(ctx context.Context, x *instance, d supply.Decision) {
	if _, err := x.db.AskDecision(ctx, d); err != nil {
		r.fail("store", "a decision cannot be asked for", "%v", err)
	}
}

// step runs one instance's loops once, and then checks everything.
func (r *run) step(ctx context.Context, x *instance) {
	if r.failure != nil {
		return
	}
	from := r.since()
	clock := r.clock(x.number)()
	before := r.asked.Load()
	leads, err := x.db.Campaign(ctx, "instance "+strconv.Itoa(x.number), 90*time.Second)
	if err == nil && r.Pets != nil {
		r.stepPets(ctx, x, leads)
		return
	}
	var refreshed error
	switch {
	case err != nil:
		r.fail("store", "the lease", "%v", err)
		return
	case !leads:
		x.refresher = nil
	default:
		if x.refresher == nil {
			x.refresher = r.refresher(x)
		}
		r.release(ctx, x)
		refreshed = x.refresher.Step(ctx)
		r.steps++
	}
	if x.killed {
		r.seen["killed"]++
		r.unsure = cmp.Or(r.unsure, from)
		r.reopen(ctx, x.number)
		return
	}
	// The leader published its own writes already. It polls only now and then, after a failed
	// refresh, and if a fault could have undone writes.
	if !leads || refreshed != nil || r.steps%5 == 0 || r.faulty(0, r.since(), undoes) {
		if err := x.poller.Step(ctx); err != nil {
			r.fail("store", "polling", "%v", err)
			return
		}
	}
	fmt.Fprintln(r.trace, r.since(), x.number, refreshed)
	for _, s := range x.states(r) {
		fmt.Fprintln(r.trace, s.Token.Path, s.Status, s.Confirmed, s.Hold != nil)
		if s.Snapshot != nil {
			fmt.Fprintln(r.trace, s.Snapshot.ID)
		}
	}
	if leads {
		r.check(x, from, clock, refreshed, r.asked.Load()-before)
	}
}

// release acts as the operator, who makes decisions only after all faults are over.
func (r *run) release(ctx context.Context, x *instance) {
	if r.since() < time.Duration(r.Minutes*60-r.quiet())*time.Second {
		return
	}
	for _, s := range x.board.Now().States {
		if s.Status == supply.Withdrawn && r.since() > time.Duration(r.Minutes*60-r.quiet()/2)*time.Second {
			r.undo(ctx, x, s.Token.Path)
		}
		if s.Hold != nil {
			r.ask(ctx, x, supply.Decision{Kind: supply.Right, Token: s.Token.Path, Subject: s.Hold.Candidate.ID,
				Reason: "it is right"})
		}
	}
}

// clock returns the clock of an instance.
func (r *run) clock(instance int) func() time.Time {
	return func() time.Time {
		now := time.Now().Round(0)
		for _, f := range r.Faults {
			if f.Kind == "clock" && f.Instance == instance && f.at(r.since()) {
				now = now.Add(time.Duration(f.Amount) * time.Second)
			}
		}
		return now
	}
}

// open starts an instance.
func (r *run) open(ctx context.Context, number int) *instance {
	x := &instance{number: number, chains: map[string]*evm.Chain{}}
	db, err := store.Open(ctx, "sqlite://"+r.file(), time.Minute, r.log)
	if err != nil {
		panic(err)
	}
	db.Now = r.clock(number)
	db.KeepEvidence = keepEvidence
	db.NewID = func() string { r.decisions++; return "decision-" + strconv.Itoa(r.decisions) }
	x.db = db
	lag := map[string]time.Duration{}
	for i, c := range r.Chains {
		lag[names[i]] = time.Duration(c.MaxLag) * time.Second
		x.chains[names[i]] = r.dial(number, i, c)
	}
	if r.Pets != nil {
		r.openPets(ctx, x)
		return x
	}
	x.board = supply.NewBoard(r.tokens, supply.AgePolicy{StaleAfter: time.Duration(r.StaleAfter) * time.Second,
		RefuseAfter: time.Duration(r.RefuseAfter) * time.Second, MaxLag: lag, Now: r.clock(number)}, false)
	x.poller = supply.NewPoller(db, x.board, r.log)
	return x
}

// config returns the configuration of a chain, without its providers.
func (r *run) config(instance, i int, c Chain) evm.Config {
	cfg := evm.Config{Name: names[i], ID: r.chains[i].ID, Quorum: c.Quorum, Finality: c.Finality,
		OnDemand: c.BlockTime == 0, Timeout: time.Duration(c.Timeout) * time.Second,
		MaxLag: time.Duration(c.MaxLag) * time.Second, Now: r.clock(instance), Multicall: r.chains[i].Multicall}
	cfg.Jitter = func(d time.Duration) time.Duration {
		return time.Duration(mix(r.Seed^uint64(r.since())^uint64(d)) % uint64(d))
	}
	return cfg
}

// dial makes a chain of the service on the nodes of the world.
func (r *run) dial(instance, i int, c Chain) *evm.Chain {
	cfg := r.config(instance, i, c)
	nodes := world.Nodes{}
	for p := range providers {
		name := fmt.Sprintf("%s-%d", names[i], p)
		nodes[name] = &node{kingdom: r.kingdom, chain: i, provider: p, asked: &r.asked}
		cfg.Providers = append(cfg.Providers, evm.Provider{Name: name, URL: "http://" + name})
	}
	cfg.Transport = nodes
	chain, err := evm.Dial(cfg, r.log)
	if err != nil {
		panic(err)
	}
	return chain
}

func (r *run) refresher(x *instance) *supply.Refresher {
	chains := map[string]supply.Chain{}
	for name, c := range x.chains {
		chains[name] = c
	}
	refresher := supply.NewRefresher(r.tokens, chains, &faultyStore{Store: x.db, run: r, instance: x},
		supply.Rules{Every: time.Duration(r.Every) * time.Second,
			HoldFor: time.Duration(r.HoldFor) * time.Second,
			Repeat:  time.Duration(r.StaleAfter) * time.Second / 2}, r.log)
	refresher.Now = r.clock(x.number)
	refresher.Published = x.poller.Step
	return refresher
}

// states returns the states that the instance serves now.
func (x *instance) states(r *run) (list []supply.State) {
	for _, s := range x.board.Now().States {
		list = append(list, s.At(r.clock(x.number)()))
	}
	return list
}

func (x *instance) close() {
	if x.pets != nil {
		x.pets.close()
	}
	for _, c := range x.chains {
		c.Close()
	}
	x.db.Close()
}
