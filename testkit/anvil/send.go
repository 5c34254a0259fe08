package anvil

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"petsupply/testkit/contracts"
)

// ErrReverted says that a contract reverted a transaction or call.
var ErrReverted = errors.New("reverted")

// A Tx is one transaction. From may be any address; zero means the first account. Method and Args
// are encoded with the ABI that To is bound to. Without a Method it only moves Value.
type Tx struct {
	From, To common.Address
	Value    *big.Int
	Method   string
	Args     []any
}

// A Receipt is the result of a transaction.
type Receipt struct {
	Hash     common.Hash     `json:"transactionHash"`
	Block    hexutil.Uint64  `json:"blockNumber"`
	Status   hexutil.Uint64  `json:"status"`
	Gas      hexutil.Uint64  `json:"gasUsed"`
	Contract *common.Address `json:"contractAddress"` // nil unless one was created
}

// request is a transaction in the form of eth_sendTransaction.
type request struct {
	From     common.Address  `json:"from"`
	To       *common.Address `json:"to,omitempty"`
	Data     hexutil.Bytes   `json:"data,omitempty"`
	Value    *hexutil.Big    `json:"value,omitempty"`
	Gas      hexutil.Uint64  `json:"gas"`
	GasPrice *hexutil.Big    `json:"gasPrice"`
	Nonce    *hexutil.Uint64 `json:"nonce,omitempty"`
}

// gasEach is far more than any of our transactions uses. Without it the node would run each one
// first to estimate its gas.
const gasEach = 5_000_000_000

// sendSize is how many transactions go to the node in one batch.
const sendSize = 200

// Deploy creates a contract from the first account and binds its ABI to the new address.
func (n *Node) Deploy(ctx context.Context, name string, args ...any) (common.Address, error) {
	c, err := contracts.Load(name)
	if err != nil {
		return common.Address{}, err
	}
	packed, err := c.ABI.Pack("", args...)
	if err != nil {
		return common.Address{}, fmt.Errorf("deploying %s: %w", name, err)
	}
	data := append(append([]byte{}, c.Bytecode...), packed...)
	receipts, err := n.submit(ctx, []request{{From: n.Accounts[0], Data: data, Gas: gasEach, GasPrice: new(hexutil.Big)}})
	if err != nil {
		return common.Address{}, fmt.Errorf("deploying %s: %w", name, err)
	}
	at := receipts[0].Contract
	if at == nil {
		return common.Address{}, fmt.Errorf("deploying %s: the receipt names no address", name)
	}
	n.bind(*at, c)
	return *at, nil
}

// Send calls a method of a contract from the first account, and waits until the transaction is in a
// block. The contract must be deployed, placed or bound here.
func (n *Node) Send(ctx context.Context, to common.Address, method string, args ...any) error {
	_, err := n.Do(ctx, Tx{To: to, Method: method, Args: args})
	return err
}

// Do sends transactions together and waits until all are in blocks. If blocks are made by hand, Do
// mines one block. A revert is an error, but the other transactions still count.
func (n *Node) Do(ctx context.Context, txs ...Tx) ([]Receipt, error) {
	requests, err := n.encode(txs)
	if err != nil {
		return nil, err
	}
	return n.submit(ctx, requests)
}

func (n *Node) encode(txs []Tx) ([]request, error) {
	requests := make([]request, len(txs))
	for i, tx := range txs {
		r := request{From: tx.From, To: &tx.To, Gas: gasEach, GasPrice: new(hexutil.Big)}
		if r.From == (common.Address{}) {
			r.From = n.Accounts[0]
		}
		if tx.Value != nil {
			r.Value = (*hexutil.Big)(tx.Value)
		}
		if tx.Method != "" {
			data, err := n.pack(tx.To, tx.Method, tx.Args)
			if err != nil {
				return nil, err
			}
			r.Data = data
		}
		requests[i] = r
	}
	return requests, nil
}

func (n *Node) submit(ctx context.Context, requests []request) ([]Receipt, error) {
	hashes, err := n.enqueue(ctx, requests)
	if err != nil {
		return nil, err
	}
	if n.options.Manual {
		if err := n.Mine(ctx, 1); err != nil {
			return nil, err
		}
	}
	receipts, err := n.receipts(ctx, hashes)
	if err != nil {
		return nil, err
	}
	for i, r := range receipts {
		if r.Status == 0 {
			return receipts, n.reason(ctx, requests[i], uint64(r.Block))
		}
	}
	return receipts, nil
}

// enqueue puts transactions into the pool. It sets the nonces itself, because the node handles a
// batch in any order.
func (n *Node) enqueue(ctx context.Context, requests []request) ([]common.Hash, error) {
	n.sending.Lock()
	defer n.sending.Unlock()
	next := map[common.Address]uint64{}
	for i := range requests {
		from := requests[i].From
		if _, known := next[from]; !known {
			var count hexutil.Uint64
			if err := n.RPC.CallContext(ctx, &count, "eth_getTransactionCount", from, "pending"); err != nil {
				return nil, fmt.Errorf("sending from %s: %w", from, err)
			}
			next[from] = uint64(count)
		}
		nonce := hexutil.Uint64(next[from])
		requests[i].Nonce = &nonce
		next[from]++
	}
	hashes := make([]common.Hash, len(requests))
	var calls []rpc.BatchElem
	for i := range requests {
		calls = append(calls, rpc.BatchElem{Method: "eth_sendTransaction", Args: []any{requests[i]}, Result: &hashes[i]})
	}
	return hashes, n.batch(ctx, calls)
}

// receipts waits until all transactions have receipts.
func (n *Node) receipts(ctx context.Context, hashes []common.Hash) ([]Receipt, error) {
	found := make([]*Receipt, len(hashes))
	for wait := time.Millisecond; ; wait = min(2*wait, 100*time.Millisecond) {
		var calls []rpc.BatchElem
		for i, h := range hashes {
			if found[i] == nil {
				calls = append(calls, rpc.BatchElem{Method: "eth_getTransactionReceipt", Args: []any{h}, Result: &found[i]})
			}
		}
		if len(calls) == 0 {
			break
		}
		if err := n.batch(ctx, calls); err != nil {
			return nil, err
		}
		if found[len(found)-1] != nil {
			continue
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for %d transactions: %w", len(calls), ctx.Err())
		case <-time.After(wait):
		}
	}
	receipts := make([]Receipt, len(found))
	for i, r := range found {
		receipts[i] = *r
	}
	return receipts, nil
}

// batch sends calls in pieces. It returns the error of the first call that failed.
func (n *Node) batch(ctx context.Context, calls []rpc.BatchElem) error {
	for len(calls) > 0 {
		part := calls[:min(sendSize, len(calls))]
		calls = calls[len(part):]
		if err := n.RPC.BatchCallContext(ctx, part); err != nil {
			return err
		}
		for _, c := range part {
			if c.Error != nil {
				return fmt.Errorf("%s: %w", c.Method, c.Error)
			}
		}
	}
	return nil
}

// reason runs a reverted transaction again on the state before its block, to learn the contract's
// error.
func (n *Node) reason(ctx context.Context, r request, block uint64) error {
	what := "creating a contract"
	if r.To != nil {
		what = "sending to " + r.To.Hex()
		if c := n.contract(*r.To); c != nil && len(r.Data) >= 4 {
			if m, err := c.ABI.MethodById(r.Data); err == nil {
				what = c.Name + "." + m.Name
			}
		}
	}
	r.Nonce = nil
	var out hexutil.Bytes
	err := n.RPC.CallContext(ctx, &out, "eth_call", r, hexutil.Uint64(block-1))
	if err == nil {
		return fmt.Errorf("%s in block %d: %w", what, block, ErrReverted)
	}
	return fmt.Errorf("%s in block %d: %w: %v", what, block, ErrReverted, err)
}
