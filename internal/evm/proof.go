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

// ErrNoProof: no provider gave a complete proof.
var ErrNoProof = errors.New("no provider gave a proof")

// A ProofQuery asks one provider for a proof of state at a block.
type ProofQuery struct {
	// Headers are the methods that return the header, such as eth_getBlockByHash. Clients differ in
	// which one returns all fields.
	Headers  []string
	Accounts []AccountQuery
}

// An AccountQuery asks for the proof of an account and of some of its slots.
type AccountQuery struct {
	Address common.Address
	Slots   []common.Hash // at most MaxSlots
	Code    bool          // ask for its code too
}

// MaxSlots is the most slots that nodes prove in one answer.
const MaxSlots = 1024

// proofBatchBytes bounds the proof requests in one batch. All clients accept batches of up to half
// a megabyte, and some accept larger ones.
const proofBatchBytes = 256 << 10

const (
	maxPath         = 65  // nodes on the way from the root of a trie to a value
	maxHeaderFields = 100 // fields of a header; clients send about 30
)

// A ProofAnswer is a provider's answer, unchecked.
type ProofAnswer struct {
	Headers  []json.RawMessage // one for each method of the query; nil if the node lacks it or returns no header
	Accounts []AccountProof    // in the order of the query
}

// An AccountProof is the answer to an AccountQuery.
type AccountProof struct {
	Nodes [][]byte // nodes of the state trie and of the account's storage trie, in any order
	Code  []byte
	Err   error // why Nodes or Code is missing
}

// Proofs asks providers one after another until accept returns nil for an answer. A proof needs no
// quorum, so one honest provider is enough. If accept returns an error other than ErrNoProof, the
// metrics count a mismatch. A failure does not affect the provider's health, because many good
// nodes give no proofs.
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
	first, reserve, _ := c.choose(false)
	slices.SortStableFunc(first, byRank)
	var got []reply[ProofAnswer]
	for _, p := range append(first, reserve...) {
		answer, err := readAt(ctx, p, at, func(at blockParam) (ProofAnswer, error) {
			return c.proofsFrom(ctx, p, at, q)
		})
		if err == nil {
			err = accept(answer)
			if err == nil {
				c.count(p, jsonrpc.Answered)
				return nil
			}
			if !errors.Is(err, ErrNoProof) {
				c.log.Warn("provider gave an invalid proof", "provider", p.name, "fault", err)
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

// proofsFrom asks p for everything, in as few batches as possible.
func (c *Chain) proofsFrom(ctx context.Context, p *provider, at blockParam, q ProofQuery) (ProofAnswer, error) {
	headers := make([]*jsonrpc.Request, len(q.Headers))
	for i, method := range q.Headers {
		headers[i] = jsonrpc.Ask(method, hexutil.Uint64(at.block.Number), false)
		if method == "eth_getBlockByHash" {
			headers[i] = jsonrpc.Ask(method, at.block.Hash, false)
		}
	}
	proofs := make([]*jsonrpc.Request, len(q.Accounts))
	codes := make([]*jsonrpc.Request, len(q.Accounts))
	all := headers
	size := 0
	send := func() error {
		err := c.sendAt(ctx, p, at, all)
		all = nil
		size = 0
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
	answer := ProofAnswer{
		Headers:  make([]json.RawMessage, len(headers)),
		Accounts: make([]AccountProof, len(q.Accounts)),
	}
	for i, r := range headers {
		answer.Headers[i] = headerJSON(r.Result)
	}
	for i := range q.Accounts {
		answer.Accounts[i] = accountProof(proofs[i], codes[i], len(q.Accounts[i].Slots))
	}
	return answer, nil
}

// accountProof reads the replies to an AccountQuery. slots is how many slots the query has. code is
// nil if the query did not ask for the code.
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
				return jsonrpc.Scan(value).Members(func(key, value []byte) bool {
					return string(key) != `"proof"` || path(value)
				})
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

// headerJSON returns raw, or nil if raw is not a JSON object or has too many fields.
func headerJSON(raw json.RawMessage) json.RawMessage {
	n := 0
	if !jsonrpc.Scan(raw).Members(func(_, _ []byte) bool { n++; return n <= maxHeaderFields }) {
		return nil
	}
	return raw
}
