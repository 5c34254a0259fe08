package site

import (
	"net/http"

	"petsupply/internal/pet"
	"petsupply/internal/supply/ledger"
)

// An apiPage explains the interfaces by what this service publishes: its first
// token and its first pet are the examples.
type apiPage struct {
	Supply, Pets, Spec string
	Token              *ledger.Token // nil: there are none
	Others             []*ledger.Token
	Pet                uint64
	HasPets            bool
}

func (s *Site) api(r *http.Request) (*page, error) {
	d := apiPage{
		Supply: s.SupplyURL, Pets: s.PetsURL, Spec: s.SiteURL + "/openapi.yaml", HasPets: s.Pets != nil, Pet: 1,
	}
	for i, st := range s.Board.Now().States {
		if i == 0 {
			d.Token = st.Token
		} else {
			d.Others = append(d.Others, st.Token)
		}
	}
	if s.Pets != nil && s.pay(r) == nil { // any example will do
		if first, err := s.Pets.List(r.Context(), pet.Query{Limit: 1}); err == nil && len(first.Pets) > 0 {
			d.Pet = first.Pets[0].ID
		}
	}
	return &page{template: "api", Title: "API", Section: "api", Data: d, Card: &card{
		Title: "API", URL: s.SiteURL + "/api",
		Description: "Supply figures, pets and pictures for programs: recipes, and every endpoint to try."}}, nil
}
