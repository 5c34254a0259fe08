package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"net/http"
	"net/url"
	"strings"
)

// described is what wallets and marketplaces read of a pet.
type described struct {
	Name       string `json:"name"`
	Image      string `json:"image"`
	External   string `json:"external_url"`
	Attributes []struct {
		Trait string `json:"trait_type"`
		Value any    `json:"value"`
	} `json:"attributes"`
	Data map[string]any `json:"data"`
	Raw  map[string]any `json:"rawData"`
}

// pets inspects a pets interface.
func (k *inspection) pets(base string) {
	id := k.pet
	if id == 0 {
		id = k.firstPet(base)
	}
	at := fmt.Sprintf("%s/token/%d", base, id)
	var d described
	var meta *answered
	k.demand("OpenSea", "ERC-721 metadata: "+at, func() (err error) {
		if meta, err = k.get(at); err != nil {
			return err
		}
		if err := errors.Join(meta.want(http.StatusOK, "application/json"), json.Unmarshal(meta.body, &d)); err != nil {
			return err
		}
		if d.Name == "" || d.Image == "" || len(d.Attributes) == 0 {
			return errors.New("name, image or attributes are missing")
		}
		return nil
	})
	if meta == nil || meta.status != http.StatusOK {
		return
	}
	k.demand("community tools", "data and rawData under the names they read", func() error { return d.readable() })
	k.demand("browser", "metadata may be read from another origin", func() error { return wantHeader(meta, "Access-Control-Allow-Origin", "*") })
	k.demand("everyone", "HEAD and 304: "+at, func() error { return k.conditional(at, meta) })
	k.picture(d.Image)
	k.demand("indexers", "a malformed id is 400, an unknown one 404, neither cached", func() error { return k.refusals(base) })
}

func (k *inspection) firstPet(base string) uint64 {
	var page struct {
		Tokens []struct {
			Raw struct {
				ID uint64 `json:"id"`
			} `json:"rawData"`
		} `json:"tokens"`
	}
	if a, err := k.get(base + "/tokens?limit=1"); err == nil && json.Unmarshal(a.body, &page) == nil && len(page.Tokens) > 0 {
		return page.Tokens[0].Raw.ID
	}
	return 1
}

func (d described) readable() error {
	for _, key := range []string{"name", "background", "pool", "rarity", "element", "bonuscount", "gatheringbonus", "craftingbonus", "combatbonus"} {
		if _, ok := d.Data[key]; !ok {
			return fmt.Errorf("data has no %s", key)
		}
	}
	if _, ok := d.Raw["id"].(float64); !ok {
		return errors.New("rawData.id is not a number")
	}
	return nil
}

// picture inspects the picture that the metadata links to.
func (k *inspection) picture(link string) {
	k.demand("Blockscout", "an absolute link without dots in its query: "+link, func() error {
		u, err := url.Parse(link)
		if err != nil || !u.IsAbs() {
			return errors.New("it is not absolute")
		}
		if strings.Contains(u.RawQuery, ".") {
			return errors.New("a dot in the query is taken for a file's extension")
		}
		head, err := k.call(http.MethodHead, link)
		if err != nil {
			return err
		}
		return head.want(http.StatusOK, "image/png")
	})
	bare, _, _ := strings.Cut(link, "?")
	for _, query := range []string{"", "?frame=false", "?background=false", "?frame=false&background=false"} {
		k.demand("wallets", "a PNG: "+bare+query, func() error {
			a, err := k.get(bare + query)
			if err != nil {
				return err
			}
			if err := a.want(http.StatusOK, "image/png"); err != nil {
				return err
			}
			img, err := png.Decode(bytes.NewReader(a.body))
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

func (k *inspection) refusals(base string) error {
	for path, status := range map[string]int{"/token/01": http.StatusBadRequest, "/token/999999999999999": http.StatusNotFound} {
		a, err := k.get(base + path)
		if err != nil {
			return err
		}
		if err := a.want(status, ""); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := wantHeader(a, "Cache-Control", "no-store"); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}
