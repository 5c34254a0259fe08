package site

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/web/answer"
)

// A petView shows one pet.
type petView struct {
	Pet           pet.Pet
	Lore          string
	Tags          []string // its family, and what it is besides, such as Shiny
	Traits        []trait
	Facts         []trait // of the chain, and values that neither pictures nor filters depend on
	Home, Lives   pet.Realm
	Changes       []petEvent // newest first
	Before, After *pet.Pet   // the neighbours by number
	Moving        string     // address of the moving picture
}

// A trait is one of a pet's attributes.
type trait struct {
	Name, Value string
	Link        string // the gallery of all pets that have it
	Stars, Of   int
	Notes       []string
	At          time.Time
}

// maxTraits is how many traits are shown before the facts.
const maxTraits = 8

// A petEvent is one change of a pet in words.
type petEvent struct {
	At     time.Time
	Block  uint64
	Chain  string
	Title  string
	Fields []fieldChange
}

type fieldChange struct{ Name, From, To string }

func (s *Site) pet(q *answer.Request) (*page, error) {
	if s.Pets == nil {
		return nil, answer.ErrNoPath
	}
	id, err := pet.ParseID(q.Args[0])
	if err != nil {
		return nil, err
	}
	p, err := s.Pets.Pet(q.Context(), id)
	if err != nil {
		return nil, err
	}
	v := petView{
		Pet: p, Lore: s.Words.Description(&p), Lives: s.realm(p.Realm), Moving: s.picture(p) + "&animated=true",
	}
	v.Home, _ = pet.HomeRealm(s.Realms, p.ID)
	s.describe(&v)
	s.countRank(q, &v)
	changes, _ := s.Pets.History(q.Context(), id) // the page can be shown without its history
	for _, c := range slices.Backward(changes) {
		v.Changes = append(v.Changes, s.petEvent(c))
	}
	neighbour := func(want pet.Query) *pet.Pet {
		want.Limit = 1
		found, err := s.Pets.List(q.Context(), want)
		if err != nil || len(found.Pets) == 0 {
			return nil
		}
		return &found.Pets[0]
	}
	v.After = neighbour(pet.Query{From: pet.PagePosition{ID: id + 1}})
	if id > 0 {
		v.Before = neighbour(pet.Query{Order: pet.Newest, From: pet.PagePosition{ID: id}})
	}
	return &page{Template: "pet", Title: s.named(p).String(), Section: "gallery", Path: petPath(id), Live: true,
		View: v, Description: v.Lore, Image: fmt.Sprintf("%s/image/%d?v=%s", s.PetsURL, id, s.version(p))}, nil
}

// describe sorts a pet's attributes into tags, traits and facts.
func (s *Site) describe(v *petView) {
	p := &v.Pet
	kind := s.Words.KindOf(p)
	if kind.Family != "" {
		v.Tags = append(v.Tags, kind.Family+" family")
	}
	list := s.Words.Attributes(p)
	for _, a := range list {
		name := s.named(*p).Name
		yes := a.Display == "yes_no" || a.Display == "bool"
		switch {
		case a.BuiltIn, a.Absent, a.Text == name, a.Text == kind.Family, yes && a.Number == 0, partOf(a, list):
			continue
		case yes:
			v.Tags = append(v.Tags, a.Label)
			continue
		}
		t := trait{Name: a.Label, Value: a.Text}
		if a.Display == "date" {
			t.At = time.Unix(int64(a.Number), 0)
		}
		for _, b := range list {
			if !b.Absent && strings.HasPrefix(b.Trait, a.Trait+" ") {
				t.add(b, strings.TrimPrefix(b.Trait, a.Trait+" "))
			}
		}
		if a.Field != nil && !a.Field.Filter && !a.Field.Look || len(v.Traits) == maxTraits {
			v.Facts = append(v.Facts, t)
			continue
		}
		if a.Field != nil && a.Field.Filter {
			value := strconv.FormatUint(s.Words.Number(p, a.Field), 10)
			if a.Field.Type.IsWord() {
				value = s.Words.Collection.Text(p.Value, a.Field)
			}
			t.Link = s.galleryLink(url.Values{a.Field.Key: {value}})
		}
		v.Traits = append(v.Traits, t)
	}
	for _, f := range s.Words.Unpublished() {
		if text := s.Words.Collection.Text(p.Value, f); strings.Trim(text, "0x") != "" {
			v.Facts = append(v.Facts, trait{Name: s.Words.FieldLabel(f), Value: pet.Clean(s.Words.FieldText(f, text))})
		}
	}
}

// partOf reports whether an attribute is a part of another one: Bonus Strength is part of Bonus.
func partOf(a collection.Attribute, list []collection.Attribute) bool {
	return slices.ContainsFunc(list, func(b collection.Attribute) bool {
		return strings.HasPrefix(a.Trait, b.Trait+" ")
	})
}

// add adds an attribute that is a part of the trait.
func (t *trait) add(part collection.Attribute, name string) {
	switch part.Display {
	case "stars":
		t.Stars = int(part.Number)
		t.Of = part.Stars
	case "text":
		t.Notes = append(t.Notes, part.Text)
	default:
		t.Notes = append(t.Notes, strings.ToLower(name)+" "+part.Text)
	}
}

// countRank notes how many pets have the same rank.
func (s *Site) countRank(q *answer.Request, v *petView) {
	f := s.Words.Collection.RankField()
	census, err := s.Pets.Census(q.Context())
	if f == nil || err != nil {
		return
	}
	rank := int(s.Words.Number(&v.Pet, f))
	same, known := census.Count(pet.Query{Traits: map[string][]int{f.Key: {rank}}})
	all, _ := census.Count(pet.Query{})
	for i := range v.Traits {
		if t := &v.Traits[i]; known && all > 0 && t.Name == s.Words.FieldLabel(f) {
			t.Notes = append(t.Notes, s.say(fmt.Sprintf("%s {many}, %.1f %%",
				ledger.Grouped(strconv.FormatUint(same, 10)), 100*float64(same)/float64(all))))
		}
	}
}

// petEvent writes a change in words.
func (s *Site) petEvent(c pet.Change) petEvent {
	realm := s.realm(c.Realm)
	e := petEvent{At: c.At, Block: c.Block, Chain: realm.Chain}
	var labels []string
	for _, d := range c.Fields {
		f := s.Words.Collection.RawField(d.Field)
		label := capital(d.Field)
		switch {
		case d.Field == "intransit" || c.Kind == pet.Appeared:
			continue
		case c.Kind == pet.Moved && f != nil && (d.From == "" || d.To == ""):
			continue // only one of the two realms has this field
		case f != nil && s.Words.IsCode(f):
			continue
		case f != nil:
			label = s.Words.FieldLabel(f)
		}
		if f != nil && f.Change != "" {
			e.Title = f.Change
		}
		labels = append(labels, label)
		e.Fields = append(e.Fields, fieldChange{label, s.fieldText(d.Field, f, d.From), s.fieldText(d.Field, f, d.To)})
	}
	switch c.Kind {
	case pet.Appeared:
		e.Title = "First seen in " + realm.Name
	case pet.Moved:
		e.Title = "Moved"
	case pet.Gone:
		e.Title = "Reverted by the chain"
	case pet.Changed:
		if len(labels) > 2 {
			labels = append(labels[:2], "more")
		}
		e.Title = cmp.Or(e.Title, strings.Join(labels, ", ")+" changed")
	default:
		e.Title = capital(c.Kind)
	}
	return e
}

// fieldText writes a value of a change. f is nil if the value is no field of the collection.
func (s *Site) fieldText(name string, f *collection.Field, value string) string {
	switch {
	case value == "":
		return "–"
	case name == "realm":
		return s.realm(value).Name
	case strings.HasPrefix(value, "0x"):
		return s.account(common.HexToAddress(value), value)
	case f == nil:
		return pet.Clean(value)
	}
	return pet.Clean(s.Words.FieldText(f, value))
}

// account returns the short form of an address, or says that it is a bridge.
func (s *Site) account(a common.Address, text string) string {
	for _, r := range s.Realms {
		if slices.Contains(r.Custody, a) {
			return "a bridge"
		}
	}
	return short(text)
}

// A name is a pet's name and the number at its end, so that pages can shorten a long name and still
// show the whole number.
type name struct{ Name, Number string }

func (n name) String() string { return strings.TrimSpace(n.Name + " " + n.Number) }

// named returns the parts of a pet's name. To a name that the owner gave, it adds the pet's number,
// because several pets can have the same name.
func (s *Site) named(p pet.Pet) name {
	text := s.Words.Name(&p)
	if p.Name != "" && text == pet.Clean(p.Name) {
		home, _ := pet.HomeRealm(s.Realms, p.ID)
		return name{text, "#" + strconv.FormatUint(home.Number(p.ID), 10)}
	}
	if i := strings.LastIndex(text, " #"); i > 0 {
		return name{text[:i], text[i+1:]}
	}
	return name{Name: text}
}

// rank returns the name of a pet's rank, or else the line below its name.
func (s *Site) rank(p pet.Pet) string {
	if f := s.Words.Collection.RankField(); f != nil {
		return s.Words.FieldWord(f, s.Words.Number(&p, f))
	}
	return s.Words.Line(&p)
}

// picture returns the address of a pet's picture with one pixel for each cell of the grid. Browsers
// enlarge it without loss.
func (s *Site) picture(p pet.Pet) string {
	return fmt.Sprintf("%s/image/%d?size=%d&v=%s", s.PetsURL, p.ID, s.Pack.Grid(), s.version(p))
}

// version returns the hash in the address of a pet's picture.
func (s *Site) version(p pet.Pet) string { return s.Pack.PictureVersion(s.Pack.LookOf(p)) }
