package site

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// A kind is one that a search named.
type kind struct {
	choice
	Pets uint64 // 0: not known
}

const (
	longestSearch = 200 // bytes
	kindsShown    = 24
)

// search answers what was typed into the box: the number of a pet, alone or
// behind the name of its realm, and the address of a keeper lead there; anything
// else fills g with kinds of that name, and with pets whose keepers called them so.
func (s *Site) search(r *http.Request, in url.Values, g *gallery, c *pet.Census) (*page, error) {
	text := strings.TrimSpace(in.Get("id"))
	if len(in["id"]) > 1 || text == "" || len(text) > longestSearch {
		return nil, errFilter
	}
	if strings.HasPrefix(text, "0x") && common.IsHexAddress(text) {
		return &page{redirect: s.keeper(common.HexToAddress(text))}, nil
	}
	if id, err := s.number(text, in.Get("of")); !errors.Is(err, pet.ErrBadID) {
		if err != nil {
			return nil, err
		}
		return s.goToPet(id), nil
	}
	found, err := s.Pets.List(r.Context(), pet.Query{Name: text, Limit: pageSize})
	if err != nil {
		return nil, err
	}
	g.Pets, g.Looked, g.Chosen = found.Pets, pet.Clean(text), true
	g.Found = s.kindsNamed(text, c)
	if c != nil {
		g.All, _ = c.Count(pet.Query{})
	}
	return nil, nil
}

// number reads a number as a person types it: with the separators that pages
// show, and counted within a realm if one is named before it or beside it.
func (s *Site) number(text, of string) (uint64, error) {
	if i := strings.LastIndexAny(text, " \u00a0"); of == "" && i > 0 {
		for _, r := range s.Realms {
			said := strings.TrimSpace(text[:i])
			if r.Offset != nil && (strings.EqualFold(said, r.Name) || strings.EqualFold(said, r.Key)) {
				of, text = r.Key, text[i:]
				break
			}
		}
	}
	id, err := pet.ParseID(strings.NewReplacer(",", "", " ", "", "\u00a0", "", "#", "").Replace(text))
	if err != nil || of == "" {
		return id, err
	}
	i := slices.IndexFunc(s.Realms, func(r pet.Realm) bool { return r.Key == of && r.Offset != nil })
	if i < 0 {
		return 0, fmt.Errorf("realm %q: %w", of, errFilter)
	}
	if id < pet.Band {
		id += *s.Realms[i].Offset
	}
	return id, nil
}

// kindsNamed are those whose name has a text in it, or whose family's is it.
func (s *Site) kindsNamed(text string, c *pet.Census) []kind {
	text = strings.ToLower(text)
	var out []kind
	for _, k := range s.Words.Kinds() {
		if !strings.Contains(strings.ToLower(k.Name), text) && !strings.EqualFold(k.Family, text) {
			continue
		}
		found := kind{choice: choice{Name: k.Name, Link: s.kindLink(k)}}
		if c != nil {
			found.Pets, _ = c.Count(pet.Query{Traits: s.kindTraits(k)})
		}
		out = append(out, found)
	}
	slices.SortFunc(out, func(a, b kind) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Link, b.Link))
	})
	return out[:min(len(out), kindsShown)]
}

// kindTraits are the values of fields that select a kind.
func (s *Site) kindTraits(k collection.Kind) map[string]int {
	out := map[string]int{}
	for i, f := range s.Words.Collection.KindFields() {
		out[f.Key] = int(k.Numbers[i])
	}
	return out
}

// kindLink is the address of the gallery with all of a kind.
func (s *Site) kindLink(k collection.Kind) string {
	q := url.Values{}
	for key, n := range s.kindTraits(k) {
		q.Set(key, strconv.Itoa(n))
	}
	return s.base + "/gallery?" + q.Encode()
}
