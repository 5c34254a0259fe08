package site

import (
	"bytes"
	"time"

	"petsupply/internal/supply"
)

// A page is what a handler decided on: a template to fill, or an address to go
// to. Templates see the exported fields.
type page struct {
	template string
	status   int           // 0: 200
	retry    time.Duration // with 429 and 503: when to come back
	redirect string        // if set, there is nothing to fill

	Title   string
	Section string // of the menu
	Card    *card  // how a link to the page unfolds
	Live    bool   // what it shows may change while it is open: it listens to the stream
	Data    any

	// The same on every page; serve sets them.
	Demo    bool
	HasPets bool
	Tokens  []*supply.Token
}

// card is what other sites show of a link.
type card struct {
	Title, Description, Image, URL string
	Width, Height                  int // of Image
}

// fill makes the page's HTML.
func (s *Site) fill(p *page) (*bytes.Buffer, error) {
	p.Demo, p.HasPets, p.Live = s.Demo, s.Pets != nil, p.Live && s.Stream != nil
	for _, st := range s.Board.Now().States {
		p.Tokens = append(p.Tokens, st.Token)
	}
	body := new(bytes.Buffer)
	return body, s.pages[p.template].Execute(body, p)
}
