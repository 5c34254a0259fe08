package simulate

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
	"petsupply/internal/world"
	"petsupply/testkit/book"
)

// A PetPlan is the configuration of a world of pets: a realm on each chain.
type PetPlan struct {
	Each   int         `json:"each"`  // pets of each realm at the start
	Busy   int         `json:"busy"`  // seconds between two changes of any pets, on average
	Sweep  int         `json:"sweep"` // seconds between sweeps of old rows; 0 means never
	Realms []RealmPlan `json:"realms"`
}

// sweepIDs is how many rows a sweep reads.
const sweepIDs = 20

// A RealmPlan is the configuration of one realm.
type RealmPlan struct {
	Version    int  `json:"version"` // version of the struct that the pet contract returns: 1 or 2
	Relative   bool `json:"relative,omitempty"`
	KeepGuests bool `json:"keepGuests,omitempty"`
	Vault      bool `json:"vault,omitempty"` // custody is not the contract itself
	StartBlock bool `json:"startBlock,omitempty"`
}

// The kinds of faults of chains, stores and realms in worlds with pets. Providers and instances have
// the same faults as in worlds with figures.
var (
	ofPetChains = []string{"reorg", "slowchain", "behind", "garble"}
	ofPetStores = []string{"slowstore", "away"}
	ofRealms    = []string{"reread", "rekey", "close"}
)

// DrawPets makes a scenario with pets from a seed.
func DrawPets(seed uint64, mix ...string) Scenario {
	r := rand.New(rand.NewPCG(seed, 2))
	s := Scenario{Seed: seed, Minutes: pick(r, 30, 30, 30, 60, 120), Every: pick(r, 10, 20, 30),
		Instances: pick(r, 1, 1, 2, 3)}
	s.Pets = &PetPlan{Each: pick(r, 5, 30, 100), Busy: pick(r, 2, 10, 60), Sweep: pick(r, 0, 120)}
	for range 3 {
		c := drawChain(r)
		if c.MaxLag = pick(r, c.MaxLag, c.MaxLag, 7200); c.BlockTime == 0 && s.Pets.Busy < 60 {
			c.BlockTime = 1 // otherwise two providers never have the same newest block
		}
		s.Chains = append(s.Chains, c)
		s.Pets.Realms = append(s.Pets.Realms, RealmPlan{Version: pick(r, 1, 2, 2), Relative: r.IntN(2) == 0,
			KeepGuests: r.IntN(3) == 0, Vault: r.IntN(2) == 0, StartBlock: r.IntN(2) == 0})
	}
	// Some kinds are drawn more often: few kills hit a transaction, and few realms can close.
	kinds := slices.Concat(ofProviders, ofPetChains[:3], ofPetChains[:3], ofInstances, ofPetStores, ofRealms,
		[]string{"refuse", "kill", "kill", "close"})
	kinds = pickSome(r, kinds, mix)
	if len(mix) == 0 { // these draws came later, so they leave the worlds of older seeds mostly as they were
		later := rand.New(rand.NewPCG(seed, 3))
		s.addSituation(later, pick(later, "", "", "shallow", "garble", "repin", "oldstore"))
	}
	for range 2 + r.IntN(8) {
		kind := kinds[r.IntN(len(kinds))]
		if s.addSituation(r, kind) {
			continue
		}
		f := s.drawFault(r, kind)
		switch f.Kind {
		case "reorg":
			// After a reorg of 200 blocks, the indexer reads the realm from the start.
			f.Amount = pick(r, 1, 3, 8, 30, 200, 200, int64(200))
		case "behind":
			f.Amount = pick(r, int64(60), 600, 3600)
		case "slowstore":
			f.Amount = pick(r, int64(300), 3000)
		case "refuse":
			f.Amount = pick(r, int64(0), 1) // 0: the receiver answers 503; 1: it hangs
		case "lie":
			f.Provider = 0 // one liar on each chain, because a quorum of liars is believed
			s.Chains[f.Chain].Quorum = max(2, s.Chains[f.Chain].Quorum)
		}
		s.Faults = append(s.Faults, f)
	}
	slices.SortStableFunc(s.Faults, func(a, b Fault) int { return a.From - b.From })
	s.Faults = slices.DeleteFunc(s.Faults, func(f Fault) bool { return f.Kind == "close" && !s.mayClose(f) })
	return s
}

// addSituation adds the faults of a situation that single faults rarely make. It reports whether
// there is one of that name.
//   - shallow: many reorgs of a few blocks
//   - repin: a realm is read from the start while its nodes keep little state and blocks are removed
//   - garble: a contract answers nonsense about some pets
//   - oldstore: a store that is not even a minute old is restored
func (s *Scenario) addSituation(r *rand.Rand, name string) bool {
	last := s.Minutes*60 - s.quiet() - 60
	from := 180 + r.IntN(last-420)
	chain := r.IntN(3)
	storm := func(from, to int, deepest int64) {
		for at := from; at < to; at += 4 + r.IntN(6) {
			s.Faults = append(s.Faults, Fault{Kind: "reorg", From: at, To: at + 1, Chain: chain, Amount: 1 + r.Int64N(deepest)})
		}
	}
	switch name {
	case "shallow":
		storm(from, from+30+r.IntN(60), 6)
	case "repin":
		s.Chains[chain].BlockTime = 1
		s.Chains[chain].Finality = "latest"
		for p := range providers {
			s.Faults = append(s.Faults, Fault{Kind: "forget", From: from, To: from + 170, Chain: chain, Provider: p,
				Amount: 1 + r.Int64N(2)})
		}
		s.Pets.Realms[chain].Version = 2
		s.Faults = append(s.Faults, Fault{Kind: "reread", From: from, To: from + 1, Chain: chain})
		storm(from+5, from+150, 3)
	case "garble":
		s.Faults = append(s.Faults, Fault{Kind: "garble", From: from, To: from + 100 + r.IntN(120), Chain: chain})
	case "oldstore":
		s.Faults = append(s.Faults, Fault{Kind: "restore", From: from, To: from + 25 + r.IntN(30)})
	default:
		return false
	}
	return true
}

// mayClose reports whether the fault can close its realm. A closed realm is not read again, so no
// fault of the scenario may lose the data of its pets.
func (s Scenario) mayClose(f Fault) bool {
	return !slices.ContainsFunc(s.Faults, func(o Fault) bool {
		return o.Kind == "restore" || o.Chain == f.Chain && slices.Contains([]string{"reorg", "rekey", "reread"}, o.Kind)
	})
}

// closing reports whether a realm is closed, or closes within six minutes. Nothing new begins in it
// then, so that pets on their way to it or from it arrive before it closes.
func (s Scenario) closing(realm int, at time.Duration) bool {
	return slices.ContainsFunc(s.Faults, func(f Fault) bool {
		return f.Kind == "close" && f.Chain == realm && at >= time.Duration(f.From)*time.Second-6*time.Minute
	})
}

// reorgSoon reports whether the chain of a realm is reorganised within a minute.
func (s Scenario) reorgSoon(realm int, at time.Duration) bool {
	return slices.ContainsFunc(s.Faults, func(f Fault) bool {
		left := time.Duration(f.From)*time.Second - at
		return f.Kind == "reorg" && f.Chain == realm && left > 0 && left < time.Minute
	})
}

// garbles reports whether the contract of a realm answers nonsense about some pets.
func (s Scenario) garbles(realm int, at time.Duration) bool {
	return slices.ContainsFunc(s.Faults, func(f Fault) bool { return f.Kind == "garble" && f.Chain == realm && f.at(at) })
}

// petTypes are the types of the struct that getPetV2 returns. That of getPet lacks the last two.
var petTypes = strings.Fields("uint256 uint8 string uint8 uint8 uint8 uint8 uint8 uint8 uint8 uint8 uint8 uint8 " +
	"uint8 uint16 uint8 uint8 uint64 uint64 uint256 address uint8")

// petAt returns the address of a realm's contract.
func petAt(i int) common.Address { return common.BytesToAddress([]byte{0x9e, byte(i + 1)}) }

// bridge is an address that has pets in custody.
var bridge = common.HexToAddress("0xb41d6e")

// keeper returns one of the owners of pets.
func keeper(n int) common.Address { return common.BytesToAddress([]byte{0x4e, byte(n%50 + 1)}) }

// petContract returns the contract of realm i.
func (s Scenario) petContract(i int) book.PetContract {
	plan := s.Pets.Realms[i]
	c := book.PetContract{Address: petAt(i), Getter: "getPet", Types: petTypes[:20], Hatched: "PetHatched",
		Updated: "PetUpdated", Offset: uint64(i) * pet.Band, Relative: plan.Relative, KeepGuests: plan.KeepGuests}
	if plan.Version == 2 {
		c.Older = map[string]int{"getPet": 20}
		c.Getter, c.Types, c.Hatched, c.Updated = "getPetV2", petTypes, "PetHatchedV2", "PetUpdatedV2"
	}
	if plan.Vault {
		c.Custody = bridge
	}
	return c
}

// realms returns the configured realms.
func (s Scenario) realms() (list []pet.Realm) {
	for i, plan := range s.Pets.Realms {
		c, offset := s.petContract(i), uint64(i)*pet.Band
		r := pet.Realm{Key: names[i], Name: names[i], Offset: &offset, Chain: names[i], Contract: c.Address,
			Getter: fmt.Sprintf("v%d", plan.Version), Custody: []common.Address{c.Address}}
		if plan.Vault {
			r.Custody[0] = c.Custody
		}
		if plan.StartBlock {
			r.StartBlock = 1
		}
		list = append(list, r)
	}
	return list
}

// petFields returns the fields of a new pet.
func petFields(n int) []any {
	u := func(n int) any { return uint64(n) }
	return []any{u(1), "", u(2), u(n % 5), u(n % 4), u(n % 8), u(1), u(1), u(2), u(0), u(0), u(0), u(0),
		u(1 + n%9), u(n % 11), u(n % 2), u(1), u(2), new(big.Int), nobody, u(0)}
}

// A plannedPet is a pet in the plan of all changes.
type plannedPet struct {
	id     uint64
	realm  int
	away   bool // between two realms, or burned
	fields []any
}

// petChanges returns all transactions with pets.
func (k *kingdom) petChanges() (list []change) {
	r := rand.New(rand.NewPCG(k.Seed, 200))
	add := func(at time.Duration, realm int, id uint64, act func(*book.Pets, world.Block)) {
		k.plays = append(k.plays, play{at: at, id: id})
		list = append(list, change{at: at, chain: realm, order: len(list),
			act: func(b world.Block) { act(k.pets[realm], b) }})
	}
	var planned []*plannedPet
	next := make([]int, len(k.Pets.Realms))
	for i := range next {
		for n := range k.Pets.Each {
			planned = append(planned,
				&plannedPet{id: uint64(i)*pet.Band + uint64(n) + 1, realm: i, fields: petFields(n)})
		}
		next[i] = k.Pets.Each
	}
	hatch := func(at time.Duration, realm int) {
		n := next[realm]
		next[realm]++
		fresh := &plannedPet{id: uint64(realm)*pet.Band + uint64(n) + 1, realm: realm, fields: petFields(n)}
		planned = append(planned, fresh)
		add(at, realm, fresh.id, func(p *book.Pets, at world.Block) { p.Hatch(at, keeper(n), petFields(n)...) })
	}
	lose := k.losses(&list, next)
	k.burns = map[uint64]time.Duration{}
	back := map[time.Duration][]func(time.Duration){}
	for at := -5 * time.Minute; at < time.Duration(k.Minutes)*time.Minute-6*time.Minute; at += time.Second {
		for _, arrive := range back[at] {
			arrive(at)
		}
		for realm := range next {
			if at%(5*time.Second) == 0 && k.reorgSoon(realm, at) {
				hatch(at, realm) // the reorg will undo this hatching
			}
			if k.reorgSoon(realm, at) {
				lose(at, realm)
			}
			if at%(10*time.Second) == 0 && k.garbles(realm, at) {
				hatch(at, realm) // some of these pets cannot be read
			}
		}
		if r.IntN(max(1, k.Pets.Busy)) > 0 {
			continue
		}
		b := planned[r.IntN(len(planned))]
		what := r.IntN(100)
		if what < 8 && !k.closing(b.realm, at) {
			hatch(at, b.realm)
			continue
		}
		if b.away || k.closing(b.realm, at) {
			continue
		}
		id, to := b.id, keeper(r.IntN(50))
		switch {
		case what < 50:
			fields := slices.Clone(b.fields)
			fields[16], fields[19] = uint64(k.start.Add(at+24*time.Hour).Unix()), any(to)
			b.fields = fields
			add(at, b.realm, id, func(p *book.Pets, at world.Block) {
				fed := world.NewLog(p.Address, "PetFed(address,uint256,uint8,uint64)", 1, to, id, uint64(1), fields[16])
				p.Update(at, id, fed, fields...)
			})
		case what < 65:
			fields := slices.Clone(b.fields)
			fields[1] = fmt.Sprintf("Name %d", r.IntN(1000))
			b.fields = fields
			add(at, b.realm, id, func(p *book.Pets, at world.Block) { p.Update(at, id, world.Log{}, fields...) })
		case what < 80:
			add(at, b.realm, id, func(p *book.Pets, at world.Block) { p.Transfer(at, id, to) })
		case what < 96:
			host := (b.realm + 1 + r.IntN(2)) % 3
			if k.closing(host, at) {
				continue
			}
			add(at, b.realm, id, func(p *book.Pets, at world.Block) { p.Send(at, id, uint64(1001+host)) })
			b.away = true
			later := at + time.Duration(10+r.IntN(240))*time.Second
			back[later] = append(back[later], func(at time.Duration) {
				b.away, b.realm = false, host
				fields := b.fields
				add(at, host, id, func(p *book.Pets, at world.Block) { p.Arrive(at, id, to, fields...) })
			})
		default:
			k.burns[id] = at
			b.away = true
			add(at, b.realm, id, func(p *book.Pets, at world.Block) { p.Transfer(at, id, nobody) })
			// Its home burns it too, a little later.
			if home := int(id / pet.Band); home != b.realm && !k.closing(home, at+5*time.Minute) {
				later := at + time.Duration(r.IntN(300))*time.Second
				back[later] = append(back[later], func(at time.Duration) {
					add(at, home, id, func(p *book.Pets, at world.Block) { p.Transfer(at, id, nobody) })
				})
			}
		}
	}
	return list
}

// losses returns a function that adds changes of pets which a reorg removes for good. next has the
// number of pets that each realm has hatched.
func (k *kingdom) losses(list *[]change, next []int) func(at time.Duration, realm int) {
	r := rand.New(rand.NewPCG(k.Seed, 201))
	return func(at time.Duration, realm int) {
		fresh := r.IntN(4) == 0
		n := r.IntN(next[realm])
		if fresh {
			n = next[realm] + r.IntN(5) // the contract chooses the id
		}
		id := uint64(realm)*pet.Band + uint64(n) + 1
		owner := keeper(r.IntN(50))
		k.plays = append(k.plays, play{at: at, id: id})
		*list = append(*list, change{at: at, chain: realm, order: len(*list), lost: true, act: func(b world.Block) {
			p := k.pets[realm]
			switch was := p.Pet(b, id); {
			case fresh || was.Owner == nobody:
				p.Hatch(b, owner, petFields(n)...)
			case was.Owner != p.Custody:
				p.Transfer(b, id, owner)
			}
		}})
	}
}

// A play is a time at which a pet changes.
type play struct {
	at time.Duration
	id uint64
}

// changedLately returns the pets that changed within a time up to now.
func (k *kingdom) changedLately(within time.Duration) (ids []uint64) {
	after := func(t time.Duration) int {
		return sort.Search(len(k.plays), func(i int) bool { return k.plays[i].at > t })
	}
	for _, p := range k.plays[after(k.since()-within):after(k.since())] {
		ids = append(ids, p.id)
	}
	return ids
}

// addPets adds the contract of realm i to its chain, with its first pets.
func (k *kingdom) addPets(i int, state *book.Book) {
	p := state.AddPets(k.petContract(i))
	k.pets = append(k.pets, p)
	for n := range k.Pets.Each {
		p.Hatch(world.Block{}, keeper(n), petFields(n)...)
	}
}

// A truth is the real place and state of a pet.
type truth struct {
	realm  int  // where it is owned; -1 means nowhere
	held   bool // an open realm has it in custody
	kept   bool // a closed realm has it in custody
	owners int  // number of realms where it is owned
	pet    book.Pet
}

// exists reports whether a realm has a pet at a time.
func (k *kingdom) exists(id uint64, at time.Duration) bool {
	for i, p := range k.pets {
		if p.Pet(world.View{Chain: k.chains[i], At: k.start.Add(at)}.Head(), id).Owner != nobody {
			return true
		}
	}
	return false
}

// truthOf returns where a pet was a minute ago.
func (k *kingdom) truthOf(id uint64) truth { return k.truthAt(id, k.since()-time.Minute) }

// truthAt returns where a pet was at a time.
func (k *kingdom) truthAt(id uint64, at time.Duration) truth {
	t := truth{realm: -1}
	for i, p := range k.pets {
		closed := k.closed[i].Load()
		now := p.Pet(world.View{Chain: k.chains[i], At: k.start.Add(at)}.Head(), id)
		switch {
		case now.Owner == nobody:
		case now.Owner == p.Custody && closed: // a closed realm does not learn whether the pet was burned elsewhere
			t.kept = true
		case now.Owner == p.Custody:
			t.held = true
		default:
			t.realm, t.pet = i, now
			t.owners++
		}
	}
	return t
}
