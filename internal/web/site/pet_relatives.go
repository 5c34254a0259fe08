package site

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"

	"petsupply/internal/pet"
)

// A trait is one of a pet's traits, and how many pets have it.
type trait struct {
	Name, Value, Key string
	Link             string // to the gallery of all that have it
	Pets             uint64 // 0: not known
	Share            string // of all pets, in percent
	Same             bool   // the pet that it is compared with has it too
}

// relatives are what a pet's page says of other pets.
type relatives struct {
	Traits     []trait
	Family     []pet.Pet // one of each other look of its family
	FamilyName string
	Kept       string    // address of the gallery with all of its keeper's
	Others     []pet.Pet // of the same keeper
	Before     *pet.Pet  // the pet with the next lower number
	After      *pet.Pet  // and the next higher
	With       *pet.Pet  // that it is compared with
	Against    []trait   // whose traits these are
}

const (
	familyShown = 5
	othersShown = 6 // pets of the same keeper
)

// relatives finds what there is to say of others. The page is worth showing without
// any of it, but for a pet that was asked for to compare with.
func (s *Site) relatives(ctx context.Context, p pet.Pet, in url.Values) (k relatives, err error) {
	c := s.census(ctx)
	k.Traits, k.Kept = s.traits(p, c), s.keeper(p.Owner)
	one := func(q pet.Query) *pet.Pet {
		q.Limit = 1
		if found, err := s.Pets.List(ctx, q); err == nil && len(found.Pets) > 0 {
			return &found.Pets[0]
		}
		return nil
	}
	k.After = one(pet.Query{From: pet.PagePosition{ID: p.ID + 1}})
	if p.ID > 0 {
		k.Before = one(pet.Query{Order: pet.Newest, From: pet.PagePosition{ID: p.ID}})
	}
	if same, err := s.Pets.List(ctx, pet.Query{Owner: &p.Owner, Limit: othersShown + 1}); err == nil {
		for _, o := range same.Pets {
			if o.ID != p.ID && len(k.Others) < othersShown {
				k.Others = append(k.Others, o)
			}
		}
	}
	k.FamilyName = s.family(p, func(egg uint8, look uint16) {
		if c != nil && c.Creatures[pet.Creature{Egg: egg, Appearance: look}] == 0 || len(k.Family) == familyShown {
			return
		}
		if o := one(pet.Query{Traits: map[string]int{"egg": int(egg), "appearance": int(look)}}); o != nil {
			k.Family = append(k.Family, *o)
		}
	})
	if text := in.Get("with"); text != "" {
		id, err := s.number(text, "")
		if err != nil {
			return k, err
		}
		other, err := s.Pets.Pet(ctx, id)
		if err != nil {
			return k, err
		}
		k.With, k.Against = &other, s.traits(other, c)
		for i := range k.Against {
			k.Traits[i].Same = k.Traits[i].Value == k.Against[i].Value
		}
	}
	return k, nil
}

// family calls fn with every other look of a pet's family, in order, and returns
// the family's name.
func (s *Site) family(p pet.Pet, fn func(egg uint8, look uint16)) string {
	d := s.Pack.Dictionary()
	name := d.Appearances[p.Egg][p.Appearance].Family
	if name == "" {
		return ""
	}
	var looks []pet.Creature
	for egg, list := range d.Appearances {
		for look, a := range list {
			if a.Family == name && (egg != p.Egg || look != p.Appearance) {
				looks = append(looks, pet.Creature{Egg: egg, Appearance: look})
			}
		}
	}
	slices.SortFunc(looks, func(a, b pet.Creature) int {
		return cmp.Or(cmp.Compare(a.Egg, b.Egg), cmp.Compare(a.Appearance, b.Appearance))
	})
	for _, l := range looks {
		fn(l.Egg, l.Appearance)
	}
	return d.Families[name].Name
}

// traits are a pet's traits with how many share them, the same list for every
// pet.
func (s *Site) traits(p pet.Pet, c *pet.Census) []trait {
	d := s.Pack.Dictionary()
	line := func(name, column, value string, n int) trait {
		link := s.base + "/gallery?" + column + "=" + strconv.Itoa(n)
		return s.counted(trait{Name: name, Value: value, Key: column, Link: link}, c, map[string]int{column: n})
	}
	shiny := "Plain"
	if p.Shiny > 0 {
		shiny = "Shiny"
	}
	look := s.creature(p.Egg, p.Appearance)
	if p.Appearance == 0 {
		look.Name = "Not shown yet"
	}
	return []trait{
		s.counted(trait{Name: "Creature", Value: look.Name, Key: "creature", Link: look.Link}, c,
			map[string]int{"egg": int(p.Egg), "appearance": int(p.Appearance)}),
		line("Egg", "egg", d.EggName(p.Egg), int(p.Egg)),
		line("Rarity", "rarity", pet.RarityName(p.Rarity), int(p.Rarity)),
		line("Element", "element", pet.ElementName(p.Element), int(p.Element)),
		line("Place", "background", d.BackgroundName(p.Background), int(p.Background)),
		line("Coat", "shiny", shiny, int(p.Shiny)),
	}
}

// counted adds how many pets have the trait, which these values of fields select.
func (s *Site) counted(t trait, c *pet.Census, values map[string]int) trait {
	if c == nil {
		return t
	}
	all, _ := c.Count(pet.Query{})
	t.Pets, _ = c.Count(pet.Query{Traits: values})
	if tenths := t.Pets * 1000 / max(all, 1); tenths > 0 {
		t.Share = decimal(int64(tenths), 1)
	} else {
		t.Share = "<0.1"
	}
	return t
}
