package site

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// A kindsPage lists all kinds of pets by their families.
type kindsPage struct {
	Label    string // what kinds are called
	Families []family
}

// A family is a few kinds. Those without a family have an empty name and come last.
type family struct {
	Name  string
	Kinds []kind
	Pets  uint64
}

const (
	samplesKept = time.Hour // that the pets on the page of kinds stay the same
	samplesCost = 60        // of finding them
)

// samples are pets of each kind, by the address of the kind's gallery.
type samples struct {
	at   time.Time
	pets map[string]pet.Pet
}

func (s *Site) kinds(r *http.Request) (*page, error) {
	if s.Pets == nil || s.Words.KindLabel() == "" {
		return nil, errNoPets
	}
	census := s.census(r.Context())
	shown, err := s.recentSamples(r, census)
	if err != nil {
		return nil, err
	}
	out := kindsPage{Label: s.Words.KindLabel()}
	for _, k := range s.Words.Kinds() {
		line := kind{choice: choice{Name: k.Name, Link: s.kindLink(k)}}
		if census != nil {
			line.Pets, _ = census.Count(pet.Query{Traits: s.kindTraits(k)})
		}
		if p, ok := shown.pets[line.Link]; ok {
			line.Sample = &p
		}
		i := slices.IndexFunc(out.Families, func(f family) bool { return f.Name == k.Family })
		if i < 0 {
			i, out.Families = len(out.Families), append(out.Families, family{Name: k.Family})
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

// recentSamples returns a pet of each kind. The first request in an hour looks for them.
func (s *Site) recentSamples(r *http.Request, c *pet.Census) (*samples, error) {
	if kept := s.samples.Load(); kept != nil && time.Since(kept.at) < samplesKept {
		return kept, nil
	}
	if wait := s.Charge(r, samplesCost); wait > 0 {
		return nil, limited(wait)
	}
	found, err, _ := s.reading.Do("samples", func() (any, error) {
		out := &samples{time.Now(), map[string]pet.Pet{}}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), spanTime)
		defer cancel()
		for _, k := range s.Words.Kinds() {
			if p, ok := s.sample(ctx, k, c); ok {
				out.pets[s.kindLink(k)] = p
			}
		}
		if len(out.pets) > 0 {
			s.samples.Store(out)
		}
		return out, nil
	})
	return found.(*samples), err
}

// sample finds a pet of a kind.
func (s *Site) sample(ctx context.Context, k collection.Kind, c *pet.Census) (pet.Pet, bool) {
	q := pet.Query{Traits: s.kindTraits(k), Limit: 1}
	if c != nil {
		if n, known := c.Count(q); known && n == 0 {
			return pet.Pet{}, false
		}
	}
	found, err := s.Pets.List(ctx, q)
	if err != nil || len(found.Pets) == 0 {
		return pet.Pet{}, false
	}
	return found.Pets[0], true
}
