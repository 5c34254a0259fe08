package consumercheck

import (
	"context"
	"fmt"
	"math/big"
	"net/http"
	"regexp"
	"strings"
)

var figurePattern = regexp.MustCompile(`^\d+(\.\d+)?$`)

// tokenDocument has the values of a token's document that consumers read.
type tokenDocument struct {
	Symbol      string  `json:"symbol"`
	Total       *string `json:"totalSupply"`
	Circulating *string `json:"circulatingSupply"`
	Max         *string `json:"maxSupply"`
	Status      string  `json:"status"`
	Snapshot    string  `json:"snapshot"`
}

// checkSupply checks a supply interface.
func (c *checker) checkSupply(ctx context.Context, base string) {
	spec := c.specification(ctx, base)
	c.get(ctx, "everyone", "an unknown token is 404, not cached", base+"/no-such-token", isRefusal(http.StatusNotFound))
	if spec == nil {
		return // all other demands depend on it
	}
	var all []tokenDocument
	c.get(ctx, "community tools", "all tokens as specified", base+"/", spec.promises("/", &all))
	for _, t := range all {
		at := base + "/" + strings.ToLower(t.Symbol)
		a, err := c.call(ctx, http.MethodGet, at, nil)
		switch {
		case err == nil && a.status == http.StatusNotFound:
			c.demand("everyone", t.Symbol+" has figures", func() error {
				return note("its path is not its symbol, so its figures were not checked")
			})
		case c.demand("everyone", t.Symbol+" has a figure", t.published) &&
			c.demand("everyone", t.Symbol+" circulating ≤ total ≤ max", t.ordered):
			c.checkFigure(ctx, at+"/totalsupply", *t.Total, t.Snapshot)
			c.checkFigure(ctx, at+"/circulatingsupply", *t.Circulating, t.Snapshot)
		}
	}
}

// published demands a current figure.
func (t *tokenDocument) published() error {
	switch {
	case t.Total == nil || t.Circulating == nil:
		return fmt.Errorf("no figure is published (status %s)", t.Status)
	case t.Status == "demo":
		return note("the demo's figures are invented, not measured")
	case t.Status == "past":
		return note("a frozen copy: its figures are of the past")
	case t.Status != "fresh":
		return fmt.Errorf("the figure's status is %s", t.Status)
	}
	return nil
}

// ordered demands that circulating is at most total, and total at most max. It skips missing figures.
func (t *tokenDocument) ordered() error {
	last := new(big.Rat)
	written := "0"
	for _, s := range []*string{t.Circulating, t.Total, t.Max} {
		if s == nil {
			continue
		}
		r, ok := new(big.Rat).SetString(*s)
		if !ok {
			return fmt.Errorf("%q is not a number", *s)
		}
		if last.Cmp(r) > 0 {
			return fmt.Errorf("%s is less than %s", *s, written)
		}
		last = r
		written = *s
	}
	return nil
}

// checkFigure checks one bare figure. value and snapshot are those of the token's
// document.
func (c *checker) checkFigure(ctx context.Context, url, value, snapshot string) {
	isFigure := func(a *answer) error {
		if !figurePattern.Match(a.body) {
			return fmt.Errorf("%.60q is not a plain number without a newline", a.body)
		}
		return nil
	}
	plain := c.get(ctx, "CoinMarketCap", "just the value, text/plain", url, isOK("text/plain"), isFigure)
	if plain == nil {
		return
	}
	var form struct{ Result string }
	agrees := func(a *answer) error {
		at := plain.header.Get("Supply-Snapshot")
		if at == snapshot && string(plain.body) != value {
			return fmt.Errorf("%.60s here, %s in the document of the same snapshot", plain.body, value)
		}
		if a.header.Get("Supply-Snapshot") == at && form.Result != string(plain.body) {
			return fmt.Errorf("%s with ?format=json, %.60s without it", form.Result, plain.body)
		}
		return nil
	}
	c.get(ctx, "CoinGecko", "the figure agrees with the document", url+"?format=json", isJSON(&form), agrees)
	c.demand("Coinranking", "a request that accepts JSON is not refused: "+url, func() error {
		asJSON := http.Header{"Accept": {"application/json"}}
		_, err := c.call(ctx, http.MethodGet, url, asJSON, hasStatus(http.StatusOK))
		return err
	})
	c.conditional(ctx, url, plain)
	c.demand("browser", "may be read from another origin: "+url, plain.wantCORS)
}
