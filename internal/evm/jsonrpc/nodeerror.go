package jsonrpc

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A nodeError is a JSON-RPC error: the reply to one request, or to a whole batch.
type nodeError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// maxSaid is how many bytes of a node's message are searched for known words.
const maxSaid = 4 << 10

// nodeFault makes a fault from a node's error. The text has the node's code and our own words. The
// node's message only decides the kind; it is not quoted, because it may contain the URL with its
// key.
func nodeFault(e *nodeError) *Fault {
	f := &Fault{code: e.Code, raw: strings.ToLower(e.Message[:min(len(e.Message), maxSaid)])}
	f.Kind = f.recognise()
	f.Text = fmt.Sprintf("node error %d", f.code)
	if words := kindWords[f.Kind]; words != "" {
		f.Text += ": " + words
	} else if f.OutOfGas() {
		f.Text += ": out of gas"
	}
	return f
}

// kindWords are our texts for the kinds of errors that are recognised by their message.
var kindWords = map[Outcome]string{
	Limited: "too many requests",
	Absent:  "block is not known",
	Moved:   "block is not canonical",
	Pruned:  "state of the block is gone",
}

// Nodes agree on few error codes, so errors are recognised by the words of geth, Erigon, Nethermind,
// Besu, reth, anvil, coreth, Kaia, Harmony and the services in front of them.
var (
	absentWords = []string{
		"header not found", "header for hash not found", "block not found", "unknown block",
		"could not find block", "cannot find block", "blockoutofrange", "block out of range",
		"block is not available", "no block found", "block does not exist", "block number out of range",
		"beyond current head", "after last accepted block", "beyond the latest block", "finalized block not found",
		"safe block not found", "the header does not exist", "the block does not exist", "resource not found",
		"cannot query unfinalized data", "block from hash",
	}
	prunedWords = []string{
		"missing trie node", "historical state", "state not available", "state is not available", "state unavailable",
		"no state available", "pruned", "archive", "before the oldest allowed block", "maximum proof window",
		"state histories haven't been fully indexed",
	}
	movedWords   = []string{"not currently canonical", "not canonical", "non-canonical"}
	limitedWords = []string{
		"rate limit", "too many requests", "request limit", "exceeded its throughput", "quota", "capacity exceeded",
		"compute units per second",
	}
	revertWords = []string{
		"revert", "invalid opcode", "invalid jump", "stack underflow", "out of gas", "vm execution error",
		"vm exception", "bad instruction", "execution error", vmError,
	}
	gasWords   = []string{"out of gas", "outofgas"}
	timeWords  = []string{"timeout", "timed out", "aborted"}
	rangeWords = []string{
		"block range", "blocks range", "range of blocks", "range limit", "max range", "maximum range", "exceed max",
		"exceeds max", "too many blocks", "ranges over", "query returned more than", "response size",
		"response too large", "response is too big", "result set too large", "log limit", "logs limit",
		"too many logs", "query timeout", "limited to", "exceeds the range", "exceed maximum", "exceeds maximum",
		"returned too many", "try a smaller", "reduce the range", "10000 results",
	}
	lengthWords = []string{
		"too large", "limit", "too many", "exceed", "maximum", "more than", "not allowed", "not supported",
		"unsupported", "disabled",
	}
	formWords = []string{
		"invalid argument", "unmarshal", "invalid params", "invalid parameter", "invalid type", "invalid block",
		"expected string", "expected a string", "hex string", "did not match any variant", "requirecanonical",
		"blockhash", "unsupported", "not supported", "invalid input",
	}
)

func has(text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// recognise returns the kind of a JSON-RPC error, judged by its code and its words.
func (f *Fault) recognise() Outcome {
	switch {
	case has(f.raw, movedWords):
		return Moved
	case f.code != 3 && !has(f.raw, revertWords) && has(f.raw, prunedWords):
		return Pruned
	case has(f.raw, absentWords), f.code == -39001:
		return Absent
	case f.code == 429, f.code == -32029, has(f.raw, limitedWords), f.code == -32005 && !has(f.raw, rangeWords):
		return Limited
	}
	return Refused
}

// LacksCode reports whether a call may have failed because the address has no code. Kaia then
// returns an error, and it returns the same error for bad opcodes and jumps.
func (f *Fault) LacksCode() bool { return strings.Contains(f.raw, vmError) }

// vmError is Kaia's message for bad opcodes and jumps, and for calls to addresses without code.
const vmError = "vm error occurs while running smart contract"

// Reverts reports whether the EVM, not the node, refused the call. A call that took too long for the
// node may succeed on another.
func (f *Fault) Reverts() bool {
	late := has(f.raw, timeWords) && !strings.Contains(f.raw, "revert")
	return f.code == 3 || f.Kind == Refused && has(f.raw, revertWords) && !late
}

// OutOfGas reports whether the call took more gas than the node grants. This may be less than other
// nodes grant. A contract that reverts may use these words too, in its reason.
func (f *Fault) OutOfGas() bool {
	return f.Kind == Refused && f.code != 3 && has(f.raw, gasWords) && !strings.Contains(f.raw, "revert")
}

// RefusesBlockHash reports whether the node does not accept a block as an object (EIP-1898).
func (f *Fault) RefusesBlockHash() bool {
	return f.Kind == Refused && !f.Reverts() && (f.code == -32602 || has(f.raw, formWords))
}

// batchTooLong reports whether the node refused a batch because it has too many requests.
func (f *Fault) batchTooLong() bool {
	return strings.Contains(f.raw, "batch") && has(f.raw, lengthWords)
}

// AnswerTooLong reports whether the answer exceeded our limit.
func (f *Fault) AnswerTooLong() bool { return f.Kind == tooLong }

// BodyTooLong reports whether the node refused a post because it has too many bytes.
func (f *Fault) BodyTooLong() bool {
	return f.Kind == status && f.code == 413
}

// refusesBatch reports whether the node may have refused the request because it was a batch.
func (f *Fault) refusesBatch() bool {
	switch f.Kind {
	case Refused:
		return f.code == -32600 || f.code == -32700 || strings.Contains(f.raw, "batch")
	case status:
		return f.code == 400 || f.code == 405 || f.code == 415 || f.code == 422
	}
	return false
}

var (
	plainNumber = regexp.MustCompile(`\d+`)
	bodyLimit   = regexp.MustCompile(`\d+>(\d+)`) // geth and its forks write size>limit
)

// callLimit returns how many requests to send at once. refused is how many the node refused. The
// result is the largest number in the node's message that is below refused, or else half of
// refused.
func (f *Fault) callLimit(refused int) int {
	limit := 0
	for _, text := range plainNumber.FindAllString(f.raw, -1) {
		if n, err := strconv.Atoi(text); err == nil && n < refused {
			limit = max(limit, n)
		}
	}
	return cmp.Or(limit, refused/2)
}

// bodyLimit returns how many bytes to send at once. refused is how many the node refused. The
// result is the limit in the node's message, or half of refused if the message names no lower one.
func (f *Fault) bodyLimit(refused int) int {
	if m := bodyLimit.FindStringSubmatch(f.raw); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil && n < refused {
			return max(1, n)
		}
	}
	return refused / 2
}

// TooWide reports whether a search for logs seems to cover too many blocks or to find too many
// logs, for the node or for our limit on answers.
func (f *Fault) TooWide() bool {
	vague := f.code == -32005 && !has(f.raw, limitedWords) // a limit of the node; the text does not say which
	return f.Kind == tooLong || vague || f.Kind == Refused && has(f.raw, rangeWords)
}
