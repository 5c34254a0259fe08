package jsonrpc

import "testing"

// TestRangeErrors checks the messages of nodes for ranges that are too wide.
func TestRangeErrors(t *testing.T) {
	for _, tc := range []struct {
		code int
		text string
		not  bool
	}{
		{code: -32602,
			text: "Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on " +
				"the response size, or you can request any block range with a cap of 10K logs in the response. Based on your " +
				"parameters and the response size limit, this block range should work: [0x3e8, 0x4e7]"},
		{code: -32602, text: "You can make eth_getLogs requests with up to a 2K block range."},
		{code: -32005, text: "query returned more than 10000 results. Try with this block range [0x3E8, 0x7CF]."},
		{code: -32005, text: "query returned more than 10000 results"},
		{code: -32614, text: "eth_getLogs is limited to a 10,000 range"},
		{code: -32000, text: "exceed maximum block range: 5000"},
		{code: -32000, text: "requested too many blocks from 1000 to 50999, maximum is set to 2048"},
		{code: -32602, text: "query exceeds max results 20000, retry with the range 1000-3047"},
		{code: -32602, text: "query exceeds max block range 10000"},
		{code: -32005, text: "Requested range exceeds maximum RPC range limit"},
		{code: -32600, text: "block range is too wide (maximum 1024)"},
		{code: -32000, text: "Block range limit exceeded. See more details at https://docs.example/limits"},
		{code: 35, text: "ranges over 10000 blocks are not supported on freetier"},
		{code: -32000, text: "query timeout exceeded"},
		{code: -32003, text: "response too large"},
		{code: -32000, text: "logs are limited to a 90000 block range"},
		{code: -32005, text: "daily request count exceeded, request rate limited", not: true},
		{code: -32000, text: "block range extends beyond current head block", not: true},
		{code: -32000, text: "missing trie node", not: true},
		{code: -32601, text: "the method eth_getLogs does not exist/is not available", not: true},
	} {
		t.Run(tc.text, func(t *testing.T) {
			f := nodeFault(&nodeError{Code: tc.code, Message: tc.text})
			if is := f.TooWide(); is == tc.not {
				t.Errorf("%q: %v, want %v", tc.text, is, !tc.not)
			}
		})
	}
}

func TestRecognise(t *testing.T) {
	for _, tc := range []struct {
		code                   int
		text                   string
		kind                   Outcome
		reverts, form, tooLong bool
	}{
		{code: 3, text: "execution reverted", kind: Refused, reverts: true},
		{code: -32000, text: "execution reverted: ERC721: owner query for nonexistent token", kind: Refused,
			reverts: true},
		{code: -32015, text: "VM execution error.", kind: Refused, reverts: true},
		{code: -32000, text: "evm: execution reverted", kind: Refused, reverts: true},
		{code: -32000, text: "header not found", kind: Absent},
		{code: -32000, text: "header for hash not found", kind: Absent},
		{code: -32001, text: "Resource not found", kind: Absent},
		{code: -39001, text: "Unknown block", kind: Absent},
		{code: -32000, text: "cannot query unfinalized data: after last accepted block", kind: Absent},
		{code: -32000, text: "hash is not currently canonical", kind: Moved},
		{code: -32602, text: "invalid argument 1: json: cannot unmarshal object into Go value of type string",
			kind: Refused, form: true},
		{code: -32602, text: "Invalid params: invalid type: map, expected a string", kind: Refused, form: true},
		{code: -32600, text: "batch too large", kind: Refused, tooLong: true},
		{code: 429, text: "Your app has exceeded its compute units per second capacity.", kind: Limited},
		{code: -32005, text: "Too Many Requests", kind: Limited},
		{code: -32000, text: "cannot query unfinalized data", kind: Absent},
		{code: -32000, text: "requested from block 1243 after last accepted block 243", kind: Absent},
		{code: -32602, text: "block range extends beyond current head block", kind: Absent},
		{code: -32000, text: "the header does not exist (block number: 458)", kind: Absent},
		{code: -32000, text: "historical proof query not allowed: block from hash 0x11 doesn't exist", kind: Absent},
		{code: -32000, text: "VM error occurs while running smart contract", kind: Refused, reverts: true},
		{code: -32000, text: "execution aborted (timeout = 5s)", kind: Refused},
		{code: -32015, text: "VM execution error: EVM timeout", kind: Refused},
		{code: -32000, text: "execution reverted: timeout", kind: Refused, reverts: true},
		{code: -32000, text: "missing trie node 1234 (path ) state 0x1234 is not available, not found", kind: Pruned},
		{code: -32000, text: "missing trie node 1234 (path )", kind: Pruned},
		{code: -32000, text: "historical state 1234 is not available", kind: Pruned},
		{code: -32000,
			text: "historical proof query not allowed: block number 84 is before the oldest allowed block number 85 (window " +
				"of 32 blocks)", kind: Pruned},
		{code: -32000, text: "state at block #19 is pruned", kind: Pruned},
		{code: -32000, text: "World state unavailable", kind: Pruned},
		{code: -32002, text: "No state available for block 19", kind: Pruned},
		{code: -32602, text: "archive access is not enabled for this project", kind: Pruned},
		{code: 3, text: "execution reverted: the archive is closed", kind: Refused, reverts: true},
		{code: -32000, text: "execution reverted: pruned", kind: Refused, reverts: true},
	} {
		t.Run(tc.text, func(t *testing.T) {
			f := nodeFault(&nodeError{Code: tc.code, Message: tc.text})
			if f.Kind != tc.kind || f.Reverts() != tc.reverts || f.RefusesBlockHash() != tc.form ||
				f.batchTooLong() != tc.tooLong {
				t.Errorf("%d %q: %s, reverts %v, form %v, too long %v", tc.code, tc.text, f.Kind, f.Reverts(),
					f.RefusesBlockHash(), f.batchTooLong())
			}
		})
	}
}
