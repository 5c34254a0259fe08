package jsonrpc

import (
	"runtime"
	"strings"
	"testing"
)

// TestABatchCostsMemoryInProportionToWhatWasAsked: megabytes of tiny values in place of two replies
// cost no more than reading them.
func TestABatchCostsMemoryInProportionToWhatWasAsked(t *testing.T) {
	const size = 4 << 20
	many := func(open, item, end string) []byte {
		return []byte(open + strings.TrimSuffix(strings.Repeat(item+",", size/(len(item)+1)), ",") + end)
	}
	for name, body := range map[string][]byte{
		"numbers":            many("[", "0", "]"),
		"empty replies":      many("[", "{}", "]"),
		"nulls":              many("[", "null", "]"),
		"unended":            many("[", "[", ""),
		"numbers for logs":   many(`[{"id":2,"result":[`, "0", `]}]`),
		"data of an error":   many(`[{"id":2,"error":{"code":1,"message":"no","data":[`, "0", `]}}]`),
		"data of all":        many(`{"error":{"code":1,"message":"no","data":[`, "0", `]}}`),
		"an error of spaces": []byte(`{"error":{"code":1,"message":"` + strings.Repeat(" ", size) + `"}}`),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_ = decodeBatch(body, []*Request{Ask("eth_chainId"), Ask("eth_getLogs")}, 1) // other tests check the refusal
		runtime.ReadMemStats(&after)
		if cost := after.TotalAlloc - before.TotalAlloc; cost > 4*size {
			t.Errorf("%d MB of %s cost %d MB", size>>20, name, cost>>20)
		}
	}
}
