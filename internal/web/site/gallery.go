package site

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/supply/ledger"
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
	Count   uint64   // of the pets that fit; 0: not known
	Keeper  string   // whose pets they are, where one was chosen
	Only    string   // the kind, or the trait without options, that was chosen
	Kinds   string   // what kinds are called; "": there are none
	Looked  string   // what was looked for
	Called  int      // of Pets, how many have a name that begins with it
	Found   []kind   // kinds whose names, or families, have it in them
	Drop    []choice // where nothing fits: the same without one of the filters
	All     uint64   // pets in all; 0: not known now
	Next    string   // address of the next page
	First   string   // address of the first page, where this is not it
	Realms  []pet.Realm
}

// A filter is one choice among the values of a trait. Without options it is shown
// only where it was chosen by a link.
type filter struct {
	Name, Label, Value string
	Any                string // what no choice is called
	Options            []option
	field              *collection.Field // nil: it is about the realm or the order
}

// An option is one value of a filter, and how many pets have it; 0: not known.
type option struct {
	Value, Name string
	Pets        uint64
}

// The filters that are not about a field.
const (
	realmFilter = "realm"
	sortFilter  = "sort"
)

func (s *Site) gallery(r *http.Request) (*page, error) {
	if s.Pets == nil {
		return nil, errNoPets
	}
	in, census := r.URL.Query(), s.census(r.Context())
	g := gallery{Filters: s.filters(in, census), Realms: s.Realms, Keeper: in.Get("owner"), Kinds: s.Words.KindLabel()}
	if in.Has("id") {
		found, err := s.search(r, in, &g, census)
		if err != nil || found != nil {
			return found, err
		}
		return s.galleryPage(g), nil
	}
	q, err := s.query(in, g.Filters)
	if err != nil {
		return nil, err
	}
	g.Only = s.only(g.Filters, q)
	none := g.count(census, q)
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
	var labels []string
	for _, f := range g.Filters {
		if f.field != nil && len(f.Options) > 0 {
			labels = append(labels, strings.ToLower(f.Label))
		}
	}
	about := "Every {one} of the realms"
	if len(labels) > 0 {
		about += ", by " + strings.Join(labels, ", ")
	}
	title := s.say("{Many}")
	return &page{template: "gallery", Title: title, Section: "gallery", Data: g, Live: true, Card: &card{
		Title: title, URL: s.SiteURL + "/gallery", Description: s.say(about + ".")}}
}

// only names what was chosen by fields without options: the kind, if that is all
// of it.
func (s *Site) only(filters []filter, q pet.Query) string {
	var names []string
	for _, f := range filters {
		if f.Value != "" && f.field != nil && len(f.Options) == 0 {
			names = append(names, f.Label+": "+s.Words.FieldWord(f.field, uint64(q.Traits[f.Name])))
		}
	}
	fields := s.Words.Collection.KindFields()
	numbers := make([]uint64, len(fields))
	for i, f := range fields {
		n, ok := q.Traits[f.Key]
		if !ok {
			return strings.Join(names, ", ")
		}
		numbers[i] = uint64(n)
	}
	if len(names) == 1 && len(fields) > 0 {
		return s.Words.KindNumbered(numbers).Name
	}
	return strings.Join(names, ", ")
}

// count says how many pets each choice would show, and reports whether it is
// known that none fits what was chosen.
func (g *gallery) count(c *pet.Census, q pet.Query) (none bool) {
	if c == nil {
		return false
	}
	g.All, _ = c.Count(pet.Query{})
	n, known := c.Count(q)
	g.Count = n
	if !known || g.Only != "" {
		return known && n == 0
	}
	for i := range g.Filters {
		f := &g.Filters[i]
		realms, values := c.Realms(q), map[int]uint64{}
		if f.field != nil {
			values = c.Values(q, f.Name)
		}
		for j := range f.Options {
			o := &f.Options[j]
			if o.Pets = realms[o.Value]; f.field != nil {
				n, _ := strconv.Atoi(o.Value)
				o.Pets = values[n]
			}
		}
	}
	return n == 0
}

// readCost is what a further read of a listing costs.
const readCost = 1

// find returns a page of a listing with at least one pet if a few pages' work,
// as far as the caller can pay for it, can find one.
func (s *Site) find(r *http.Request, q pet.Query) (found pet.Page, err error) {
	for try := 1; ; try++ {
		if try > 1 && s.Charge(r, readCost) > 0 {
			return found, nil
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
	g.Chosen = len(chosen) > 0
	here := s.base + "/gallery"
	if len(g.Pets) == 0 {
		g.Drop = s.drop(here, g.Filters, chosen)
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
func (s *Site) drop(here string, filters []filter, chosen url.Values) []choice {
	var out []choice
	for _, f := range filters {
		if f.Value == "" || f.Name == sortFilter {
			continue
		}
		rest := maps.Clone(chosen)
		rest.Del(f.Name)
		name, pets := f.Label+": "+f.Value, uint64(0) // of any value
		for _, o := range f.Options {
			pets += o.Pets
			if o.Value == f.Value {
				name = f.Label + ": " + o.Name
			}
		}
		if pets > 0 {
			name += " (" + ledger.Grouped(strconv.FormatUint(pets, 10)) + ")"
		}
		out = append(out, choice{Name: name, Link: strings.TrimSuffix(here+"?"+rest.Encode(), "?")})
	}
	return out
}

// filters are the traits to choose by, with the values that were chosen.
func (s *Site) filters(in url.Values, c *pet.Census) []filter {
	realms := filter{Name: realmFilter, Label: "Lives in"}
	for _, r := range s.Realms {
		realms.Options = append(realms.Options, option{Value: r.Key, Name: r.Name})
	}
	list := []filter{realms}
	for _, f := range s.Words.Collection.Filters() {
		list = append(list, filter{Name: f.Key, Label: s.Words.FieldLabel(f), Options: s.options(f, c), field: f})
	}
	list = append(list, s.sorts())
	for i := range list {
		list[i].Value, list[i].Any = in.Get(list[i].Name), cmp.Or(list[i].Any, "Any")
	}
	return list
}

// mostOptions bounds the options that are not in the collection's tables.
const mostOptions = 200

// options are the values of a field that have words, else those that pets have.
func (s *Site) options(f *collection.Field, c *pet.Census) (out []option) {
	for _, o := range s.Words.FieldOptions(f) {
		out = append(out, option{Value: strconv.Itoa(int(o.Number)), Name: o.Text})
	}
	if len(out) > 0 || c == nil || !f.Counted {
		return out
	}
	for _, n := range slices.Sorted(maps.Keys(c.Values(pet.Query{}, f.Key))) {
		out = append(out, option{Value: strconv.Itoa(n), Name: s.Words.FieldWord(f, uint64(n))})
	}
	return out[:min(len(out), mostOptions)]
}

// sorts are the orders to choose from.
func (s *Site) sorts() filter {
	out := filter{Name: sortFilter, Label: "Sorted by", Any: "Number", Options: []option{
		{Value: string(pet.Newest), Name: "Newest first"},
	}}
	for _, f := range s.Words.Collection.Columns() {
		low, high := ", lowest first", ", highest first"
		if s.Words.IsDate(f) {
			low, high = ", earliest first", ", latest first"
		}
		switch {
		case f.Sort == collection.Descending && f.Rank:
			out.Options = slices.Insert(out.Options, 0, option{Value: f.Key, Name: "Rarest first"})
		case f.Sort == collection.Descending:
			out.Options = append(out.Options, option{Value: f.Key, Name: s.Words.FieldLabel(f) + high})
		case f.Sort == collection.Ascending:
			out.Options = append(out.Options, option{Value: f.Key, Name: s.Words.FieldLabel(f) + low})
		}
	}
	return out
}

// query turns chosen filters into a listing; a value that is not offered, or
// one given twice, is an error.
func (s *Site) query(in url.Values, filters []filter) (pet.Query, error) {
	q := pet.Query{Traits: map[string]int{}, Limit: pageSize, PageToken: in.Get("cursor")}
	for _, f := range filters {
		offered := slices.ContainsFunc(f.Options, func(o option) bool { return o.Value == f.Value })
		if len(in[f.Name]) > 1 || f.Value != "" && !offered && len(f.Options) > 0 {
			return q, errFilter
		}
		switch {
		case f.Value == "":
		case f.Name == realmFilter:
			q.Realm = &f.Value
		case f.Name == sortFilter:
			q.Order = pet.Order(f.Value)
		default:
			n, ok := s.Words.FieldNumber(f.field, f.Value)
			if !ok || strconv.Itoa(int(n)) != f.Value {
				return q, errFilter
			}
			q.Traits[f.Name] = int(n)
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
	id, err := s.Pets.Random(r.Context())
	if err != nil {
		return nil, err
	}
	return s.goToPet(id), nil
}
