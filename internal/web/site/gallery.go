package site

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
	"petsupply/internal/supply/ledger"
)

const (
	pageSize  = 48 // pets that the gallery shows at once
	pageTries = 8  // pages of a rare combination that are looked through for it
)

// A gallery is one page of pets and the filters that chose them.
type gallery struct {
	Pets      []pet.Pet
	Filters   []filter
	Chosen    bool       // by some filter
	Count     uint64     // of the pets that fit; 0: not known
	Keeper    string     // whose pets they are, where one was chosen
	Creature  *choice    // which one was chosen; its link leads to all others
	Looked    string     // what was looked for
	Creatures []creature // that what was looked for names
	Drop      []choice   // where nothing fits: the same without one of the filters
	All       uint64     // pets in all; 0: not known now
	Next      string     // address of the next page
	First     string     // address of the first page, where this is not it
	Realms    []pet.Realm
}

// A filter is one choice among the values of a trait.
type filter struct {
	Name, Label, Value string
	Any                string // what no choice is called
	Options            []option
}

// An option is one value of a filter, and how many pets have it; 0: not known.
type option struct {
	Value, Name string
	Pets        uint64
}

// sorts are the orders to choose from.
var sorts = filter{Name: "sort", Label: "Sorted by", Any: "Number", Options: []option{
	{Value: string(pet.ByRarity), Name: "Rarest first"},
	{Value: string(pet.Newest), Name: "Newest first"},
	{Value: string(pet.ByHunger), Name: "Hungriest first"},
}}

func (s *Site) gallery(r *http.Request) (*page, error) {
	if s.Pets == nil {
		return nil, errNoPets
	}
	in := r.URL.Query()
	g := gallery{Filters: s.filters(in), Realms: s.Realms, Keeper: in.Get("owner")}
	if in.Has("id") {
		found, err := s.search(r, in, &g)
		if err != nil || found != nil {
			return found, err
		}
		return s.galleryPage(g), nil
	}
	q, err := query(in, g.Filters)
	if err != nil {
		return nil, err
	}
	if look, ok := q.Traits["appearance"]; ok {
		g.Creature = &choice{Name: s.creatureName(uint8(q.Traits["egg"]), uint16(look)), Link: s.base + "/gallery"}
	}
	none := s.count(r.Context(), &g, q)
	var found pet.Page
	if !none {
		if found, err = s.find(r, q); err != nil {
			return nil, err
		}
	}
	g.Pets = found.Pets
	s.link(&g, q, found.Next)
	return s.galleryPage(g), nil
}

func (s *Site) galleryPage(g gallery) *page {
	return &page{template: "gallery", Title: "Pets", Section: "gallery", Data: g, Live: true, Card: &card{
		Title: "Pets", URL: s.SiteURL + "/gallery",
		Description: "Every pet of the realms, by realm, egg, rarity, element and place."}}
}

// count says how many pets each choice would show, and reports whether it is
// known that none fits what was chosen.
func (s *Site) count(ctx context.Context, g *gallery, q pet.Query) (none bool) {
	c := s.census(ctx)
	if c == nil {
		return false
	}
	g.All, _ = c.Count(pet.Query{})
	n, known := c.Count(q)
	g.Count = n
	if !known || g.Creature != nil {
		return known && n == 0
	}
	for i := range g.Filters {
		f := &g.Filters[i]
		realms, values := c.Realms(q), map[int]uint64{}
		if f.Name != "realm" {
			values = c.Values(q, f.Name)
		}
		for j := range f.Options {
			o := &f.Options[j]
			if o.Pets = realms[o.Value]; f.Name != "realm" {
				n, _ := strconv.Atoi(o.Value)
				o.Pets = values[n]
			}
		}
	}
	return n == 0
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
func (s *Site) link(g *gallery, q pet.Query, next string) {
	chosen := url.Values{}
	for _, f := range g.Filters {
		if f.Value != "" {
			chosen.Set(f.Name, f.Value)
		}
	}
	if g.Keeper != "" {
		chosen.Set("owner", g.Keeper)
	}
	if look, ok := q.Traits["appearance"]; ok {
		chosen.Set("look", strconv.Itoa(look))
	}
	g.Chosen = len(chosen) > 0
	here := s.base + "/gallery"
	if len(g.Pets) == 0 {
		g.Drop = drop(here, g.Filters, chosen)
	}
	if q.PageToken != "" {
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
		if f.Value == "" || f.Name == sorts.Name {
			continue
		}
		rest := maps.Clone(chosen)
		rest.Del(f.Name)
		var pets uint64 // of any value
		for _, o := range f.Options {
			pets += o.Pets
		}
		i := slices.IndexFunc(f.Options, func(o option) bool { return o.Value == f.Value })
		name := f.Label + ": " + f.Options[i].Name
		if pets > 0 {
			name += " (" + ledger.Grouped(strconv.FormatUint(pets, 10)) + ")"
		}
		out = append(out, choice{Name: name, Link: strings.TrimSuffix(here+"?"+rest.Encode(), "?")})
	}
	return out
}

// filters are the traits to choose by, with the values that were chosen.
func (s *Site) filters(in url.Values) []filter {
	d := s.Pack.Dictionary()
	numbered := func(n int, name func(uint8) string) []option {
		out := make([]option, n)
		for i := range out {
			out[i] = option{Value: strconv.Itoa(i), Name: name(uint8(i))}
		}
		return out
	}
	var realms []option
	for _, r := range s.Realms {
		realms = append(realms, option{Value: r.Key, Name: r.Name})
	}
	list := []filter{
		{Name: "realm", Label: "Lives in", Options: realms},
		{Name: "egg", Label: "Egg", Options: numbered(len(d.Eggs), d.EggName)},
		{Name: "rarity", Label: "Rarity", Options: numbered(5, pet.RarityName)},
		{Name: "element", Label: "Element", Options: numbered(8, pet.ElementName)},
		{Name: "shiny", Label: "Shiny", Options: []option{{Value: "1", Name: "Shiny"}, {Value: "0", Name: "Plain"}}},
		{Name: "background", Label: "Place", Options: numbered(len(d.Backgrounds), d.BackgroundName)},
		sorts,
	}
	for i := range list {
		list[i].Value, list[i].Any = in.Get(list[i].Name), cmp.Or(list[i].Any, "Any")
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
		case f.Name == sorts.Name:
			q.Order = pet.Order(f.Value)
		default:
			n, err := strconv.Atoi(f.Value)
			if err != nil {
				return q, errFilter
			}
			q.Traits[f.Name] = n
		}
	}
	if look := in.Get("look"); look != "" || len(in["look"]) > 1 {
		n, err := strconv.ParseUint(look, 10, 16)
		if _, egg := q.Traits["egg"]; err != nil || !egg || len(in["look"]) > 1 {
			return q, errFilter
		}
		q.Traits["appearance"] = int(n)
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
