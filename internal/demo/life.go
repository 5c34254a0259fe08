package demo

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/world"
)

// A petWorld has the pets of all realms. Some are fed, renamed or sold again and again, some
// travel, and now and then one is burned. These events are all later than the time End.
type petWorld struct {
	choices  choices
	siblings func() *[3][petsPerRealm + 1]uint64
	fields   []collection.Field

	mu   sync.Mutex
	days map[int64][3][]event // events by day since 1970, then by realm; only a few days are kept
}

func newPetWorld(words map[string]collection.Table) *petWorld {
	return &petWorld{choices: kinds(words), siblings: sync.OnceValue(countSiblings), fields: collection.Pets().Fields,
		days: map[int64][3][]event{}}
}

// A rhythm is something that happens again and again.
type rhythm struct {
	first time.Time
	every time.Duration
}

const day = 24 * time.Hour

// newRhythm returns a rhythm of pet n of realm r. Its period is a random number of whole days: at
// least the argument days, and less than days+more.
func newRhythm(topic string, r, n uint64, days, more uint64) rhythm {
	every := time.Duration(days+toss(topic+"/every", r, n)%more) * day
	return rhythm{first: End.Add(time.Duration(toss(topic+"/first", r, n)%uint64(every/time.Second)) * time.Second),
		every: every}
}

// count returns how often the rhythm has happened by t.
func (y rhythm) count(t time.Time) uint64 {
	if t.Before(y.first) {
		return 0
	}
	return uint64(t.Sub(y.first)/y.every) + 1
}

// time returns the moment at which the rhythm happens for the nth time, counted from 1.
func (y rhythm) time(nth uint64) time.Time { return y.first.Add(time.Duration(nth-1) * y.every) }

// The habits of a pet depend on its number.
func eats(n uint64) bool      { return n%16 == 1 }
func isSold(n uint64) bool    { return n%48 == 5 }
func isRenamed(n uint64) bool { return n%48 == 21 }
func travels(n uint64) bool   { return n%50 == 10 }

func meals(r, n uint64) rhythm     { return newRhythm("meals", r, n, 6, 5) }
func resales(r, n uint64) rhythm   { return newRhythm("resales", r, n, 9, 6) }
func renamings(r, n uint64) rhythm { return newRhythm("renamings", r, n, 8, 7) }
func journeys(r, n uint64) rhythm  { return newRhythm("journeys", r, n, 16, 5) }

// A journey takes a pet to another realm and back. The first three times are counted from the
// beginning of the journey.
const (
	nightOver  = 14 * time.Hour        // the pet arrives in the other realm
	returnsOn  = 7 * day               // it leaves that realm
	backHome   = returnsOn + nightOver // it is back
	burnPeriod = 5 * day               // in each period at most one pet is burned
)

var someNames = []string{"Acorn", "Biscuit", "Clover", "Dapple", "Echo", "Fern", "Gingersnap", "Hazel", "Inkling",
	"Juniper", "Kestrel", "Lark", "Mistle", "Nutmeg", "Oriel", "Pip", "Quill", "Rowan", "Saffron", "Tansy"}

// burnedAt returns the time at which a pet is burned, or false if it never is. Some pets in the
// upper half of each realm are burned one after another, the highest number first.
func burnedAt(r, n uint64) (time.Time, bool) {
	if n <= petsPerRealm/2 || n%2 == 1 || travels(n) || eats(n) {
		return time.Time{}, false
	}
	turn := (petsPerRealm-n)/2*3 + r
	return End.Add(burnPeriod*time.Duration(turn) + 7*time.Hour), true
}

// split returns the realm and the number of a pet.
func split(id uint64) (r, n uint64) { return id / pet.Band, id % pet.Band }

// exists reports whether the pet with this id exists at t.
func exists(id uint64, t time.Time) bool {
	r, n := split(id)
	burned, ever := burnedAt(r, n)
	return r < uint64(len(networks)) && n > 0 && n <= petsPerRealm && (!ever || t.Before(burned))
}

// keeper returns who owns a pet at t. A bridge does not count as an owner.
func keeper(r, n uint64, t time.Time) common.Address {
	if isSold(n) {
		if times := resales(r, n).count(t); times > 0 {
			return owner(toss("buyer", r, n, times))
		}
	}
	return owner(toss("owner", r, n))
}

// stayAt returns the realm that a pet is in at t, or -1 if the pet is travelling. visited is a
// realm other than its home that the pet is in or was in before t. If there is no such realm,
// visited is -1 or the home.
func (w *petWorld) stayAt(r, n uint64, t time.Time) (here, visited int) {
	home := int(r)
	if named[r*pet.Band+n] != nil { // named pets never travel, but some have always been in another realm
		f := w.fate(home, n)
		if f.InTransit {
			return -1, -1
		}
		here := slices.IndexFunc(networks, func(c world.Chain) bool { return c.Name == f.Realm })
		return here, here
	}
	if !travels(n) {
		return home, -1
	}
	way := journeys(r, n)
	other := destination(r, n)
	times := way.count(t)
	if times == 0 {
		return home, -1
	}
	switch since := t.Sub(way.time(times)); {
	case since < nightOver && times == 1:
		return -1, -1
	case since < nightOver, since >= returnsOn && since < backHome:
		return -1, other
	case since < returnsOn:
		return other, other
	}
	return home, other
}

// destination returns the realm that pet n of realm r travels to.
func destination(r, n uint64) int { return int(r+1+(r+n)%2) % len(networks) }

// at returns a pet as it is at t. The pet must exist.
func (w *petWorld) at(id uint64, t time.Time) *fate {
	r, n := split(id)
	f := w.fate(int(r), n)
	switch {
	case eats(n):
		y := meals(r, n)
		if times := y.count(t); times > 0 {
			f.fedBy = owner(toss("meal/feeder", r, n, times))
			f.traits["foodType"] = 1 + toss("meal/food", r, n, times)%3
			f.traits["hungryAt"] = uint64(y.time(times).Add(time.Duration(2+toss("meal", r, n, times)%3) * day).Unix())
		}
	case isRenamed(n):
		if times := renamings(r, n).count(t); times > 0 {
			f.Name = someNames[toss("name", r, n, times)%uint64(len(someNames))]
		}
	}
	return f
}

// ownerIn returns the owner of a pet according to a realm's contract. It returns the zero address
// if the contract does not have the pet.
func (w *petWorld) ownerIn(realm int, id uint64, t time.Time) common.Address {
	if !exists(id, t) {
		return common.Address{}
	}
	r, n := split(id)
	switch here, visited := w.stayAt(r, n, t); realm {
	case here:
		return keeper(r, n, t)
	case int(r), visited:
		return custody(realm)
	}
	return common.Address{}
}

var (
	callOwner = crypto.Keccak256([]byte("ownerOf(uint256)"))[:4]
	callNext  = crypto.Keccak256([]byte("nextPetId()"))[:4]
	callV1    = crypto.Keccak256([]byte("getPet(uint256)"))[:4]
	callV2    = crypto.Keccak256([]byte("getPetV2(uint256)"))[:4]
)

// call executes a call to a realm's contract.
func (w *petWorld) call(t time.Time, realm int, data []byte) (out []byte, ok bool) {
	if bytes.Equal(data, callNext) {
		return world.Encode(uint64(realm)*pet.Band + petsPerRealm + 1), true
	}
	if len(data) != 36 || !bytes.Equal(data[4:28], make([]byte, 24)) {
		return nil, false
	}
	id := binary.BigEndian.Uint64(data[28:])
	has := w.ownerIn(realm, id, t)
	if has == (common.Address{}) {
		return nil, false
	}
	switch {
	case bytes.Equal(data[:4], callOwner):
		return world.Encode(has), true
	case realm == 0 && bytes.Equal(data[:4], callV1):
		return w.body(w.at(id, t), false), true
	case realm != 0 && bytes.Equal(data[:4], callV2): // this struct also says who fed the pet
		return w.body(w.at(id, t), true), true
	}
	return nil, false
}

// body returns the ABI encoding of a pet's struct. remembers is true for getPetV2, whose struct
// says who fed the pet.
func (w *petWorld) body(f *fate, remembers bool) []byte {
	out := make([]byte, 32, 32*32)
	out[31] = 32 // the offset of the struct
	name := 0    // where the offset of the name is
	for i := range w.fields {
		var word [32]byte
		field := w.fields[i].Name
		if !remembers && (field == "fedBy" || field == "foodType") {
			continue
		}
		switch field {
		case "id":
			binary.BigEndian.PutUint64(word[24:], f.ID)
		case "name":
			name = len(out)
		case "fedBy":
			copy(word[12:], f.fedBy[:])
		default:
			binary.BigEndian.PutUint64(word[24:], f.traits[field])
		}
		out = append(out, word[:]...)
	}
	binary.BigEndian.PutUint64(out[name+24:], uint64(len(out)-32))
	return append(out, world.Bytes([]byte(f.Name))...)
}

// An event is something that happened to a pet.
type event struct {
	at    time.Time
	realm int
	id    uint64
	kind  string
	nth   uint64
}

// between returns the events of a realm's contract after one time and up to another, in order.
func (w *petWorld) between(realm int, after, until time.Time) (list []event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for d := after.Unix() / int64(day.Seconds()); d <= until.Unix()/int64(day.Seconds()); d++ {
		today, known := w.days[d]
		if !known {
			if len(w.days) > 8 {
				clear(w.days)
			}
			today = w.eventsOf(time.Unix(d*int64(day.Seconds()), 0))
			w.days[d] = today
		}
		all := today[realm]
		from, _ := slices.BinarySearchFunc(all, after, func(e event, t time.Time) int {
			return cmp.Or(e.at.Compare(t), -1) // skips events at exactly t
		})
		for _, e := range all[from:] {
			if e.at.After(until) {
				break
			}
			list = append(list, e)
		}
	}
	return list
}

// eventsOf returns everything that happens on one day, by realm. from is the beginning of the day.
func (w *petWorld) eventsOf(from time.Time) (list [3][]event) {
	to := from.Add(day)
	add := func(e event) {
		if !e.at.Before(from) && e.at.Before(to) {
			list[e.realm] = append(list[e.realm], e)
		}
	}
	for r := range uint64(len(networks)) {
		for n := uint64(1); n <= petsPerRealm; n++ {
			w.events(r, n, to, add)
		}
	}
	for i := range list {
		slices.SortStableFunc(list[i], func(a, b event) int { return a.at.Compare(b.at) })
	}
	return list
}

// events calls add with the latest event of each kind that has happened to pet n of realm r by the
// given time. It also adds all steps of the latest journey, and the burning, even if these happen
// later.
func (w *petWorld) events(r, n uint64, to time.Time, add func(event)) {
	one := event{realm: int(r), id: r*pet.Band + n}
	lately := func(kind string, y rhythm, add func(event)) {
		one.nth = y.count(to)
		if one.nth > 0 {
			one.kind = kind
			one.at = y.time(one.nth)
			add(one)
		}
	}
	switch {
	case eats(n):
		lately("fed", meals(r, n), add)
	case isSold(n):
		lately("sold", resales(r, n), add)
	case isRenamed(n):
		lately("renamed", renamings(r, n), add)
	case travels(n):
		lately("travel", journeys(r, n), func(e event) {
			other := destination(r, n)
			add(e)
			for _, step := range []struct {
				after time.Duration
				realm int
			}{{nightOver, other}, {returnsOn, other}, {backHome, int(r)}} {
				next := e
				next.at = e.at.Add(step.after)
				next.realm = step.realm
				add(next)
			}
		})
	}
	if at, ever := burnedAt(r, n); ever {
		one.kind = "burned"
		one.at = at
		add(one)
	}
}

// log returns the event as the realm's contract emits it.
func (e event) log(w *petWorld) world.Log {
	contract := petContract(e.realm)
	switch e.kind {
	case "fed":
		f := w.at(e.id, e.at)
		return world.NewLog(contract, "PetFed(address,uint256,uint8,uint64)", 1,
			f.fedBy, e.id, f.traits["foodType"], f.traits["hungryAt"])
	case "renamed":
		return world.NewLog(contract, "MetadataUpdate(uint256)", 0, e.id)
	}
	return world.NewLog(contract, "Transfer(address,address,uint256)", 3,
		w.ownerIn(e.realm, e.id, e.at.Add(-time.Second)), w.ownerIn(e.realm, e.id, e.at), e.id)
}
