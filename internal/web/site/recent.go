package site

import (
	"net/http"
	"strconv"
	"strings"

	"petsupply/internal/pet"
)

// recentChanges is the number of changes on one page of recent changes.
const recentChanges = 24

// A recentPage is one page of changes, newest first.
type recentPage struct {
	Changes []recentChange
	Older   uint64 // the number of the oldest change on this page; 0 if there are no older ones
	First   bool   // this page has the newest changes
}

// A recentChange is a change of one pet, and the pet as it is now. A pet that was burned is shown as
// it was just before.
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
	var before uint64
	if q := r.URL.Query(); q.Has("before") {
		var err error
		if before, err = strconv.ParseUint(q.Get("before"), 10, 64); err != nil {
			return nil, errFilter
		}
	}
	changes, err := s.LatestChanges(r.Context(), before, recentChanges+1) // one more says whether there are older ones
	if err != nil {
		return nil, err
	}
	d, pets := recentPage{First: before == 0}, map[uint64]recentChange{}
	if len(changes) > recentChanges {
		changes = changes[:recentChanges]
		d.Older = changes[recentChanges-1].Seq
	}
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
		if e.Pet != nil { // the page shows the realm after the name
			e.Title = strings.TrimSuffix(e.Title, " in "+s.where(*e.Pet))
		}
		d.Changes = append(d.Changes, e)
	}
	title := s.say("Recent changes to {many}")
	return &page{template: "recent", Title: title, Section: "gallery", Data: d, Card: &card{
		Title: title, URL: s.SiteURL + "/gallery/recent", Description: s.say("What happened to {many} lately.")}}, nil
}

// changed finds the pet of the change c.
func (s *Site) changed(r *http.Request, c pet.Change) recentChange {
	out := recentChange{ID: c.ID}
	if c.Kind == pet.Gone {
		return out
	}
	out.Link = s.base + petPath(c.ID)
	if p, err := s.Pets.Pet(r.Context(), c.ID); err == nil {
		out.Pet = &p
		out.Picture = s.picture(p)
	}
	return out
}
