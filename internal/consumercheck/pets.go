package consumercheck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"net/http"
	"strings"
)

// petMetadata has the values of a pet's metadata that further checks need.
type petMetadata struct {
	Image   string
	RawData struct{ ID uint64 }
}

// checkPets checks a pets interface.
func (c *checker) checkPets(ctx context.Context) {
	malformed := c.base + "/token/01"
	c.demand("a malformed id is 400: "+malformed, func() error {
		_, err := c.get(ctx, "/token/{id}", malformed, http.StatusBadRequest, nil)
		return err
	})
	unknown := c.base + "/token/999999999999999"
	c.demand("an unknown id is 404: "+unknown, func() error {
		_, err := c.get(ctx, "/token/{id}", unknown, http.StatusNotFound, nil)
		return err
	})
	var page struct{ Tokens []petMetadata }
	c.demand("a listing: "+c.base+"/tokens?limit=1", func() error {
		_, err := c.get(ctx, "/tokens", c.base+"/tokens?limit=1", http.StatusOK, &page)
		if err == nil && len(page.Tokens) == 0 {
			return note("it is empty")
		}
		return err
	})
	id := c.Pet
	if id == 0 && len(page.Tokens) > 0 {
		id = page.Tokens[0].RawData.ID
	}
	if id == 0 {
		return
	}
	at := fmt.Sprintf("%s/token/%d", c.base, id)
	var p petMetadata
	described := c.demand("metadata: "+at, func() error {
		_, err := c.get(ctx, "/token/{id}", at, http.StatusOK, &p)
		if err == nil && p.RawData.ID != id {
			return fmt.Errorf("rawData.id is %d, want %d", p.RawData.ID, id)
		}
		return err
	})
	if described {
		c.checkPicture(ctx, p.Image)
	}
}

// checkPicture checks the picture that the metadata links to, and its other forms.
func (c *checker) checkPicture(ctx context.Context, link string) {
	bare, _, _ := strings.Cut(link, "?")
	off := bare + "?frame=false&background=false"
	for _, at := range []string{link, bare, bare + "?frame=false", bare + "?background=false", off} {
		c.demand("a PNG: "+at, func() error {
			a, err := c.get(ctx, "/image/{id}", at, http.StatusOK, nil)
			if err != nil {
				return err
			}
			return a.isPicture(at == off)
		})
	}
}

// maxSide bounds the sides of a picture, because its memory is allocated before its pixels are
// read.
const maxSide = 4096

// isPicture returns an error if the answer is not a PNG, or if transparent is set and its corner is
// not transparent.
func (a *answer) isPicture(transparent bool) error {
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
	if _, _, _, alpha := img.At(0, 0).RGBA(); transparent && alpha != 0 {
		return errors.New("the corner is not transparent, although frame and background are off")
	}
	return nil
}
