package site

import (
	"strconv"

	"petsupply/internal/art"
	"petsupply/internal/pet"
	"petsupply/internal/supply"
)

// A page is what every template is filled with.
type page struct {
	Title   string
	Section string
	Demo    bool
	HasPets bool
	Tokens  []*supply.Token
	Card    *card
	Live    bool // the page listens to the stream
	Data    any
}

func (s *Site) frame(v *view) page {
	p := page{Title: v.title, Section: v.section, Demo: s.Demo, HasPets: s.Pets != nil, Card: v.card, Data: v.data, Live: v.live && s.Stream != nil}
	for _, st := range s.Board.Now().States {
		p.Tokens = append(p.Tokens, st.Token)
	}
	return p
}

// version is the hash in the address of a pet's picture.
func (s *Site) version(p pet.Pet) string { return s.Pack.V(art.LookOf(p)) }

// metadata is the pet's public document, which pages show piece by piece.
func (s *Site) metadata(p pet.Pet) pet.Metadata {
	return p.Metadata(s.Pack.Dictionary(), pet.Links{Pets: s.PetsURL, Site: s.SiteURL}, s.Realms, s.version(p))
}

// word tells one state of a token from another. Pages carry the word of what
// they show; the stream says the word of what is so.
func word(st supply.State) string {
	w := string(st.Status)
	if st.Snapshot != nil {
		w += " " + st.Snapshot.ID
	}
	if st.Hold != nil {
		w += " " + st.Hold.Candidate.ID + " " + strconv.Itoa(st.Hold.Confirmations)
	}
	return w
}

// manyPets is from how many on the stream no longer lists the pets that
// changed.
const manyPets = 500

// tellPages sends open pages a word when figures or pets change. They fetch
// what they show themselves; the event only says that it is worth it.
func (s *Site) tellPages() {
	s.Board.Subscribe(func(p *supply.Publication) {
		s.holds.watch(p)
		words := map[string]string{}
		for _, st := range p.States {
			words[st.Token.Path] = word(st)
		}
		s.publish("supply", words)
	})
	if w, ok := s.Pets.(interface{ Subscribe(func(ids []uint64)) }); ok {
		w.Subscribe(func(ids []uint64) {
			s.strip.saw(ids)
			if len(ids) > manyPets {
				ids = nil // any of them
			}
			s.publish("pets", ids)
		})
	}
}

func (s *Site) publish(kind string, data any) {
	if s.Stream == nil {
		return
	}
	if err := s.Stream.Publish(kind, data); err != nil {
		s.Log.Error("telling pages of a change", "kind", kind, "error", err)
	}
}
