package main

import (
	"net/http"
	"strings"
	"testing"

	"petsupply/testkit/liar"
)

// audit finds every change that a dishonest operator makes in the answers about a token.
func TestAuditFindsLies(t *testing.T) {
	r := start(t, "--data", t.TempDir())
	honest := &liar.Lie{At: "/", Header: func(http.Header) {}}
	if code, out, _ := call(t, "audit", liar.Start(t, r.supply, honest)); code != exitOK {
		t.Fatalf("through an honest proxy: exit %d\n%s", code, out)
	}
	replace := func(old, now string) func([]byte) []byte {
		return func(body []byte) []byte { return []byte(strings.Replace(string(body), old, now, 1)) }
	}
	figure := func([]byte) []byte { return []byte("999999999") }
	size := logSize(t, r.supply)
	cut := func(body []byte) []byte { return body[:len(body)/2] }
	for name, lie := range map[string]*liar.Lie{
		"a bare total":                {At: "/jewel/totalsupply", Alter: figure},
		"a bare circulating":          {At: "/jewel/circulatingsupply", Alter: figure},
		"a bare maximum":              {At: "/jewel/maxsupply", Alter: figure},
		"a bare burned":               {At: "/jade/burnedsupply", Alter: figure},
		"a bare locked":               {At: "/jewel/lockedsupply", Alter: figure},
		"a total in JSON":             {At: "/crystal/totalsupply?format=json", Alter: replace(`"result":"`, `"result":"9`)},
		"a total by a query":          {At: "/jade/?q=total", Alter: figure},
		"a total by its whole name":   {At: "/jade/?q=totalsupply", Alter: figure},
		"a total with spaces":         {At: "/jewel/totalsupply", Alter: func(body []byte) []byte { return append(body, ' ') }},
		"a total of another snapshot": {At: "/jewel/totalsupply", Header: func(h http.Header) { h.Set("Supply-Snapshot", strings.Repeat("a", 64)) }},
		"a total of two snapshots":    {At: "/jewel/totalsupply", Header: func(h http.Header) { h.Add("Supply-Snapshot", strings.Repeat("a", 64)) }},
		"a total of another time":     {At: "/jewel/totalsupply", Header: func(h http.Header) { h.Set("Supply-As-Of", "2030-01-01T00:00:00Z") }},
		"a token without a total":     {At: "/jewel/totalsupply", Status: http.StatusNotFound},
		"the list's total":            {At: "/", Alter: replace(`"totalSupply":"`, `"totalSupply":"9`)},
		"the list's reserved":         {At: "/", Alter: replace(`"reservedSupply":"`, `"reservedSupply":"9`)},
		"the list's maximum":          {At: "/", Alter: replace(`"maxSupply":"`, `"maxSupply":"9`)},
		"the list's symbol":           {At: "/", Alter: replace(`"symbol":"JEWEL"`, `"symbol":"JADE"`)},
		"the list's decimals":         {At: "/", Alter: replace(`"decimals":18`, `"decimals":8`)},
		"a list without a snapshot":   {At: "/", Alter: replace(`"snapshot":"`, `"snapshot":null,"was":"`)},
		"a list with an odd id":       {At: "/", Alter: replace(`"snapshot":"`, `"snapshot":"0123456789abcdef","was":"`)},
		"a list without a token":      {At: "/", Alter: func([]byte) []byte { return []byte("[]") }},
		"a key twice":                 {At: "/jewel", Alter: replace(`{"symbol"`, `{"totalSupply":"1","symbol"`)},
		"a key in another case":       {At: "/jewel", Alter: replace(`"totalSupply"`, `"totalsupply"`)},
		"a document's burned":         {At: "/jewel", Alter: replace(`"burnedSupply":"`, `"burnedSupply":"9`)},
		"a document's block":          {At: "/jewel/", Alter: replace(`"number":`, `"number":1`)},
		"a document's ledger":         {At: "/jewel", Alter: replace(`"ledger":"b`, `"ledger":"c`)},
		"an invented correction":      {At: "/jewel", Alter: replace(`{"symbol"`, `{"correction":{"reason":"x","at":"2026-01-01T00:00:00Z"},"symbol"`)},
		"evidence in two cases":       {At: "/jewel/evidence", Alter: replace(`"figures":{`, `"FIGURES":{"total":"1"},"figures":{`)},
		"another return":              {At: "/jewel/evidence", Alter: replace(`"return":"0x0`, `"return":"0x1`)},
		"evidence of another token":   {At: "/jewel/evidence", Alter: replace(`"token":"jewel"`, `"token":"jade"`)},
		"no inclusion":                {At: "/jewel/evidence", Alter: replace(`,"inclusion":"`, `,"correction":null,"x":"`)},
		"an entry of the ledger":      {At: "/jewel/ledger", Alter: replace(`"bucket":"reserved"`, `"bucket":"burned"`)},
		"when a ledger began":         {At: "/jewel/ledger", Alter: replace(`"since":"2026`, `"since":"2025`)},
		"another key":                 {At: "/log/key", Alter: replace("+", "+1")},
		"half a checkpoint":           {At: "/log/checkpoint", Alter: cut},
		"another size":                {At: "/log/checkpoint", Alter: replace("\n"+size+"\n", "\n6\n")},
		"other leaves":                {At: "/log/tile/entries/000.p/" + size, Alter: replace(`"token":"jewel"`, `"token":"jewem"`)},
		"other hashes":                {At: "/log/tile/0/000.p/" + size, Alter: func(body []byte) []byte { body[0] ^= 1; return body }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, out, _ := call(t, "audit", liar.Start(t, r.supply, lie))
			if code != exitNo || !strings.Contains(out, "\nNO: ") {
				t.Errorf("exit %d\n%s", code, out)
			}
		})
	}
}

// audit names the parts that it cannot check: names, status, and whether the chain has the blocks.
func TestAuditNamesWhatItCannotCheck(t *testing.T) {
	r := start(t, "--data", t.TempDir())
	lie := &liar.Lie{At: "/", Alter: func(body []byte) []byte {
		return []byte(strings.Replace(string(body), `"name":"Jewel"`, `"name":"Gold"`, 1))
	}}
	code, out, _ := call(t, "audit", liar.Start(t, r.supply, lie))
	for _, belief := range []string{"the names of tokens, their status, pages", "This is a demo", "only tokens in the list or in the log were compared",
		"that these were the newest blocks then", "from caches, by other methods and encodings"} {
		if code != exitOK || !strings.Contains(out, belief) {
			t.Errorf("exit %d, want %q\n%s", code, belief, out)
		}
	}
	moved := &liar.Lie{At: "/jewel/totalsupply", Status: http.StatusFound, Header: func(h http.Header) { h.Set("Location", "/jewel/?q=total") },
		Alter: func([]byte) []byte { return []byte("999999999") }}
	if code, out, _ := call(t, "audit", liar.Start(t, r.supply, moved)); code != exitUnreached || !strings.Contains(out, "redirects to") {
		t.Errorf("a figure in the body of a redirect: exit %d\n%s", code, out)
	}
	code, out, _ = call(t, "audit", liar.Start(t, r.supply, &liar.Lie{At: "/jewel", Status: http.StatusServiceUnavailable}))
	if code != exitUnreached || !strings.Contains(out, "could not be read") {
		t.Errorf("a service that is away: exit %d\n%s", code, out)
	}
}
