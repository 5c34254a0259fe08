// Package world is a model of EVM networks in memory. A Chain has blocks, reorganisations, and a
// State of contracts. A Node is an http.RoundTripper that answers JSON-RPC requests about a Chain
// as a real client does, so code that reads real nodes can read it. The model has no state tries,
// so a node gives no proofs.
package world

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/evm/jsonrpc"
)

// A Node answers JSON-RPC requests about a chain.
type Node struct {
	Chain *Chain
	// Now is the node's clock. It decides which blocks exist.
	Now func() time.Time
	// Keeps is the number of newest blocks whose state the node keeps; 0 means all.
	Keeps uint64
	// MaxLogs is how many blocks one eth_getLogs may cover; 0 means any number.
	MaxLogs uint64
}

// A refusal is a JSON-RPC error, with the code and message that a real client sends.
type refusal struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    string `json:"data,omitempty"`
}

func (e *refusal) Error() string { return e.Message }

// A Request is one JSON-RPC request.
type Request struct {
	ID     json.RawMessage
	Method string
	Params []json.RawMessage
}

// ReadRequests reads one request or a batch. The body must be valid JSON.
func ReadRequests(body []byte) (list []Request, batch bool) {
	read := func(text []byte) bool {
		var r Request
		jsonrpc.Scan(text).Members(func(key, value []byte) bool {
			switch string(key) {
			case `"id"`:
				r.ID = value
			case `"method"`:
				r.Method = string(bytes.Trim(value, `"`))
			case `"params"`:
				jsonrpc.Scan(value).Items(math.MaxInt, func(value []byte) bool {
					r.Params = append(r.Params, value)
					return true
				})
			}
			return true
		})
		list = append(list, r)
		return true
	}
	batch = bytes.HasPrefix(bytes.TrimSpace(body), []byte("["))
	if batch {
		jsonrpc.Scan(body).Items(math.MaxInt, read)
	} else {
		read(body)
	}
	return list, batch
}

// RoundTrip answers a request, or a batch of them.
func (n *Node) RoundTrip(r *http.Request) (*http.Response, error) {
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	text := n.Answers(ReadRequests(body))
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"application/json"}}, ContentLength: int64(len(text)),
		Body: io.NopCloser(bytes.NewReader(text)),
	}, nil
}

// Answers returns the answer to a request, or to a batch of them.
func (n *Node) Answers(list []Request, batch bool) []byte {
	v := View{Chain: n.Chain, At: n.Now()}
	text := []byte("[")
	for i := range list {
		if i > 0 {
			text = append(text, ',')
		}
		text = n.appendAnswer(text, v, &list[i])
	}
	if !batch {
		return text[1:]
	}
	return append(text, ']')
}

// appendAnswer appends the answer to one request.
func (n *Node) appendAnswer(dst []byte, v View, r *Request) []byte {
	dst = append(append(dst, `{"jsonrpc":"2.0","id":`...), r.ID...)
	result, err := n.Answer(v, r.Method, r.Params)
	key := `,"result":`
	if err != nil {
		e, ok := errors.AsType[*refusal](err)
		if !ok {
			e = &refusal{Code: -32602, Message: "invalid argument: " + err.Error()}
		}
		key = `,"error":`
		result = e
	}
	dst = append(dst, key...)
	if result == nil {
		return append(dst, "null}"...)
	}
	switch result := result.(type) { // fast paths for the most common results
	case hexutil.Bytes:
		dst = hex.AppendEncode(append(dst, `"0x`...), result)
		return append(dst, `"}`...)
	case json.RawMessage:
		return append(append(dst, result...), '}')
	}
	text, err := json.Marshal(result)
	if err != nil {
		panic(err) // cannot happen: results are maps, lists, strings and numbers
	}
	return append(append(dst, text...), '}')
}

// Answer returns the result of one request.
func (n *Node) Answer(v View, method string, params []json.RawMessage) (any, error) {
	switch method {
	case "eth_chainId":
		return hexutil.Uint64(v.ID), nil
	case "web3_clientVersion":
		return "petsupply-world/1", nil
	case "eth_syncing":
		return false, nil
	case "eth_blockNumber":
		return hexutil.Uint64(v.Head().Number), nil
	case "eth_getBlockByNumber":
		var at string
		if err := firstArgument(params, &at); err != nil {
			return nil, err
		}
		b, err := v.numbered(at)
		if err != nil || b == nil {
			return nil, err
		}
		return v.header(*b), nil
	case "eth_getBlockByHash":
		var hash common.Hash
		if err := firstArgument(params, &hash); err != nil {
			return nil, err
		}
		if b, ok := v.ByHash(hash); ok {
			return v.header(b), nil
		}
		return nil, nil
	case "eth_call":
		return n.call(v, params)
	case "eth_getBalance", "eth_getCode":
		return n.account(v, method, params)
	case "eth_getLogs":
		var q logQuery
		if err := firstArgument(params, &q); err != nil {
			return nil, err
		}
		return n.logs(v, q)
	case "eth_getTransactionReceipt":
		var tx common.Hash
		if err := firstArgument(params, &tx); err != nil {
			return nil, err
		}
		return v.receipt(tx), nil
	}
	return nil, &refusal{Code: -32601, Message: "the method " + method + " does not exist/is not available"}
}

// firstArgument decodes the first parameter of a request.
func firstArgument(params []json.RawMessage, to any) error {
	if len(params) == 0 {
		return errors.New("missing value for required argument 0")
	}
	return decode(params[0], to)
}

// call answers eth_call.
func (n *Node) call(v View, params []json.RawMessage) (any, error) {
	var call callArguments
	if err := firstArgument(params, &call); err != nil {
		return nil, err
	}
	b, err := n.stateAt(v, params)
	if err != nil {
		return nil, err
	}
	out, ok := v.call(b, call.To, call.Data)
	if !ok {
		return nil, &refusal{Code: 3, Message: "execution reverted", Data: "0x"}
	}
	return hexutil.Bytes(out), nil
}

// account answers eth_getBalance and eth_getCode.
func (n *Node) account(v View, method string, params []json.RawMessage) (any, error) {
	var address common.Address
	if err := firstArgument(params, &address); err != nil {
		return nil, err
	}
	b, err := n.stateAt(v, params)
	if err != nil {
		return nil, err
	}
	if method == "eth_getBalance" {
		return (*hexutil.Big)(v.State.Balance(b, address)), nil
	}
	if v.hasCode(b, address) {
		return hexutil.Bytes{0xfe}, nil // any code will do: it is never executed
	}
	return hexutil.Bytes{}, nil
}

// callArguments are the first parameter of eth_call.
type callArguments struct {
	To   common.Address
	Data hexutil.Bytes
}

// decode works like json.Unmarshal, but reads the text only once.
func decode(raw json.RawMessage, to any) (err error) {
	switch to := to.(type) {
	case json.Unmarshaler:
		return to.UnmarshalJSON(raw)
	case *callArguments:
		jsonrpc.Scan(raw).Members(func(key, value []byte) bool {
			switch string(key) {
			case `"to"`:
				err = errors.Join(err, decode(value, &to.To))
			case `"data"`, `"input"`:
				err = errors.Join(err, decode(value, &to.Data))
			}
			return true
		})
		return err
	}
	return json.Unmarshal(raw, to)
}

// numbered returns the block that a tag or a number names, or nil if it is above the head.
func (v View) numbered(at string) (*Block, error) {
	if b, ok := v.Tag(at); ok {
		return &b, nil
	}
	n, err := hexutil.DecodeUint64(at)
	if err != nil {
		return nil, err
	}
	if n > v.Head().Number {
		return nil, nil
	}
	b := v.Block(n)
	return &b, nil
}

// header returns a block as eth_getBlockByNumber shows it. A block with events has one transaction,
// which emitted all of them.
func (v View) header(b Block) json.RawMessage {
	hash := v.Hash(b)
	transactions := ""
	if len(v.State.Logs(b)) > 0 {
		transactions = strconv.Quote(hash.Hex())
	}
	return fmt.Appendf(nil, `{"number":"0x%x","hash":%q,"parentHash":%q,"timestamp":"0x%x","transactions":[%s]}`,
		b.Number, hash, v.Parent(b), b.Time.Unix(), transactions)
}

// stateAt returns the block that the second parameter names, if the node has its state. Without
// that parameter it returns the newest block.
func (n *Node) stateAt(v View, params []json.RawMessage) (Block, error) {
	if len(params) < 2 {
		return v.Head(), nil
	}
	var b *Block
	var err error
	if params[1][0] == '"' {
		var at string
		err = decode(params[1], &at)
		if err == nil {
			b, err = v.numbered(at)
		}
	} else {
		b, err = v.objectNamed(params[1])
	}
	if err != nil {
		return Block{}, err
	}
	if b == nil {
		return Block{}, &refusal{Code: -32000, Message: "header not found"}
	}
	if n.Keeps > 0 && v.Head().Number-b.Number >= n.Keeps {
		hash := v.Hash(*b).Hex()
		return Block{}, &refusal{Code: -32000, Message: "missing trie node " + hash[2:] + " (path ) state " + hash +
			" is not available, not found"}
	}
	return *b, nil
}

// objectNamed returns the block that an EIP-1898 parameter names.
func (v View) objectNamed(raw json.RawMessage) (*Block, error) {
	var hash common.Hash
	var number string
	var err error
	byHash := false
	jsonrpc.Scan(raw).Members(func(key, value []byte) bool {
		switch string(key) {
		case `"blockHash"`:
			byHash = true
			err = decode(value, &hash)
		case `"blockNumber"`:
			err = decode(value, &number)
		}
		return err == nil
	})
	switch {
	case err != nil:
		return nil, err
	case !byHash:
		return v.numbered(number)
	}
	if b, ok := v.ByHash(hash); ok {
		return &b, nil
	}
	return nil, &refusal{Code: -32000, Message: "header for hash not found"}
}

type logQuery struct {
	FromBlock, ToBlock string
	BlockHash          *common.Hash
	Address            addresses
	Topics             []topics
}

// addresses and topics are members of a filter. Each is null, one value, or a list.
type (
	addresses []common.Address
	topics    []common.Hash
)

func (a *addresses) UnmarshalJSON(raw []byte) error { return oneOrMany(raw, (*[]common.Address)(a)) }
func (t *topics) UnmarshalJSON(raw []byte) error    { return oneOrMany(raw, (*[]common.Hash)(t)) }

func oneOrMany[T any](raw []byte, to *[]T) error {
	switch {
	case string(raw) == "null":
		return nil
	case raw[0] == '[':
		return json.Unmarshal(raw, to)
	}
	*to = make([]T, 1)
	return json.Unmarshal(raw, &(*to)[0])
}

func (q *logQuery) matches(l Log) bool {
	if len(q.Address) > 0 && !slices.Contains(q.Address, l.Address) || len(q.Topics) > len(l.Topics) {
		return false
	}
	for i, want := range q.Topics {
		if len(want) > 0 && !slices.Contains(want, l.Topics[i]) {
			return false
		}
	}
	return true
}

func (n *Node) logs(v View, q logQuery) (any, error) {
	var from, to Block
	if q.BlockHash != nil {
		b, ok := v.ByHash(*q.BlockHash)
		if !ok {
			return nil, &refusal{Code: -32000, Message: "unknown block"}
		}
		from = b
		to = b
	} else {
		for _, end := range []struct {
			name string
			to   *Block
		}{{q.FromBlock, &from}, {q.ToBlock, &to}} {
			b, err := v.numbered(end.name)
			if err != nil {
				return nil, err
			}
			if b == nil {
				return nil, &refusal{Code: -32602, Message: "block range extends beyond current head block"}
			}
			*end.to = *b
		}
	}
	if from.Number > to.Number {
		return nil, &refusal{Code: -32000, Message: "invalid block range params"}
	}
	if width := to.Number - from.Number + 1; n.MaxLogs > 0 && width > n.MaxLogs {
		limit := strconv.FormatUint(n.MaxLogs, 10)
		return nil, &refusal{Code: -32005, Message: "query exceeds max block range " + limit}
	}
	text := []byte("[")
	for number := from.Number; number <= to.Number; number++ {
		text = v.appendLogs(text, v.Block(number), q.matches)
	}
	return json.RawMessage(append(text, ']')), nil
}

// appendLogs appends the matching events of a block to a list.
func (v View) appendLogs(text []byte, b Block, matches func(Log) bool) []byte {
	for i, l := range v.State.Logs(b) {
		if !matches(l) {
			continue
		}
		if text[len(text)-1] != '[' {
			text = append(text, ',')
		}
		topics := make([]string, len(l.Topics))
		for j, topic := range l.Topics {
			topics[j] = strconv.Quote(topic.Hex())
		}
		text = fmt.Appendf(text, `{"address":"0x%x","topics":[%s],"data":"0x%x","blockNumber":"0x%x",`+
			`"blockHash":%[5]q,"transactionHash":%[5]q,"transactionIndex":"0x0","logIndex":"0x%[6]x","removed":false}`,
			l.Address[:], strings.Join(topics, ","), l.Data, b.Number, v.Hash(b), i)
	}
	return text
}

// receipt returns the receipt of the only transaction of a block. This transaction has the same
// hash as its block.
func (v View) receipt(tx common.Hash) json.RawMessage {
	b, ok := v.ByHash(tx)
	if !ok || len(v.State.Logs(b)) == 0 {
		return json.RawMessage("null")
	}
	logs := v.appendLogs([]byte("["), b, func(Log) bool { return true })
	return fmt.Appendf(nil, `{"blockHash":%q,"blockNumber":"0x%x","transactionHash":%q,"status":"0x1","logs":%s]}`,
		tx, b.Number, tx, logs)
}

// Nodes is a transport that passes each request to one of several nodes. The keys are host names in
// lower case.
type Nodes map[string]http.RoundTripper

// RoundTrip passes a request to its node.
func (n Nodes) RoundTrip(r *http.Request) (*http.Response, error) {
	node, ok := n[strings.ToLower(r.URL.Hostname())]
	if !ok {
		return nil, fmt.Errorf("no model node has the host name %s", r.URL.Hostname())
	}
	return node.RoundTrip(r)
}
