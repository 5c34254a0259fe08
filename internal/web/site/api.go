package site

import (
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"petsupply/internal/pet"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/web/openapi"
)

// An apiPage explains the interfaces. Its examples are the first token and the first pet that this
// service publishes.
type apiPage struct {
	Supply, Pets string
	Token        *ledger.Token // nil if no tokens are published
	Others       []*ledger.Token
	Pet          uint64
	HasPets      bool
	Interfaces   []apiInterface
	Limit        string // in words, "" for none
	log          string // the hash of the log's key, "" without a log
	entries      uint64 // the size of the log
}

// Example returns an example path of a specification, with the address of this service's log in
// place of the placeholder. If the log has not filled its first tile yet, the path names the part
// of the tile that exists.
func (d apiPage) Example(path string) string {
	if d.log == "" {
		return path
	}
	if d.entries < 256 && strings.HasSuffix(path, "/tile/entries/000") {
		path += fmt.Sprint(".p/", d.entries)
	}
	return strings.Replace(path, "/log/00000000/", "/log/"+d.log+"/", 1)
}

// An apiInterface is one interface with all its endpoints.
type apiInterface struct {
	Key, Heading, URL string // Site.say fills in the words of Heading
	Operations        []openapi.Operation
}

func (s *Site) api(r *http.Request) (*page, error) {
	d := apiPage{Supply: s.SupplyURL, Pets: s.PetsURL, HasPets: s.Pets != nil, Pet: 1, Limit: s.Limit}
	for i, st := range s.Board.Now().States {
		if i == 0 {
			d.Token = st.Token
		} else {
			d.Others = append(d.Others, st.Token)
		}
	}
	if s.Pets != nil {
		if first, err := s.Pets.List(r.Context(), pet.Query{Limit: 1}); err == nil && len(first.Pets) > 0 {
			d.Pet = first.Pets[0].ID
		}
	}
	log := s.recentStatus().Log
	if key := strings.SplitN(log.Key, "+", 3); len(key) == 3 {
		d.log, d.entries = key[1], log.Size
	}
	var err error
	if d.Interfaces, err = s.interfaces(); err != nil {
		return nil, err
	}
	return &page{template: "api", Title: "API", Section: "api", Data: d, Card: &card{
		Title: "API", URL: s.SiteURL + "/api",
		Description: "Supply figures, pets and pictures for programs: recipes, and every endpoint to try."}}, nil
}

// readInterfaces reads the specifications. On the page, operations of different specifications with
// the same id get different ids.
func (s *Site) readInterfaces() (list []apiInterface, err error) {
	seen := map[string]bool{}
	for _, i := range []struct {
		key, heading, url string
		spec              *openapi.Document
	}{{"supply", "Supply endpoints", s.SupplyURL, s.SupplySpec}, {"pets", "{One} endpoints", s.PetsURL, s.PetsSpec}} {
		if i.spec == nil {
			continue
		}
		operations, err := i.spec.Operations()
		if err != nil {
			return nil, err
		}
		for n := range operations {
			o := &operations[n]
			if seen[o.ID] {
				o.ID += "-" + i.key
			}
			seen[o.ID] = true
		}
		list = append(list, apiInterface{Key: i.key, Heading: i.heading, URL: i.url, Operations: operations})
	}
	return list, nil
}

// marked returns a text of a specification as HTML. Words between `backquotes` become code, and the
// source code gets a link.
func (s *Site) marked(text string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		part = template.HTMLEscapeString(part)
		if i%2 == 1 {
			part = "<code>" + part + "</code>"
		}
		b.WriteString(part)
	}
	out, words := b.String(), "source code of petsupply"
	if s.About.Source != "" {
		out = strings.ReplaceAll(out, words, fmt.Sprintf(`<a href="%s" rel="noopener">%s</a>`,
			template.HTMLEscapeString(s.About.Source), words))
	}
	return template.HTML(out)
}
