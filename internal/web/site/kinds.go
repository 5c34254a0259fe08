package site

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// A kindsPage lists all kinds of pets by their families.
type kindsPage struct {
	Label    string // the collection's name for kinds
	Families []family
}

// A family is a group of kinds. Kinds without a family come last, under an empty name.
type family struct {
	Name  string
	Link  string // the gallery of its pets
	Kinds []kind
	Pets  uint64
}

// sampleCost is the cost of finding a sample pet of a kind, in milliseconds of CPU time.
const sampleCost = 0.5

func (s *Site) kinds(r *http.Request) (*page, error) {
	if s.Pets == nil || s.Words.KindLabel() == "" {
		return nil, errNoPets
	}
	census := s.census(r.Context())
	out := kindsPage{Label: s.Words.KindLabel()}
	for _, k := range s.Words.Kinds() {
		line := kind{choice: choice{Name: s.kindName(k), Link: s.kindLink(k, nil)}}
		if census != nil {
			line.Pets, _ = census.Count(pet.Query{Traits: s.kindTraits(k)})
		}
		var err error
		if line.Sample, err = s.sample(r, k, census); err != nil {
			return nil, err
		}
		i := slices.IndexFunc(out.Families, func(f family) bool { return f.Name == k.Family })
		if i < 0 {
			i, out.Families = len(out.Families), append(out.Families, family{Name: k.Family, Link: s.familyLink(k.Family)})
		}
		out.Families[i].Kinds = append(out.Families[i].Kinds, line)
		out.Families[i].Pets += line.Pets
	}
	slices.SortStableFunc(out.Families, func(a, b family) int {
		if (a.Name == "") != (b.Name == "") {
			return strings.Compare(b.Name, a.Name)
		}
		return strings.Compare(a.Name, b.Name)
	})
	title := "All kinds of " + s.say("{many}")
	return &page{template: "kinds", Title: title, Section: "gallery", Data: out, Card: &card{
		Title: title, URL: s.SiteURL + "/gallery/kinds", Description: title + ", and how many there are of each."}}, nil
}

// namesakes returns the kinds with this name. Several kinds can have one name, such as eggs of
// different colours.
func (s *Site) namesakes(name string) (out []collection.Kind) {
	for _, k := range s.Words.Kinds() {
		if k.Name == name {
			out = append(out, k)
		}
	}
	return out
}

// kindName returns the name of a kind. If other kinds have the same name, it adds the value of the
// first field.
func (s *Site) kindName(k collection.Kind) string {
	if len(s.namesakes(k.Name)) < 2 {
		return k.Name
	}
	return k.Name + ", " + strings.ToLower(s.optionName(s.Words.Collection.KindFields()[0], k.Numbers[0]))
}

// optionName returns the name of a field's value, or its digits if it has no name.
func (s *Site) optionName(f *collection.Field, n uint64) string {
	for _, o := range s.Words.FieldOptions(f) {
		if o.Number == n {
			return o.Text
		}
	}
	return strconv.FormatUint(n, 10)
}

// sample finds a pet of a kind. It returns nil if there is none, or if pets cannot be listed now.
// It charges the caller of r for the search, and keeps the pet for at most an hour.
func (s *Site) sample(r *http.Request, k collection.Kind, c *pet.Census) (*pet.Pet, error) {
	link, hour := s.kindLink(k, nil), time.Now().Format(time.DateOnly+" 15")
	if kept, current := s.samples.get(link, hour); current {
		return kept, nil
	}
	q := pet.Query{Traits: s.kindTraits(k), Limit: 1}
	if c != nil {
		if n, known := c.Count(q); known && n == 0 {
			return nil, nil
		}
	}
	if wait := s.Charge(r, sampleCost); wait > 0 {
		return nil, limited(wait)
	}
	found, err := s.Pets.List(r.Context(), q)
	if err != nil || len(found.Pets) == 0 {
		return nil, nil // the page can be shown without a sample
	}
	s.samples.keep(link, hour, &found.Pets[0])
	return &found.Pets[0], nil
}
