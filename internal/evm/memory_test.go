package evm

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"petsupply/internal/evm/jsonrpc"
)

// decodeAll decodes body as every kind of answer and returns how many bytes that allocated.
func decodeAll(body []byte) uint64 {
	reqs := []*jsonrpc.Request{jsonrpc.Ask("eth_chainId"), jsonrpc.Ask("eth_getLogs")}
	echoClient(body).Send(context.Background(), reqs...) // package jsonrpc tests its own cost
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, raw := range [][]byte{body, reqs[1].Result} {
		parseLogs(raw, LogQuery{From: 1, To: 1 << 40}, Block{})
		parseBlock(raw)
		r := &jsonrpc.Request{Result: raw}
		replyBytes(r)
		receiptLogs(r, LogQuery{To: 1 << 40}, Block{}, func(Log, int) error { return nil })
		blockTransactions(r, 1)
		accountProof(r, nil, 2)
		headerJSON(raw)
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// allowed is how many bytes an answer of n bytes may allocate, garbage included. The factor is
// large because the shortest logs cost the most.
func allowed(n int) uint64 { return 1<<20 + 40*uint64(n) }

// TestAnAnswerCostsMemoryInProportionToWhatWasAsked: megabytes of tiny values in place of two
// replies cost no more than reading them.
func TestAnAnswerCostsMemoryInProportionToWhatWasAsked(t *testing.T) {
	const size = 1 << 20
	many := func(open, item, end string) []byte {
		return []byte(open + strings.TrimSuffix(strings.Repeat(item+",", size/(len(item)+1)), ",") + end)
	}
	log := fmt.Sprintf(`"address":"0x%040d","blockNumber":"0x2","blockHash":"0x%064d","transactionHash":"0x%064d","logIndex":"0x1"`, 1, 2, 3)
	zero := fmt.Sprintf("0x%064d", 0)
	var fields strings.Builder
	for i := 0; fields.Len() < size; i++ {
		fmt.Fprintf(&fields, `"%x":0,`, i)
	}
	for name, body := range map[string][]byte{
		"numbers":            many("[", "0", "]"),
		"empty replies":      many("[", "{}", "]"),
		"nulls":              many("[", "null", "]"),
		"unended":            many("[", "[", ""),
		"numbers for logs":   many(`[{"id":2,"result":[`, "0", `]}]`),
		"empty logs":         many(`[{"id":2,"result":[`, "{}", `]}]`),
		"many topics":        many(`[{"id":2,"result":[{`+log+`,"topics":[`, "0", `]}]}]`),
		"true topics":        many(`[{"id":2,"result":[{`+log+`,"topics":[`, fmt.Sprintf(`"0x%064d"`, 7), `]}]}]`),
		"logs of a receipt":  many(`[{"id":2,"result":{"blockHash":"`+zero+`","logs":[`, "0", `]}}]`),
		"removed logs":       many(`[{"id":2,"result":{"blockHash":"`+zero+`","logs":[`, `{"removed":true}`, `]}}]`),
		"slots of a proof":   many(`[{"id":2,"result":{"storageProof":[`, "{}", `]}}]`),
		"nodes of a slot":    many(`[{"id":2,"result":{"storageProof":[{"proof":[`, `"0x"`, `]}]}}]`),
		"nodes of a proof":   many(`[{"id":2,"result":{"accountProof":[`, `"0x"`, `]}}]`),
		"numbers for nodes":  many(`[{"id":2,"result":{"accountProof":[`, "0", `]}}]`),
		"proofs in a proof":  many(`[{"id":2,"result":{`, `"accountProof":["0x"]`, `}}]`),
		"transactions":       many(`[{"id":2,"result":{"transactions":[`, `"`+zero+`"`, `]}}]`),
		"nulls for them":     many(`[{"id":2,"result":{"transactions":[`, "null", `]}}]`),
		"fields of a header": []byte(`[{"id":2,"result":{` + fields.String() + `"a":0}}]`),
		"data of an error":   many(`[{"id":2,"error":{"code":1,"message":"no","data":[`, "0", `]}}]`),
		"data of all":        many(`{"error":{"code":1,"message":"no","data":[`, "0", `]}}`),
		"an error of spaces": []byte(`{"error":{"code":1,"message":"` + strings.Repeat(" ", size) + `"}}`),
	} {
		if cost := decodeAll(body); cost > 4*size {
			t.Errorf("%d kB of %s cost %d kB", size>>10, name, cost>>10)
		}
	}
}

// FuzzMemory: the memory that an answer costs is bounded by its length and by the requests.
func FuzzMemory(f *testing.F) {
	for _, seed := range []string{"[0,0]", `[{"id":2,"result":[{"removed":true},{}]}]`,
		`{"error":{"code":3,"data":{"from":"0x1"}}}`, `[{"id":1,"result":"0x1"},null]`} {
		f.Add([]byte(seed), uint16(1))
		f.Add([]byte(seed), uint16(9999))
	}
	f.Fuzz(func(t *testing.T, piece []byte, times uint16) {
		times = min(times, uint16((1<<20)/(len(piece)+1)))
		for _, body := range [][]byte{bytes.Repeat(piece, int(times)),
			append([]byte("["), bytes.Repeat(append(piece, ','), int(times))...)} {
			if cost := decodeAll(body); cost > allowed(len(body)) {
				t.Errorf("%d bytes cost %d", len(body), cost)
			}
		}
	})
}
