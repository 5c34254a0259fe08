package site

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"petsupply/internal/pet"
)

const (
	pageSize  = 48 // pets that the gallery shows at once
	pageTries = 8  // pages of a rare combination that are looked through for it
)

// A gallery is one page of pets and the filters that chose them.
type gallery struct {
	Pets    []pet.Pet
	Filters []filter
	Chosen  bool   // by some filter
	Next    string // address of the next page
	First   string // address of the first page, where this is not it
	Realms  []pet.Realm
}

// A filter is one choice among the values of a trait.
type filter struct {
	Name, Label, Value string
	Options            []option
}

type option struct{ Value, Name string }

func (s *Site) gallery(r *http.Request) (*page, error) {
	if s.Pets == nil {
		return nil, errNoPets
	}
	in := r.URL.Query()
	if in.Has("id") {
		id, err := s.search(in)
		if err != nil {
			return nil, err
		}
		return s.goToPet(id), nil
	}
	g := gallery{Filters: s.filters(in), Realms: s.Realms}
	q, err := query(in, g.Filters)
	if err != nil {
		return nil, err
	}
	found, err := s.find(r, q)
	if err != nil {
		return nil, err
	}
	g.Pets = found.Pets
	s.link(&g, q.PageToken, found.Next)
	return &page{template: "gallery", Title: "Pets", Section: "gallery", Data: g, Live: true, Card: &card{
		Title: "Pets", Description: "Every pet of the realms, by realm, egg, rarity, element and place.", URL: s.SiteURL + "/gallery"}}, nil
}

// find returns a page of a listing with at least one pet if a few pages' work,
// as far as the caller can pay for it, can find one.
func (s *Site) find(r *http.Request, q pet.Query) (found pet.Page, err error) {
	for try := 1; ; try++ {
		if err := s.pay(r); err != nil && try > 1 {
			return found, nil
		} else if err != nil {
			return found, err
		}
		found, err = s.Pets.List(r.Context(), q)
		if err != nil || len(found.Pets) > 0 || found.Next == "" || try == pageTries {
			return found, err
		}
		q.PageToken = found.Next
	}
}

// link sets the addresses of the first page and the next, with the same
// filters.
func (s *Site) link(g *gallery, token, next string) {
	chosen := url.Values{}
	for _, f := range g.Filters {
		if f.Value != "" {
			chosen.Set(f.Name, f.Value)
		}
	}
	g.Chosen = len(chosen) > 0
	here := s.base + "/gallery"
	if token != "" {
		g.First = strings.TrimSuffix(here+"?"+chosen.Encode(), "?")
	}
	if next != "" {
		chosen.Set("cursor", next)
		g.Next = here + "?" + chosen.Encode()
	}
}

// search reads a number as a person types it: with the separators that pages
// show, and counted within a realm if one is given.
func (s *Site) search(in url.Values) (uint64, error) {
	text := strings.NewReplacer(",", "", " ", "", "\u00a0", "", "#", "").Replace(in.Get("id"))
	id, err := pet.ParseID(text)
	if err != nil {
		return 0, err
	}
	of := in.Get("of")
	if of == "" {
		return id, nil
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

// filters are the traits to choose by, with the values that were chosen.
func (s *Site) filters(in url.Values) []filter {
	d := s.Pack.Dictionary()
	numbered := func(n int, name func(uint8) string) []option {
		out := make([]option, n)
		for i := range out {
			out[i] = option{strconv.Itoa(i), name(uint8(i))}
		}
		return out
	}
	var realms []option
	for _, r := range s.Realms {
		realms = append(realms, option{r.Key, r.Name})
	}
	list := []filter{
		{Name: "realm", Label: "Lives in", Options: realms},
		{Name: "egg", Label: "Egg", Options: numbered(len(d.Eggs), d.EggName)},
		{Name: "rarity", Label: "Rarity", Options: numbered(5, pet.RarityName)},
		{Name: "element", Label: "Element", Options: numbered(8, pet.ElementName)},
		{Name: "shiny", Label: "Shiny", Options: []option{{"1", "Shiny"}, {"0", "Plain"}}},
		{Name: "background", Label: "Place", Options: numbered(len(d.Backgrounds), d.BackgroundName)},
	}
	for i := range list {
		list[i].Value = in.Get(list[i].Name)
	}
	return list
}

// query turns chosen filters into a listing; a value that is not offered, or
// one given twice, is an error.
func query(in url.Values, filters []filter) (pet.Query, error) {
	q := pet.Query{Traits: map[string]int{}, Limit: pageSize, PageToken: in.Get("cursor")}
	for _, f := range filters {
		offered := slices.ContainsFunc(f.Options, func(o option) bool { return o.Value == f.Value })
		switch {
		case len(in[f.Name]) > 1 || f.Value != "" && !offered:
			return q, errFilter
		case f.Value == "":
		case f.Name == "realm":
			q.Realm = &f.Value
		default:
			n, err := strconv.Atoi(f.Value)
			if err != nil {
				return q, errFilter
			}
			q.Traits[f.Name] = n
		}
	}
	return q, nil
}

func (s *Site) random(r *http.Request) (*page, error) {
	if s.Pets == nil {
		return nil, errNoPets
	}
	if err := s.pay(r); err != nil {
		return nil, err
	}
	id, err := s.Pets.Random(r.Context())
	if err != nil {
		return nil, err
	}
	return s.goToPet(id), nil
}

func (s *Site) goToPet(id uint64) *page {
	return &page{redirect: s.base + "/pet/" + strconv.FormatUint(id, 10)}
}
