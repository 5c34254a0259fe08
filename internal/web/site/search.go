package site

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
)

// A creature is one that a search named.
type creature struct {
	choice
	Pets uint64 // 0: not known
	egg  uint8
	look uint16
}

const (
	longestSearch  = 200 // bytes
	creaturesShown = 24
)

// search answers what was typed into the box: the number of a pet, alone or
// behind the name of its realm, and the address of a keeper lead there; anything
// else fills g with creatures of that name, and with pets whose keepers called
// them so.
func (s *Site) search(r *http.Request, in url.Values, g *gallery) (*page, error) {
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
	if err := s.pay(r); err != nil {
		return nil, err
	}
	found, err := s.Pets.List(r.Context(), pet.Query{Name: text, Limit: pageSize})
	if err != nil {
		return nil, err
	}
	g.Pets, g.Looked, g.Chosen = found.Pets, pet.Clean(text), true
	g.Creatures = s.creatures(text)
	if c := s.census(r.Context()); c != nil {
		g.All, _ = c.Count(pet.Query{})
		for i, x := range g.Creatures {
			g.Creatures[i].Pets = c.Creatures[pet.Creature{Egg: x.egg, Appearance: x.look}]
		}
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

// creatures are those whose name has a text in it, or whose family's has.
func (s *Site) creatures(text string) []creature {
	text = strings.ToLower(text)
	d := s.Pack.Dictionary()
	var out []creature
	for egg, looks := range d.Appearances {
		for n, a := range looks {
			if strings.Contains(strings.ToLower(a.Name), text) || strings.EqualFold(d.Families[a.Family].Name, text) {
				out = append(out, s.creature(egg, n))
			}
		}
	}
	slices.SortFunc(out, func(a, b creature) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Link, b.Link))
	})
	return out[:min(len(out), creaturesShown)]
}

func (s *Site) creature(egg uint8, look uint16) creature {
	link := fmt.Sprintf("%s/gallery?egg=%d&look=%d", s.base, egg, look)
	return creature{choice: choice{Name: s.creatureName(egg, look), Link: link}, egg: egg, look: look}
}

func (s *Site) creatureName(egg uint8, look uint16) string {
	d := s.Pack.Dictionary()
	return cmp.Or(d.Appearances[egg][look].Name, fmt.Sprintf("look %d of the %s egg", look, d.EggName(egg)))
}
