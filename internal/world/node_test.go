package world

import (
	"encoding/json"
	"testing"
)

func TestReadRequestsAgreesWithEncodingJSON(t *testing.T) {
	one := `{"jsonrpc":"2.0","id":7,"method":"eth_call","params":[{"to":"0x01","data":"0x"}, {"blockHash":"0x02"}]}`
	odd := ` { "params" : [ "a,b:]}\"[", [], {}, null, [1,[2]] ] , "method":"m", "id":"x\\" } `
	for _, body := range []string{one, odd, `{"id":1,"method":"m"}`, `{"id":1,"method":"m","params":[]}`,
		`[` + one + `,` + odd + `]`, "\n[" + one + "]\n"} {
		t.Run(body, func(t *testing.T) {
			got, batch := ReadRequests([]byte(body))
			var want []Request
			if !batch {
				body = "[" + body + "]"
			}
			if err := json.Unmarshal([]byte(body), &want); err != nil {
				t.Fatal(err)
			}
			if text := compact(t, got); text != compact(t, want) {
				t.Errorf("read %s, want %s", text, compact(t, want))
			}
		})
	}
}

// compact returns requests as JSON, in which no parameters are null.
func compact(t *testing.T, list []Request) string {
	t.Helper()
	for i := range list {
		if len(list[i].Params) == 0 {
			list[i].Params = nil
		}
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
