package probe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"net/http"
	"net/url"
	"strings"
)

// petMetadata is what wallets and marketplaces read of a pet.
type petMetadata struct {
	Name       string           `json:"name"`
	Image      string           `json:"image"`
	Attributes []map[string]any `json:"attributes"`
	Data       map[string]any   `json:"data"`
	Raw        map[string]any   `json:"rawData"`
}

// pets checks a pets interface.
func (c *Checker) pets(ctx context.Context, base string) {
	id := c.Pet
	if id == 0 {
		id = c.firstPet(ctx, base)
	}
	at := fmt.Sprintf("%s/token/%d", base, id)
	var p petMetadata
	var meta *response
	c.demand("OpenSea", "ERC-721 metadata: "+at, func() (err error) {
		meta, err = c.getJSON(ctx, at, &p)
		if err == nil && (p.Name == "" || p.Image == "" || len(p.Attributes) == 0) {
			err = errors.New("name, image or attributes are missing")
		}
		return err
	})
	if meta == nil || meta.status != http.StatusOK {
		return
	}
	c.demand("community tools", "data and rawData under the names they read", p.readable)
	c.demand("browser", "metadata may be read from another origin", meta.wantCORS)
	c.demand("everyone", "HEAD and 304: "+at, func() error { return c.conditional(ctx, at, meta) })
	c.picture(ctx, p.Image)
	c.demand("indexers", "a malformed id is 400, an unknown one 404, neither cached", func() error {
		if err := c.refused(ctx, base+"/token/01", http.StatusBadRequest); err != nil {
			return err
		}
		return c.refused(ctx, base+"/token/999999999999999", http.StatusNotFound)
	})
}

func (c *Checker) firstPet(ctx context.Context, base string) uint64 {
	var page struct {
		Tokens []struct{ RawData struct{ ID uint64 } }
	}
	if _, err := c.getJSON(ctx, base+"/tokens?limit=1", &page); err == nil && len(page.Tokens) > 0 {
		return page.Tokens[0].RawData.ID
	}
	return 1
}

func (p *petMetadata) readable() error {
	for _, key := range []string{"name", "background", "pool", "rarity", "element", "bonuscount", "gatheringbonus", "craftingbonus", "combatbonus"} {
		if _, ok := p.Data[key]; !ok {
			return fmt.Errorf("data has no %s", key)
		}
	}
	if _, ok := p.Raw["id"].(float64); !ok {
		return errors.New("rawData.id is not a number")
	}
	return nil
}

// picture checks the picture that the metadata links to.
func (c *Checker) picture(ctx context.Context, link string) {
	c.demand("Blockscout", "an absolute link without dots in its query: "+link, func() error {
		u, err := url.Parse(link)
		if err != nil || !u.IsAbs() {
			return errors.New("it is not absolute")
		}
		if strings.Contains(u.RawQuery, ".") {
			return errors.New("a dot in the query is taken for a file's extension")
		}
		_, err = c.expect(ctx, http.MethodHead, link, http.StatusOK, "image/png")
		return err
	})
	bare, _, _ := strings.Cut(link, "?")
	for _, query := range []string{"", "?frame=false", "?background=false", "?frame=false&background=false"} {
		c.demand("wallets", "a PNG: "+bare+query, func() error {
			r, err := c.expect(ctx, http.MethodGet, bare+query, http.StatusOK, "image/png")
			if err != nil {
				return err
			}
			img, err := png.Decode(bytes.NewReader(r.body))
			if err != nil {
				return err
			}
			if _, _, _, alpha := img.At(0, 0).RGBA(); alpha != 0 && strings.HasSuffix(query, "&background=false") {
				return errors.New("nothing was to be drawn around the pet, but its corner is not transparent")
			}
			return nil
		})
	}
}
