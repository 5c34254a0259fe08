package site

import (
	"net/http"
	"slices"
	"strings"

	"petsupply/internal/supply"
)

// An About says who runs the service, in the operator's words.
type About struct{ Operator, Website, Contact, Licence, Text, Source string }

// ContactLink returns the link for the contact.
func (a About) ContactLink() string {
	if strings.Contains(a.Contact, "://") {
		return a.Contact
	}
	return "mailto:" + a.Contact
}

// aboutStatuses are the statuses that the page explains. In a demo it also explains the status demo.
var aboutStatuses = []supply.Status{supply.Fresh, supply.Stale, supply.Held, supply.Withdrawn, supply.Unavailable,
	supply.Past}

type aboutPage struct {
	About
	Statuses []supply.Status
	Quorum   int
	Art      string // licence of the pictures, "" without pets
	Version  string // the program's version
	Every    string // how often tokens are measured, "" if they are not
	Logged   bool   // there is a log
}

func (s *Site) about(*http.Request) (*page, error) {
	status := s.recentStatus()
	d := aboutPage{About: s.About, Statuses: aboutStatuses, Quorum: s.quorum(), Version: status.Version,
		Logged: status.Log.Size > 0}
	if s.Demo {
		d.Statuses = slices.Concat(aboutStatuses, []supply.Status{supply.Demo})
	}
	if s.Pets != nil {
		d.Art = s.Pack.Licence()
	}
	if s.Every > 0 {
		d.Every = often(s.Every)
	}
	return &page{template: "about", Title: "About", Section: "about", Data: d,
		Card: &card{Title: "About petsupply", Description: "Who runs this service, and what its figures mean.",
			URL: s.SiteURL + "/about"}}, nil
}
