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

// checkPets checks a pets interface.
func (c *Checker) checkPets(ctx context.Context, base string) {
	id := c.pet
	if id == 0 {
		id = c.firstPet(ctx, base)
	}
	at := fmt.Sprintf("%s/token/%d", base, id)
	var p petMetadata
	meta := c.get(ctx, "OpenSea", "ERC-721 metadata: "+at, at, isJSON(&p), func(*response) error {
		if p.Name == "" || p.Image == "" || len(p.Attributes) == 0 {
			return errors.New("name, image or attributes are missing")
		}
		return nil
	})
	if meta == nil || meta.status != http.StatusOK {
		return
	}
	c.demand("community tools", "data and rawData under the names they read", p.readable)
	c.demand("browser", "metadata may be read from another origin", meta.wantCORS)
	c.conditional(ctx, at, meta)
	c.checkPicture(ctx, p.Image)
	c.get(ctx, "indexers", "a malformed id is 400, not cached", base+"/token/01", isRefusal(http.StatusBadRequest))
	c.get(ctx, "indexers", "an unknown id is 404, not cached", base+"/token/999999999999999", isRefusal(http.StatusNotFound))
}

func (c *Checker) firstPet(ctx context.Context, base string) uint64 {
	var page struct {
		Tokens []struct{ RawData struct{ ID uint64 } }
	}
	if _, err := c.call(ctx, http.MethodGet, base+"/tokens?limit=1", nil, isJSON(&page)); err != nil || len(page.Tokens) == 0 {
		return 1
	}
	return page.Tokens[0].RawData.ID
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

// checkPicture checks the picture that the metadata links to.
func (c *Checker) checkPicture(ctx context.Context, link string) {
	c.demand("Blockscout", "an absolute link without dots in its query: "+link, func() error {
		u, err := url.Parse(link)
		if err != nil || !u.IsAbs() {
			return errors.New("it is not absolute")
		}
		if strings.Contains(u.RawQuery, ".") {
			return errors.New("a dot in the query is taken for a file's extension")
		}
		_, err = c.call(ctx, http.MethodHead, link, nil, isOK("image/png"))
		return err
	})
	bare, _, _ := strings.Cut(link, "?")
	for _, query := range []string{"", "?frame=false", "?background=false", "?frame=false&background=false"} {
		c.get(ctx, "wallets", "a PNG: "+bare+query, bare+query, isOK("image/png"), func(r *response) error {
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
