package jsonrpc

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzMessages: every batch that encoding/json can read gives the same messages here.
func FuzzMessages(f *testing.F) {
	for _, text := range []string{
		`[]`, ` [ ] `, `[null]`, `[{}]`, `[{"id":1,"result":"0x"}]`, `[{"id":1,"result":null,"error":null},{"id":"2"}]`,
		`[{"result":{"a":[1,{"b":"]}\\\""}],"c":-1.5e3},"jsonrpc":"2.0","id":7}, {"error":{"code":3,"message":"\"}"},"id":8}]`,
		`[{"id":1,"result":"0x`, `[{"id":1`, `[{"id"}]`, `[{"id":}]`, `[{"id":1}`, `[{,}]`, `[,]`, `{}`, ``, `[1 2]`,
		`[{"a":1 "b":2}]`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, short, ok := messages(text, 1<<20)
		var want []map[string]json.RawMessage
		if json.Unmarshal(text, &want) != nil || want == nil {
			return
		}
		if !ok || len(got) != len(want) {
			t.Fatalf("%d messages, short %v, ok %v, want %d", len(got), short, ok, len(want))
		}
		for i, m := range got {
			for key, value := range map[string][]byte{"id": m.id, "result": m.result, "error": m.fault} {
				// escaped names are not read
				if !bytes.Equal(value, want[i][key]) && !bytes.Contains(text, []byte(`\u`)) {
					t.Errorf("%s of message %d is %s, want %s", key, i, value, want[i][key])
				}
			}
		}
	})
}

// TestMessagesCutShort: a cut anywhere in an answer is noticed.
func TestMessagesCutShort(t *testing.T) {
	text := []byte(`[{"jsonrpc":"2.0","id":1,"result":{"a":["\\\"",1]}},{"id":2,"error":null,"result":true}]`)
	for i := range text {
		if _, short, ok := messages(text[:i], 1<<20); ok || !short {
			t.Errorf("%s: short %v, ok %v", text[:i], short, ok)
		}
	}
	got, _, ok := messages(text, 1<<20)
	if !ok || len(got) != 2 || string(got[0].result) != `{"a":["\\\"",1]}` || string(got[1].fault) != "null" ||
		string(got[1].id) != "2" {
		t.Errorf("the messages are %q, %v", got, ok)
	}
	for _, wrong := range []string{`{}`, `[1 2]`, `[{"id"}]`, `[{"id":}]`, `[{,}]`, `[,]`, `[}`, `nothing`,
		`[{"id":1}] x`, `[][]`} {
		if _, _, ok := messages([]byte(wrong), 1<<20); ok {
			t.Errorf("%s is read", wrong)
		}
	}
}
