package trial

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// ask requests that many random moments from an instance, and compares its answers with the
// recorded data.
func (c *chronicle) ask(t *testing.T, l *life, p *instance, moments int) {
	t.Helper()
	a := &asking{c: c, base: "http://" + p.listen, dice: l.dice}
	for range moments {
		if t.Failed() {
			return
		}
		query, then := a.moment()
		for slices.ContainsFunc(tokens, func(token string) bool { return then(a.last(token)) }) {
			query, then = a.moment() // the newest moment may still get more publications
		}
		for _, token := range tokens {
			a.token(t, token, query, then)
		}
		a.all(t, query, then)
	}
}

// An asking has an instance and the recorded data to compare with.
type asking struct {
	c    *chronicle
	base string
	dice *rand.Rand
}

// get sends a request, and counts it.
func (a *asking) get(t *testing.T, path string) (int, http.Header, []byte) {
	t.Helper()
	status, header, body, err := get(t.Context(), patient, a.base+path)
	if err != nil {
		t.Fatal(err)
	}
	if a.c.compared++; status != http.StatusOK {
		a.c.refused++
	}
	return status, header, body
}

// last returns the newest publication of a token.
func (a *asking) last(token string) publication { return a.c.rows[token][len(a.c.rows[token])-1] }

// pick returns one of the publications of a token.
func (a *asking) pick(token string) publication {
	return a.c.rows[token][a.dice.IntN(len(a.c.rows[token]))]
}

// moment returns a random time. then reports whether a publication is at or before it.
func (a *asking) moment() (query string, then func(publication) bool) {
	p := a.pick(tokens[a.dice.IntN(3)])
	at := p.AsOf.Add(time.Duration(a.dice.IntN(3)-1) * time.Millisecond)
	if a.dice.IntN(5) == 0 {
		at = at.Add(-time.Minute) // may be before the first publication
	}
	return "at=" + url.QueryEscape(at.Format(time.RFC3339Nano)), func(p publication) bool { return !p.AsOf.After(at) }
}

// published returns the publication of a token at a moment, or nil.
func (a *asking) published(token string, then func(publication) bool) *publication {
	list := a.c.rows[token]
	for i := len(list) - 1; i >= 0; i-- {
		if then(list[i]) {
			return &list[i]
		}
	}
	return nil
}

// token compares all answers about a token at a moment.
func (a *asking) token(t *testing.T, token, query string, then func(publication) bool) {
	t.Helper()
	want := a.published(token, then)
	path := "/supply/" + token
	status, _, body := a.get(t, path+"?"+query)
	if want == nil {
		if status != http.StatusNotFound {
			t.Errorf("%s?%s: %d %s, and nothing was published", path, query, status, clipped(body))
		}
		return
	}
	var doc map[string]any
	if err := json.Unmarshal(body, &doc); err != nil || status != http.StatusOK {
		t.Errorf("%s?%s: %d %s", path, query, status, clipped(body))
		return
	}
	a.document(t, path+"?"+query, doc, want)
	figure := a.dice.IntN(4)
	name := []string{"totalsupply", "circulatingsupply", "burnedsupply", "lockedsupply"}[figure]
	status, header, body := a.get(t, path+"/"+name+"?"+query)
	if status != http.StatusOK || string(body) != want.Figures[figure] ||
		header.Get("Supply-Snapshot") != want.Snapshot || header.Get("Supply-Status") != "past" {
		t.Errorf("%s/%s?%s: %d %s of %s, want %s of %s", path, name, query, status, clipped(body),
			header.Get("Supply-Snapshot"), want.Figures[figure], want.Snapshot)
	}
	word := []string{"total", "circulating", "burned", "locked"}[figure]
	if status, _, body := a.get(t, path+"?q="+word+"&"+query); status != http.StatusOK ||
		string(body) != want.Figures[figure] {
		t.Errorf("%s?q=%s&%s: %d %s", path, word, query, status, clipped(body))
	}
	for below, key := range map[string]string{"ledger": "ledger", "evidence": "snapshot"} {
		var said map[string]any
		status, _, body := a.get(t, path+"/"+below+"?"+query)
		if err := json.Unmarshal(body, &said); err != nil || status != http.StatusOK ||
			said[key] != map[string]string{"ledger": want.Ledger, "snapshot": want.Snapshot}[key] {
			t.Errorf("%s/%s?%s: %d %s", path, below, query, status, clipped(body))
		}
	}
}

// document compares a token's document with the publication, and with the document of that time if
// it was recorded.
func (a *asking) document(t *testing.T, path string, doc map[string]any, want *publication) {
	t.Helper()
	said := [5]string{}
	for i, key := range []string{"totalSupply", "circulatingSupply", "burnedSupply", "lockedSupply", "reservedSupply"} {
		said[i], _ = doc[key].(string)
	}
	if said != want.Figures || doc["snapshot"] != want.Snapshot || doc["ledger"] != want.Ledger ||
		doc["status"] != "past" {
		t.Errorf("%s: %v, want %v", path, doc, want)
	}
	if live, ok := a.c.docs[want.Snapshot]; ok {
		live = maps.Clone(live)
		live["status"] = "past"
		if !reflect.DeepEqual(doc, live) {
			t.Errorf("%s: %v, it was %v", path, doc, live)
		}
	}
}

// all compares the document of all tokens.
func (a *asking) all(t *testing.T, query string, then func(publication) bool) {
	t.Helper()
	var docs []map[string]any
	status, _, body := a.get(t, "/supply/?"+query)
	if err := json.Unmarshal(body, &docs); status == http.StatusOK && err != nil {
		t.Fatal(err)
	}
	said := map[any]map[string]any{}
	for _, d := range docs {
		said[d["symbol"]] = d
	}
	found := false
	for _, token := range tokens {
		d := said[strings.ToUpper(token)]
		switch want := a.published(token, then); {
		case want != nil:
			found = true
			a.document(t, "/supply/?"+query, d, want)
		case d != nil && d["status"] != "unavailable":
			t.Errorf("/supply/?%s has %v", query, d)
		}
	}
	if found != (status == http.StatusOK) {
		t.Errorf("/supply/?%s: %d %s", query, status, clipped(body))
	}
}
