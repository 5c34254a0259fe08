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

	"petsupply/internal/pet"
)

// A petPage shows one pet.
type petPage struct {
	Pet                           pet.Pet
	Name, Description, Kind, Line string
	Family, FamilyLink            string
	Rank                          string // css class of Line, by the pet's rank
	Tags                          []choice
	Realm, NativeRealm            string
	Number                        uint64 // within its native realm
	RealmClosed                   bool
	Changes                       []petEvent
	JSON                          string // its metadata, as published
	Explorer                      string // explorer link of its owner
	Holder                        string // the bridge that holds it in transit
	Page                          string // its own address
	relatives

	Frame, Background bool
	Size, DefaultSize int
	Largest           int // largest width of a picture that does not move
	Sizes             []int
	LargestAddress    string // address of the largest picture with the chosen frame and background
	Address           string // address of the picture with the chosen options
	Picture           string // Address with the picture's version; the page shows this one
	Form              string // still or moving
	Contract          string // address of the contract of the realm where the pet is
	ContractLink      string // explorer link of the contract
	Chain             string
	ChainID           uint64 // 0 if not known
	Licence           string // licence of the picture
	Version           string // of the picture: see Site.version
}

func (s *Site) pet(r *http.Request) (*page, error) {
	if s.Pets == nil {
		return nil, errNoPets
	}
	id, err := pet.ParseID(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	p, err := s.Pets.Pet(r.Context(), id)
	if errors.Is(err, pet.ErrBurned) {
		return nil, s.burned(r.Context(), id)
	}
	if err != nil {
		return nil, err
	}
	d := s.petPage(r, p)
	d.Sizes, d.Version = s.sizes(), s.version(p)
	var indented bytes.Buffer
	if err := json.Indent(&indented, s.documents.Append(nil, s.documents.Prepare(p), d.Version), "", "  "); err != nil {
		return nil, fmt.Errorf("reading the document of pet %d: %w", p.ID, err)
	}
	d.JSON = indented.String() + "\n"
	if err := s.portrait(&d, r.URL.Query()); err != nil {
		return nil, err
	}
	if d.relatives, err = s.relatives(r, p); err != nil {
		return nil, err
	}
	title := s.fullName(&p)
	c := &card{Title: title, Description: d.Description, URL: d.Page}
	s.unfold(c, p)
	return &page{template: "pet", Title: title, Section: "gallery", Data: d, Live: true, Card: c}, nil
}

func petPath(id uint64) string { return "/pet/" + strconv.FormatUint(id, 10) }

// petPage returns the part of a pet's page that is about the pet alone.
func (s *Site) petPage(r *http.Request, p pet.Pet) petPage {
	path := petPath(p.ID)
	d := petPage{Pet: p, Page: s.SiteURL + path, Licence: s.Pack.Licence()}
	s.describe(&d)
	changes, err := s.Pets.History(r.Context(), p.ID)
	if err == nil { // the page can be shown without its history
		d.Changes = s.petEvents(changes)
	}
	return d
}

// holder says which bridge holds a pet in transit.
func (s *Site) holder(p *pet.Pet) string {
	return "The " + cmp.Or(strings.TrimPrefix(s.bridge(p.Owner), "the "), "bridge")
}

// portrait decides which form of the picture is shown.
func (s *Site) portrait(d *petPage, in url.Values) (err error) {
	if d.Frame, err = flag(in, "frame"); err != nil {
		return err
	}
	if d.Background, err = flag(in, "background"); err != nil {
		return err
	}
	d.Size, d.DefaultSize, d.Largest = s.pixels(0), s.pixels(0), s.pixels(s.Pack.MaxScale())
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
	base := s.PetsURL + "/image/" + strconv.FormatUint(d.Pet.ID, 10)
	d.LargestAddress = base + "?" + strings.Join(append(q, "size="+strconv.Itoa(d.Largest)), "&")
	if d.Size != d.DefaultSize {
		q = append(q, "size="+strconv.Itoa(d.Size))
	}
	switch d.Form = in.Get("form"); d.Form {
	case "", "still":
		d.Form = "still"
	case "moving":
		q = append(q, "animated=true")
	default:
		return errFilter
	}
	d.Address = strings.TrimSuffix(base+"?"+strings.Join(q, "&"), "?")
	d.Picture = base + "?" + strings.Join(append(q, "v="+d.Version), "&")
	return nil
}

// flag reads a query parameter that is true or false, with the same spellings as the API. It
// returns true if the parameter was not given.
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

// describe sets the texts about the pet.
func (s *Site) describe(d *petPage) {
	p, w := &d.Pet, s.Words
	k := w.KindOf(p)
	d.FamilyLink = s.familyLink(k.Family)
	d.Name, d.Description, d.Line, d.Kind, d.Family = w.Name(p), w.Description(p), w.Line(p), k.Name, k.Family
	if s.nameParts(*p).Name == d.Kind {
		d.Kind = "" // a pet without a given name is called by its kind
	}
	d.Holder = s.holder(p)
	d.Rank, d.Realm, d.NativeRealm, d.Number = s.rank(p), s.realmName(p.Realm), "Unknown", p.ID
	for _, r := range s.Realms {
		if r.Native(p.ID) {
			d.NativeRealm, d.Number = r.Name, r.Number(p.ID)
		}
		if r.Key != p.Realm {
			continue
		}
		d.RealmClosed = r.Closed
		d.Contract, d.Chain, d.ChainID = r.Contract.Hex(), s.chainName(r.Chain), s.chainID(r.Chain)
		d.ContractLink = s.explorer(r.Chain, "address", d.Contract)
		if !p.InTransit {
			d.Explorer = s.explorer(r.Chain, "address", p.Owner.Hex())
		}
	}
	for _, a := range w.Attributes(p) {
		if a.Field != nil && a.Field.Filter && a.Display == "yes_no" && a.Number != 0 {
			d.Tags = append(d.Tags, choice{Name: a.Label, Link: s.base + "/gallery?" + a.Field.Key + "=1"})
		}
	}
}

// About describes the pet in one line.
func (d petPage) About() string { return about(d.Kind, d.Line) }

func about(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

// rankColours is the number of css classes for ranks.
const rankColours = 5

// rank returns the css class of a pet's rank, "" if the collection has no ranks.
func (s *Site) rank(p *pet.Pet) string {
	f := s.Words.Collection.RankField()
	if f == nil {
		return ""
	}
	n := s.Words.Number(p, f)
	if f.Values > rankColours {
		n = n * (rankColours - 1) / uint64(f.Values-1)
	}
	return "r" + strconv.FormatUint(min(n, rankColours-1), 10)
}
