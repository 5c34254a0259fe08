package site

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

const (
	pageSize  = 48 // pets that the gallery shows at once
	pageTries = 8  // pages that are searched for pets with a rare combination of traits
)

// A gallery is one page of pets and the filters that chose them.
type gallery struct {
	Pets    []pet.Pet
	Filters []filter
	Sort    filter
	Chips   []choice   // the chosen values, each with the address of the gallery without that value
	Chosen  bool       // a filter was chosen
	Count   uint64     // how many pets fit; 0 if not known
	Owner   string     // the chosen owner, if any
	Kinds   string     // the collection's name for kinds; "" if there are none
	Typed   string     // the text of the search
	Called  int        // how many of Pets have a given name that begins with Typed; they come first
	Unread  bool       // there may be more pets with such a name
	Found   []kind     // kinds with Typed in their name or their family's name
	Burned  []choice   // links to burned pets that have the searched number
	Unfit   []choice   // links to pets that have the searched number, but do not fit the filters
	All     uint64     // all pets; 0 if not known now
	Owners  pet.Owners // the owners of all pets; zero if not known now, or if a filter was chosen
	Next    string     // address of the next page
	First   string     // address of the first page; "" on the first page itself
	Realms  []pet.Realm
}

// Looked returns the text of the search in a form that is safe to show.
func (g gallery) Looked() string { return pet.Clean(g.Typed) }

// LikeAddress reports whether the search text begins like an address.
func (g gallery) LikeAddress() bool { return strings.HasPrefix(strings.ToLower(g.Typed), "0x") }

// A filter lets readers choose one or more values of a trait. A filter without options has a box to
// type a number, unless Max is 0. Then it is shown only if the page's address has a value for it. If
// Max is not 0, any number up to Max can be searched, even one that no option has.
type filter struct {
	Name, Label string
	Values      []string // chosen values
	Options     []option
	Counted     bool              // the number of pets is known for every option
	Max         uint64            // the largest number, if the values are numbers without words
	field       *collection.Field // nil for the realm and the order
}

// An option is one value of a filter, and the number of pets that have it; 0 if not known.
type option struct {
	Value, Name string
	Pets        uint64
	Chosen      bool
}

// Typed returns the texts of the boxes of a filter without options: its values, or one empty text.
func (f filter) Typed() []string {
	if len(f.Values) == 0 {
		return []string{""}
	}
	return f.Values
}

// Open reports whether the options are shown without a click.
func (f filter) Open() bool { return len(f.Values) > 0 || len(f.Options) <= 8 }

// number returns a value of the field as a number.
func (f filter) number(w *pet.Words, value string) int {
	if f.field.Type.IsWord() {
		n, _ := w.FieldNumber(f.field, value)
		return int(n)
	}
	n, _ := strconv.Atoi(value)
	return n
}

// word returns the name of a value.
func (f filter) word(w *pet.Words, value string) string {
	for _, o := range f.Options {
		if o.Value == value {
			return o.Name
		}
	}
	if n, err := strconv.ParseUint(value, 10, 64); err == nil && f.field != nil && !f.field.Type.IsWord() {
		return w.FieldWord(f.field, n)
	}
	return pet.Clean(value)
}

// The filters that do not select by a field.
const (
	realmFilter = "realm"
	sortFilter  = "sort"
)

func (s *Site) gallery(r *http.Request) (*page, error) {
	if s.Pets == nil {
		return nil, errNoPets
	}
	in, census := r.URL.Query(), s.census(r.Context())
	g := gallery{Filters: s.filters(in, census), Sort: s.sorts(in), Realms: s.Realms, Owner: in.Get("owner"),
		Kinds: s.Words.KindLabel()}
	q, err := s.query(in, g.Filters, g.Sort)
	if err != nil {
		return nil, err
	}
	if in.Has("id") {
		found, err := s.search(r, in, &g, q, census)
		if err != nil || found != nil {
			return found, err
		}
		return s.galleryPage(g), nil
	}
	none := g.count(s.Words, census, q)
	var found pet.Page
	if !none {
		if wait := s.Charge(r, valuesCost(q)); wait > 0 {
			return nil, limited(wait)
		}
		if found, err = s.find(r, q); err != nil {
			return nil, err
		}
	}
	g.Pets = found.Pets
	if g.Count == 0 && q.PageToken == "" && found.Next == "" {
		g.Count = uint64(len(found.Pets))
	}
	if g.Count == 0 && q.Owner != nil && found.Next != "" {
		g.Count = s.countOwned(r, q, found)
	}
	s.link(&g, q, found.Next)
	if !g.Chosen && g.All > 0 {
		g.Owners, _ = s.Owners(r.Context())
	}
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

// kindChosen returns the name of the kind or the family that the filters choose. ok is true if they
// choose exactly one kind or family, and come from a link. They come from a link if one of the
// kind's fields has no options, because readers cannot choose such a field on the page.
func (s *Site) kindChosen(filters []filter) (name string, ok bool) {
	fields := s.Words.Collection.KindFields()
	numbers, chosen := make([]uint64, len(fields)), url.Values{}
	linked := false // a field without options was chosen
	for i, field := range fields {
		at := slices.IndexFunc(filters, func(f filter) bool { return f.field == field && len(f.Values) > 0 })
		if at < 0 {
			return "", false
		}
		numbers[i], _ = strconv.ParseUint(filters[at].Values[0], 10, 64)
		linked, chosen[field.Key] = linked || len(filters[at].Options) == 0, filters[at].Values
	}
	k := s.Words.KindNumbered(numbers)
	switch link := s.galleryLink(chosen); {
	case link == s.kindLink(k, nil):
		return s.kindName(k), linked
	case k.Family != "" && link == s.familyLink(k.Family):
		return k.Family + " family", linked
	}
	return "", false
}

// count sets how many pets q selects and how many each choice would show, as far as c knows. It
// reports whether q certainly selects no pet.
func (g *gallery) count(w *pet.Words, c *pet.Census, q pet.Query) (none bool) {
	if c == nil {
		return false
	}
	g.All, _ = c.Count(pet.Query{})
	facets, known := c.Facets(q)
	if !known || q.Owner != nil {
		g.Count, known = c.Count(q)
		return known && g.Count == 0
	}
	g.Count = facets.Pets
	for i := range g.Filters {
		f := &g.Filters[i]
		values := facets.Values[f.Name]
		f.Counted = g.Count > 0 && (f.field == nil || values != nil)
		for j := range f.Options {
			o := &f.Options[j]
			if o.Pets = facets.Realms[o.Value]; f.field != nil {
				o.Pets = values[f.number(w, o.Value)]
			}
		}
	}
	return g.Count == 0
}

// countOwned returns the number of pets that q selects. It reads at most one more page to find the
// number, and returns 0 if the number is still unknown then. The query q must have an owner. The
// argument page is the answer to q, and must not be the last page.
func (s *Site) countOwned(r *http.Request, q pet.Query, page pet.Page) uint64 {
	if len(q.Realms)+len(q.Traits) == 0 {
		owners, _ := s.Owners(r.Context())
		for _, h := range owners.Largest {
			if h.Owner == *q.Owner {
				return h.Pets
			}
		}
	}
	if q.PageToken != "" || s.Charge(r, readCost) > 0 {
		return 0
	}
	q.PageToken, q.Limit = page.Next, pet.MaxLimit
	rest, err := s.Pets.List(r.Context(), q)
	if err != nil || rest.Next != "" {
		return 0
	}
	return uint64(len(page.Pets) + len(rest.Pets))
}

// Costs in milliseconds of CPU time.
const (
	readCost  = 1   // each further read: of a listing, a pet by its number, or a past state
	valueCost = 0.1 // each value of a filter after the first
)

// valuesCost returns the cost of the values of q's filters.
func valuesCost(q pet.Query) float64 {
	values := len(q.Realms)
	for _, list := range q.Traits {
		values += len(list)
	}
	return float64(max(0, values-1)) * valueCost
}

// find reads pages of a listing until one has at least one pet, and returns this page. The page is
// empty if no pet is found in pageTries pages, or in as many as the caller can pay for.
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

// chosen returns the parameters of the gallery's address, without the page.
func (g *gallery) chosen() url.Values {
	out := url.Values{}
	for _, f := range append(g.Filters[:len(g.Filters):len(g.Filters)], g.Sort) {
		if len(f.Values) > 0 {
			out[f.Name] = f.Values
		}
	}
	if g.Owner != "" {
		out.Set("owner", g.Owner)
	}
	if g.Typed != "" {
		out.Set("id", g.Typed)
	}
	return out
}

// link sets the chips, and the addresses of the first and the next page with the same filters.
func (s *Site) link(g *gallery, q pet.Query, next string) {
	s.chips(g)
	chosen := g.chosen()
	if q.PageToken != "" {
		g.First = s.galleryLink(chosen)
	}
	if next != "" {
		chosen.Set("cursor", next)
		g.Next = s.galleryLink(chosen)
	}
}

func (s *Site) galleryLink(q url.Values) string {
	return strings.TrimSuffix(s.base+"/gallery?"+q.Encode(), "?")
}

// chips lists the chosen values, and the text of the search. A kind is one chip, although several
// fields select it.
func (s *Site) chips(g *gallery) {
	chosen := g.chosen()
	add := func(name, label, value string) {
		rest := maps.Clone(chosen)
		rest[name] = slices.DeleteFunc(slices.Clone(chosen[name]), func(v string) bool { return v == value })
		g.Chips = append(g.Chips, choice{Name: label, Link: s.galleryLink(rest)})
	}
	if g.Typed != "" {
		add("id", "Search: "+g.Looked(), g.Typed)
	}
	kind, one := s.kindChosen(g.Filters)
	if one {
		rest := maps.Clone(chosen)
		for _, f := range s.Words.Collection.KindFields() {
			rest.Del(f.Key)
		}
		g.Chips = append(g.Chips, choice{Name: g.Kinds + ": " + kind, Link: s.galleryLink(rest)})
	}
	for _, f := range g.Filters {
		if one && f.field != nil && slices.Contains(s.Words.Collection.KindFields(), f.field) {
			continue
		}
		for _, v := range f.Values {
			add(f.Name, f.Label+": "+f.word(s.Words, v), v)
		}
	}
	if g.Owner != "" {
		add("owner", "Owner: "+s.ownerName(common.HexToAddress(g.Owner)), g.Owner)
	}
	g.Chosen = len(g.Chips) > 0
}

// filters returns the filters of a gallery with their chosen values.
func (s *Site) filters(in url.Values, c *pet.Census) []filter {
	realms := filter{Name: realmFilter, Label: "Realm"}
	for _, r := range s.Realms {
		realms.Options = append(realms.Options, option{Value: r.Key, Name: r.Name})
	}
	list := []filter{realms}
	for _, f := range s.Words.Collection.Filters() {
		made := filter{Name: f.Key, Label: s.Words.FieldLabel(f), Options: s.options(f, c), field: f}
		if !f.Counted && !f.Type.IsSigned() && len(s.Words.FieldOptions(f)) == 0 &&
			!slices.Contains(s.Words.Collection.KindFields(), f) {
			made.Max, _ = f.Most()
		}
		list = append(list, made)
	}
	for i := range list {
		list[i].choose(in)
	}
	return list
}

// choose marks the chosen values. An empty value, as forms send it, does not count. A value may also
// be given by its name, such as "mythic", in upper or lower case.
func (f *filter) choose(in url.Values) {
	f.Values = slices.DeleteFunc(slices.Clone(in[f.Name]), func(v string) bool { return v == "" })
	for j, v := range f.Values {
		i := slices.IndexFunc(f.Options, func(o option) bool { return strings.EqualFold(o.Value, v) })
		if i < 0 {
			i = slices.IndexFunc(f.Options, func(o option) bool { return strings.EqualFold(o.Name, v) })
		}
		if i >= 0 {
			f.Values[j], f.Options[i].Chosen = f.Options[i].Value, true
		}
	}
}

// options returns the values of a field to choose from: those that the collection has words for. If
// it has no words, they are the values that pets have.
func (s *Site) options(f *collection.Field, c *pet.Census) (out []option) {
	for _, o := range s.Words.FieldOptions(f) {
		out = append(out, option{Value: strconv.Itoa(int(o.Number)), Name: o.Text})
	}
	if len(out) > 0 || c == nil {
		return out
	}
	if f.Type.IsWord() {
		for _, word := range slices.Sorted(slices.Values(c.Words[f.Key])) {
			out = append(out, option{Value: word, Name: pet.Clean(word)})
		}
		return out
	}
	numbers := c.Values[f.Key]
	if f.Counted {
		all, _ := c.Facets(pet.Query{})
		numbers = slices.Sorted(maps.Keys(all.Values[f.Key]))
	}
	for _, n := range numbers {
		out = append(out, option{Value: strconv.Itoa(n), Name: s.Words.FieldWord(f, uint64(n))})
	}
	return out[:min(len(out), pet.MaxOffered)]
}

// sorts returns the orders to choose from.
func (s *Site) sorts(in url.Values) filter {
	out := filter{Name: sortFilter, Label: "Sort by", Options: []option{{Value: string(pet.Newest), Name: "Id, highest"}}}
	for _, f := range s.Words.Collection.Columns() {
		low, high := ", lowest", ", highest"
		if s.Words.IsDate(f) {
			low, high = ", earliest", ", latest"
		}
		switch {
		case f.Sort == collection.Descending && f.Rank:
			out.Options = slices.Insert(out.Options, 0, option{Value: f.Key, Name: s.Words.FieldLabel(f) + ", rarest first"})
		case f.Sort == collection.Descending:
			out.Options = append(out.Options, option{Value: f.Key, Name: s.Words.FieldLabel(f) + high})
		case f.Sort == collection.Ascending:
			out.Options = append(out.Options, option{Value: f.Key, Name: s.Words.FieldLabel(f) + low})
		}
	}
	out.choose(in)
	return out
}

// mostValues limits the values of all filters together. A listing reads an index for each value.
const mostValues = 32

// query turns chosen filters into the query of a listing. An unknown value, or one given twice, is
// an error.
func (s *Site) query(in url.Values, filters []filter, sort filter) (pet.Query, error) {
	q := pet.Query{Traits: map[string][]int{}, Limit: pageSize, PageToken: in.Get("cursor")}
	values := 0
	for _, f := range filters {
		if values += len(f.Values); values > mostValues {
			return q, errTooMany
		}
		for i, v := range f.Values {
			if slices.Contains(f.Values[:i], v) || !f.accepts(s.Words, v) {
				return q, errFilter
			}
			if f.field == nil {
				q.Realms = append(q.Realms, v)
				continue
			}
			q.Traits[f.Name] = append(q.Traits[f.Name], f.number(s.Words, v))
		}
	}
	if len(sort.Values) > 1 || len(sort.Values) == 1 && !sort.offers(sort.Values[0]) {
		return q, errFilter
	}
	if len(sort.Values) == 1 {
		q.Order = pet.Order(sort.Values[0])
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

func (f filter) offers(value string) bool {
	return slices.ContainsFunc(f.Options, func(o option) bool { return o.Value == value })
}

// accepts reports whether a value is offered, or is a word or number that the field can have.
func (f filter) accepts(w *pet.Words, value string) bool {
	if f.offers(value) {
		return true
	}
	if f.field == nil || len(f.Options) > 0 && !f.field.Type.IsWord() && f.Max == 0 {
		return false
	}
	n, ok := w.FieldNumber(f.field, value)
	return ok && (f.field.Type.IsWord() || strconv.Itoa(int(n)) == value)
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
