package probe

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"regexp"
	"strings"
)

var figurePattern = regexp.MustCompile(`^\d+(\.\d+)?$`)

// tokenDocument is what consumers read of a token's document.
type tokenDocument struct {
	Symbol      string  `json:"symbol"`
	Total       *string `json:"totalSupply"`
	Circulating *string `json:"circulatingSupply"`
	Max         *string `json:"maxSupply"`
	Status      string  `json:"status"`
	Snapshot    string  `json:"snapshot"`
}

// supply checks a supply interface.
func (c *Checker) supply(ctx context.Context, base string) {
	var all []tokenDocument
	c.demand("community tools", "all tokens as a JSON array: "+base+"/", func() error {
		_, err := c.getJSON(ctx, base+"/", &all)
		return err
	})
	for _, t := range all {
		at := base + "/" + strings.ToLower(t.Symbol)
		if r, err := c.get(ctx, at); err == nil && r.status == http.StatusNotFound {
			c.demand("everyone", t.Symbol+" has another path than its symbol; its figures were not asked for", func() error { return nil })
			continue
		}
		c.token(ctx, at, t)
	}
	c.demand("everyone", "an unknown token is 404 and is not cached", func() error {
		return c.refused(ctx, base+"/no-such-token", http.StatusNotFound)
	})
}

func (c *Checker) token(ctx context.Context, base string, t tokenDocument) {
	c.demand("everyone", t.Symbol+" has a figure", func() error {
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
	c.demand("everyone", t.Symbol+" circulating ≤ total ≤ max", t.ordered)
	if t.Total != nil {
		c.figure(ctx, base+"/totalsupply", *t.Total, t.Snapshot)
	}
	if t.Circulating != nil {
		c.figure(ctx, base+"/circulatingsupply", *t.Circulating, t.Snapshot)
	}
}

// ordered demands that the figures which are there do not fall.
func (t tokenDocument) ordered() error {
	var last *big.Rat
	for _, s := range []*string{t.Circulating, t.Total, t.Max} {
		if s == nil {
			continue
		}
		r, ok := new(big.Rat).SetString(*s)
		if !ok {
			return fmt.Errorf("%q is not a number", *s)
		}
		if last != nil && last.Cmp(r) > 0 {
			return errors.New("it is not")
		}
		last = r
	}
	return nil
}

// figure checks one bare figure; value is that of the document of a snapshot.
func (c *Checker) figure(ctx context.Context, url, value, snapshot string) {
	var plain *response
	c.demand("CoinMarketCap", "just the value, text/plain: "+url, func() (err error) {
		if plain, err = c.expect(ctx, http.MethodGet, url, http.StatusOK, "text/plain"); err != nil {
			return err
		}
		if !figurePattern.Match(plain.body) {
			return fmt.Errorf("%.60q is not digits alone, without newline", plain.body)
		}
		return nil
	})
	if plain == nil {
		return
	}
	c.demand("CoinGecko", "the figure agrees with the document: "+url, func() error {
		if plain.header.Get("Supply-Snapshot") == snapshot && string(plain.body) != value {
			return fmt.Errorf("%.60s here, %s in the document of the same snapshot", plain.body, value)
		}
		return c.figureJSON(ctx, url, plain)
	})
	c.demand("Coinranking", "asks for JSON and is not refused: "+url, func() error {
		_, err := c.expect(ctx, http.MethodGet, url, http.StatusOK, "", "Accept", "application/json")
		return err
	})
	c.demand("everyone", "HEAD and 304: "+url, func() error { return c.conditional(ctx, url, plain) })
	c.demand("browser", "may be read from another origin: "+url, plain.wantCORS)
}

// figureJSON demands that the JSON form has the same figure as the plain one.
func (c *Checker) figureJSON(ctx context.Context, url string, plain *response) error {
	var form struct{ Result string }
	r, err := c.getJSON(ctx, url+"?format=json", &form)
	if err == nil && r.header.Get("Supply-Snapshot") == plain.header.Get("Supply-Snapshot") && form.Result != string(plain.body) {
		return fmt.Errorf("?format=json says %s", form.Result)
	}
	return err
}
