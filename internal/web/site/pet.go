package site

import (
	"bytes"
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
	Pet                           pet.Pet
	Name, Description, Kind, Line string
	Family                        string
	Rank                          string // css class of the line
	Tags                          []choice
	Realm, NativeRealm            string
	Number                        uint64 // within its native realm
	RealmClosed                   bool
	Changes                       []petEvent
	Chooser                       chooser
	JSON                          string
	Explorer                      string // of its keeper
	Page                          string // its own address
	relatives

	Frame, Background bool
	Size, DefaultSize int
	Sizes             []int
	Address           string // of the picture with the switches as chosen
	Picture           string // the same with its version, which is what the page shows
	Form              string // still, moving or gif
	Contract          string // of the realm where it is
	ContractLink      string // to its explorer
	Chain             string
	Unfolds           string // the card that links to it show
	Version           string
}

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
	p, err := s.Pets.Pet(r.Context(), id)
	if err != nil {
		return nil, err
	}
	d, err := s.petPage(r, p)
	if err != nil {
		return nil, err
	}
	title := s.fullName(&p)
	c := &card{Title: title, Description: d.Description, URL: d.Page}
	s.unfold(c, p)
	d.Unfolds = c.Image
	return &page{template: "pet", Title: title, Section: "gallery", Data: d, Live: true, Card: c}, nil
}

// petPage finds what the page of a pet shows.
func (s *Site) petPage(r *http.Request, p pet.Pet) (d petPage, err error) {
	d = petPage{Pet: p, Sizes: s.sizes(), Version: s.version(p)}
	var indented bytes.Buffer
	if err := json.Indent(&indented, s.documents.Append(nil, s.documents.Prepare(p), d.Version), "", "  "); err != nil {
		return d, fmt.Errorf("reading the document of pet %d: %w", p.ID, err)
	}
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
		d.Chooser = chooseAmong(path, changes, time.Time{})
	}
	return d, nil
}

// chooseAmong is the chooser of a pet's page. It spans the changes that are kept;
// without any there is nothing to choose.
func chooseAmong(page string, changes []pet.Change, at time.Time) chooser {
	c := chooser{Page: page, At: at}
	if len(changes) > 0 {
		c.From, c.To = changes[0].At, thisMinute()
	}
	return c
}

// petPast shows a pet as it was.
func (s *Site) petPast(r *http.Request, id uint64, at time.Time) (*page, error) {
	p, err := s.Past.PetAt(r.Context(), id, at)
	if early, ok := errors.AsType[*pet.BeforeFirst](err); ok {
		return nil, tooEarly(early.First)
	}
	if err != nil {
		return nil, err
	}
	t := pastPage{Pet: &p, Source: fmt.Sprintf("%s/token/%d?at=%d", s.PetsURL, id, at.Unix())}
	changes, _ := s.Pets.History(r.Context(), id) // the page is worth showing without it
	t.Chooser = chooseAmong(fmt.Sprintf("/pet/%d", id), changes, at)
	t.Name, t.Description, t.Realm = s.Words.Name(&p), s.Words.Description(&p), s.realmName(p.Realm)
	t.About = about(s.Words.KindOf(&p).Name, s.Words.Line(&p))
	return &page{template: "past", Title: s.fullName(&p) + " at " + at.Format(time.DateTime), Section: "gallery", Data: t}, nil
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
	switch d.Form = in.Get("form"); d.Form {
	case "", "still":
		d.Form = "still"
	case "moving":
		q = append(q, "animated=true")
	case "gif":
		q = append(q, "animated=true", "format=gif")
	default:
		return errFilter
	}
	base := s.PetsURL + "/image/" + strconv.FormatUint(d.Pet.ID, 10)
	d.Address = strings.TrimSuffix(base+"?"+strings.Join(q, "&"), "?")
	d.Picture = base + "?" + strings.Join(append(q, "v="+d.Version), "&")
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

// describe words what is known of the pet.
func (s *Site) describe(d *petPage) {
	p, w := &d.Pet, s.Words
	k := w.KindOf(p)
	d.Name, d.Description, d.Line, d.Kind, d.Family = w.Name(p), w.Description(p), w.Line(p), k.Name, k.Family
	d.Rank, d.Realm, d.NativeRealm, d.Number = s.rank(p), s.realmName(p.Realm), "Unknown", p.ID
	for _, r := range s.Realms {
		if r.Native(p.ID) {
			d.NativeRealm, d.Number = r.Name, r.Number(p.ID)
		}
		if r.Key != p.Realm {
			continue
		}
		d.RealmClosed = r.Closed
		d.Contract, d.Chain = r.Contract.Hex(), s.chainName(r.Chain)
		d.ContractLink = s.explorer(r.Chain, "address", d.Contract)
		if !p.InTransit {
			d.Explorer = s.explorer(r.Chain, "address", p.Owner.Hex())
		}
	}
	for _, a := range w.Attributes(p) {
		if a.Field != nil && a.Field.Filter && a.Display == "yes_no" && a.Number != 0 {
			d.Tags = append(d.Tags, choice{Name: a.Trait, Link: s.base + "/gallery?" + a.Field.Key + "=1"})
		}
	}
}

// About is what the pet is, in one line.
func (d petPage) About() string { return about(d.Kind, d.Line) }

func about(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

// rankColours is how many classes the style has for ranks.
const rankColours = 5

// rank is the css class of a pet's rank, "" where the collection has none.
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
