package site

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// A trait is one of a pet's attributes, as pages show it.
type trait struct {
	Name, Value string
	Link        string // the gallery of all pets that have it
	Pets        uint64 // how many pets have it; 0 if not known
	Share       string // share of all pets, in percent
	At          time.Time
	Stars       int
	Missing     int      // how many more stars are possible
	Notes       []string // further attributes whose names begin with its name
	raw         bool     // a field that no attribute shows; not every realm has it
}

// A comparison has one trait of two pets, or of one pet at two times.
type comparison struct {
	Name        string
	This, Other trait
	Same        bool
}

// relatives has the other pets that a pet's page shows.
type relatives struct {
	Traits  []trait
	Codes   []trait   // fields that are shown as plain numbers: see collection.Texts.IsCode
	Kin     []pet.Pet // one pet of each other kind of its family
	Alike   trait     // how many pets have the same values in all fields that the census counts
	Others  []pet.Pet // other pets of the same owner; empty if the pet is in transit
	Before  *pet.Pet  // the pet with the next lower number
	After   *pet.Pet  // the pet with the next higher number
	With    *pet.Pet  // the pet that it is compared with
	Against []comparison
	Typed   string   // the text that says which pet to compare with
	Missing bool     // Typed is a number that no realm has
	Choices []choice // other pets that Typed may mean
	More    string   // address of a search for all of them, if there may be more
}

const (
	familyShown = 5 // limit of relatives.Kin
	othersShown = 6 // limit of relatives.Others
	mostChoices = 6 // limit of relatives.Choices, if Typed is a name
)

// relatives finds the pets that the page shows beside p. The query may name a pet to compare with.
// relatives returns an error only if that pet cannot be read now.
func (s *Site) relatives(r *http.Request, p pet.Pet) (k relatives, err error) {
	ctx, c := r.Context(), s.counts(r.Context())
	k.Traits, k.Codes = s.traits(p, c), s.unpublished(p, true)
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
	if !p.InTransit { // otherwise a bridge or nobody owns it
		same, _ := s.Pets.List(ctx, pet.Query{Owner: &p.Owner, Limit: othersShown + 1})
		for _, o := range same.Pets {
			if o.ID != p.ID && len(k.Others) < othersShown {
				k.Others = append(k.Others, o)
			}
		}
	}
	for _, other := range s.kin(p) {
		if o, err := s.sample(r, other, c.Census); err == nil && o != nil && len(k.Kin) < familyShown {
			k.Kin = append(k.Kin, *o)
		}
	}
	if k.Typed = strings.TrimSpace(r.URL.Query().Get("with")); k.Typed == "" {
		return k, nil
	}
	if err := s.findOther(r, p, &k); err != nil {
		return k, err
	}
	if k.With != nil {
		k.Against = compare(k.Traits, s.traits(*k.With, c))
	}
	return k, nil
}

// findOther finds the pet to compare p with. If k.Typed is a number that pets of several realms have,
// it takes the pet from the same realm as p, and the others become choices. If k.Typed is not a
// number, all pets that a search finds become choices.
func (s *Site) findOther(r *http.Request, p pet.Pet, k *relatives) error {
	id, err := s.number(k.Typed, "")
	if err != nil {
		return s.namedChoices(r, p, k)
	}
	var same []pet.Pet
	if !strings.ContainsFunc(k.Typed, unicode.IsLetter) {
		if same, _, err = s.numbered(r, id); err != nil {
			return err
		}
	}
	if len(same) > 1 {
		same = slices.DeleteFunc(same, func(o pet.Pet) bool { return o.ID == p.ID })
	}
	if len(same) == 0 {
		other, err := s.Pets.Pet(r.Context(), id)
		k.Missing = errors.Is(err, pet.ErrNotFound) || errors.Is(err, pet.ErrBurned)
		if err != nil && !k.Missing {
			return err
		}
		if err == nil {
			k.With = &other
		}
		return nil
	}
	home := s.homeRealm(p.ID)
	at := max(0, slices.IndexFunc(same, func(o pet.Pet) bool { return s.homeRealm(o.ID) == home }))
	k.With = &same[at]
	for i, o := range same {
		if i != at {
			k.Choices = append(k.Choices, s.comparing(p, o))
		}
	}
	return nil
}

// namedChoices makes choices of the pets that a search for k.Typed finds.
func (s *Site) namedChoices(r *http.Request, p pet.Pet, k *relatives) error {
	if len(k.Typed) > longestSearch {
		return nil
	}
	if wait := s.Charge(r, readCost); wait > 0 {
		return limited(wait)
	}
	var g gallery
	if err := s.searchNames(r, &g, k.Typed, pet.Query{Limit: mostChoices}, nil, s.census(r.Context())); err != nil {
		return err
	}
	for _, o := range g.Pets {
		if o.ID != p.ID && len(k.Choices) < mostChoices {
			k.Choices = append(k.Choices, s.comparing(p, o))
		}
	}
	if len(k.Choices) == mostChoices {
		k.More = s.galleryLink(url.Values{"id": {k.Typed}})
	}
	return nil
}

// comparing returns the name of the pet o, and the link to compare p with it. A number is sent with
// its realm, because pets of several realms can have it.
func (s *Site) comparing(p, o pet.Pet) choice {
	text := strconv.FormatUint(o.ID, 10)
	if home, ok := pet.HomeRealm(s.Realms, o.ID); ok {
		text = home.Name + " " + strconv.FormatUint(home.Number(o.ID), 10)
	}
	return choice{Name: about(s.nameParts(o).String(), cmp.Or(s.homeRealm(o.ID), s.realmName(o.Realm))),
		Link: s.base + petPath(p.ID) + "?with=" + url.QueryEscape(text) + "#compare"}
}

// kin returns the other kinds of a pet's family.
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

// noValue is shown for a trait that only the other pet has.
const noValue = "–"

// empty reports whether the trait has no value.
func (t trait) empty() bool {
	return t.At.IsZero() && t.Stars == 0 && len(t.Notes) == 0 && (t.Value == noValue || t.Value == "none")
}

// compare puts the traits of two pets side by side.
func compare(this, other []trait) (out []comparison) {
	find := func(list []trait, name string) trait {
		if i := slices.IndexFunc(list, func(t trait) bool { return t.Name == name }); i >= 0 {
			return list[i]
		}
		return trait{Value: noValue}
	}
	for _, t := range this {
		o := find(other, t.Name)
		same := t.Value == o.Value && t.Stars == o.Stars && slices.Equal(t.Notes, o.Notes) || t.empty() && o.empty()
		out = append(out, comparison{t.Name, t, o, same})
	}
	for _, o := range other {
		if t := find(this, o.Name); t.Name == "" {
			out = append(out, comparison{Name: o.Name, This: t, Other: o, Same: o.empty()})
		}
	}
	return out
}

// traits returns a pet's published attributes, then its unpublished fields that are not codes. An
// attribute that pets are counted by has the number of pets that share it. The realm and the owner
// are left out, because the page shows them elsewhere.
func (s *Site) traits(p pet.Pet, c *counts) []trait {
	list := slices.DeleteFunc(s.Words.Attributes(&p), func(a collection.Attribute) bool { return a.BuiltIn })
	var out []trait
	for _, a := range list {
		if a.Absent || partOf(a, list) != "" {
			continue
		}
		t := s.trait(&p, a, c)
		for _, more := range list {
			if !more.Absent && partOf(more, list) == a.Trait {
				t.add(more, a.Trait)
			}
		}
		out = append(out, t)
	}
	return append(out, s.unpublished(p, false)...)
}

// unpublished returns a pet's fields that no attribute shows: only those that are codes, or only the
// others.
func (s *Site) unpublished(p pet.Pet, codes bool) (out []trait) {
	for _, f := range s.Words.Unpublished() {
		text := s.Words.Collection.Text(p.Value, f)
		if text == "" || s.Words.IsCode(f) != codes {
			continue
		}
		if strings.Trim(text, "0x") == "" {
			text = "none"
		}
		out = append(out, trait{Name: s.Words.FieldLabel(f), Value: pet.Clean(s.Words.FieldText(f, text)), raw: true})
	}
	return out
}

// alike counts the pets that equal p in every counted field. The value names these fields. There is
// a note if the fields do not decide the kind.
func (s *Site) alike(p pet.Pet, c *counts) (t trait) {
	values, names := map[string][]int{}, []string(nil)
	for _, f := range s.Words.Collection.CountedFields() {
		values[f.Key] = []int{int(s.Words.Number(&p, f))}
		names = append(names, strings.ToLower(s.Words.FieldLabel(f)))
	}
	if len(values) < 2 {
		return t
	}
	t.Value = strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
	if slices.ContainsFunc(s.Words.Collection.KindFields(), func(f *collection.Field) bool { return !f.Counted }) {
		t.Notes = []string{"(the " + strings.ToLower(s.Words.KindLabel()) + " may differ)"}
	}
	t.count(c, c.of(values))
	return t
}

// partOf returns the name of the attribute in list that a is a part of, or "". The name of a part
// begins with the name of the whole: Bonus Strength is part of Bonus.
func partOf(a collection.Attribute, list []collection.Attribute) (whole string) {
	for _, b := range list {
		if strings.HasPrefix(a.Trait, b.Trait+" ") && (whole == "" || len(b.Trait) < len(whole)) {
			whole = b.Trait
		}
	}
	return whole
}

func (s *Site) trait(p *pet.Pet, a collection.Attribute, c *counts) trait {
	t := trait{Name: a.Label, Value: a.Text}
	switch {
	case a.Display == "date":
		t.At = time.Unix(int64(a.Number), 0).UTC()
	case a.Display == "stars":
		t.Value, t.Stars, t.Missing = "", int(a.Number), a.Stars-int(a.Number)
	case a.Kind:
		k := s.Words.KindOf(p)
		same, n := s.namesakes(k.Name), uint64(0)
		if t.Link = s.galleryLink(url.Values{"id": {k.Name}}); len(same) < 2 {
			t.Link, same = s.kindLink(k, nil), []collection.Kind{k}
		}
		for _, k := range same {
			n += c.of(s.kindTraits(k))
		}
		t.count(c, n)
	case a.Field != nil && a.Field.Filter:
		n := int(s.Words.Number(p, a.Field))
		value := strconv.Itoa(n)
		if a.Field.Type.IsWord() {
			value = s.Words.Collection.Text(p.Value, a.Field)
		}
		options := s.Words.FieldOptions(a.Field)
		offered := func(o collection.FieldOption) bool { return o.Number == uint64(n) }
		if len(options) == 0 || slices.ContainsFunc(options, offered) { // the gallery refuses other values
			t.Link = s.base + "/gallery?" + a.Field.Key + "=" + url.QueryEscape(value)
		}
		t.count(c, c.values[a.Field.Key][n])
	}
	return t
}

// add adds the attribute a, which is a part of the attribute with the name whole.
func (t *trait) add(a collection.Attribute, whole string) {
	switch a.Display {
	case "stars":
		t.Stars, t.Missing = int(a.Number), a.Stars-int(a.Number)
	case "text":
		t.Notes = append(t.Notes, a.Text)
	case "date":
		t.Notes = append(t.Notes, minute(time.Unix(int64(a.Number), 0)))
	default:
		t.Notes = append(t.Notes, strings.ToLower(strings.TrimPrefix(a.Trait, whole+" "))+" "+a.Text)
	}
}

// count sets the number of pets that have the trait.
func (t *trait) count(c *counts, n uint64) {
	if n == 0 {
		return
	}
	t.Pets, t.Share = n, tenths(int64((n*1000+c.pets/2)/max(c.pets, 1)), true)
}

// counts is a census with the number of pets for each value of a field.
type counts struct {
	*pet.Census // nil if it cannot be read now
	pets        uint64
	values      map[string]map[int]uint64 // numbers of pets, by the key of a counted field and its value
}

// counts returns the current counts. It computes the sums once for each census.
func (s *Site) counts(ctx context.Context) *counts {
	now := s.census(ctx)
	if now == nil {
		return &counts{}
	}
	if kept := s.counted.Load(); kept != nil && kept.Census == now {
		return kept
	}
	all, _ := now.Facets(pet.Query{})
	made := &counts{Census: now, pets: all.Pets, values: all.Values}
	s.counted.Store(made)
	return made
}

// of returns how many pets have these values of fields, or 0 if that is not known.
func (c *counts) of(values map[string][]int) uint64 {
	if c.Census == nil {
		return 0
	}
	n, _ := c.Count(pet.Query{Traits: values})
	return n
}
