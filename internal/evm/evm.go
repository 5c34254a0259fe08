// Package evm asks EVM nodes. A Chain is several providers of one network;
// every answer it gives names its block and was agreed on by a quorum of them.
//
//	chain, err := evm.Dial(cfg, log)                   // sends nothing yet; Close it
//	at, err := chain.Pin(ctx, time.Time{})             // the newest block that a quorum has
//	out, err := chain.Read(ctx, at, calls)             // all calls at that block, or an error
//	logs, err := chain.Logs(ctx, query)                // all logs of a range of blocks
//	at, out, err = chain.Latest(ctx, calls)            // for somebody who waits: one round
//	limits := chain.Limits(ctx, contracts)             // how far back each provider has state, how wide it searches
//
// From there down: pin.go, read.go, logs.go and latest.go put a question;
// quorum.go compares the answers; poll.go decides whom to ask and how long to
// wait; batch.go and bundles.go (by Multicall3) ask one provider, through its
// client in evm/jsonrpc; health.go remembers what went wrong.
//
// A refresh costs two round trips for each provider, however many calls there
// are: one that asks for the block, one that reads everything at it. Finality
// latest-N costs one more, and so does a provider that is two or more blocks
// ahead of the others when its word on the pinned block is needed.
//
// What is taken on trust, and what is not:
//
//   - Hashes come from the nodes' JSON. Kaia, Harmony and Avalanche subnets
//     hash headers that differ from Ethereum's, so recomputing would be wrong.
//   - Reads go by block hash with requireCanonical (EIP-1898). A node that
//     refuses this form is read by number, with the header beside the read.
//   - Calls are bundled in Multicall3, each bundle with the chain's own id,
//     block number, timestamp and last block hash beside the reads: a node that
//     ignores the block, lags, or answers for another network gives itself
//     away. Where Multicall3 has no code, one JSON-RPC batch does the reads
//     with the header and the chain id in it. A network whose contracts see
//     other block numbers than its nodes do is read in that way too: leave
//     Config.Multicall out.
//   - A node that takes no batches is asked for header and reads in turn. By hash
//     that is as good; by number, where it refuses the hash too, another node
//     behind the same address may answer. More providers are the remedy.
//   - A lie that a quorum of providers tells alike cannot be seen. More
//     providers are the remedy.
//
// Provider URLs may hold keys. They live in closures, not in fields. Errors have the
// provider's name, our own words and the node's numeric code, so no log line,
// metric or error text can quote a URL.
package evm

import (
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// A Block names one block, with the hashes as the node reported them: other
// networks hash other headers, so they are never computed here. Two are the same
// block if they are == (times are UTC and whole seconds). Stores keep its JSON
// form, with the names of the fields as they are here.
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
	Topics    [][]common.Hash // what each topic may be; nil: anything
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
	// errLag: the newest agreed block is older than the chain's max_lag.
	errLag = errors.New("chain is behind")
	// ErrPruned: so many providers have dropped the state of the block that the
	// others are no quorum. A nearer block has its state, or an archive node.
	ErrPruned = errors.New("state of the block is gone: read a nearer block, or use an archive node")
	// ErrAbsent: a quorum of providers does not know the block.
	ErrAbsent = errors.New("block is not known")
	// ErrRange: the nodes will not search so many blocks, or so many logs, at
	// once.
	ErrRange = errors.New("range of blocks is too wide")
	// ErrTooLong: the answers to so many calls at once are longer than is read.
	ErrTooLong = errors.New("the answers are too long")
	// errClosed: the Chain was closed.
	errClosed = errors.New("chain is closed")
)
