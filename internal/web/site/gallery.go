package site

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"

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
	Chosen  bool     // by some filter
	Keeper  string   // whose pets they are, where one was chosen
	Drop    []choice // where nothing fits: the same without one of the filters
	All     uint64   // pets in all; 0: not known now
	Next    string   // address of the next page
	First   string   // address of the first page, where this is not it
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
	if typed := strings.TrimSpace(in.Get("id")); in.Has("id") && strings.HasPrefix(typed, "0x") && common.IsHexAddress(typed) {
		return &page{redirect: s.keeper(common.HexToAddress(typed))}, nil
	} else if in.Has("id") {
		id, err := s.search(in)
		if err != nil {
			return nil, err
		}
		return s.goToPet(id), nil
	}
	g := gallery{Filters: s.filters(in), Realms: s.Realms, Keeper: in.Get("owner")}
	q, err := query(in, g.Filters)
	if err != nil {
		return nil, err
	}
	found, err := s.find(r, q)
	if err != nil {
		return nil, err
	}
	g.Pets, g.All = found.Pets, s.population(r.Context())
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
	if g.Keeper != "" {
		chosen.Set("owner", g.Keeper)
	}
	g.Chosen = len(chosen) > 0
	here := s.base + "/gallery"
	if len(g.Pets) == 0 {
		g.Drop = drop(here, g.Filters, chosen)
	}
	if token != "" {
		g.First = strings.TrimSuffix(here+"?"+chosen.Encode(), "?")
	}
	if next != "" {
		chosen.Set("cursor", next)
		g.Next = here + "?" + chosen.Encode()
	}
}

// drop offers the same choice without one of its filters.
func drop(here string, filters []filter, chosen url.Values) []choice {
	var out []choice
	for _, f := range filters {
		if f.Value == "" {
			continue
		}
		rest := maps.Clone(chosen)
		rest.Del(f.Name)
		i := slices.IndexFunc(f.Options, func(o option) bool { return o.Value == f.Value })
		out = append(out, choice{Name: f.Label + ": " + f.Options[i].Name, Link: strings.TrimSuffix(here+"?"+rest.Encode(), "?")})
	}
	return out
}

// population is how many pets there are, 0 where that cannot be said now.
func (s *Site) population(ctx context.Context) (all uint64) {
	if s.Counts == nil {
		return 0
	}
	counts, err := s.Counts(ctx)
	if err != nil {
		return 0
	}
	for _, n := range counts {
		all += n
	}
	return all
}

// keeper is the address of the page with the pets of one.
func (s *Site) keeper(a common.Address) string { return s.base + "/gallery?owner=" + a.Hex() }

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
	if owner := in.Get("owner"); owner != "" || len(in["owner"]) > 1 {
		if len(in["owner"]) > 1 || !strings.HasPrefix(owner, "0x") || !common.IsHexAddress(owner) {
			return q, errFilter
		}
		a := common.HexToAddress(owner)
		q.Owner = &a
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
