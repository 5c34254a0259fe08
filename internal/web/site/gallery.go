package site

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/web/answer"
)

const (
	pageSize  = 48 // pets that the gallery shows at once
	pageTries = 8  // pages that are searched for a rare combination of traits
	kindsRead = 4  // kinds whose pets a search by name lists
	readCost  = 1  // milliseconds of CPU time for each further listing
)

// A galleryView is one page of pets and the filters that chose them.
type galleryView struct {
	Pets    []pet.Pet
	Text    string // in the search box
	Choices []choice
	Hidden  url.Values // chosen values that no choice shows
	Count   uint64     // how many pets fit; 0 if not known
	Chosen  bool       // something was chosen
	Realms  bool       // show the realm of each pet, because several have the same number
	First   string     // address of the first page; "" on the first page itself
	Next    string     // address of the next page
}

// A choice lets readers choose one value of a filter, or the order.
type choice struct {
	Name, Label, None string
	Options           []option
}

type option struct {
	Value, Name string
	Chosen      bool
}

func (s *Site) gallery(q *answer.Request) (*page, error) {
	if s.Pets == nil {
		return nil, answer.ErrNoPath
	}
	in := url.Values{} // the parameters that this page knows
	want := s.read(q, in)
	if q.Query().Err != nil {
		return nil, q.Query().Err
	}
	text, _ := q.Query().Text("q")
	text = strings.TrimSpace(text)
	if text != "" && strings.HasPrefix(text, "0x") && common.IsHexAddress(text) {
		in.Set("owner", text)
		return &page{Redirect: s.galleryLink(in)}, nil
	}
	v := galleryView{Text: text, Chosen: len(in) > 0 || text != ""}
	v.Choices, v.Hidden = s.choices(want, in)
	var err error
	switch id, bad := pet.ParseID(strings.TrimPrefix(strings.ReplaceAll(text, ",", ""), "#")); {
	case text == "":
		err = s.list(q, &v, want, in)
	case bad == nil:
		v.Pets = s.numbered(q, id)
		if len(v.Pets) == 1 {
			return &page{Redirect: s.base + petPath(v.Pets[0].ID)}, nil
		}
	default:
		v.Pets, err = s.called(q, text, want)
	}
	if err != nil {
		return nil, err
	}
	v.Realms = s.clash(v.Pets)
	return &page{Template: "gallery", Title: s.say("{Many}"), Section: "gallery", Path: "/gallery", Live: true, View: v,
		Description: s.say("Every {one} of the collection, with its picture.")}, nil
}

// read reads the filters and the order of a request, and copies their parameters to in.
func (s *Site) read(q *answer.Request, in url.Values) pet.Query {
	want := pet.Query{Traits: map[string][]int{}, Limit: pageSize}
	value := func(name string) string {
		text, _ := q.Query().Text(name)
		if text != "" {
			in.Set(name, text)
		}
		return text
	}
	for _, f := range s.Words.Collection.Filters() {
		text := value(f.Key)
		if text == "" {
			continue
		}
		n, ok := s.Words.FieldNumber(f, text)
		if !ok {
			q.Query().Fail(f.Key, "not a value of this collection")
		}
		want.Traits[f.Key] = []int{int(n)}
	}
	if key := value("realm"); key != "" {
		want.Realms = []string{key}
		if s.realm(key).Chain == "" {
			q.Query().Fail("realm", "not the key of a realm")
		}
	}
	if owner := value("owner"); owner != "" {
		a := common.HexToAddress(owner)
		want.Owner = &a
		if !common.IsHexAddress(owner) {
			q.Query().Fail("owner", "not an address")
		}
	}
	want.Order = pet.Order(value("sort"))
	sortable := func(f *collection.Field) bool { return f.Sort != "" && f.Key == string(want.Order) }
	if want.Order != pet.ByID && want.Order != pet.Newest &&
		!slices.ContainsFunc(s.Words.Collection.Columns(), sortable) {
		q.Query().Fail("sort", "not an order of this collection")
	}
	want.PageToken, _ = q.Query().Text("cursor")
	return want
}

// shownFilters is how many filters the gallery always offers.
const shownFilters = 2

// choices returns what readers can choose: the first filters that have words, those that are chosen
// now, and the order. Other chosen values are hidden in the form.
func (s *Site) choices(want pet.Query, in url.Values) (list []choice, hidden url.Values) {
	hidden = maps.Clone(in)
	hidden.Del("sort")
	for _, f := range s.Words.Collection.Filters() {
		options := s.Words.FieldOptions(f)
		chosen := want.Traits[f.Key]
		if len(options) == 0 || len(list) >= shownFilters && chosen == nil {
			continue
		}
		c := choice{Name: f.Key, Label: s.Words.FieldLabel(f), None: "Any"}
		for _, o := range options {
			c.Options = append(c.Options, option{strconv.FormatUint(o.Number, 10), o.Text,
				slices.Contains(chosen, int(o.Number))})
		}
		hidden.Del(f.Key)
		list = append(list, c)
	}
	order := choice{Name: "sort", Label: "Sort", None: "Id, lowest"}
	add := func(value pet.Order, name string) {
		order.Options = append(order.Options, option{string(value), name, value == want.Order})
	}
	add(pet.Newest, "Id, highest")
	for _, f := range s.Words.Collection.Columns() {
		label := s.Words.FieldLabel(f)
		switch {
		case f.Rank && f.Sort != "":
			add(pet.Order(f.Key), label+", rarest")
		case f.Sort == collection.Descending:
			add(pet.Order(f.Key), label+", highest")
		case f.Sort == collection.Ascending:
			add(pet.Order(f.Key), label+", lowest")
		}
	}
	return append(list, order), hidden
}

// list fills v with a page of the pets that a query selects.
func (s *Site) list(q *answer.Request, v *galleryView, want pet.Query, in url.Values) error {
	if census, err := s.Pets.Census(q.Context()); err == nil {
		v.Count, _ = census.Count(want)
	}
	if want.PageToken != "" {
		v.First = s.galleryLink(in)
	}
	for try := range pageTries {
		if try > 0 && q.Charge(readCost, 0) != nil {
			break
		}
		found, err := s.Pets.List(q.Context(), want)
		if err != nil {
			return err
		}
		v.Pets = found.Pets
		want.PageToken = found.Next
		if len(found.Pets) > 0 || found.Next == "" {
			break
		}
	}
	if want.PageToken != "" {
		next := maps.Clone(in)
		next.Set("cursor", want.PageToken)
		v.Next = s.galleryLink(next)
	}
	return nil
}

// clash reports whether two pets have the same number in their realms.
func (s *Site) clash(list []pet.Pet) bool {
	seen := map[uint64]bool{}
	for _, p := range list {
		home, _ := pet.HomeRealm(s.Realms, p.ID)
		number := home.Number(p.ID)
		if seen[number] {
			return true
		}
		seen[number] = true
	}
	return false
}

// numbered returns the pets that have a number, one of each realm at most.
func (s *Site) numbered(q *answer.Request, number uint64) (out []pet.Pet) {
	for _, r := range s.Realms {
		if r.Offset == nil {
			continue
		}
		id := number
		if id < pet.Band {
			id += *r.Offset
		}
		p, err := s.Pets.Pet(q.Context(), id)
		if err == nil && r.Native(id) {
			out = append(out, p)
		}
	}
	return out
}

// called returns the pets whose given name begins with a text, and pets of kinds whose name does.
func (s *Site) called(q *answer.Request, text string, want pet.Query) ([]pet.Pet, error) {
	named := want
	named.Name = text
	named.Order = pet.ByID
	found, err := s.Pets.List(q.Context(), named)
	if err != nil {
		return nil, err
	}
	out := found.Pets
	kinds := 0
	for _, k := range s.Words.Kinds() {
		if kinds == kindsRead || !strings.HasPrefix(strings.ToLower(k.Name), strings.ToLower(text)) {
			continue
		}
		kinds++
		if err := q.Charge(readCost, 0); err != nil {
			return nil, err
		}
		of := want
		of.Limit = pageSize / kindsRead
		of.Traits = maps.Clone(want.Traits)
		for i, f := range s.Words.Collection.KindFields() {
			of.Traits[f.Key] = []int{int(k.Numbers[i])}
		}
		found, err = s.Pets.List(q.Context(), of)
		if err != nil {
			return nil, err
		}
		out = append(out, found.Pets...)
	}
	return out, nil
}

func (s *Site) galleryLink(in url.Values) string {
	return strings.TrimSuffix(s.base+"/gallery?"+in.Encode(), "?")
}

func petPath(id uint64) string { return "/pet/" + strconv.FormatUint(id, 10) }
