package book

import (
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/world"
)

var (
	ownerOf   = selector("ownerOf(uint256)")
	nextPetID = selector("nextPetId()")
)

// A PetContract says how a contract of pets behaves.
type PetContract struct {
	Address common.Address
	// Getter is the name of the view that returns a pet.
	Getter string
	// Types are the types of the fields of the struct that Getter returns, beginning with the id.
	Types []string
	// Older has the views that return only the first fields of the struct, and how many fields
	// each returns, including the id.
	Older map[string]int
	// Hatched and Updated are the names of the events that carry the struct.
	Hatched, Updated string
	// Offset is added to the numbers of its own pets, which begin at 1, to get their ids.
	Offset uint64
	// Relative says that nextPetId counts from the offset instead of from zero.
	Relative bool
	// Custody owns the pets that went to other realms. The zero address means the contract itself.
	Custody common.Address
	// KeepGuests says that a guest that leaves stays in custody instead of being burned.
	KeepGuests bool
}

// Pets is a contract of pets: an ERC-721 token whose getter returns a struct. A pet that travels
// keeps its id. Its home puts it into custody, and its host mints it.
type Pets struct {
	PetContract
	book    *Book
	getters map[[4]byte]int // how many fields each returns, the id included
	tuple   string          // the struct's type
	pets    map[uint64]history[Pet]
	hatched history[uint64]
}

// A Pet is one pet in one contract at one block.
type Pet struct {
	Owner  common.Address // zero means it is not there
	Fields []any          // the struct without the id, as world.Encode takes them
}

// AddPets adds a contract of pets at the genesis.
func (b *Book) AddPets(c PetContract) *Pets {
	if c.Custody == (common.Address{}) {
		c.Custody = c.Address
	}
	p := &Pets{PetContract: c, book: b, getters: map[[4]byte]int{selector(c.Getter + "(uint256)"): len(c.Types)},
		tuple: "(" + strings.Join(c.Types, ",") + ")", pets: map[uint64]history[Pet]{}, hatched: history[uint64]{}}
	for name, fields := range c.Older {
		p.getters[selector(name+"(uint256)")] = fields
	}
	b.AddContract(c.Address)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pets[c.Address] = p
	return p
}

// Pet returns a pet at a block.
func (p *Pets) Pet(at world.Block, id uint64) Pet {
	p.book.mu.RLock()
	defer p.book.mu.RUnlock()
	return p.pet(at, id)
}

func (p *Pets) pet(at world.Block, id uint64) Pet { return p.pets[id].at(p.book.chain, at) }

// next returns the id of the next pet that hatches here.
func (p *Pets) next(at world.Block) uint64 { return p.Offset + p.hatched.at(p.book.chain, at) + 1 }

// HasHatched reports whether the pet with an id of this contract had hatched by a block.
func (p *Pets) HasHatched(at world.Block, id uint64) bool {
	p.book.mu.RLock()
	defer p.book.mu.RUnlock()
	return id < p.next(at)
}

// IDs returns all pets that were ever here, in order.
func (p *Pets) IDs() []uint64 {
	p.book.mu.RLock()
	defer p.book.mu.RUnlock()
	return slices.Sorted(maps.Keys(p.pets))
}

// Hatch adds a new pet, and returns its id.
func (p *Pets) Hatch(at world.Block, to common.Address, fields ...any) (id uint64) {
	p.book.mu.Lock()
	defer p.book.mu.Unlock()
	id = p.next(at)
	p.hatched.set(at, id-p.Offset)
	p.move(at, id, to, fields)
	p.book.log(at, p.event(p.Hatched, to, id, fields))
	return id
}

// Update changes the fields of a pet. It logs l, or the event Updated if l has no topics. It
// reports false, and changes nothing, if the pet is not here.
func (p *Pets) Update(at world.Block, id uint64, l world.Log, fields ...any) bool {
	p.book.mu.Lock()
	defer p.book.mu.Unlock()
	was := p.pet(at, id)
	if was.Owner == (common.Address{}) {
		return false
	}
	p.set(at, id, Pet{Owner: was.Owner, Fields: fields})
	if len(l.Topics) == 0 {
		l = p.event(p.Updated, was.Owner, id, fields)
	}
	p.book.log(at, l)
	return true
}

// Transfer gives a pet to another owner. The zero address means that it is burned. It reports
// false, and changes nothing, if the pet is not here.
func (p *Pets) Transfer(at world.Block, id uint64, to common.Address) bool {
	p.book.mu.Lock()
	defer p.book.mu.Unlock()
	was := p.pet(at, id)
	if was.Owner == (common.Address{}) {
		return false
	}
	p.move(at, id, to, was.Fields)
	return true
}

// Send sends a pet to another realm. It reports false, and changes nothing, if nobody
// has the pet here.
func (p *Pets) Send(at world.Block, id, chain uint64) bool {
	p.book.mu.Lock()
	defer p.book.mu.Unlock()
	was, to := p.pet(at, id), p.Custody
	if was.Owner == (common.Address{}) || was.Owner == p.Custody {
		return false
	}
	if native := id > p.Offset && id < p.next(at); !native && !p.KeepGuests {
		to = common.Address{}
	}
	p.move(at, id, to, was.Fields)
	p.book.log(at, world.NewLog(p.Address, "PetSent(uint256,uint256)", 1, id, chain))
	return true
}

// Arrive takes a pet out of custody, or else mints it as a guest. If anyone else owns the pet here,
// Arrive changes nothing and returns false.
func (p *Pets) Arrive(at world.Block, id uint64, to common.Address, fields ...any) bool {
	p.book.mu.Lock()
	defer p.book.mu.Unlock()
	if was := p.pet(at, id); was.Owner != (common.Address{}) && was.Owner != p.Custody {
		return false
	}
	p.move(at, id, to, fields)
	p.book.log(at, world.NewLog(p.Address, "PetArrived(uint256,uint256)", 1, id, p.book.chain.ID))
	p.book.log(at, p.event(p.Updated, to, id, fields))
	return true
}

// set changes the state of a pet from a block on.
func (p *Pets) set(at world.Block, id uint64, to Pet) {
	if p.pets[id] == nil {
		p.pets[id] = history[Pet]{}
	}
	p.pets[id].set(at, to)
}

// move gives a pet to an owner, and logs it.
func (p *Pets) move(at world.Block, id uint64, to common.Address, fields []any) {
	from := p.pet(at, id).Owner
	if to == (common.Address{}) {
		fields = nil
	}
	p.set(at, id, Pet{Owner: to, Fields: fields})
	p.book.log(at, world.NewLog(p.Address, "Transfer(address,address,uint256)", 3, from, to, id))
}

// event makes one of the events that carry the struct.
func (p *Pets) event(name string, owner common.Address, id uint64, fields []any) world.Log {
	return world.NewLog(p.Address, name+"(address,uint256,"+p.tuple+")", 2, owner, id, p.body(id, fields))
}

// body returns the struct of a pet: its id, and as many of the fields as the struct has.
func (p *Pets) body(id uint64, fields []any) []any {
	return append([]any{id}, fields[:len(p.Types)-1]...)
}

// call answers a view.
func (p *Pets) call(at world.Block, data []byte) (out []byte, ok bool) {
	switch {
	case len(data) == 4 && [4]byte(data) == nextPetID:
		n := p.next(at)
		if p.Relative {
			n -= p.Offset
		}
		return world.Encode(n), true
	case len(data) == 36:
		id, ok := number64(data[4:])
		pet := p.pet(at, id)
		switch {
		case !ok || pet.Owner == (common.Address{}):
			return nil, false
		case [4]byte(data) == ownerOf:
			return world.Encode(pet.Owner), true
		}
		if fields := p.getters[[4]byte(data)]; fields > 0 {
			return world.Encode(p.body(id, pet.Fields)[:fields:fields]), true
		}
	}
	return nil, false
}

// number64 reads a word that fits into 64 bits.
func number64(word []byte) (uint64, bool) {
	n := new(big.Int).SetBytes(word)
	return n.Uint64(), n.IsUint64()
}
