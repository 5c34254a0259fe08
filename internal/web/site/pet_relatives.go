package site

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// A trait is one of a pet's attributes, with those that say more about it.
type trait struct {
	Name, Value string
	Link        string // to the gallery of all that have it
	Pets        uint64 // 0: not known
	Share       string // of all pets, in percent
	At          time.Time
	Stars       int
	Missing     int      // stars that it lacks
	Notes       []string // of further attributes whose names begin with its name
}

// A comparison is a trait of two pets.
type comparison struct {
	Name        string
	This, Other trait
	Same        bool
}

// relatives are what a pet's page says of other pets.
type relatives struct {
	Traits  []trait
	Kin     []pet.Pet // one of each other kind of its family
	Alike   trait     // how many pets have the same values of all counted fields
	Kept    string    // address of the gallery with all of its keeper's
	Others  []pet.Pet // of the same keeper
	Before  *pet.Pet  // the pet with the next lower number
	After   *pet.Pet  // and the next higher
	With    *pet.Pet  // that it is compared with
	Against []comparison
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
	k.Alike = s.alike(p, c)
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
	for _, other := range s.kin(p) {
		traits := s.kindTraits(other)
		if c != nil {
			if n, known := c.Count(pet.Query{Traits: traits}); known && n == 0 {
				continue
			}
		}
		if o := one(pet.Query{Traits: traits}); o != nil {
			k.Kin = append(k.Kin, *o)
		}
		if len(k.Kin) == familyShown {
			break
		}
	}
	if text := in.Get("with"); text != "" {
		id, err := s.number(text, "")
		if err != nil {
			return k, err
		}
		other, err := s.Pets.Pet(ctx, id)
		if err != nil {
			return k, err
		}
		k.With, k.Against = &other, compare(k.Traits, s.traits(other, c))
	}
	return k, nil
}

// kin are the other kinds of a pet's family.
func (s *Site) kin(p pet.Pet) (out []collection.Kind) {
	own := s.Words.KindOf(&p)
	if own.Family == "" {
		return nil
	}
	for _, k := range s.Words.Kinds() {
		if k.Family == own.Family && !slices.Equal(k.Numbers, own.Numbers) {
			out = append(out, k)
		}
	}
	return out
}

// compare puts the traits of two pets side by side.
func compare(this, other []trait) (out []comparison) {
	find := func(list []trait, name string) trait {
		if i := slices.IndexFunc(list, func(t trait) bool { return t.Name == name }); i >= 0 {
			return list[i]
		}
		return trait{Value: "–"}
	}
	for _, t := range this {
		o := find(other, t.Name)
		out = append(out, comparison{t.Name, t, o, t.Value == o.Value && t.Stars == o.Stars && slices.Equal(t.Notes, o.Notes)})
	}
	for _, o := range other {
		if t := find(this, o.Name); t.Name == "" {
			out = append(out, comparison{Name: o.Name, This: t, Other: o})
		}
	}
	return out
}

// traits are a pet's published attributes, with how many pets share them. The page
// says elsewhere where the pet is and whose.
func (s *Site) traits(p pet.Pet, c *pet.Census) []trait {
	list := slices.DeleteFunc(s.Words.Attributes(&p), func(a collection.Attribute) bool { return a.BuiltIn != "" })
	var out []trait
	for _, a := range list {
		if a.Absent || partOf(a, list) != "" {
			continue
		}
		t := s.trait(&p, a, c)
		for _, more := range list {
			if !more.Absent && partOf(more, list) == a.Trait {
				t.add(more)
			}
		}
		out = append(out, t)
	}
	return out
}

// alike counts the pets that are like p in every counted field.
func (s *Site) alike(p pet.Pet, c *pet.Census) (t trait) {
	values := map[string]int{}
	for _, f := range s.Words.Collection.CountedFields() {
		values[f.Key] = int(s.Words.Number(&p, f))
		t.Notes = append(t.Notes, s.Words.FieldLabel(f))
	}
	if len(values) > 1 {
		t.count(c, values)
	}
	return t
}

// partOf returns the attribute that an attribute says more about: the one whose
// name it begins with, as Bonus Strength does with Bonus.
func partOf(a collection.Attribute, list []collection.Attribute) (whole string) {
	for _, b := range list {
		if strings.HasPrefix(a.Trait, b.Trait+" ") && (whole == "" || len(b.Trait) < len(whole)) {
			whole = b.Trait
		}
	}
	return whole
}

func (s *Site) trait(p *pet.Pet, a collection.Attribute, c *pet.Census) trait {
	t := trait{Name: a.Trait, Value: a.Text}
	switch {
	case a.Display == "date":
		t.At = time.Unix(int64(a.Number), 0).UTC()
	case a.Display == "stars":
		t.Value, t.Stars, t.Missing = "", int(a.Number), a.Stars-int(a.Number)
	case a.Kind:
		k := s.Words.KindOf(p)
		t.Link = s.kindLink(k)
		t.count(c, s.kindTraits(k))
	case a.Field != nil && a.Field.Filter:
		n := int(s.Words.Number(p, a.Field))
		value := strconv.Itoa(n)
		if a.Field.Type.IsWord() {
			value = s.Words.Collection.Text(p.Value, a.Field)
		}
		t.Link = s.base + "/gallery?" + a.Field.Key + "=" + url.QueryEscape(value)
		t.count(c, map[string]int{a.Field.Key: n})
	}
	return t
}

// add adds what another attribute says about the trait.
func (t *trait) add(a collection.Attribute) {
	switch a.Display {
	case "stars":
		t.Stars, t.Missing = int(a.Number), a.Stars-int(a.Number)
	case "text":
		t.Notes = append(t.Notes, a.Text)
	case "date":
		t.Notes = append(t.Notes, minute(time.Unix(int64(a.Number), 0)))
	default:
		t.Notes = append(t.Notes, strings.ToLower(strings.TrimPrefix(a.Trait, t.Name+" "))+" "+a.Text)
	}
}

// count adds how many pets have the trait, which these values of fields select.
func (t *trait) count(c *pet.Census, values map[string]int) {
	if c == nil {
		return
	}
	all, _ := c.Count(pet.Query{})
	n, known := c.Count(pet.Query{Traits: values})
	if !known || n == 0 {
		return
	}
	t.Pets, t.Share = n, "<0.1"
	if tenths := (n*1000 + all/2) / max(all, 1); tenths > 0 {
		t.Share = decimal(int64(tenths), 1)
	}
}
