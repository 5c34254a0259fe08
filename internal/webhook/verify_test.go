package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"petsupply/testkit/process"
)

// verify is the code in docs/OPERATIONS.md.
func verify(secret string, h http.Header, body []byte) bool {
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	sent, err := strconv.ParseInt(h.Get("webhook-timestamp"), 10, 64)
	if err != nil || time.Since(time.Unix(sent, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.%s", h.Get("webhook-id"), sent, body)
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	return slices.ContainsFunc(strings.Fields(h.Get("webhook-signature")),
		func(s string) bool { return hmac.Equal([]byte(s), []byte(want)) })
}

// A delivery is a request, and whether a receiver should accept it.
type delivery struct {
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Want    bool              `json:"want"`
}

// deliveries returns a genuine request and forgeries of it.
func deliveries(t *testing.T) (out []delivery) {
	t.Helper()
	secret := parseSecret(t, testSecret)
	const id, body = "msg_pet-moved_7_00", `{"type":"pet.moved","data":{"name":"Pebblewíck"}}`
	add := func(want bool, id, signedID string, at time.Time, body, before string) {
		out = append(out, delivery{map[string]string{"webhook-id": id,
			"webhook-timestamp": strconv.FormatInt(at.Unix(), 10),
			"webhook-signature": before + secret.sign(signedID, at,
				[]byte(`{"type":"pet.moved","data":{"name":"Pebblewíck"}}`))}, body, want})
	}
	now := time.Now()
	add(true, id, id, now, body, "")
	add(true, id, id, now, body, "v1,AAAA ")
	add(false, id, id, now, body+" ", "")
	add(false, "another", id, now, body, "")
	add(false, id, id, now.Add(-time.Hour), body, "")
	add(false, id, id, now.Add(time.Hour), body, "")
	out = append(out, delivery{map[string]string{"webhook-id": id, "webhook-timestamp": "soon",
		"webhook-signature": "v1,"}, body, false})
	return out
}

// TestReceiversOfTheDocumentation runs the receivers of the documentation on genuine and forged
// requests.
func TestReceiversOfTheDocumentation(t *testing.T) {
	page, err := os.ReadFile("../../docs/OPERATIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	code := func(language string) string {
		_, rest, _ := strings.Cut(string(page), "```"+language+"\n")
		text, _, ok := strings.Cut(rest, "```")
		if !ok {
			t.Fatalf("the page has no %s", language)
		}
		return text
	}
	own, err := os.ReadFile("verify_test.go")
	if err != nil || !strings.Contains(string(own), "\n"+code("go")) {
		t.Errorf("the Go code of the page is not the code tested here: %v", err)
	}
	list := deliveries(t)
	for i, d := range list {
		h := http.Header{}
		for name, value := range d.Headers {
			h.Set(name, value)
		}
		if got := verify(testSecret, h, []byte(d.Body)); got != d.Want {
			t.Errorf("Go: delivery %d: %t", i, got)
		}
	}
	process.SkipShort(t) // node and python3
	input, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{
		{"node", "-e", code("js") + `
for (const d of JSON.parse(require('fs').readFileSync(0))) console.log(verify('` + testSecret + `', d.headers, d.body) === d.want);`},
		{"python3", "-c", code("python") + `
import json, sys
for d in json.load(sys.stdin): print("true" if verify("` + testSecret + `", d["headers"], d["body"].encode()) is d["want"] else "false")`},
	} {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Stdin = strings.NewReader(string(input))
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != strings.Repeat("true\n", len(list)) {
			t.Errorf("%s: %v\n%s", command[0], err, out)
		}
	}
}
