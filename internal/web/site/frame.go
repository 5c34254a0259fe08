package site

import (
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
	p := page{Title: v.title, Section: v.section, Demo: s.Demo, HasPets: s.Pets != nil, Card: v.card, Data: v.data, Live: s.Stream != nil}
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

// tellPages sends open pages a word when figures or pets change. They fetch
// what they show themselves; the event only says that it is worth it.
func (s *Site) tellPages() {
	if s.Stream == nil {
		return
	}
	s.Board.Subscribe(func(p *supply.Publication) {
		word := map[string]string{}
		for _, st := range p.States {
			word[st.Token.Path] = string(st.Status)
			if st.Snapshot != nil {
				word[st.Token.Path] += " " + st.Snapshot.ID
			}
		}
		if err := s.Stream.Publish("supply", word); err != nil {
			s.Log.Error("telling pages of new figures", "error", err)
		}
	})
	if w, ok := s.Pets.(interface{ Subscribe(func(ids []uint64)) }); ok {
		w.Subscribe(func(ids []uint64) {
			if err := s.Stream.Publish("pets", ids[:min(len(ids), 500)]); err != nil {
				s.Log.Error("telling pages of changed pets", "error", err)
			}
		})
	}
}
