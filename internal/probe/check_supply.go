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

// checkSupply checks a supply interface.
func (c *Checker) checkSupply(ctx context.Context, base string) {
	var all []tokenDocument
	c.get(ctx, "community tools", "all tokens as a JSON array: "+base+"/", base+"/", isJSON(&all))
	for _, t := range all {
		at := base + "/" + strings.ToLower(t.Symbol)
		if r, err := c.call(ctx, http.MethodGet, at, nil); err == nil && r.status == http.StatusNotFound {
			c.demand("everyone", t.Symbol+" has figures", func() error { return note("its path is not its symbol; they were not asked for") })
			continue
		}
		c.demand("everyone", t.Symbol+" has a figure", t.published)
		c.demand("everyone", t.Symbol+" circulating ≤ total ≤ max", t.ordered)
		if t.Total != nil {
			c.checkFigure(ctx, at+"/totalsupply", *t.Total, t.Snapshot)
		}
		if t.Circulating != nil {
			c.checkFigure(ctx, at+"/circulatingsupply", *t.Circulating, t.Snapshot)
		}
	}
	c.get(ctx, "everyone", "an unknown token is 404 and is not cached", base+"/no-such-token", isRefusal(http.StatusNotFound))
}

func (t *tokenDocument) published() error {
	switch {
	case t.Total == nil || t.Circulating == nil:
		return fmt.Errorf("none is published (status %s)", t.Status)
	case t.Status == "demo":
		return note("it is the demo's: invented, not measured")
	case t.Status == "past":
		return note("it is of the past: a frozen copy")
	case t.Status != "fresh":
		return fmt.Errorf("its status is %s", t.Status)
	}
	return nil
}

// ordered demands that the figures which are there do not fall.
func (t *tokenDocument) ordered() error {
	last := new(big.Rat)
	for _, s := range []*string{t.Circulating, t.Total, t.Max} {
		if s == nil {
			continue
		}
		r, ok := new(big.Rat).SetString(*s)
		if !ok {
			return fmt.Errorf("%q is not a number", *s)
		}
		if last.Cmp(r) > 0 {
			return errors.New("it is not")
		}
		last = r
	}
	return nil
}

// checkFigure checks one bare figure; value is that of the document of a snapshot.
func (c *Checker) checkFigure(ctx context.Context, url, value, snapshot string) {
	plain := c.get(ctx, "CoinMarketCap", "just the value, text/plain: "+url, url, isOK("text/plain"), func(r *response) error {
		if !figurePattern.Match(r.body) {
			return fmt.Errorf("%.60q is not digits alone, without newline", r.body)
		}
		return nil
	})
	if plain == nil {
		return
	}
	var form struct{ Result string }
	c.get(ctx, "CoinGecko", "the figure agrees with the document: "+url, url+"?format=json", isJSON(&form), func(r *response) error {
		at := plain.header.Get("Supply-Snapshot")
		if at == snapshot && string(plain.body) != value {
			return fmt.Errorf("%.60s here, %s in the document of the same snapshot", plain.body, value)
		}
		if r.header.Get("Supply-Snapshot") == at && form.Result != string(plain.body) {
			return fmt.Errorf("?format=json says %s", form.Result)
		}
		return nil
	})
	c.demand("Coinranking", "asks for JSON and is not refused: "+url, func() error {
		_, err := c.call(ctx, http.MethodGet, url, http.Header{"Accept": {"application/json"}}, hasStatus(http.StatusOK))
		return err
	})
	c.conditional(ctx, url, plain)
	c.demand("browser", "may be read from another origin: "+url, plain.wantCORS)
}
