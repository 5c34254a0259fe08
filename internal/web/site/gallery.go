package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"petsupply/internal/pet"
)

var errFilter = errors.New("unknown filter value")

// pageSize is how many pets the gallery shows at once.
const pageSize = 48

// A gallery is one page of pets and the filters that chose them.
type gallery struct {
	Pets    []pet.Pet
	Filters []filter
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

func (s *Site) gallery(r *http.Request) (*view, error) {
	if s.Pets == nil {
		return nil, errNoPets
	}
	in := r.URL.Query()
	if id := in.Get("id"); id != "" {
		n, err := pet.ParseID(id)
		if err != nil {
			return nil, err
		}
		return &view{to: s.base() + "/pet/" + strconv.FormatUint(n, 10)}, nil
	}
	g := gallery{Filters: s.filters(in), Realms: s.Realms}
	q, err := query(in, g.Filters)
	if err != nil {
		return nil, err
	}
	page, err := s.Pets.List(r.Context(), q)
	if err != nil {
		return nil, err
	}
	g.Pets = page.Pets
	kept := url.Values{}
	for _, f := range g.Filters {
		if f.Value != "" {
			kept.Set(f.Name, f.Value)
		}
	}
	if q.Cursor != "" {
		g.First = s.base() + "/gallery?" + kept.Encode()
	}
	if page.Next != "" {
		kept.Set("cursor", page.Next)
		g.Next = s.base() + "/gallery?" + kept.Encode()
	}
	return &view{page: "gallery", title: "Pets", section: "gallery", data: g}, nil
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
		{Name: "realm", Label: "Realm", Options: realms},
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

// query turns chosen filters into a listing; a value that is not offered is an
// error.
func query(in url.Values, filters []filter) (pet.Query, error) {
	q := pet.Query{Limit: pageSize, Cursor: in.Get("cursor")}
	into := map[string]**int{"egg": &q.Egg, "rarity": &q.Rarity, "element": &q.Element, "shiny": &q.Shiny, "background": &q.Background}
	for _, f := range filters {
		if f.Value == "" {
			continue
		}
		if !slices.ContainsFunc(f.Options, func(o option) bool { return o.Value == f.Value }) {
			return q, errFilter
		}
		if f.Name == "realm" {
			q.Realm = &f.Value
			continue
		}
		n, err := strconv.Atoi(f.Value)
		if err != nil {
			return q, errFilter
		}
		*into[f.Name] = &n
	}
	return q, nil
}

func (s *Site) random(r *http.Request) (*view, error) {
	if s.Pets == nil {
		return nil, errNoPets
	}
	id, err := s.Pets.Random(r.Context())
	if err != nil {
		return nil, err
	}
	return &view{to: s.base() + "/pet/" + strconv.FormatUint(id, 10)}, nil
}

// A petPage shows one pet.
type petPage struct {
	Pet     pet.Pet
	Meta    pet.Metadata
	Native  pet.Realm
	Home    pet.Realm
	Moments []moment
	Bonuses []bonusLine
	Changes []pet.Change
	JSON    string

	Frame, Background bool
	Size, DefaultSize int
	Sizes             []int
	Picture           string // with the switches as chosen
	Explorer          string
}

type moment struct {
	Name string
	At   time.Time
}

type bonusLine struct {
	Kind, Name, Type, Stars string
	Scalar                  uint8
}

func (s *Site) pet(r *http.Request) (*view, error) {
	if s.Pets == nil {
		return nil, errNoPets
	}
	id, err := pet.ParseID(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	p, err := s.Pets.Pet(r.Context(), id)
	if err != nil {
		return nil, err
	}
	d := petPage{Pet: p, Meta: s.metadata(p), Sizes: s.sizes()}
	s.portrait(&d, r.URL.Query())
	s.tell(&d)
	if d.Changes, err = s.Pets.History(r.Context(), id); err != nil {
		d.Changes = nil // the page is worth showing without it
	}
	return &view{
		page: "pet", title: d.Meta.Name, section: "gallery", data: d,
		card: &card{Title: d.Meta.Name, Description: d.Meta.Description, Image: d.Meta.Image, ImageSize: s.pixels(0), URL: d.Meta.ExternalURL},
	}, nil
}

// portrait settles which form of the picture is shown.
func (s *Site) portrait(d *petPage, in url.Values) {
	d.Frame, d.Background = in.Get("frame") != "false", in.Get("background") != "false"
	d.Size, d.DefaultSize = s.pixels(0), s.pixels(0)
	if n, err := strconv.Atoi(in.Get("size")); err == nil && slices.Contains(d.Sizes, n) {
		d.Size = n
	}
	d.Picture = s.PetsURL + "/image/" + strconv.FormatUint(d.Pet.ID, 10)
	sep := "?"
	add := func(kv string) { d.Picture += sep + kv; sep = "&" }
	if !d.Frame {
		add("frame=false")
	}
	if !d.Background {
		add("background=false")
	}
	if d.Size != d.DefaultSize {
		add("size=" + strconv.Itoa(d.Size))
	}
}

// pixels is a picture's width at a scale; 0 is the pack's own.
func (s *Site) pixels(scale int) int {
	if scale == 0 {
		scale = s.Pack.Scale()
	}
	return s.Pack.Grid() * scale
}

func (s *Site) sizes() []int {
	out := make([]int, 12)
	for i := range out {
		out[i] = s.pixels(i + 1)
	}
	return out
}

// tell words the rest of what is known of the pet.
func (s *Site) tell(d *petPage) {
	for _, r := range s.Realms {
		if r.Key == d.Pet.Realm {
			d.Home = r
			d.Explorer = s.explorer(r.Chain, d.Pet.Owner.Hex())
		}
		if r.Native(d.Pet.ID) {
			d.Native = r
		}
	}
	x := d.Meta.Data
	d.Bonuses = []bonusLine{
		{"Gathering", x.GatheringBonus, x.GatheringBonusType, x.GatheringBonusRarity, x.GatheringBonusScalar},
		{"Crafting", x.CraftingBonus, x.CraftingBonusType, x.CraftingBonusRarity, x.CraftingBonusScalar},
		{"Combat", x.CombatBonus, "", x.CombatBonusRarity, x.CombatBonusScalar},
	}
	d.Bonuses = slices.DeleteFunc(d.Bonuses, func(b bonusLine) bool { return b.Name == pet.None })
	for _, a := range d.Meta.Attributes {
		if n, ok := a.Value.(uint64); ok && a.DisplayType == "date" {
			d.Moments = append(d.Moments, moment{a.TraitType, time.Unix(int64(n), 0)})
		}
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(d.Meta); err == nil {
		d.JSON = buf.String()
	}
}
