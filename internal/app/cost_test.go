//go:build unix

package app_test

import (
	"fmt"
	"maps"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"

	"petsupply/internal/app"
	"petsupply/internal/demo"
	"petsupply/testkit/process"
)

// metric returns the sums of a metric's values, by the value of a label.
func metric(t *testing.T, v *app.Service, name, label string) map[string]float64 {
	t.Helper()
	families, err := v.Registry().Gather()
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			key := ""
			for _, l := range m.GetLabel() {
				if l.GetName() == label {
					key = l.GetValue()
				}
			}
			if f.GetName() == name {
				sums[key] += m.GetCounter().GetValue()
			}
		}
	}
	return sums
}

// costs has requests for each route. Each request replaces # by the next number.
var costs = map[string][]string{
	"none":                 {"/supply/none/of/these", "/nothing-here"},
	"supply /openapi.yaml": {"/supply/openapi.yaml"},
	"supply /openapi.json": {"/supply/openapi.json"},
	"pets /openapi.yaml":   {"/pets/openapi.yaml"},
	"pets /openapi.json":   {"/pets/openapi.json"},

	"site /":                          {"/", "/?"},
	"site /token/{token}":             {"/token/jewel", "/token/jewel?days=365"},
	"site /token/{token}/history.csv": {"/token/jewel/history.csv"},
	"site /gallery": {"/gallery", "/gallery?rarity=4", "/gallery?q=fox", "/gallery?q=a",
		"/gallery?sort=rarity", "/gallery?sort=hungry", "/gallery?rarity=3&element=1"},
	"site /pet/{id}":      {"/pet/#"},
	"site /api":           {"/api", "/api?a"},
	"site /status":        {"/status", "/status?a"},
	"site /about":         {"/about", "/about?a"},
	"site /assets/{file}": {"/assets/site.css"},
	"site /favicon.ico":   {"/favicon.ico"},
	"site /robots.txt":    {"/robots.txt"},

	"pets /token/{id}":         {"/pets/token/#"},
	"pets /token/{id}/history": {"/pets/token/#/history"},
	"pets /image/{id}": {"/pets/image/#", "/pets/image/#?size=3240", "/pets/image/#?animated=true",
		"/pets/image/#?animated=true&size=3240"},
	"pets /tokens": {"/pets/tokens?ids=IDS", "/pets/tokens?limit=1", "/pets/tokens", "/pets/tokens?limit=100",
		"/pets/tokens?rarity=4&limit=100", "/pets/tokens?rarity=4&egg=1"},
	"pets /changes":  {"/pets/changes"},
	"pets /contract": {"/pets/contract"},

	"supply /":                 {"/supply/", "/supply/?at=2026-10-20"},
	"supply /{token}":          {"/supply/jewel", "/supply/jewel?at=2026-10-20"},
	"supply /{token}/ledger":   {"/supply/jewel/ledger", "/supply/jewel/ledger?at=2026-10-20"},
	"supply /{token}/evidence": {"/supply/jewel/evidence", "/supply/jewel/evidence?at=2026-10-20"},
	"supply /{token}/proof":    {"/supply/jewel/proof"},
	"supply /{token}/history": {"/supply/jewel/history", "/supply/jewel/history?points=2000&from=2020-01-01",
		"/supply/jewel/history?points=100&from=2020-01-01"},
	"supply /{token}/burnedsupply":      {"/supply/jewel/burnedsupply"},
	"supply /{token}/lockedsupply":      {"/supply/jewel/lockedsupply"},
	"supply /{token}/reservedsupply":    {"/supply/jewel/reservedsupply"},
	"supply /{token}/maxsupply":         {"/supply/jewel/maxsupply"},
	"supply /log/{log}/checkpoint":      {"/supply/log/1/checkpoint"},
	"supply /log/{log}/key":             {"/supply/log/1/key"},
	"supply /log/{log}/tile/{tile...}":  {"/supply/log/1/tile/entries/000.p/1"},
	"supply /log/checkpoint":            {"/supply/log/checkpoint"},
	"supply /log/key":                   {"/supply/log/key"},
	"supply /{token}/totalsupply":       {"/supply/jewel/totalsupply", "/supply/jewel/totalsupply?at=2026-10-20"},
	"supply /{token}/circulatingsupply": {"/supply/jewel/circulatingsupply"},
}

const (
	// tolerance is the factor by which the ratio of work to charge may differ between requests, in
	// both directions.
	tolerance = 4
	// cheap is the smallest number of units that is compared. Anything less counts as this much.
	cheap = 1
)

// missing reports whether a path has no page. A 404 costs too.
func missing(path string) bool {
	return path == "/supply/none/of/these" || path == "/nothing-here" || strings.HasPrefix(path, "/supply/log/1/")
}

// A costSample is a request with its work.
type costSample struct {
	path           string
	units, measure float64 // the charge, and milliseconds of CPU
}

// TestEveryRoutePaysForItsWork: a request's charge is in proportion to the CPU time that it takes.
// Times are compared only with each other, so the speed of the machine does not matter. A short
// test only sends each request once.
func TestEveryRoutePaysForItsWork(t *testing.T) {
	rounds := 3
	each := 8
	if testing.Short() {
		rounds = 1
		each = 1
	}
	v := newService(t, openDemo(t, t.TempDir(), demo.End))
	v.Packs.Current().Unpack()
	routes := slices.Collect(maps.Keys(metric(t, v, "petsupply_http_requests_total", "route")))
	for _, route := range routes {
		if _, ok := costs[route]; !ok {
			t.Errorf("no cost of %q is measured: add a request for it to costs", route)
		}
	}
	var ids []string
	for i := range 100 {
		ids = append(ids, fmt.Sprint(i+1))
	}
	var samples []costSample
	number := 0
	for _, route := range slices.Sorted(maps.Keys(costs)) {
		for _, path := range costs[route] {
			s := costSample{path: path, measure: 1e9}
			charged := metric(t, v, "petsupply_http_charged_units_total", "")[""]
			for range rounds {
				runtime.GC()
				before := process.OwnTime(t)
				for range each {
					number++
					names := strings.NewReplacer("#", fmt.Sprint(number%1000+101), "IDS", strings.Join(ids, ","))
					target := names.Replace(path)
					r := httptest.NewRequest("GET", "http://localhost:8080"+target, nil)
					r.RemoteAddr = "10.0.0.1:99" // this address is charged but not limited
					r.Header.Set("Accept-Encoding", "gzip")
					w := httptest.NewRecorder()
					if v.Handler().ServeHTTP(w, r); w.Code >= 400 && !missing(path) {
						t.Fatalf("%s: %d %.200s", target, w.Code, w.Body)
					}
				}
				s.measure = min(s.measure, (process.OwnTime(t)-before).Seconds()*1000/float64(each))
			}
			s.units = (metric(t, v, "petsupply_http_charged_units_total", "")[""] - charged) / float64(rounds*each)
			samples = append(samples, s)
		}
	}
	if !testing.Short() {
		checkCosts(t, samples)
	}
}

// checkCosts compares every sample with the others.
func checkCosts(t *testing.T, samples []costSample) {
	t.Helper()
	var ratios []float64
	for _, s := range samples {
		if s.units >= cheap {
			ratios = append(ratios, s.measure/s.units)
		}
	}
	slices.Sort(ratios)
	unit := ratios[len(ratios)/2] // milliseconds on this machine
	for _, s := range samples {
		took := s.measure / unit
		t.Logf("%6.2f units for %6.2f of work (%6.2f ms) %.50s", s.units, took, s.measure, s.path)
		if took > tolerance*max(s.units, cheap) || s.units > tolerance*max(took, cheap) {
			t.Errorf("%s is charged %.2f units for %.2f of work", s.path, s.units, took)
		}
	}
}
