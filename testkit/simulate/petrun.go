package simulate

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"sync"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/pet/directory"
	"petsupply/internal/pet/index"
	"petsupply/internal/store"
	"petsupply/internal/webhook"
)

// A petInstance is the part of a process that handles pets.
type petInstance struct {
	registry  *pet.Registry
	dir       *directory.Directory
	indexers  []*index.Indexer // nil while it does not lead
	stop      context.CancelFunc
	stopHooks context.CancelFunc // stops its webhooks; nil while it does not lead
	loops     sync.WaitGroup
}

// openPets starts the part of an instance that serves pets: its directory, and its callers.
func (r *run) openPets(ctx context.Context, x *instance) {
	x.db.SetCollection(r.collection)
	p := &petInstance{registry: &pet.Registry{Collection: r.collection, Realms: r.petRealms}}
	reads := &slowStore{Store: x.db, run: r, instance: x, opened: r.since()}
	p.dir = directory.New(directory.Config{Registry: p.registry, Reader: reads, Feed: reads, Log: r.log,
		Poll: 2*time.Second + time.Duration(1013+x.number), Memory: 1000})
	ctx, p.stop = context.WithCancel(ctx)
	p.loops.Go(func() { _ = p.dir.Run(ctx) })
	for caller := range uint64(3) {
		p.loops.Go(func() { r.askForPets(ctx, x, p, caller) })
	}
	x.pets = p
}

func (p *petInstance) close() {
	p.stop()
	p.stopLeading()
	p.loops.Wait()
}

// stopLeading stops the work that only a leader does.
func (p *petInstance) stopLeading() {
	if p.stopHooks != nil {
		p.stopHooks()
	}
	p.indexers = nil
	p.stopHooks = nil
}

// startLeading starts the work that only a leader does. Closed realms have no indexer.
func (r *run) startLeading(ctx context.Context, x *instance) {
	db := &faultyStore{Store: x.db, run: r, instance: x}
	for _, realm := range r.petRealms {
		if realm.Closed {
			x.pets.indexers = append(x.pets.indexers, nil)
			continue
		}
		indexer := index.New(realm, x.pets.registry, x.chains[realm.Chain].AtLatest(), db, r.log)
		indexer.SweepEvery = time.Duration(r.Pets.Sweep) * time.Second
		indexer.SweepIDs = sweepIDs
		indexer.RetryAfter = 5 * time.Second
		x.pets.indexers = append(x.pets.indexers, indexer)
	}
	game := webhook.Hook{Name: "game", URL: "http://game", Events: []string{webhook.Pets}}
	sender := webhook.New(webhook.Config{Hooks: []webhook.Hook{game}, Store: db, Log: r.log, Transport: delivery{r},
		Poll: 5*time.Second + time.Duration(1021+x.number)})
	ctx, x.pets.stopHooks = context.WithCancel(ctx)
	x.pets.loops.Go(func() { sender.Run(ctx) })
}

// askForPets asks an instance for pets, one after another, until ctx ends.
func (r *run) askForPets(ctx context.Context, x *instance, p *petInstance, caller uint64) {
	for n := uint64(0); ; n++ {
		key := mix(r.Seed ^ uint64(x.number)<<40 ^ caller<<48 ^ uint64(r.since()) ^ n)
		pause := time.Duration(key % uint64(12*time.Second))
		if n < 60 { // a process that has just started gets many requests
			pause /= 40
		}
		if sleep(ctx, pause) != nil {
			return
		}
		ids := []uint64{key>>8%3*pet.Band + key>>16%uint64(r.Pets.Each+8) + 1}
		within := time.Minute
		if key>>56%2 == 0 {
			within = 4 * time.Minute
		}
		switch lately := r.changedLately(within); { // people look at pets that change
		case n%10 == 0:
			ids = lately
		case len(lately) > 0 && key>>32%2 == 0:
			ids[0] = lately[key>>40%uint64(len(lately))]
		}
		var found []pet.Found
		var err error
		if len(ids) == 1 {
			found = []pet.Found{{ID: ids[0]}}
			found[0].Pet, found[0].Err = p.dir.Pet(ctx, ids[0])
		} else {
			found, err = p.dir.Pets(ctx, ids)
		}
		if err != nil || ctx.Err() != nil {
			return
		}
		for _, f := range found {
			r.answers.add(petAnswer{instance: x.number, at: r.since(), id: f.ID, pet: f.Pet, err: f.Err})
		}
	}
}

// A petAnswer is an instance's answer about a pet.
type petAnswer struct {
	instance int
	at       time.Duration
	id       uint64
	pet      pet.Pet
	err      error
}

// petAnswers are answers that the observer has not checked yet.
type petAnswers struct {
	mu   sync.Mutex
	list []petAnswer
}

func (a *petAnswers) add(one petAnswer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = append(a.list, one)
}

func (a *petAnswers) take() []petAnswer {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := a.list
	a.list = nil
	return list
}

// stepPets runs one instance's loops for pets once, and then checks everything.
func (r *run) stepPets(ctx context.Context, x *instance, leads bool) {
	for _, a := range r.answers.take() {
		r.checkAnswer(a)
	}
	from := r.since()
	before := r.asked.Load()
	if !leads {
		x.pets.stopLeading()
		return
	}
	if x.pets.indexers == nil {
		r.startLeading(ctx, x)
	}
	for i, indexer := range x.pets.indexers {
		if indexer == nil {
			continue
		}
		err := r.follow(ctx, x, indexer)
		if x.killed {
			r.seen["killed"]++
			r.reopen(ctx, x.number)
			return
		}
		fmt.Fprintln(r.trace, r.since(), x.number, i, err)
		r.checkFollows(i, from, err)
	}
	r.forgetRealms(ctx, x)
	r.steps++
	r.look(ctx, x)
	r.closeRealms(ctx, x)
	// A longer round has more new blocks, and other loops send more requests during it.
	most := 4000 + 10*int64((r.since()-from).Seconds())
	if asked := r.asked.Load() - before; asked > most {
		r.fail("bounded", "requests", "%d requests in one round", asked)
	}
}

// reading reports whether the instance has a realm that is not followed yet. It asks the store too,
// because the store may have written a step that failed for the indexer.
func (r *run) reading(x *instance) bool {
	for i, indexer := range x.pets.indexers {
		if indexer == nil {
			continue
		}
		work, err := x.db.PetWork(r.ctx, r.petRealms[i].Key, 1)
		if err != nil || work.Position == nil || !work.Position.Following() || !indexer.Progress().Following() {
			return true
		}
	}
	return false
}

// forgetRealms forgets realms that are no longer configured, as an operator does after all
// configured realms were read.
func (r *run) forgetRealms(ctx context.Context, x *instance) {
	if len(r.former) == 0 || r.since() < r.renamed+3*time.Minute || r.reading(x) {
		return
	}
	for _, realm := range r.former {
		if _, err := x.db.ForgetRealm(ctx, x.pets.registry, realm); err != nil {
			r.fail("store", "forgetting realms", "%v", err)
		}
	}
	r.renamed = r.since() // a restored backup may have these realms again
	r.petView.written = true
}

// follow steps an indexer until it has caught up or fails, but at most 50 times.
func (r *run) follow(ctx context.Context, x *instance, indexer *index.Indexer) error {
	for range 50 {
		followed := indexer.Progress().Following()
		result, err := indexer.Step(ctx)
		if p := indexer.Progress(); followed && !p.Following() {
			r.checkAfresh(p.Realm)
		}
		if err != nil {
			return err
		}
		if result.Did == index.DidUndo {
			r.seen["rewound"]++
		}
		if !result.More {
			r.seen["caught up"]++
			return nil
		}
		if x.killed {
			return nil
		}
	}
	return nil
}

// changeRealms changes the configuration of a realm, and restarts all instances with it. With
// another getter the realm is read from the start.
func (r *run) changeRealms(ctx context.Context, f Fault) {
	r.petRealms = append([]pet.Realm(nil), r.petRealms...)
	realm := &r.petRealms[f.Chain]
	switch f.Kind {
	case "reread":
		if r.Pets.Realms[f.Chain].Version == 1 {
			return // its contract has only one getter
		}
		if realm.Getter == "v2" {
			realm.Getter = "v1"
		} else {
			realm.Getter = "v2"
		}
	case "rekey":
		r.former = append(r.former, realm.Key)
		r.renamed = r.since()
		realm.Key += "-2"
	case "close":
		realm.Closed = true
		r.closed[f.Chain].Store(true)
		r.seen["realm closed"]++
	}
	for i := range r.instances {
		r.reopen(ctx, i)
	}
}

// closeRealms closes realms whose time has come, once the store has all their pets. Their
// chains are gone from then on.
func (r *run) closeRealms(ctx context.Context, x *instance) {
	for _, f := range r.Faults {
		due := f.Kind == "close" && r.since() >= time.Duration(f.From)*time.Second
		if !due || r.petRealms[f.Chain].Closed || r.reading(x) {
			continue
		}
		stored, err := x.db.PetsByID(ctx, r.petIDs())
		settled := err == nil
		for _, id := range r.petIDs() {
			if t := r.truthOf(id); t.realm == f.Chain {
				settled = settled && r.same(t, stored[id])
			}
		}
		if settled {
			r.changeRealms(ctx, f)
			return
		}
	}
}

// A receiver gets the events of a webhook.
type receiver struct {
	mu    sync.Mutex
	begun bool
	last  uint64 // number of the last event
	taken int
}

func (r *receiver) begin(seq uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.begun {
		r.begun = true
		r.last = seq
	}
}

// A delivery carries events to the receiver.
type delivery struct{ *run }

// RoundTrip takes an event. An event may come more than once, but none may be missing.
func (d delivery) RoundTrip(q *http.Request) (*http.Response, error) {
	var event struct{ Data pet.FeedChange }
	if err := json.NewDecoder(q.Body).Decode(&event); err != nil {
		return nil, err
	}
	status := http.StatusNoContent
	for _, f := range d.Faults {
		if f.Kind != "refuse" || !f.at(d.since()) {
			continue
		}
		status = http.StatusServiceUnavailable
		if f.Amount > 0 {
			<-q.Context().Done()
			return nil, q.Context().Err()
		}
	}
	d.receiver.mu.Lock()
	defer d.receiver.mu.Unlock()
	if status != http.StatusNoContent {
		return response(q, status, 0, nil), nil
	}
	d.receiver.taken++
	if seq := event.Data.Seq; seq > d.receiver.last {
		if seq != d.receiver.last+1 {
			d.fail("webhook", "skipped", "after event %d comes %d", d.receiver.last, seq)
		}
		d.receiver.last = seq
	}
	return response(q, status, 0, nil), nil
}

// A slowStore delays its answers. It reads in the middle of the delay.
type slowStore struct {
	*store.Store
	run      *run
	instance *instance
	opened   time.Duration
}

// wait waits for half of the delay of an answer.
func (s *slowStore) wait(ctx context.Context, what ...any) error {
	h := fnv.New64a()
	fmt.Fprint(h, s.run.Seed, s.run.since(), s.instance.number, what)
	d := time.Duration(mix(h.Sum64()) % uint64(60*time.Millisecond))
	if s.run.since()-s.opened < 10*time.Second { // its caches are still empty
		d += time.Duration(mix(h.Sum64()+1) % uint64(2*time.Second))
	}
	for _, f := range s.run.Faults {
		if f.Instance != s.instance.number || !f.at(s.run.since()) {
			continue
		}
		switch f.Kind {
		case "slowstore":
			d += time.Duration(mix(h.Sum64()+1) % uint64(time.Duration(f.Amount)*time.Millisecond))
		case "away":
			return errStore
		}
	}
	return sleep(ctx, d)
}

func slowly[T any](ctx context.Context, s *slowStore, read func() (T, error), what ...any) (out T, err error) {
	if err = s.wait(ctx, what...); err != nil {
		return out, err
	}
	if out, err = read(); err != nil {
		return out, err
	}
	return out, s.wait(ctx, what...)
}

// PetsByID reads pets.
func (s *slowStore) PetsByID(ctx context.Context, ids []uint64) (map[uint64]pet.Pet, error) {
	return slowly(ctx, s, func() (map[uint64]pet.Pet, error) { return s.Store.PetsByID(ctx, ids) }, "pets", ids)
}

// LastPetChange reads the latest change.
func (s *slowStore) LastPetChange(ctx context.Context) (pet.FeedMark, error) {
	return slowly(ctx, s, func() (pet.FeedMark, error) { return s.Store.LastPetChange(ctx) }, "last")
}

// PetChanges reads which pets changed.
func (s *slowStore) PetChanges(ctx context.Context, after pet.FeedMark, limit int) ([]pet.FeedMark, error) {
	return slowly(ctx, s, func() ([]pet.FeedMark, error) { return s.Store.PetChanges(ctx, after, limit) }, "changes",
		after.Seq)
}

// MissingPets reads which pets do not exist.
func (s *slowStore) MissingPets(ctx context.Context, home pet.Realm, open []string, ids []uint64) ([]uint64, error) {
	return slowly(ctx, s, func() ([]uint64, error) { return s.Store.MissingPets(ctx, home, open, ids) }, "missing", ids)
}
