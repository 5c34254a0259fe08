package evm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/evm/jsonrpc"
)

// ErrNoProof: no provider gave what a proof needs.
var ErrNoProof = errors.New("no proof was given")

// A ProofQuery asks one provider for what proves state at a block.
type ProofQuery struct {
	// Headers are the methods that are asked for the block, such as
	// eth_getBlockByHash: clients differ in which one tells all fields.
	Headers  []string
	Accounts []AccountQuery
}

// An AccountQuery asks for the proof of an account and of some of its slots.
type AccountQuery struct {
	Address common.Address
	Slots   []common.Hash // at most MaxSlots
	Code    bool          // its code is wanted too
}

// MaxSlots is how many slots nodes prove in one answer.
const MaxSlots = 1024

// proofBatchBytes is the text of the proof requests in one batch: clients take
// half a megabyte and more.
const proofBatchBytes = 256 << 10

const (
	maxPath         = 65  // nodes from the root of a trie to a value
	maxHeaderFields = 100 // clients have about 30
)

// A ProofAnswer is what a provider said. Nothing of it is checked.
type ProofAnswer struct {
	Headers  []json.RawMessage // in the order of the query; nil where the method is not there or gives no header
	Accounts []AccountProof    // in the order of the query
}

// An AccountProof is the answer to an AccountQuery.
type AccountProof struct {
	Nodes [][]byte // of the state's trie and of the account's, in no order
	Code  []byte
	Err   error // why there is no answer
}

// Proofs asks providers one after another, until accept takes an answer: proofs
// prove themselves, so one honest provider is enough. An answer that accept
// refuses for another reason than ErrNoProof is counted against the provider.
// Reading goes on by what reads showed of it: many nodes that answer well give
// no proofs.
func (c *Chain) Proofs(ctx context.Context, at Block, q ProofQuery, accept func(ProofAnswer) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	watched := c.start(func() {
		select {
		case <-c.done:
			cancel()
		case <-ctx.Done():
		}
	})
	if !watched {
		return errClosed
	}
	first, reserve, _ := c.choose(false, false)
	slices.SortStableFunc(first, byRank)
	var got []reply[ProofAnswer]
	for _, p := range append(first, reserve...) {
		answer, err := readAt(ctx, p, at, func(at blockParam) (ProofAnswer, error) { return c.proofsFrom(ctx, p, at, q) })
		if err == nil {
			if err = accept(answer); err == nil {
				c.count(p, jsonrpc.Answered)
				return nil
			}
			if !errors.Is(err, ErrNoProof) {
				c.log.Warn("provider gave a proof that does not hold", "provider", p.name, "fault", err)
				err = jsonrpc.Faultf(jsonrpc.Mismatch, "%v", err)
			}
		}
		c.count(p, jsonrpc.AsFault(err).Kind)
		got = append(got, reply[ProofAnswer]{from: p, err: err})
		if ctx.Err() != nil {
			break
		}
	}
	return fmt.Errorf("proving state of %s at block %d: %w", c.cfg.Name, at.Number, newPollError(ErrNoProof, got))
}

// proofsFrom asks p for everything, in as few batches as it takes.
func (c *Chain) proofsFrom(ctx context.Context, p *provider, at blockParam, q ProofQuery) (ProofAnswer, error) {
	headers := make([]*jsonrpc.Request, len(q.Headers))
	for i, method := range q.Headers {
		headers[i] = jsonrpc.Ask(method, hexutil.Uint64(at.block.Number), false)
		if method == "eth_getBlockByHash" {
			headers[i] = jsonrpc.Ask(method, at.block.Hash, false)
		}
	}
	proofs, codes := make([]*jsonrpc.Request, len(q.Accounts)), make([]*jsonrpc.Request, len(q.Accounts))
	all, size := headers, 0
	send := func() error {
		err := c.sendAt(ctx, p, at, all)
		all, size = nil, 0
		return err
	}
	for i, a := range q.Accounts {
		proofs[i] = jsonrpc.Ask("eth_getProof", a.Address, append([]common.Hash{}, a.Slots...), at.arg())
		all = append(all, proofs[i])
		if a.Code {
			codes[i] = jsonrpc.Ask("eth_getCode", a.Address, at.arg())
			all = append(all, codes[i])
		}
		if size += 400 + 70*len(a.Slots); size >= proofBatchBytes {
			if err := send(); err != nil {
				return ProofAnswer{}, err
			}
		}
	}
	if len(all) > 0 {
		if err := send(); err != nil {
			return ProofAnswer{}, err
		}
	}
	answer := ProofAnswer{Headers: make([]json.RawMessage, len(headers)), Accounts: make([]AccountProof, len(q.Accounts))}
	for i, r := range headers {
		answer.Headers[i] = headerJSON(r.Result)
	}
	for i := range q.Accounts {
		answer.Accounts[i] = accountProof(proofs[i], codes[i], len(q.Accounts[i].Slots))
	}
	return answer, nil
}

// accountProof reads the replies to an AccountQuery for a number of slots; code may
// be nil.
func accountProof(proof, code *jsonrpc.Request, slots int) (a AccountProof) {
	if proof.Fault != nil {
		return AccountProof{Err: proof.Fault}
	}
	path := func(value []byte) bool {
		return jsonrpc.Scan(value).Items(maxPath, func(value []byte) bool {
			node, err := parseBytes(value)
			a.Nodes = append(a.Nodes, node)
			return err == nil && len(a.Nodes) <= maxPath*(1+slots)
		})
	}
	valid := jsonrpc.Scan(proof.Result).Members(func(key, value []byte) bool {
		switch string(key) {
		case `"accountProof"`:
			return path(value)
		case `"storageProof"`:
			return jsonrpc.Scan(value).Items(slots, func(value []byte) bool {
				return jsonrpc.Scan(value).Members(func(key, value []byte) bool { return string(key) != `"proof"` || path(value) })
			})
		}
		return true
	})
	if !valid {
		return AccountProof{Err: jsonrpc.Faultf(jsonrpc.Malformed, "proof is not valid")}
	}
	if code != nil {
		a.Code, a.Err = replyBytes(code)
	}
	return a
}

// headerJSON is a node's header, or nil if it has more fields than any client's.
func headerJSON(raw json.RawMessage) json.RawMessage {
	n := 0
	if !jsonrpc.Scan(raw).Members(func(_, _ []byte) bool { n++; return n <= maxHeaderFields }) {
		return nil
	}
	return raw
}
