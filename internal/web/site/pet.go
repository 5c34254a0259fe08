package site

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"petsupply/internal/pet"
)

// A petPage shows one pet.
type petPage struct {
	Pet      pet.Pet
	Meta     document
	Moments  []moment
	Bonuses  []bonus
	Changes  []petEvent
	Chooser  chooser
	JSON     string
	Explorer string // of its keeper
	Page     string // its own address
	relatives

	Frame, Background bool
	Size, DefaultSize int
	Sizes             []int
	Address           string // of the picture with the switches as chosen
	Picture           string // the same with its version, which is what the page shows
	Moving            string // the same, alive
	Large             string // the largest that there is
	Unfolds           string // the card that links to it show
	Version           string
}

// A document is what the page shows of the pet's public document.
type document struct {
	Name, Description, Image string
	ExternalURL              string `json:"external_url"`
	Attributes               []struct {
		TraitType   string `json:"trait_type"`
		DisplayType string `json:"display_type"`
		Value       any
	}
	Data struct {
		Creature, EggType, Rarity, Element, Background string
		Season                                         uint8
		Shiny                                          bool

		GatheringBonus, GatheringBonusType, CraftingBonus, CraftingBonusType, CombatBonus string

		Realm, NativeRealm, Owner string
		Number                    uint64
		RealmClosed               bool
	}
}

type moment struct {
	Name string
	At   time.Time
}

// Hungry says whether a pet has been hungry since then.
func (m moment) Hungry() bool { return m.Name == hungry && time.Now().After(m.At) }

const hungry = "Hungry"

// A bonus is what a pet is good at.
type bonus struct {
	Kind, Name, Type string
	Stars            int
	Scalar           uint8
}

// Missing is how many of three stars it lacks.
func (b bonus) Missing() int { return max(0, 3-b.Stars) }

func (s *Site) pet(r *http.Request) (*page, error) {
	if s.Pets == nil {
		return nil, errNoPets
	}
	id, err := pet.ParseID(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	if at, err := s.at(r); err != nil {
		return nil, err
	} else if !at.IsZero() {
		return s.petPast(r, id, at)
	}
	if err := s.pay(r); err != nil { // for a read of the chain, or of its changes and its keeper
		return nil, err
	}
	p, err := s.Pets.Pet(r.Context(), id)
	if err != nil {
		return nil, err
	}
	d, err := s.petPage(r, p)
	if err != nil {
		return nil, err
	}
	c := &card{Title: d.Meta.Name, Description: d.Meta.Description, URL: d.Meta.ExternalURL}
	s.unfold(c, p)
	d.Unfolds = c.Image
	return &page{template: "pet", Title: d.Meta.Name, Section: "gallery", Data: d, Live: true, Card: c}, nil
}

// petPage finds what the page of a pet shows.
func (s *Site) petPage(r *http.Request, p pet.Pet) (d petPage, err error) {
	d = petPage{Pet: p, Sizes: s.sizes(), Version: s.version(p)}
	text := s.documents.Append(nil, pet.Prepare(p), d.Version)
	if err := json.Unmarshal(text, &d.Meta); err != nil {
		return d, fmt.Errorf("reading the document of pet %d: %w", p.ID, err)
	}
	var indented bytes.Buffer
	_ = json.Indent(&indented, text, "", "  ") // which was read already
	d.JSON = indented.String() + "\n"
	if err := s.portrait(&d, r.URL.Query()); err != nil {
		return d, err
	}
	s.describe(&d)
	if d.relatives, err = s.relatives(r.Context(), p, r.URL.Query()); err != nil {
		return d, err
	}
	path := "/pet/" + strconv.FormatUint(p.ID, 10)
	d.Page = s.SiteURL + path
	if changes, err := s.Pets.History(r.Context(), p.ID); err == nil { // the page is worth showing without it
		d.Changes = s.petEvents(changes)
		d.Chooser = chooser{Page: path, From: p.ChangedAt, To: time.Now().UTC()}
		if len(changes) > 0 {
			d.Chooser.From = changes[0].At
		}
	}
	return d, nil
}

// petPast shows a pet as it was.
func (s *Site) petPast(r *http.Request, id uint64, at time.Time) (*page, error) {
	if err := s.pay(r); err != nil {
		return nil, err
	}
	p, err := s.Past.PetAt(r.Context(), id, at)
	if early, ok := errors.AsType[*pet.BeforeFirst](err); ok {
		return nil, tooEarly(early.First)
	}
	if err != nil {
		return nil, err
	}
	t := pastPage{
		Pet: &p, Source: fmt.Sprintf("%s/token/%d?at=%d", s.PetsURL, id, at.Unix()),
		Chooser: chooser{Page: fmt.Sprintf("/pet/%d", id), From: p.ChangedAt, To: time.Now().UTC(), At: at},
	}
	if err := json.Unmarshal(s.documents.Append(nil, pet.Prepare(p), s.version(p)), &t.Meta); err != nil {
		return nil, fmt.Errorf("reading the document of pet %d: %w", id, err)
	}
	t.Name = t.Meta.Name
	return &page{template: "past", Title: t.Name + " at " + at.Format(time.DateTime), Section: "gallery", Data: t}, nil
}

// portrait settles which form of the picture is shown.
func (s *Site) portrait(d *petPage, in url.Values) (err error) {
	if d.Frame, err = flag(in, "frame"); err != nil {
		return err
	}
	if d.Background, err = flag(in, "background"); err != nil {
		return err
	}
	d.Size, d.DefaultSize = s.pixels(0), s.pixels(0)
	if text := in.Get("size"); text != "" {
		if d.Size, err = strconv.Atoi(text); err != nil || !slices.Contains(d.Sizes, d.Size) {
			return errFilter
		}
	}
	var q []string
	if !d.Frame {
		q = append(q, "frame=false")
	}
	if !d.Background {
		q = append(q, "background=false")
	}
	if d.Size != d.DefaultSize {
		q = append(q, "size="+strconv.Itoa(d.Size))
	}
	base := s.PetsURL + "/image/" + strconv.FormatUint(d.Pet.ID, 10)
	d.Address = strings.TrimSuffix(base+"?"+strings.Join(q, "&"), "?")
	d.Picture = base + "?" + strings.Join(append(q, "v="+d.Version), "&")
	d.Moving = base + "?" + strings.Join(append(q, "animated=true", "v="+d.Version), "&")
	d.Large = base + "?size=" + strconv.Itoa(s.pixels(s.Pack.MaxScale()))
	return nil
}

// flag reads a switch as the interfaces do; it is on unless switched off.
func flag(in url.Values, name string) (bool, error) {
	if len(in[name]) > 1 {
		return false, errFilter
	}
	switch strings.ToLower(in.Get(name)) {
	case "", "true", "1":
		return true, nil
	case "false", "0":
		return false, nil
	}
	return false, errFilter
}

// describe words the rest of what is known of the pet.
func (s *Site) describe(d *petPage) {
	for _, r := range s.Realms {
		if r.Key == d.Pet.Realm && !d.Pet.InTransit {
			d.Explorer = s.explorer(r.Chain, "address", d.Pet.Owner.Hex())
		}
	}
	x, p := d.Meta.Data, d.Pet
	d.Bonuses = []bonus{
		{"Gathering", x.GatheringBonus, x.GatheringBonusType, pet.Stars(p.Gathering), p.GatheringScalar},
		{"Crafting", x.CraftingBonus, x.CraftingBonusType, pet.Stars(p.Crafting), p.CraftingScalar},
		{"Combat", x.CombatBonus, "", pet.Stars(p.Combat), p.CombatScalar},
	}
	d.Bonuses = slices.DeleteFunc(d.Bonuses, func(b bonus) bool { return b.Stars == 0 })
	for _, a := range d.Meta.Attributes {
		if n, ok := a.Value.(float64); ok && a.DisplayType == "date" {
			name := map[string]string{"Hungry At": hungry, "Equippable At": "Can be equipped"}[a.TraitType]
			d.Moments = append(d.Moments, moment{cmp.Or(name, a.TraitType), time.Unix(int64(n), 0).UTC()})
		}
	}
}
