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

// petMetadata has the values of a pet's metadata that further checks need.
type petMetadata struct {
	Image   string
	RawData struct{ ID uint64 }
}

// checkPets checks a pets interface.
func (c *checker) checkPets(ctx context.Context, base string) {
	spec := c.specification(ctx, base)
	c.get(ctx, "indexers", "a malformed id is 400, not cached", base+"/token/01", isRefusal(http.StatusBadRequest))
	c.get(ctx, "indexers", "an unknown id is 404, not cached", base+"/token/999999999999999",
		isRefusal(http.StatusNotFound))
	if spec == nil {
		return // all other demands depend on it
	}
	id := c.Pet
	var page struct{ Tokens []petMetadata }
	c.get(ctx, "marketplaces", "a listing", base+"/tokens?limit=1", spec.promises("/tokens", &page), func(*answer) error {
		if len(page.Tokens) == 0 {
			return note("it is empty")
		}
		return nil
	})
	if id == 0 && len(page.Tokens) > 0 {
		id = page.Tokens[0].RawData.ID
	}
	if id == 0 {
		return
	}
	at := fmt.Sprintf("%s/token/%d", base, id)
	var p petMetadata
	meta := c.get(ctx, "OpenSea", "metadata as specified", at, spec.promises("/token/{id}", &p), func(*answer) error {
		if p.RawData.ID != id {
			return fmt.Errorf("rawData.id is %d, want %d", p.RawData.ID, id)
		}
		return nil
	})
	if meta == nil {
		return
	}
	c.demand("browser", "metadata may be read from another origin", meta.wantCORS)
	c.conditional(ctx, at, meta)
	c.checkPicture(ctx, p.Image)
}

// maxSide bounds the sides of a picture, because its memory is allocated before its pixels are
// read.
const maxSide = 4096

// checkPicture checks the picture that the metadata links to.
func (c *checker) checkPicture(ctx context.Context, link string) {
	linked := c.demand("Blockscout", "an absolute link without dots in its query: "+link, func() error {
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
	if !linked {
		return
	}
	bare, _, _ := strings.Cut(link, "?")
	for _, query := range []string{"", "?frame=false", "?background=false", "?frame=false&background=false"} {
		c.get(ctx, "wallets", "a PNG", bare+query, isOK("image/png"), func(a *answer) error {
			return a.wantPicture(strings.HasSuffix(query, "&background=false"))
		})
	}
}

// wantPicture demands a PNG. If frame and background are off, its corner must be transparent.
func (a *answer) wantPicture(off bool) error {
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
	if _, _, _, alpha := img.At(0, 0).RGBA(); off && alpha != 0 {
		return errors.New("the corner is not transparent, although frame and background are off")
	}
	return nil
}
