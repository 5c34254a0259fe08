package web

import (
	_ "embed"
	"strings"
	"time"

	"petsupply/internal/web/answer"
)

// specificationText describes both interfaces in OpenAPI 3.1. The addresses in
// it are examples, which openSite replaces by the configured ones.
//
//go:embed openapi.yaml
var specificationText string

// openSite makes the routes of the site's base: the specification and the pages.
func (s *Server) openSite(cfg Config, base *answer.Base, supplyURL, petsURL string) {
	text := strings.NewReplacer(
		"https://supply.example.com", supplyURL, "https://pets.example.com", petsURL,
		"https://site.example.com", base.URL,
	).Replace(specificationText)
	specification := newRoute(s.answerer, "site", "/openapi.yaml", func(*answer.Request) (*answer.Response, error) {
		return &answer.Response{Entry: s.openapi}, nil
	})
	s.openapi = s.answerer.Entry(&answer.Response{
		Media: "application/yaml", Body: []byte(text), Tag: answer.Tag([]byte(text)), Cache: steadyPolicy,
		Modified: s.started.Truncate(time.Second), Compress: true,
	}, specification, nil)
	base.Routes = []*answer.Route{specification}
	if s.pets != nil {
		base.Routes = append(base.Routes, newRoute(s.answerer, "site", "/pet/{id}/card.png", s.pets.card))
	}
	base.Pages = s.answerer.NewPages("site", cfg.Site)
}
