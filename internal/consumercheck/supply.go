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
	c.answers(ctx, "all tokens", "/", "/", http.StatusOK, nil)
	var known struct{ Tokens []string }
	c.answers(ctx, "an unknown token is 404, with the names of the others", "/{token}", "/no-such-token",
		http.StatusNotFound, func(a *answer) error { return a.decode(&known) })
	for _, token := range known.Tokens {
		at := "/" + url.PathEscape(token)
		var t tokenDocument
		published := c.answers(ctx, "a figure", "/{token}", at, http.StatusOK, func(a *answer) error {
			if err := a.decode(&t); err != nil {
				return err
			}
			return t.hasFigures()
		})
		if published {
			c.checkFigure(ctx, at, "/totalsupply", *t.Total, t.Snapshot)
			c.checkFigure(ctx, at, "/circulatingsupply", *t.Circulating, t.Snapshot)
		}
	}
}

// hasFigures returns an error if the figures are missing, not current or impossible. It returns a
// note if they are invented.
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

// checkFigure checks one bare figure, and its form as JSON. value and snapshot are those of the
// token's document.
func (c *checker) checkFigure(ctx context.Context, token, figure, value, snapshot string) {
	path := "/{token}" + figure
	same := func(a *answer, here string) error {
		if a.header.Get("Supply-Snapshot") == snapshot && here != value {
			return fmt.Errorf("%.60s here, %s in the document of the same snapshot", here, value)
		}
		return nil
	}
	c.answers(ctx, "just the value", path, token+figure, http.StatusOK, func(a *answer) error {
		if a.mediaType() != "text/plain" {
			return fmt.Errorf("the type is %q, want text/plain", a.mediaType())
		}
		return same(a, string(a.body))
	})
	c.answers(ctx, "the same as JSON", path, token+figure+"?format=json", http.StatusOK, func(a *answer) error {
		var form struct{ Result string }
		if err := a.decode(&form); err != nil {
			return err
		}
		return same(a, form.Result)
	})
}
