// Package evm asks EVM nodes. A Chain is several providers of one network;
// every answer it gives names its block and was agreed on by a quorum of them.
package evm

import (
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// A Block names one block, with the hashes as the node reported them: other
// networks hash other headers, so they are never computed here.
type Block struct {
	Number uint64
	Hash   common.Hash
	Parent common.Hash
	Time   time.Time
}

// A Call is one read of state.
type Call struct {
	To      common.Address
	Data    []byte
	Balance bool // read To's balance of the gas token instead of calling it
	// MayRevert makes a revert an answer (nil) instead of an error.
	MayRevert bool
}

// A Log is one event, in the order of the chain.
type Log struct {
	Address common.Address
	Topics  []common.Hash
	Data    []byte
	Block   uint64
	Hash    common.Hash // of the block
	Tx      common.Hash
	Index   uint
}

// A LogQuery selects logs of blocks From to To, both included.
type LogQuery struct {
	From, To  uint64
	Addresses []common.Address
	Topics    [][]common.Hash
}

var (
	// ErrUnavailable: too few providers answered in time.
	ErrUnavailable = errors.New("too few providers answered")
	// ErrDisagree: providers answered, but no quorum of them alike.
	ErrDisagree = errors.New("providers disagree")
	// ErrReverted: a call that may not revert did.
	ErrReverted = errors.New("call reverted")
	// ErrReorg: the pinned block is no longer part of the chain.
	ErrReorg = errors.New("block is no longer canonical")
	// ErrLag: the newest agreed block is older than the chain's max_lag.
	ErrLag = errors.New("chain is behind")
)
