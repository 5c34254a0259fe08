package consumercheck

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

// petMetadata has the metadata that wallets and marketplaces read.
type petMetadata struct {
	Name       string           `json:"name"`
	Image      string           `json:"image"`
	Attributes []map[string]any `json:"attributes"`
	Data       map[string]any   `json:"data"`
	Raw        map[string]any   `json:"rawData"`
}

// checkPets checks a pets interface.
func (c *checker) checkPets(ctx context.Context, base string) {
	id := c.Pet
	if id == 0 {
		id = c.firstPet(ctx, base)
	}
	at := fmt.Sprintf("%s/token/%d", base, id)
	var p petMetadata
	meta := c.get(ctx, "OpenSea", "ERC-721 metadata: "+at, at, isJSON(&p), func(*answer) error {
		if p.Name == "" || p.Image == "" || len(p.Attributes) == 0 {
			return errors.New("name, image or attributes are missing")
		}
		return nil
	})
	if meta == nil || meta.status != http.StatusOK {
		return
	}
	c.demand("community tools", "data and rawData have the keys that they read", p.readable)
	c.demand("browser", "metadata may be read from another origin", meta.wantCORS)
	c.conditional(ctx, at, meta)
	c.checkPicture(ctx, p.Image)
	c.get(ctx, "indexers", "a malformed id is 400, not cached", base+"/token/01", isRefusal(http.StatusBadRequest))
	c.get(ctx, "indexers", "an unknown id is 404, not cached", base+"/token/999999999999999",
		isRefusal(http.StatusNotFound))
}

// firstPet returns the id of the first pet of the listing, or 1 if the listing is empty or cannot
// be read.
func (c *checker) firstPet(ctx context.Context, base string) uint64 {
	var page struct {
		Tokens []struct{ RawData struct{ ID uint64 } }
	}
	_, err := c.call(ctx, http.MethodGet, base+"/tokens?limit=1", nil, isJSON(&page))
	if err != nil || len(page.Tokens) == 0 {
		return 1
	}
	return page.Tokens[0].RawData.ID
}

// dataKeys are the keys below "data" that community tools read.
var dataKeys = []string{"name", "background", "pool", "rarity", "element", "bonuscount",
	"gatheringbonus", "craftingbonus", "combatbonus"}

// readable demands the values that community tools read.
func (p *petMetadata) readable() error {
	for _, key := range dataKeys {
		if _, ok := p.Data[key]; !ok {
			return fmt.Errorf("data has no %s", key)
		}
	}
	if _, ok := p.Raw["id"].(float64); !ok {
		return errors.New("rawData.id is not a number")
	}
	return nil
}

// maxSide bounds the sides of a picture, because its memory is allocated before its pixels are
// read.
const maxSide = 4096

// checkPicture checks the picture that the metadata links to.
func (c *checker) checkPicture(ctx context.Context, link string) {
	c.demand("Blockscout", "an absolute link without dots in its query: "+link, func() error {
		u, err := url.Parse(link)
		if err != nil || !u.IsAbs() {
			return errors.New("the link is not absolute")
		}
		if strings.Contains(u.RawQuery, ".") {
			return errors.New("the query has a dot, which is mistaken for a file extension")
		}
		_, err = c.call(ctx, http.MethodHead, link, nil, isOK("image/png"))
		return err
	})
	bare, _, _ := strings.Cut(link, "?")
	for _, query := range []string{"", "?frame=false", "?background=false", "?frame=false&background=false"} {
		c.get(ctx, "wallets", "a PNG: "+bare+query, bare+query, isOK("image/png"), func(a *answer) error {
			size, err := png.DecodeConfig(bytes.NewReader(a.body))
			if err != nil {
				return err
			}
			if size.Width > maxSide || size.Height > maxSide {
				return fmt.Errorf("%d × %d pixels, want at most %d on a side", size.Width, size.Height, maxSide)
			}
			img, err := png.Decode(bytes.NewReader(a.body))
			if err != nil {
				return err
			}
			if _, _, _, alpha := img.At(0, 0).RGBA(); alpha != 0 && strings.HasSuffix(query, "&background=false") {
				return errors.New("the corner is not transparent, although frame and background are off")
			}
			return nil
		})
	}
}
