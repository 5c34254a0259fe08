package consumercheck

import (
	"context"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
)

// A tokenDocument has the values of a token's document that consumers read.
type tokenDocument struct {
	Total       *string `json:"totalSupply"`
	Circulating *string `json:"circulatingSupply"`
	Max         *string `json:"maxSupply"`
	Status      string  `json:"status"`
	Snapshot    string  `json:"snapshot"`
}

// checkSupply checks a supply interface.
func (c *checker) checkSupply(ctx context.Context) {
	c.demand("all tokens: "+c.base+"/", func() error {
		_, err := c.get(ctx, "/", c.base+"/", http.StatusOK, nil)
		return err
	})
	var known struct{ Tokens []string }
	c.demand("an unknown token is 404, with the names of the others: "+c.base+"/no-such-token", func() error {
		_, err := c.get(ctx, "/{token}", c.base+"/no-such-token", http.StatusNotFound, &known)
		return err
	})
	for _, token := range known.Tokens {
		at := c.base + "/" + url.PathEscape(token)
		var t tokenDocument
		published := c.demand("a figure: "+at, func() error {
			if _, err := c.get(ctx, "/{token}", at, http.StatusOK, &t); err != nil {
				return err
			}
			return t.hasFigures()
		})
		if published {
			c.checkFigure(ctx, "/{token}/totalsupply", at+"/totalsupply", *t.Total, t.Snapshot)
			c.checkFigure(ctx, "/{token}/circulatingsupply", at+"/circulatingsupply", *t.Circulating, t.Snapshot)
		}
	}
}

// hasFigures returns an error if the figures are missing, not current or impossible.
func (t *tokenDocument) hasFigures() error {
	switch {
	case t.Total == nil || t.Circulating == nil:
		return fmt.Errorf("no figure is published (status %s)", t.Status)
	case t.Status != "fresh" && t.Status != "demo":
		return fmt.Errorf("the figure's status is %s", t.Status)
	}
	last := new(big.Rat)
	for _, amount := range []*string{t.Circulating, t.Total, t.Max} {
		if amount == nil {
			continue
		}
		r, ok := new(big.Rat).SetString(*amount)
		if !ok || r.Cmp(last) < 0 {
			return fmt.Errorf("%s breaks the rule circulating ≤ total ≤ max", *amount)
		}
		last = r
	}
	if t.Status == "demo" {
		return note("the demo's figures are invented, not measured")
	}
	return nil
}

// checkFigure checks one bare figure. value and snapshot are those of the token's document.
func (c *checker) checkFigure(ctx context.Context, path, url, value, snapshot string) {
	c.demand("just the value: "+url, func() error {
		a, err := c.get(ctx, path, url, http.StatusOK, nil)
		switch {
		case err != nil:
			return err
		case a.mediaType() != "text/plain":
			return fmt.Errorf("the type is %q, want text/plain", a.mediaType())
		case a.header.Get("Supply-Snapshot") == snapshot && string(a.body) != value:
			return fmt.Errorf("%.60s here, %s in the document of the same snapshot", a.body, value)
		}
		return nil
	})
	url += "?format=json"
	c.demand("the same as JSON: "+url, func() error {
		var form struct{ Result string }
		a, err := c.get(ctx, path, url, http.StatusOK, &form)
		if err == nil && a.header.Get("Supply-Snapshot") == snapshot && form.Result != value {
			return fmt.Errorf("%s here, %s in the document of the same snapshot", form.Result, value)
		}
		return err
	})
}
