package app

import (
	"cmp"
	"fmt"
	"time"

	"petsupply/internal/config"
	"petsupply/internal/web"
	"petsupply/internal/web/answer"
	"petsupply/internal/web/openapi"
	"petsupply/internal/web/site"
)

// How often open pages look for news: usually, and while a pack is being painted.
const (
	pollPages = 10 * time.Second
	pollDraft = time.Second
)

// specs are the specifications of the interfaces; nil for an interface that does not exist.
type specs struct {
	supply, pets openapi.Document
}

// describe makes the OpenAPI specifications of the interfaces that the service has.
func (v *Service) describe() (made specs) {
	s := v.Settings
	service := openapi.Service{SupplyURL: s.SupplyURL, PetsURL: s.PetsURL, SiteURL: s.SiteURL, Pet: 1,
		Grid: v.Packs.Current().Grid(), Licence: s.About.Licence}
	if v.words != nil {
		service.Collection = v.words.Collection
		service.Texts = v.words.Texts
	}
	for _, t := range s.Tokens {
		service.Tokens = append(service.Tokens, t.Path)
	}
	for _, r := range s.Realms {
		service.Realms = append(service.Realms, r.Key+" ("+r.Name+")")
	}
	for _, r := range s.Realms {
		if r.Offset != nil {
			service.Pet = *r.Offset + 1
			break
		}
	}
	if len(s.Tokens) > 0 {
		made.supply = openapi.Supply(service)
	}
	if len(s.Realms) > 0 {
		made.pets = openapi.Pets(service)
	}
	return made
}

// webConfig returns what the web server serves.
func (v *Service) webConfig(pages web.Pages) web.Config {
	s := v.Settings
	cfg := web.Config{
		SupplyURL: s.SupplyURL, PetsURL: s.PetsURL, SiteURL: s.SiteURL,
		Supply: len(s.Tokens) > 0, Past: v.Store, Proofs: v.Store,
		Collection: web.Collection{Name: s.Collection.Name, Description: s.Collection.Description,
			Image: s.Collection.Image, ExternalLink: s.Collection.ExternalLink},
		Limit: answer.Limit{PerSecond: float64(s.Limits.PerIP), Trusted: s.Limits.TrustedProxies,
			SparePrivate: !s.Limits.Private},
		Processor: v.processor, Unsent: unsentMemory(), Gallery: v.gallery, Site: pages,
		Demo: s.Notice != "", Secure: s.TLS != nil, Log: v.log, SupplySpec: v.specs.supply, PetsSpec: v.specs.pets,
	}
	if v.keeper != nil {
		cfg.TLog = v.keeper
	}
	if len(s.Realms) > 0 {
		cfg.Pets = v.Pets
		cfg.PetListings = v.Pets
		cfg.Realms = s.Realms
		cfg.Packs = v.Packs
		cfg.Words = v.words
	}
	return cfg
}

// newSite returns the pages.
func (v *Service) newSite() (*site.Site, error) {
	s := v.Settings
	cfg := site.Config{
		SupplyURL: s.SupplyURL, PetsURL: s.PetsURL, SiteURL: s.SiteURL,
		Poll: pollPages, Notice: cmp.Or(v.cfg.Notice, s.Notice),
		Board: v.Board, History: v.Store, Explorers: map[string]string{}, Status: v.status, Log: v.log,
		About: site.About(s.About), Limit: limitText(s.Limits), Known: v.known, Every: s.Refresh.Every,
		// The status page finds late figures by the time between two stored measurements. An unchanged
		// figure is stored again only after half of StaleAfter. So Late is StaleAfter plus this half.
		Late: s.Refresh.StaleAfter * 3 / 2,
	}
	if s.Pack != nil {
		cfg.Poll = pollDraft
	}
	if len(s.Realms) > 0 {
		cfg.Pets = v.Pets
		cfg.Words = v.words
		cfg.Realms = s.Realms
		cfg.Pack = v.Packs.Current()
	}
	for name, c := range s.Chains {
		cfg.Explorers[name] = c.Explorer
	}
	return site.New(cfg)
}

// limitText says how much costly work one caller may cause, or "" if there is no limit.
func limitText(l config.Limits) string {
	who := "public IP address"
	if l.Private {
		who = "IP address"
	}
	if l.PerIP == 0 {
		return ""
	}
	return fmt.Sprintf("each %s may use %d ms of CPU time a second for it", who, l.PerIP)
}
