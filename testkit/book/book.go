// Package book is the state of a model chain, recorded block by block: balances, tokens and
// contracts of pets. The simulator uses it.
package book

import (
	"math/big"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"petsupply/internal/world"
)

func selector(signature string) [4]byte { return [4]byte(crypto.Keccak256([]byte(signature))) }

// The functions of an ERC-20 token.
var (
	totalSupply = selector("totalSupply()")
	balanceOf   = selector("balanceOf(address)")
	decimals    = selector("decimals()")
)

// A Book is a world.State of numbers and pets: balances of the gas token, results of views, and
// contracts of pets. It keeps the history of each on each branch, so that a reorganisation undoes
// its blocks. Fill each block before a node shows it. Fill the blocks of a branch in order, and a
// branch after those that it replaces.
type Book struct {
	chain     *world.Chain
	contracts map[common.Address]bool

	mu      sync.RWMutex // guards everything below
	numbers map[slot]history[*big.Int]
	pets    map[common.Address]*Pets
	logs    map[place][]world.Log
}

// A slot is one number: the answer of a contract to some calldata, or the balance of an account.
type slot struct {
	address common.Address
	data    string // "" for the balance
}

// A place is a block without its time.
type place struct {
	number uint64
	branch int
}

// New gives a chain an empty book as its state.
func New(c *world.Chain) *Book {
	b := &Book{chain: c, contracts: map[common.Address]bool{},
		numbers: map[slot]history[*big.Int]{}, pets: map[common.Address]*Pets{}, logs: map[place][]world.Log{}}
	c.State = b
	return b
}

// get returns a number at a block, nil if it was never set.
func (b *Book) get(at world.Block, s slot) *big.Int { return b.numbers[s].at(b.chain, at) }

// set sets a number from a block on.
func (b *Book) set(at world.Block, s slot, value *big.Int) {
	if b.numbers[s] == nil {
		b.numbers[s] = history[*big.Int]{}
	}
	b.numbers[s].set(at, value)
}

// log adds an event to a block.
func (b *Book) log(at world.Block, l world.Log) {
	where := place{number: at.Number, branch: at.Branch}
	b.logs[where] = append(b.logs[where], l)
}

// add changes a number. It reports false if the number would go below 0.
func (b *Book) add(at world.Block, s slot, change *big.Int) bool {
	old := b.get(at, s)
	if old == nil {
		old = new(big.Int)
	}
	value := new(big.Int).Add(old, change)
	if value.Sign() < 0 {
		return false
	}
	b.set(at, s, value)
	return true
}

// AddContract adds a contract at the genesis. The contract answers balanceOf, and the calls that
// SetView sets.
func (b *Book) AddContract(address common.Address) { b.contracts[address] = true }

// AddToken adds an ERC-20 token at the genesis.
func (b *Book) AddToken(address common.Address, places uint8) {
	b.AddContract(address)
	genesis := world.Block{Time: b.chain.Blocks.Time(0)}
	b.SetView(genesis, address, decimals[:], big.NewInt(int64(places)))
	b.SetView(genesis, address, totalSupply[:], new(big.Int))
}

// SetView sets the answer of a contract to some calldata, from a block on.
func (b *Book) SetView(at world.Block, contract common.Address, calldata []byte, value *big.Int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.set(at, slot{address: contract, data: string(calldata)}, value)
}

// Give adds an amount, which may be negative, to an account's balance of the gas token. It reports
// false, and changes nothing, if the account has too little.
func (b *Book) Give(at world.Block, to common.Address, amount *big.Int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.add(at, slot{address: to}, amount)
}

// Move moves tokens from a holder to another. From the zero address they are minted,
// to the zero address they are burned. It reports false, and changes nothing, if the
// holder has too few.
func (b *Book) Move(at world.Block, token, from, to common.Address, amount *big.Int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	zero := common.Address{}
	if from != zero && !b.add(at, slot{address: token, data: holding(from)}, new(big.Int).Neg(amount)) {
		return false
	}
	if to != zero {
		b.add(at, slot{address: token, data: holding(to)}, amount)
	}
	switch supply := (slot{address: token, data: string(totalSupply[:])}); {
	case from == zero && to != zero:
		b.add(at, supply, amount)
	case from != zero && to == zero:
		b.add(at, supply, new(big.Int).Neg(amount))
	}
	b.log(at, world.NewLog(token, "Transfer(address,address,uint256)", 2, from, to, amount))
	return true
}

// holding returns the calldata for a holder's balance.
func holding(of common.Address) string {
	return string(balanceOf[:]) + string(common.LeftPadBytes(of[:], 32))
}

// Call returns the result of a view at a block.
func (b *Book) Call(at world.Block, to common.Address, data []byte) (out []byte, ok bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if pets := b.pets[to]; pets != nil {
		return pets.call(at, data)
	}
	value := b.get(at, slot{address: to, data: string(data)})
	if value == nil && len(data) == 36 && [4]byte(data) == balanceOf {
		value = new(big.Int)
	}
	if value == nil {
		return nil, false
	}
	return world.Word(value), true
}

// Balance returns an account's balance of the gas token.
func (b *Book) Balance(at world.Block, of common.Address) *big.Int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if value := b.get(at, slot{address: of}); value != nil {
		return value
	}
	return new(big.Int)
}

// HasCode reports whether there is a contract.
func (b *Book) HasCode(_ world.Block, address common.Address) bool { return b.contracts[address] }

// Logs returns the events of a block.
func (b *Book) Logs(at world.Block) []world.Log {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.logs[place{number: at.Number, branch: at.Branch}]
}
