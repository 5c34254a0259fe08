package app

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"

	"petsupply/internal/pet/index"
	"petsupply/internal/supply"
	"petsupply/internal/web/openapi"
)

// What tests of the demo need of a service. They are in a package of their own, because the demo
// imports this package.

func (v *Service) Handler() http.Handler          { return v.web }
func (v *Service) Registry() *prometheus.Registry { return v.registry }
func (v *Service) Refresher() *supply.Refresher   { return v.refresh }
func (v *Service) Indexers() []*index.Indexer     { return v.indexers }
func (v *Service) Specs() []openapi.Document {
	return []openapi.Document{v.specs.supply, v.specs.pets}
}
