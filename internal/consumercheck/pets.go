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
	c.answers(ctx, "a malformed id is 400", "/token/{id}", "/token/01", http.StatusBadRequest, nil)
	c.answers(ctx, "an unknown id is 404", "/token/{id}", "/token/999999999999999", http.StatusNotFound, nil)
	var page struct{ Tokens []petMetadata }
	c.answers(ctx, "a listing", "/tokens", "/tokens?limit=1", http.StatusOK, func(a *answer) error {
		if err := a.decode(&page); err != nil {
			return err
		}
		if len(page.Tokens) == 0 {
			return note("it is empty")
		}
		return nil
	})
	id := c.Pet
	if id == 0 && len(page.Tokens) > 0 {
		id = page.Tokens[0].RawData.ID
	}
	if id == 0 {
		return
	}
	var p petMetadata
	at := fmt.Sprintf("/token/%d", id)
	described := c.answers(ctx, "metadata", "/token/{id}", at, http.StatusOK, func(a *answer) error {
		if err := a.decode(&p); err != nil {
			return err
		}
		if p.RawData.ID != id {
			return fmt.Errorf("rawData.id is %d, want %d", p.RawData.ID, id)
		}
		return nil
	})
	if !described || !c.checkPicture(ctx, p.Image, false) {
		return
	}
	bare, _, _ := strings.Cut(p.Image, "?")
	for _, query := range []string{"", "?frame=false", "?background=false"} {
		c.checkPicture(ctx, bare+query, false)
	}
	c.checkPicture(ctx, bare+"?frame=false&background=false", true)
}

func (c *checker) checkPicture(ctx context.Context, at string, transparent bool) bool {
	return c.answers(ctx, "a PNG", "/image/{id}", at, http.StatusOK, func(a *answer) error {
		return a.isPicture(transparent)
	})
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
