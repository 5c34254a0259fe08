package simulate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/world"
)

// A petView is the observer's knowledge of pets.
type petView struct {
	known   map[uint64]bool          // pets that the store has had, and that no reorganisation undid
	burned  map[uint64]time.Duration // since when a pet was reported as burned
	served  map[uint64]time.Duration // when a pet was last served; a restored store changes nothing about that
	stored  map[uint64]pet.Pet       // pets in the store at the last look
	since   map[uint64]time.Duration // when this state was first seen
	seq     uint64                   // number of the last change
	silent  map[uint64]string        // pets that changed without their own event, and how
	written bool                     // whether the store was written since the last look
	looked  time.Duration            // when the observer last read all pets
	failing failures                 // by chain of the realm
}

func newPetView() *petView {
	return &petView{known: map[uint64]bool{}, burned: map[uint64]time.Duration{},
		served: map[uint64]time.Duration{}, stored: map[uint64]pet.Pet{}, since: map[uint64]time.Duration{},
		silent: map[uint64]string{}, failing: failures{}}
}

// clone returns a copy of v for a backup, without failed steps.
func (v *petView) clone() *petView {
	c := *v
	c.known = maps.Clone(v.known)
	c.burned = maps.Clone(v.burned)
	c.stored = maps.Clone(v.stored)
	c.since = maps.Clone(v.since)
	c.silent = maps.Clone(v.silent)
	c.failing = failures{}
	return &c
}

// checkAnswer checks an answer about a pet.
func (r *run) checkAnswer(a petAnswer) {
	v := r.petView
	lives := a.id%pet.Band <= uint64(r.Pets.Each) // the pet exists from the genesis on
	if burn, ok := r.burns[a.id]; ok && a.at >= burn {
		lives = false
	}
	fail := func(kind, cause string, since time.Duration) {
		r.fail(kind, cause, "pet %d was burned at %s, and at %s instance %d says: %+v, %v", a.id, since, a.at,
			a.instance, a.pet, a.err)
	}
	home := a.id / pet.Band
	if errors.Is(a.err, pet.ErrBurned) && r.closed[home].Load() && r.truthOf(a.id).realm != int(home) {
		return // it may be travelling between two other realms
	}
	since, burned := v.burned[a.id]
	// A fault may have undone the burn, or kept the instance from reading about it in the store.
	burned = burned && a.at > since+time.Minute && !r.faulty(since-10*time.Minute, r.since(), undoes) &&
		!r.faulty(since, a.at, func(f Fault) bool { return r.cutOff(a.instance, f) })
	switch {
	case a.err == nil:
		r.seen["pet served"]++
		v.served[a.id] = a.at
		r.checkServed(a)
		if burned {
			fail("burned", "served again", since)
		}
	case errors.Is(a.err, pet.ErrUnavailable):
		r.seen["pet unavailable"]++
		r.checkUnavailable(a)
	case lives:
		r.fail("lost", a.err.Error(), "pet %d lives, and at %s instance %d says: %v", a.id, a.at, a.instance, a.err)
	case errors.Is(a.err, pet.ErrBurned):
		r.seen["pet burned"]++
		r.checkBurned(a)
		if _, ok := v.burned[a.id]; !ok {
			v.burned[a.id] = a.at
		}
	case errors.Is(a.err, pet.ErrNotFound):
		r.seen["pet not found"]++
		r.checkNotFound(a)
		if burned {
			fail("burned", "forgotten", since)
		}
	}
}

// checkBurned checks that a pet that an instance says was burned has hatched, in blocks that a reorg
// did not remove two minutes ago.
func (r *run) checkBurned(a petAnswer) {
	const late = 2 * time.Minute
	if r.faulty(a.at-2*late, a.at, func(f Fault) bool { return f.Kind != "reorg" }) {
		return
	}
	home := int(a.id / pet.Band)
	for at := a.at - late; at <= a.at; at += 2 * time.Second {
		if r.pets[home].HasHatched(world.View{Chain: r.chains[home], At: r.start.Add(at)}.Head(), a.id) {
			return
		}
	}
	r.fail("burned", "without hatching", "pet %d has not hatched, and at %s instance %d says: %v", a.id, a.at,
		a.instance, a.err)
}

// compareWithin is the age of a comparison with the chain after which an instance says no more that
// a pet does not exist.
const compareWithin = time.Minute

// checkNotFound checks that a pet that an instance says does not exist has not existed for long. A
// pet that was served and has existed ever since must not be forgotten at all.
func (r *run) checkNotFound(a petAnswer) {
	lag := compareWithin + r.delay + 10*time.Second
	// The clocks of these instances differ more than those of a database, and an instance cannot know that
	// its nodes are behind.
	if r.faulty(a.at-2*lag, a.at, func(f Fault) bool {
		return slices.Contains([]string{"clock", "behind"}, f.Kind) || slices.Contains(liars, f.Kind)
	}) {
		return
	}
	exists := func(since time.Duration) bool {
		for at := since; at <= a.at; at += 2 * time.Second {
			if !r.exists(a.id, at) {
				return false
			}
		}
		return r.exists(a.id, a.at)
	}
	served := r.petView.served[a.id]
	switch {
	case exists(a.at - lag):
		r.fail("not found", "it exists", "pet %d exists for %s, and at %s instance %d says: %v", a.id, lag, a.at,
			a.instance, a.err)
	case served > 0 && exists(served) && !r.faulty(a.at-3*time.Minute, a.at, func(f Fault) bool {
		return f.Kind == "reorg"
	}):
		r.fail("not found", "it was served", "pet %d was served and exists, and at %s instance %d says: %v", a.id, a.at,
			a.instance, a.err)
	}
}

// checkUnavailable checks that an answer about a pet which the store lacks has a reason, and that
// without any fault there is no such answer, unless the pet was just minted.
func (r *run) checkUnavailable(a petAnswer) {
	unread, ok := errors.AsType[*pet.NotYetRead](a.err)
	if !ok {
		if !r.faulty(a.at-time.Minute, a.at, func(f Fault) bool {
			return r.cutOff(a.instance, f) || f.Kind == "restore"
		}) {
			r.fail("unavailable", a.err.Error(), "at %s instance %d says: %v", a.at, a.instance, a.err)
		}
		return
	}
	if unread.Reason == "" {
		r.fail("unavailable", "without a reason", "at %s instance %d says: %v", a.at, a.instance, a.err)
	}
	const calm = 12 * time.Minute
	minted := r.exists(a.id, a.at) && !r.exists(a.id, a.at-time.Minute)
	if a.at > calm && !minted && !r.faulty(a.at-calm, a.at, func(Fault) bool { return true }) && !r.closing(0, a.at) &&
		!r.closing(1, a.at) && !r.closing(2, a.at) && len(r.petView.failing) == 0 {
		r.fail("unavailable", "without a fault", "pet %d, and at %s instance %d says: %v", a.id, a.at, a.instance,
			a.err)
	}
}

// checkServed checks that the pet had the served state at the block that the answer names.
func (r *run) checkServed(a petAnswer) {
	i := slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(a.pet.Realm, name) })
	if a.pet.InTransit || r.faulty(0, r.since(), func(f Fault) bool { return f.Kind == "reorg" && f.Chain == i }) {
		return
	}
	view := world.View{Chain: r.chains[i], At: time.Now()}
	if a.pet.Block > view.Head().Number {
		r.fail("wrong", "a block that nobody had", "instance %d says: %+v", a.instance, a.pet)
		return
	}
	is := r.pets[i].Pet(view.Block(a.pet.Block), a.id)
	if is.Owner != a.pet.Owner || is.Fields[1] != a.pet.Name {
		r.fail("wrong", "pet", "instance %d says %+v; at that block it is %+v", a.instance, a.pet, is)
	}
}

// undoes reports whether a fault undoes blocks or rows.
func undoes(f Fault) bool { return f.Kind == "reorg" || f.Kind == "restore" }

// cutOff reports whether a fault keeps an instance from reading the store in time.
func (r *run) cutOff(instance int, f Fault) bool {
	return f.Instance == instance && slices.Contains(ofPetStores, f.Kind)
}

// checkFollows checks that a realm does not fail three times in a row while enough of
// its providers are healthy.
func (r *run) checkFollows(realm int, from time.Duration, err error) {
	v := r.petView
	if err == nil {
		delete(v.failing, names[realm])
		return
	}
	r.seen["failed"]++
	first, three := v.failing.add(names[realm], from)
	if !three {
		return
	}
	first -= time.Duration(r.Every) * time.Second
	if r.faulty(first, r.since(), func(f Fault) bool {
		return slices.Contains(ofInstances, f.Kind) || slices.Contains(ofPetChains, f.Kind) && f.Chain == realm
	}) {
		return
	}
	if r.providersWith(realm, first, r.since(), func(Fault) bool { return true }) > providers-r.Chains[realm].Quorum {
		return
	}
	claims := r.providersWith(realm, first, r.since(), func(f Fault) bool { return f.Kind == "claim" })
	if claims >= r.Chains[realm].Quorum { // a quorum that lies is believed
		return
	}
	r.fail("stops", err.Error(), "%s failed three times in a row: %v", names[realm], err)
}

// checkAfresh checks that a followed realm is read from the start only for a reason.
func (r *run) checkAfresh(realm string) {
	r.seen["read afresh"]++
	if !r.faulty(0, r.since(), func(f Fault) bool {
		return f.Kind == "reorg" && f.Amount > 100 || slices.Contains([]string{"restore", "reread", "rekey", "forget"},
			f.Kind)
	}) {
		r.fail("afresh", "without a reason", "%s is read from the start", realm)
	}
}

// petIDs returns all pets that ever existed, and a few more ids.
func (k *kingdom) petIDs() []uint64 {
	if k.ids == nil {
		for _, p := range k.pets {
			k.ids = append(k.ids, p.IDs()...)
		}
		slices.Sort(k.ids)
		k.ids = slices.Compact(k.ids)
	}
	return k.ids
}

// look compares the store with the feed and with the memory of each instance, every 20 seconds.
func (r *run) look(ctx context.Context, x *instance) {
	if v := r.petView; r.since() >= v.looked+20*time.Second || r.since() < v.looked {
		r.checkFeed(ctx, x)
		r.checkMemories(x)
		v.looked = r.since()
	}
}

// checkFeed checks that every change in the store since the last look has an event.
func (r *run) checkFeed(ctx context.Context, x *instance) {
	v := r.petView
	if !v.written {
		return
	}
	v.written = false
	now := map[uint64]pet.Pet{}
	for part := range slices.Chunk(r.petIDs(), 128) { // the store keeps only short statements prepared
		found, err := x.db.PetsByID(ctx, part)
		if err != nil {
			r.fail("store", "reading pets", "%v", err)
			return
		}
		maps.Copy(now, found)
	}
	named, reread := r.readFeed(ctx, x)
	for _, id := range r.petIDs() {
		was := v.stored[id]
		is := now[id]
		v.known[id] = v.known[id] || is.Realm != ""
		if was == is {
			continue
		}
		v.since[id] = r.since()
		fmt.Fprintln(r.trace, id, is)
		if !named[id] && !reread {
			v.silent[id] = fmt.Sprintf("it was %+v and is %+v", was, is)
		}
	}
	v.stored = now
	if r.reading(x) { // an event about the whole realm follows
		return
	}
	r.checkSettled(now)
	for id, how := range v.silent {
		r.fail("feed", "silent", "pet %d changed without an event: %s", id, how)
	}
}

// readFeed reads the changes since the last look. It returns the pets that they name, and reports
// whether a realm was read again.
func (r *run) readFeed(ctx context.Context, x *instance) (named map[uint64]bool, reread bool) {
	v := r.petView
	named = map[uint64]bool{}
	since := v.seq
	for {
		changes, err := x.db.ChangesSince(ctx, &since, 1000)
		if err != nil {
			r.fail("feed", err.Error(), "%v", err)
			return named, reread
		}
		for _, c := range changes {
			since = c.Seq
			named[c.ID] = true
			v.since[c.ID] = r.since() // it may have changed and changed back
			if c.Kind == pet.Reread { // any pet may differ
				clear(v.silent)
				reread = true
				for id := range v.since {
					v.since[id] = r.since()
				}
			}
			if c.Kind == pet.Gone { // it may hatch again and be burned before anybody looks
				delete(v.known, c.ID)
			}
			r.seen["pet "+c.Kind]++
		}
		if len(changes) < 1000 {
			break
		}
	}
	v.seq = since
	return named, reread
}

// checkSettled checks that the store has the state of each pet that did not change for three minutes
// of this run, if the only faults were reorgs before that.
func (r *run) checkSettled(stored map[uint64]pet.Pet) {
	const calm = 3 * time.Minute
	if r.since() < calm || len(r.petView.failing) > 0 || r.faulty(r.since(), r.since(), undoes) ||
		r.faulty(r.since()-3*calm, r.since(), func(f Fault) bool { return f.Kind != "reorg" }) ||
		r.faulty(0, r.since(), func(f Fault) bool { return slices.Contains(ofRealms, f.Kind) && f.Kind != "reread" }) {
		return
	}
	for _, id := range r.petIDs() {
		t := r.truthAt(id, r.since())
		if t.realm < 0 || t.owners > 1 || r.same(t, stored[id]) {
			continue
		}
		same := true
		for ago := 5 * time.Second; ago < calm && same; ago += 5 * time.Second {
			before := r.truthAt(id, r.since()-ago)
			same = before.owners == 1 && before.realm == t.realm && before.pet.Owner == t.pet.Owner &&
				before.pet.Fields[1] == t.pet.Fields[1]
		}
		if same {
			r.fail("wrong", "for long", "pet %d is in %s as %+v, and the store has %+v", id, names[t.realm], t.pet,
				stored[id])
		}
	}
}

// difference describes briefly how a pet differs.
func difference(was, is pet.Pet) string {
	switch zero := (pet.Pet{}); {
	case was == zero:
		return "appeared"
	case is == zero:
		return "vanished"
	case was.Burned || is.Burned:
		return "burned"
	case was.Realm != is.Realm:
		return "realm"
	}
	return "fields"
}

// checkMemories checks that no memory has an old state of a pet for too long.
func (r *run) checkMemories(leader *instance) {
	if r.reading(leader) { // an event about the whole realm follows, and memories then forget its pets
		return
	}
	const late = 45 * time.Second // a directory polls every two seconds, and the store may be slow
	for _, x := range r.instances {
		if r.faulty(r.since()-late, r.since(), func(f Fault) bool {
			return r.cutOff(x.number, f) || f.Kind == "restore"
		}) {
			continue
		}
		for id, is := range r.petView.stored {
			if r.since()-r.petView.since[id] < late {
				continue
			}
			if got, ok := x.pets.dir.Peek(id); ok && got.Pet != is {
				r.fail("memory", difference(got.Pet, is), "instance %d remembers %+v; for %s the store has had %+v",
					x.number, got.Pet, r.since()-r.petView.since[id], is)
			}
		}
	}
}

// checkPetsEnd checks that everything equals the chains when all faults are long over.
func (r *run) checkPetsEnd() {
	r.seen["webhook taken"] += r.receiver.taken
	if last := r.receiver.last; last < r.petView.seq {
		r.fail("webhook", "unsent", "the feed has %d events, the receiver %d", r.petView.seq, last)
	}
	for _, x := range r.instances {
		for _, id := range r.petIDs() {
			got, err := x.pets.dir.Pet(r.ctx, id)
			r.checkPetEnd(x, id, got, err)
		}
		r.checkListings(x)
	}
}

// checkListings checks the listings of all pets, of realms and of owners. Each must have exactly
// the store's pets that it selects, once each and in order.
func (r *run) checkListings(x *instance) {
	stored, err := x.db.PetsByID(r.ctx, r.petIDs())
	if err != nil {
		r.fail("store", "reading pets", "%v", err)
		return
	}
	queries := []pet.Query{{}, {Order: pet.Newest}}
	for _, realm := range r.petRealms {
		queries = append(queries, pet.Query{Realms: []string{realm.Key}})
	}
	for n := range 5 {
		owner := keeper(int(mix(r.Seed+uint64(n)) % 50))
		queries = append(queries, pet.Query{Owner: &owner},
			pet.Query{Owner: &owner, Realms: []string{r.petRealms[0].Key}})
	}
	for _, f := range r.collection.Filters() {
		for value := range 3 {
			queries = append(queries, pet.Query{Traits: map[string][]int{f.Key: {value}}},
				pet.Query{Traits: map[string][]int{f.Key: {value}}, Realms: []string{r.petRealms[1].Key}})
		}
	}
	census, err := x.db.PetCensus(r.ctx)
	if err != nil {
		r.fail("store", "counting pets", "%v", err)
		return
	}
	for _, q := range queries {
		var want, got []pet.Pet
		for _, id := range r.petIDs() {
			if p, ok := stored[id]; ok && r.selects(q, p) {
				want = append(want, p)
			}
		}
		if q.Order == pet.Newest {
			slices.Reverse(want)
		}
		q.Limit = 7
		for from, more := (pet.PagePosition{}), true; more && err == nil; more = from != (pet.PagePosition{}) {
			var page []pet.Pet
			page, from, err = x.db.ListPets(r.ctx, q, from)
			got = append(got, page...)
		}
		r.seen["listed"]++
		if err != nil || !slices.Equal(want, got) {
			r.fail("listings", "differ", "the listing %+v has %d pets, the store %d; %v", q, len(got), len(want), err)
		}
		if n, known := census.Count(q); known && n != uint64(len(want)) {
			r.fail("counts", "differ", "%d pets are counted for %+v, and the store has %d", n, q, len(want))
		}
	}
}

// selects reports whether a query selects a pet.
func (r *run) selects(q pet.Query, p pet.Pet) bool {
	for key, values := range q.Traits {
		for i := range r.collection.Fields {
			f := &r.collection.Fields[i]
			has := r.collection.Has(p.Value, f) && slices.Contains(values, int(r.collection.Uint(p.Value, f)))
			if f.Key == key && !has {
				return false
			}
		}
	}
	return !p.Burned && (len(q.Realms) == 0 || q.Realms[0] == p.Realm) && (q.Owner == nil || *q.Owner == p.Owner)
}

func (r *run) checkPetEnd(x *instance, id uint64, got pet.Pet, err error) {
	t := r.truthOf(id)
	_, burned := r.burns[id]
	switch {
	case t.owners > 1: // a reorganisation duplicated it
	case t.realm < 0 && burned && errors.Is(err, pet.ErrBurned): // even if a realm still has it in custody
	case t.realm < 0 && !burned && !t.held && !t.kept && errors.Is(err, pet.ErrBurned):
		r.fail("in the end", "burned without hatching", "pet %d never hatched, and instance %d says: %v", id,
			x.number, err)
	case t.realm < 0 && !t.held:
		unswept := t.kept && !r.sweptSinceClosing() // it may still be in the custody of a closed realm
		if r.petView.known[id] && !errors.Is(err, pet.ErrBurned) &&
			!(got.InTransit && (unswept || r.closed[id/pet.Band].Load())) {
			r.fail("in the end", "not burned", "pet %d is burned, and instance %d says: %+v, %v", id, x.number, got,
				err)
		}
	case err != nil:
		r.fail("in the end", err.Error(), "pet %d is %+v, and instance %d says: %v", id, t, x.number, err)
	case t.realm < 0:
		if !got.InTransit {
			r.fail("in the end", "not in transit", "pet %d is in transit, and instance %d has %+v", id, x.number, got)
		}
	case !r.same(t, got):
		r.fail("in the end", "otherwise", "pet %d is in %s as %+v, and instance %d has %+v", id, names[t.realm], t.pet,
			x.number, got)
	}
}

// sweptSinceClosing reports whether sweeps have looked at all pets since a realm last closed.
func (r *run) sweptSinceClosing() bool {
	if r.Pets.Sweep == 0 {
		return false
	}
	closed := 0
	for _, f := range r.Faults {
		if f.Kind == "close" {
			closed = max(closed, f.To)
		}
	}
	sweeps := int(r.since().Seconds()-float64(closed))/r.Pets.Sweep - 1
	return sweeps*sweepIDs >= len(r.petIDs())
}

// same reports whether got, a pet that the service returned, agrees with t.
func (r *run) same(t truth, got pet.Pet) bool {
	realm := r.petRealms[t.realm].Key
	return got.Realm == realm && !got.InTransit && got.Owner == t.pet.Owner && got.Name == t.pet.Fields[1]
}
