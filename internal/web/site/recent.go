package site

import (
	"fmt"
	"net/http"
	"time"

	"petsupply/internal/pet"
)

// recentChanges is the number of changes on the page of recent changes.
const recentChanges = 24

// A recentChange is a change of one pet, and the pet as it is now. A burned pet is shown as it was
// just before it was burned.
type recentChange struct {
	petEvent
	ID            uint64
	Pet           *pet.Pet // nil if it cannot be read
	Link, Picture string   // the addresses of the pet's page and picture, or "" if there are none
}

func (s *Site) recent(r *http.Request) (*page, error) {
	if s.Pets == nil {
		return nil, errNoPets
	}
	changes, err := s.LatestChanges(r.Context(), recentChanges)
	if err != nil {
		return nil, err
	}
	list, pets := []recentChange{}, map[uint64]recentChange{}
	for _, c := range changes {
		if c.Kind == pet.Reread {
			continue
		}
		e, known := pets[c.ID]
		if !known {
			e = s.changed(r, c)
			pets[c.ID] = e
		}
		e.petEvent = s.petEvents([]pet.Change{c})[0]
		list = append(list, e)
	}
	title := s.say("Recent changes of {many}")
	return &page{template: "recent", Title: title, Section: "gallery", Data: list, Card: &card{
		Title: title, URL: s.SiteURL + "/gallery/recent", Description: s.say("What happened to {many} lately.")}}, nil
}

// changed finds the pet of the change c. c must be the latest change of this pet.
func (s *Site) changed(r *http.Request, c pet.Change) recentChange {
	out := recentChange{ID: c.ID}
	switch c.Kind {
	case pet.Gone:
	case pet.Burned:
		before := c.At.Add(-time.Second)
		out.Link = s.moment(petPath(c.ID), before)
		if s.Charge(r, readCost) > 0 {
			break
		}
		if p, err := s.Past.PetAt(r.Context(), c.ID, before); err == nil {
			out.Pet, out.Picture = &p, fmt.Sprintf("%s/image/%d?at=%d&size=%d", s.PetsURL, c.ID, before.Unix(), s.pixels(1))
		}
	default:
		if p, err := s.Pets.Pet(r.Context(), c.ID); err == nil {
			out.Pet, out.Link, out.Picture = &p, s.base+petPath(c.ID), s.picture(p)
		}
	}
	return out
}
