// Package evm reads EVM networks. A Chain reads one network through several providers. A quorum of
// providers agrees on every answer and on its block.
//
//	chain, err := evm.Dial(cfg, log)                   // sends nothing yet; Close it
//	at, err := chain.Pin(ctx, time.Time{})             // the newest block that a quorum has
//	out, err := chain.Read(ctx, at, calls)             // all calls at that block, or an error
//	logs, err := chain.Logs(ctx, query)                // all logs of a range of blocks
//	at, err = chain.AtLatest().Pin(ctx, time.Time{})   // the newest block, whatever the finality
//	limits := chain.Limits(ctx, contracts)             // how far back each provider has state, how wide it searches
//
// Top down: pin.go, read.go, logs.go and latest.go ask a question; quorum.go compares the answers;
// poll.go decides which providers to ask and how long to wait; batch.go and bundles.go (Multicall3)
// ask one provider through evm/jsonrpc; health.go remembers failures.
//
// A Pin and a Read together take two round trips for each provider, for any number of calls: one
// finds the block, one reads everything at it. There is a third one with finality latest-N, or if
// too few providers report the same newest block.
//
// What is trusted and what is checked:
//
//   - Hashes come from the nodes' JSON. We do not compute them, because the headers of Kaia,
//     Harmony and Avalanche subnets differ from Ethereum's.
//   - Reads name the block by hash with requireCanonical (EIP-1898). If a node refuses this form,
//     we read by number, and ask for the header in the same batch.
//   - Calls are bundled in Multicall3. Each bundle also reads the chain id, the block's number and
//     timestamp, and its parent's hash. This exposes a node that reads at another block, lags, or
//     is on another network. Without Multicall3, one JSON-RPC batch has the reads, the header and
//     the chain id. Leave Config.Multicall empty for a network on which contracts see other block
//     numbers than the nodes report.
//   - A node that takes no batches is asked for the header and then for the reads. A read by hash
//     is still safe. With a read by number, a different node behind the same address may answer
//     the second request. More providers are the remedy.
//   - If a quorum of providers gives the same wrong answer, we do not notice. More providers are
//     the remedy.
//
// Provider URLs may contain keys. They are kept in closures, not in fields. Errors contain only the
// provider's name, our own words and the node's numeric code, so no log line, metric or error
// quotes a URL.
package evm

import (
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// A Block identifies one block. Its hashes come from the node. We never compute them, because
// networks hash headers differently. Two Blocks are the same if they are == (times are UTC and
// whole seconds). Stores and evidence have Blocks as JSON.
type Block struct {
	Number uint64      `json:"number"`
	Hash   common.Hash `json:"hash"`
	Parent common.Hash `json:"parentHash"`
	Time   time.Time   `json:"time"`
}

// A Call is one read of state.
type Call struct {
	To      common.Address
	Data    []byte
	Balance bool // read To's balance of the gas token; do not call To
	// MayRevert makes a revert an answer (nil), not an error.
	MayRevert bool
	// WantsGas makes "out of gas" a fault of the node, because other nodes may grant more. Without
	// WantsGas it counts as a revert. Reads through Multicall3 ignore it.
	WantsGas bool
}

// A Log is one event of a contract.
type Log struct {
	Address common.Address
	Topics  []common.Hash
	Data    []byte
	Block   uint64
	Hash    common.Hash // hash of the block
	Tx      common.Hash
	Index   uint
}

// A LogQuery selects logs of blocks From to To, both included.
type LogQuery struct {
	From, To  uint64
	Addresses []common.Address // nil means all contracts
	Topics    [][]common.Hash  // allowed values of each topic; an empty list allows any value
}

var (
	// ErrUnavailable: too few providers answered in time.
	ErrUnavailable = errors.New("too few providers answered")
	// ErrDisagree: providers answered, but too few gave the same answer.
	ErrDisagree = errors.New("providers disagree")
	// ErrReverted: a call reverted, and its MayRevert is not set.
	ErrReverted = errors.New("call reverted")
	// ErrReorg: the pinned block is no longer part of the chain.
	ErrReorg = errors.New("block is no longer canonical")
	// errLag: the newest agreed block is older than the chain's max_lag.
	errLag = errors.New("chain is behind, or the clock of this machine is ahead")
	// errPruned: there is no quorum, because providers have dropped the state of the block. Read a
	// newer block, or use an archive node.
	errPruned = errors.New("state of the block is gone: read a newer block, or use an archive node")
	// ErrAbsent: so many providers lack the block that no quorum can have it.
	ErrAbsent = errors.New("block is not known")
	// ErrLagging is ErrAbsent if some providers have the block.
	ErrLagging = fmt.Errorf("%w to all providers", ErrAbsent)
	// ErrRange: the nodes refuse to search so many blocks, or to return so many logs, at once.
	ErrRange = errors.New("range of blocks is too wide")
	// ErrTooLong: the answers to all calls together exceed the limit.
	ErrTooLong = errors.New("the answers are too long")
	// errClosed: the Chain was closed.
	errClosed = errors.New("chain is closed")
)
