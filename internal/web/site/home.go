package site

import (
	"net/http"
	"strconv"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/supply"
)

// home shows every token and a strip of pets.
type home struct {
	Cards []tokenCard
	Pets  []pet.Pet
	Days  int
}

// A tokenCard is one token at a glance.
type tokenCard struct {
	State  supply.State
	Doc    supply.Document
	Shares []share
	Chart  *chart
}

// A share is one bucket's part of everything that was ever issued and counts.
type share struct {
	Name    string
	Key     string // css class
	Amount  supply.Amount
	Percent float64
	From    float64 // where its part of the bar begins, in percent
}

// strip is how many pets the first page shows.
const strip = 14

func (s *Site) home(r *http.Request) (*view, error) {
	h := home{Days: days(r)}
	for _, st := range s.Board.Now().States {
		h.Cards = append(h.Cards, s.card(r, st, h.Days))
	}
	if s.Pets != nil {
		page, err := s.Pets.List(r.Context(), pet.Query{Limit: strip})
		if err == nil { // a store that is away takes the strip, not the page
			h.Pets = page.Pets
		}
	}
	v := &view{page: "home", title: "Supply and pets", section: "home", data: h}
	v.card = &card{Title: "petsupply", Description: "How much of each token there is, measured on chain, and pets worth keeping.", URL: s.SiteURL + "/"}
	if len(h.Pets) > 0 {
		v.card.Image, v.card.ImageSize = s.picture(h.Pets[0]), s.pixels(0)
	}
	return v, nil
}

// days is the span of charts that was asked for; 0 is all.
func days(r *http.Request) int {
	switch n, _ := strconv.Atoi(r.URL.Query().Get("days")); n {
	case 7, 30:
		return n
	}
	if r.URL.Query().Get("days") == "all" {
		return 0
	}
	return 30
}

func (s *Site) card(r *http.Request, st supply.State, days int) tokenCard {
	c := tokenCard{State: st, Doc: st.Document()}
	if !st.Available() {
		return c
	}
	c.Shares = shares(st.Snapshot)
	from := time.Time{}
	if days > 0 {
		from = st.Snapshot.AsOf.AddDate(0, 0, -days)
	}
	c.Chart = s.chart(r.Context(), st, from, days)
	return c
}

// shares splits what was issued into where it is. They add up to the whole.
func shares(n *supply.Snapshot) []share {
	whole := n.Total.Add(n.Burned)
	list := []share{
		{Name: "Circulating", Key: "circulating", Amount: n.Circulating},
		{Name: "Locked", Key: "locked", Amount: n.Locked},
		{Name: "Reserved", Key: "reserved", Amount: n.Reserved},
		{Name: "Burned", Key: "burned", Amount: n.Burned},
	}
	at := 0.0
	for i := range list {
		list[i].Percent, list[i].From = percent(list[i].Amount, whole), at
		at += list[i].Percent
	}
	return list
}
