package world

import (
	"math/big"
	"sort"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// The functions and the event of an ERC-20 token.
var (
	totalSupply = selector("totalSupply()")
	balanceOf   = selector("balanceOf(address)")
	decimals    = selector("decimals()")
	transferred = common.Hash(crypto.Keccak256([]byte("Transfer(address,address,uint256)")))
)

// A Book is a State of numbers: balances of the gas token, and what views of
// contracts return. It keeps the history of each number on each branch, so that a
// reorganisation undoes what its blocks did. Fill it before nodes answer from it: the
// blocks of a branch in their order, a branch after those that it replaces.
type Book struct {
	chain     *Chain
	contracts map[common.Address]bool
	numbers   map[slot]map[int][]entry // by branch
	logs      map[place][]Log
}

// A slot is one number: what a contract answers to some calldata, or the balance of
// an account.
type slot struct {
	address common.Address
	data    string // "" for the balance
}

// An entry is the value of a slot from a block on.
type entry struct {
	number uint64
	value  *big.Int
}

// A place is a block without its time.
type place struct {
	number uint64
	branch int
}

// NewBook gives a chain an empty book as its state.
func NewBook(c *Chain) *Book {
	b := &Book{chain: c, contracts: map[common.Address]bool{},
		numbers: map[slot]map[int][]entry{}, logs: map[place][]Log{}}
	c.State = b
	return b
}

// ancestor returns the branch that the block with a number is on, as seen from a
// later block on another branch.
func (c *Chain) ancestor(number uint64, branch int) int {
	for branch > 0 && c.Reorgs[branch-1].From > number {
		branch--
	}
	return branch
}

// get returns a number at a block, nil if it was never set.
func (b *Book) get(at Block, s slot) *big.Int {
	histories := b.numbers[s]
	if histories == nil {
		return nil
	}
	for number, branch := at.Number, at.Branch; ; {
		history := histories[branch]
		if i := sort.Search(len(history), func(i int) bool { return history[i].number > number }); i > 0 {
			return history[i-1].value
		}
		if branch == 0 {
			return nil
		}
		from := b.chain.Reorgs[branch-1].From
		if from == 0 {
			return nil
		}
		number = from - 1
		branch = b.chain.ancestor(number, branch-1)
	}
}

// set sets a number from a block on.
func (b *Book) set(at Block, s slot, value *big.Int) {
	if b.numbers[s] == nil {
		b.numbers[s] = map[int][]entry{}
	}
	history := b.numbers[s][at.Branch]
	if n := len(history); n > 0 && history[n-1].number == at.Number {
		history[n-1].value = value
		return
	}
	b.numbers[s][at.Branch] = append(history, entry{number: at.Number, value: value})
}

// add changes a number, and reports whether it could: none goes below 0.
func (b *Book) add(at Block, s slot, change *big.Int) bool {
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

// AddContract puts a contract there, at the genesis. It answers views that were set,
// and those of a token if it is one.
func (b *Book) AddContract(address common.Address) { b.contracts[address] = true }

// AddToken puts an ERC-20 token there, at the genesis.
func (b *Book) AddToken(address common.Address, places uint8) {
	b.AddContract(address)
	b.SetView(b.chain.genesis(), address, decimals[:], big.NewInt(int64(places)))
	b.SetView(b.chain.genesis(), address, totalSupply[:], new(big.Int))
}

func (c *Chain) genesis() Block { return Block{Time: c.Blocks.Time(0)} }

// SetView sets what a contract returns for some calldata, from a block on.
func (b *Book) SetView(at Block, contract common.Address, calldata []byte, value *big.Int) {
	b.set(at, slot{address: contract, data: string(calldata)}, value)
}

// Give changes an account's balance of the gas token. It reports false, and changes
// nothing, if the account has too little.
func (b *Book) Give(at Block, to common.Address, amount *big.Int) bool {
	return b.add(at, slot{address: to}, amount)
}

// Move moves tokens from a holder to another. From the zero address they are minted,
// to the zero address they are burned. It reports false, and changes nothing, if the
// holder has too few.
func (b *Book) Move(at Block, token, from, to common.Address, amount *big.Int) bool {
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
	where := place{number: at.Number, branch: at.Branch}
	b.logs[where] = append(b.logs[where], Log{Address: token, Data: Word(amount),
		Topics: []common.Hash{transferred, common.BytesToHash(from[:]), common.BytesToHash(to[:])}})
	return true
}

// holding is the calldata that asks for a holder's balance.
func holding(of common.Address) string {
	return string(balanceOf[:]) + string(common.LeftPadBytes(of[:], 32))
}

// Call returns what a view returns at a block.
func (b *Book) Call(at Block, to common.Address, data []byte) (out []byte, ok bool) {
	value := b.get(at, slot{address: to, data: string(data)})
	if value == nil && len(data) == 36 && [4]byte(data) == balanceOf {
		value = new(big.Int)
	}
	if value == nil {
		return nil, false
	}
	return Word(value), true
}

// Balance returns an account's balance of the gas token.
func (b *Book) Balance(at Block, of common.Address) *big.Int {
	if value := b.get(at, slot{address: of}); value != nil {
		return value
	}
	return new(big.Int)
}

// HasCode reports whether there is a contract.
func (b *Book) HasCode(_ Block, address common.Address) bool { return b.contracts[address] }

// Logs returns the transfers of a block.
func (b *Book) Logs(at Block) []Log { return b.logs[place{number: at.Number, branch: at.Branch}] }
