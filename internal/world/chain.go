package world

import (
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"sort"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// A Chain is one network of the model. Its fields determine its state at any time.
type Chain struct {
	Name   string
	ID     uint64
	Blocks Schedule
	// Finality is how many blocks the finalized block is behind the newest. The safe block is half
	// as far behind.
	Finality uint64
	// Multicall is the address of Multicall3, zero if there is none.
	Multicall common.Address
	State     State
	// Reorgs are the reorganisations, in the order of their times.
	Reorgs []Reorg
}

// A Reorg happens at the time At. It replaces block From and all later blocks.
type Reorg struct {
	At   time.Time
	From uint64
}

// A Schedule says when a chain makes its blocks.
type Schedule interface {
	// Newest returns the number of the newest block that exists at the given time.
	Newest(at time.Time) uint64
	// Time returns the time of a block, in whole seconds.
	Time(number uint64) time.Time
}

// Steady makes a block at Genesis, and then one after each interval Every.
type Steady struct {
	Genesis time.Time
	Every   time.Duration
}

// Newest returns the number of the newest block that exists at the given time.
func (s Steady) Newest(at time.Time) uint64 { return uint64(max(0, at.Sub(s.Genesis)) / s.Every) }

// Time returns the time of a block.
func (s Steady) Time(number uint64) time.Time {
	return s.Genesis.Add(time.Duration(number) * s.Every).UTC().Truncate(time.Second)
}

// OnDemand makes a block at each of its times. The first block is the genesis.
type OnDemand []time.Time

// Newest returns the number of the newest block that exists at the given time.
func (d OnDemand) Newest(at time.Time) uint64 {
	return uint64(max(0, sort.Search(len(d), func(i int) bool { return d[i].After(at) })-1))
}

// Time returns the time of a block.
func (d OnDemand) Time(number uint64) time.Time { return d[number].UTC().Truncate(time.Second) }

// A Block is one block of a chain. Blocks with the same number on different branches are different
// blocks.
type Block struct {
	Number uint64
	Time   time.Time
	Branch int // how many reorganisations there were when this block became part of the chain
}

// State is the state of a chain's contracts and accounts. The result of a method depends only on
// its arguments.
type State interface {
	// Call returns the answer of a contract; ok is false if it reverts.
	Call(at Block, to common.Address, data []byte) (out []byte, ok bool)
	// Balance returns an account's balance of the gas token.
	Balance(at Block, of common.Address) *big.Int
	// HasCode reports whether there is a contract at an address.
	HasCode(at Block, address common.Address) bool
	// Logs returns the events of one block, in order.
	Logs(at Block) []Log
}

// A Log is one event.
type Log struct {
	Address common.Address
	Topics  []common.Hash
	Data    []byte
}

// A View is a chain as a node sees it at one moment.
type View struct {
	*Chain
	At time.Time
}

// Head returns the newest block.
func (v View) Head() Block { return v.Block(v.Blocks.Newest(v.At)) }

// Block returns the block with a number, which must not be above the head.
func (v View) Block(number uint64) Block {
	branch := 0
	for i, r := range v.Reorgs {
		if r.At.After(v.At) {
			break
		}
		if r.From <= number {
			branch = i + 1
		}
	}
	return Block{Number: number, Time: v.Blocks.Time(number), Branch: branch}
}

// Hash returns a block's hash. The second half of the hash is the block's number and branch, so
// that ByHash needs no search.
func (c *Chain) Hash(b Block) (hash common.Hash) {
	binary.BigEndian.PutUint64(hash[16:], b.Number)
	binary.BigEndian.PutUint64(hash[24:], uint64(b.Branch))
	text := append(binary.BigEndian.AppendUint64([]byte("petsupply world/"), c.ID), hash[16:]...)
	sum := sha256.Sum256(text) // faster than Keccak
	copy(hash[:16], sum[:])
	return hash
}

// Parent returns the hash of the block before b, or the zero hash for the genesis.
func (v View) Parent(b Block) common.Hash {
	if b.Number == 0 {
		return common.Hash{}
	}
	return v.Hash(v.Block(b.Number - 1))
}

// ByHash returns the block with a hash, if it is part of the chain in this view.
func (v View) ByHash(hash common.Hash) (Block, bool) {
	number := binary.BigEndian.Uint64(hash[16:])
	if number > v.Head().Number {
		return Block{}, false
	}
	b := v.Block(number)
	return b, v.Hash(b) == hash
}

// Tag returns the block that a tag names.
func (v View) Tag(tag string) (Block, bool) {
	head := v.Head()
	switch tag {
	case "latest", "pending":
		return head, true
	case "safe":
		return v.Block(head.Number - min(head.Number, (v.Finality+1)/2)), true
	case "finalized":
		return v.Block(head.Number - min(head.Number, v.Finality)), true
	case "earliest":
		return v.Block(0), true
	}
	return Block{}, false
}
