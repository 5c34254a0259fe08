package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"regexp"
	"strings"
)

var figure = regexp.MustCompile(`^\d+(\.\d+)?$`)

// listed is what consumers read of a token's document.
type listed struct {
	Symbol      string  `json:"symbol"`
	Total       *string `json:"totalSupply"`
	Circulating *string `json:"circulatingSupply"`
	Max         *string `json:"maxSupply"`
	Status      string  `json:"status"`
	Snapshot    string  `json:"snapshot"`
}

// supply inspects a supply interface.
func (k *inspection) supply(base string) {
	var all []listed
	k.demand("community tools", "all tokens as a JSON array: "+base+"/", func() error {
		a, err := k.get(base + "/")
		if err != nil {
			return err
		}
		return errors.Join(a.want(http.StatusOK, "application/json"), json.Unmarshal(a.body, &all))
	})
	for _, t := range all {
		at := base + "/" + strings.ToLower(t.Symbol)
		if a, err := k.get(at); err == nil && a.status == http.StatusNotFound {
			k.demand("everyone", t.Symbol+" has another path than its symbol; its figures were not asked for", func() error { return nil })
			continue
		}
		k.token(at, t)
	}
	k.demand("everyone", "an unknown token is 404 and is not cached", func() error {
		a, err := k.get(base + "/no-such-token")
		if err != nil {
			return err
		}
		if err := a.want(http.StatusNotFound, ""); err != nil {
			return err
		}
		return wantHeader(a, "Cache-Control", "no-store")
	})
}

func (k *inspection) token(base string, t listed) {
	k.demand("everyone", t.Symbol+" has a figure", func() error {
		switch {
		case t.Total == nil || t.Circulating == nil:
			return fmt.Errorf("none is published (status %s)", t.Status)
		case t.Status == "demo":
			return errors.New("it is the demo's, not a measured one")
		case t.Status != "fresh":
			return fmt.Errorf("its status is %s", t.Status)
		}
		return nil
	})
	k.demand("everyone", t.Symbol+" circulating ≤ total ≤ max", func() error { return t.ordered() })
	for _, f := range []struct {
		word  string
		value *string
	}{{"totalsupply", t.Total}, {"circulatingsupply", t.Circulating}} {
		if f.value != nil {
			k.figure(base+"/"+f.word, *f.value, t)
		}
	}
}

func (t listed) ordered() error {
	amounts := []*big.Rat{}
	for _, s := range []*string{t.Circulating, t.Total, t.Max} {
		if s == nil {
			continue
		}
		r, ok := new(big.Rat).SetString(*s)
		if !ok {
			return fmt.Errorf("%q is not a number", *s)
		}
		if n := len(amounts); n > 0 && amounts[n-1].Cmp(r) > 0 {
			return errors.New("it is not")
		}
		amounts = append(amounts, r)
	}
	return nil
}

// figure inspects one bare figure, which should be value.
func (k *inspection) figure(url, value string, t listed) {
	var plain *answered
	k.demand("CoinMarketCap", "just the value, text/plain: "+url, func() (err error) {
		if plain, err = k.get(url); err != nil {
			return err
		}
		if err := plain.want(http.StatusOK, "text/plain"); err != nil {
			return err
		}
		if !figure.Match(plain.body) {
			return fmt.Errorf("%q is not digits alone, without newline", clipped(plain.body))
		}
		return nil
	})
	if plain == nil {
		return
	}
	k.demand("CoinGecko", "the figure agrees with the document: "+url, func() error {
		if plain.header.Get("Supply-Snapshot") == t.Snapshot && string(plain.body) != value {
			return fmt.Errorf("%s here, %s in the document of the same snapshot", clipped(plain.body), value)
		}
		a, err := k.get(url + "?format=json")
		if err != nil {
			return err
		}
		var r struct{ Result string }
		if err := errors.Join(a.want(http.StatusOK, "application/json"), json.Unmarshal(a.body, &r)); err != nil {
			return err
		}
		if a.header.Get("Supply-Snapshot") == plain.header.Get("Supply-Snapshot") && r.Result != string(plain.body) {
			return fmt.Errorf("?format=json says %s", r.Result)
		}
		return nil
	})
	k.demand("Coinranking", "asks for JSON and is not refused: "+url, func() error {
		a, err := k.get(url, "Accept", "application/json")
		if err != nil {
			return err
		}
		return a.want(http.StatusOK, "")
	})
	k.demand("everyone", "HEAD and 304: "+url, func() error { return k.conditional(url, plain) })
	k.demand("browser", "may be read from another origin: "+url, func() error { return wantHeader(plain, "Access-Control-Allow-Origin", "*") })
}

// conditional demands that HEAD shows what GET does and that a known ETag is
// answered with 304.
func (k *inspection) conditional(url string, got *answered) error {
	head, err := k.call(http.MethodHead, url)
	if err != nil {
		return err
	}
	if err := head.want(http.StatusOK, got.kind()); err != nil {
		return fmt.Errorf("HEAD: %w", err)
	}
	tag := got.header.Get("ETag")
	if tag == "" {
		return errors.New("no ETag")
	}
	again, err := k.get(url, "If-None-Match", tag)
	if err != nil {
		return err
	}
	if again.status != http.StatusNotModified && again.header.Get("ETag") == tag {
		return fmt.Errorf("status %d for an ETag it still has, want 304", again.status)
	}
	return nil
}

func wantHeader(a *answered, name, value string) error {
	if got := a.header.Get(name); !strings.Contains(got, value) {
		return fmt.Errorf("%s is %q, want %s", name, got, value)
	}
	return nil
}

func clipped(b []byte) string {
	if len(b) > 60 {
		return string(b[:60]) + "…"
	}
	return string(b)
}
