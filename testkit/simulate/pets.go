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
		c.MaxLag = pick(r, c.MaxLag, c.MaxLag, 7200)
		if c.BlockTime == 0 && s.Pets.Busy < 60 {
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
			s.Faults = append(s.Faults, Fault{Kind: "reorg", From: at, To: at + 1, Chain: chain,
				Amount: 1 + r.Int64N(deepest)})
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
		return o.Kind == "restore" ||
			o.Chain == f.Chain && slices.Contains([]string{"reorg", "rekey", "reread"}, o.Kind)
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
	return slices.ContainsFunc(s.Faults, func(f Fault) bool {
		return f.Kind == "garble" && f.Chain == realm && f.at(at)
	})
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
		c.Getter = "getPetV2"
		c.Types = petTypes
		c.Hatched = "PetHatchedV2"
		c.Updated = "PetUpdatedV2"
	}
	if plan.Vault {
		c.Custody = bridge
	}
	return c
}

// realms returns the configured realms.
func (s Scenario) realms() (list []pet.Realm) {
	for i, plan := range s.Pets.Realms {
		c := s.petContract(i)
		offset := uint64(i) * pet.Band
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

// A petPlanner plans all transactions with pets.
type petPlanner struct {
	*kingdom
	r       *rand.Rand
	list    []change
	planned []*plannedPet
	hatched []int // by realm
	// later has what happens at a time because of what happened before.
	later map[time.Duration][]func(time.Duration)
}

// petChanges returns all transactions with pets.
func (k *kingdom) petChanges() (list []change) {
	p := &petPlanner{kingdom: k, r: rand.New(rand.NewPCG(k.Seed, 200)), hatched: make([]int, len(k.Pets.Realms)),
		later: map[time.Duration][]func(time.Duration){}}
	for i := range p.hatched {
		for range k.Pets.Each {
			p.next(i)
		}
	}
	lost := rand.New(rand.NewPCG(k.Seed, 201))
	k.burns = map[uint64]time.Duration{}
	for at := -5 * time.Minute; at < time.Duration(k.Minutes)*time.Minute-6*time.Minute; at += time.Second {
		for _, happens := range p.later[at] {
			happens(at)
		}
		for realm := range p.hatched {
			if k.reorgSoon(realm, at) {
				if at%(5*time.Second) == 0 {
					p.hatch(at, realm) // the reorg will undo this hatching
				}
				p.lose(lost, at, realm)
			}
			if at%(10*time.Second) == 0 && k.garbles(realm, at) && !k.closing(realm, at) {
				p.hatch(at, realm) // some of these pets cannot be read
			}
		}
		if p.r.IntN(max(1, k.Pets.Busy)) == 0 {
			p.happen(at)
		}
	}
	return p.list
}

// add adds a transaction with a pet.
func (p *petPlanner) add(at time.Duration, realm int, id uint64, act func(*book.Pets, world.Block)) {
	p.changeTimes = append(p.changeTimes, petTime{at: at, id: id})
	p.list = append(p.list, change{at: at, chain: realm, order: len(p.list),
		act: func(b world.Block) { act(p.pets[realm], b) }})
}

// next plans the next pet of a realm. n counts the pets of the realm from 0.
func (p *petPlanner) next(realm int) (id uint64, n int) {
	n = p.hatched[realm]
	p.hatched[realm]++
	id = uint64(realm)*pet.Band + uint64(n) + 1
	p.planned = append(p.planned, &plannedPet{id: id, realm: realm, fields: petFields(n)})
	return id, n
}

func (p *petPlanner) hatch(at time.Duration, realm int) {
	id, n := p.next(realm)
	p.add(at, realm, id, func(pets *book.Pets, at world.Block) { pets.Hatch(at, keeper(n), petFields(n)...) })
}

// happen hatches a pet or changes one, at random.
func (p *petPlanner) happen(at time.Duration) {
	b := p.planned[p.r.IntN(len(p.planned))]
	what := p.r.IntN(100)
	closing := p.closing(b.realm, at)
	if what < 8 && !closing {
		p.hatch(at, b.realm)
		return
	}
	if b.away || closing {
		return
	}
	to := keeper(p.r.IntN(50))
	switch {
	case what < 50:
		hungry := uint64(p.start.Add(at + 24*time.Hour).Unix())
		fields := slices.Clone(b.fields)
		fields[16] = hungry
		fields[19] = to
		b.fields = fields
		p.add(at, b.realm, b.id, func(pets *book.Pets, at world.Block) {
			fed := world.NewLog(pets.Address, "PetFed(address,uint256,uint8,uint64)", 1, to, b.id, uint64(1), hungry)
			pets.Update(at, b.id, fed, fields...)
		})
	case what < 65:
		fields := slices.Clone(b.fields)
		fields[1] = fmt.Sprintf("Name %d", p.r.IntN(1000))
		b.fields = fields
		p.add(at, b.realm, b.id, func(pets *book.Pets, at world.Block) {
			pets.Update(at, b.id, world.Log{}, fields...)
		})
	case what < 80:
		p.add(at, b.realm, b.id, func(pets *book.Pets, at world.Block) { pets.Transfer(at, b.id, to) })
	case what < 96:
		p.send(at, b, to)
	default:
		p.burn(at, b)
	}
}

// send sends a pet to another realm, where it arrives later and belongs to an owner.
func (p *petPlanner) send(at time.Duration, b *plannedPet, to common.Address) {
	host := (b.realm + 1 + p.r.IntN(2)) % 3
	if p.closing(host, at) {
		return
	}
	p.add(at, b.realm, b.id, func(pets *book.Pets, at world.Block) { pets.Send(at, b.id, uint64(1001+host)) })
	b.away = true
	later := at + time.Duration(10+p.r.IntN(240))*time.Second
	p.later[later] = append(p.later[later], func(at time.Duration) {
		b.away = false
		b.realm = host
		fields := b.fields
		p.add(at, host, b.id, func(pets *book.Pets, at world.Block) { pets.Arrive(at, b.id, to, fields...) })
	})
}

// burn burns a pet. Its home burns it too, a little later.
func (p *petPlanner) burn(at time.Duration, b *plannedPet) {
	p.burns[b.id] = at
	b.away = true
	burn := func(realm int) func(time.Duration) {
		return func(at time.Duration) {
			p.add(at, realm, b.id, func(pets *book.Pets, at world.Block) { pets.Transfer(at, b.id, nobody) })
		}
	}
	burn(b.realm)(at)
	if home := int(b.id / pet.Band); home != b.realm && !p.closing(home, at+5*time.Minute) {
		later := at + time.Duration(p.r.IntN(300))*time.Second
		p.later[later] = append(p.later[later], burn(home))
	}
}

// lose adds a change of a pet that a reorg removes for good.
func (p *petPlanner) lose(r *rand.Rand, at time.Duration, realm int) {
	fresh := r.IntN(4) == 0
	n := r.IntN(p.hatched[realm])
	if fresh {
		n = p.hatched[realm] + r.IntN(5) // the contract chooses the id
	}
	id := uint64(realm)*pet.Band + uint64(n) + 1
	owner := keeper(r.IntN(50))
	p.add(at, realm, id, func(pets *book.Pets, b world.Block) {
		switch was := pets.Pet(b, id); {
		case fresh || was.Owner == nobody:
			pets.Hatch(b, owner, petFields(n)...)
		case was.Owner != pets.Custody:
			pets.Transfer(b, id, owner)
		}
	})
	p.list[len(p.list)-1].lost = true
}

// A petTime is a time at which a pet changes.
type petTime struct {
	at time.Duration
	id uint64
}

// changedLately returns the pets that changed within a time up to now.
func (k *kingdom) changedLately(within time.Duration) (ids []uint64) {
	after := func(t time.Duration) int {
		return sort.Search(len(k.changeTimes), func(i int) bool { return k.changeTimes[i].at > t })
	}
	for _, p := range k.changeTimes[after(k.since()-within):after(k.since())] {
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
			t.realm = i
			t.pet = now
			t.owners++
		}
	}
	return t
}
