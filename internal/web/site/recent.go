package site

import (
	"net/http"
	"time"

	"petsupply/internal/pet"
)

// recentChanges is the number of changes on the page of recent changes.
const recentChanges = 24

// A recentChange is a change of one pet, and the pet as it is now.
type recentChange struct {
	petEvent
	ID   uint64
	Pet  *pet.Pet // nil if there is no such pet any more, or if it cannot be read now
	Link string   // to the pet's page; for a burned pet, to the page of its past; otherwise ""
}

func (s *Site) recent(r *http.Request) (*page, error) {
	if s.Pets == nil {
		return nil, errNoPets
	}
	changes, err := s.LatestChanges(r.Context(), recentChanges)
	if err != nil {
		return nil, err
	}
	list, pets := []recentChange{}, map[uint64]*pet.Pet{}
	for _, c := range changes {
		if c.Kind == pet.Reread {
			continue
		}
		p, known := pets[c.ID]
		if !known && c.Kind != pet.Gone && c.Kind != pet.Burned {
			if now, err := s.Pets.Pet(r.Context(), c.ID); err == nil {
				p = &now
			}
		}
		pets[c.ID] = p
		e := recentChange{petEvent: s.petEvents([]pet.Change{c})[0], ID: c.ID, Pet: p}
		if p != nil {
			e.Link = s.base + petPath(c.ID)
		} else if c.Kind == pet.Burned {
			e.Link = s.moment(petPath(c.ID), c.At.Add(-time.Second))
		}
		list = append(list, e)
	}
	title := s.say("Recent changes of {many}")
	return &page{template: "recent", Title: title, Section: "gallery", Data: list, Card: &card{
		Title: title, URL: s.SiteURL + "/gallery/recent", Description: s.say("What happened to {many} lately.")}}, nil
}
