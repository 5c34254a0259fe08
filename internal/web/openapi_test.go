package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"petsupply/internal/demo"
	"petsupply/internal/web/answer"
	"petsupply/internal/web/openapi"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// A spec is the two specifications as a server publishes them.
type spec struct {
	routers []routers.Router
	k       *kit
}

// specifications returns the specifications of a configuration.
func specifications(t testing.TB, cfg Config) (supply, pets openapi.Document) {
	service := openapi.Service{SupplyURL: cfg.SupplyURL, PetsURL: cfg.PetsURL, SiteURL: cfg.SiteURL, Pet: 1, Grid: 90,
		Collection: words(t).Collection, Texts: words(t).Texts}
	for _, token := range demo.Tokens() {
		service.Tokens = append(service.Tokens, token.Path)
	}
	return openapi.Supply(service), openapi.Pets(service)
}

func readSpec(t *testing.T, d openapi.Document) *openapi3.T {
	t.Helper()
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(d)
	if err != nil {
		t.Fatalf("reading a specification: %v", err)
	}
	if err := doc.Validate(loader.Context, openapi3.IsOpenAPI31OrLater()); err != nil {
		t.Fatalf("a specification is not valid: %v", err)
	}
	return doc
}

func loadSpec(t *testing.T, k *kit) *spec {
	t.Helper()
	s := &spec{k: k}
	supply, pets := specifications(t, k.cfg)
	for _, d := range []openapi.Document{supply, pets} {
		router, err := gorillamux.NewRouter(readSpec(t, d))
		if err != nil {
			t.Fatal(err)
		}
		s.routers = append(s.routers, router)
	}
	return s
}

// validate checks an answer against the documents. For an unknown address or method, which no
// operation describes, the answer must be a refusal in the described form. HEAD has the description
// of GET; OPTIONS has none. An operation that answers 410 must describe it as a response of its own.
func (s *spec) validate(t *testing.T, where string, req *http.Request, resp *http.Response, body []byte) {
	t.Helper()
	if req.Method == http.MethodOptions || s.ofSite(req) {
		return
	}
	problem := resp.Header.Get("Content-Type") == "application/problem+json"
	route, params, err := s.find(req, problem)
	if err != nil {
		s.refusal(t, where, resp, body)
		return
	}
	in := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route},
		Status:                 resp.StatusCode, Header: resp.Header,
		Options: &openapi3filter.Options{
			IncludeResponseStatus: true, ExcludeResponseBody: req.Method == http.MethodHead,
		},
	}
	in.Body = io.NopCloser(bytes.NewReader(body))
	if err := openapi3filter.ValidateResponse(context.Background(), in); err != nil {
		t.Errorf("%s: the answer does not fit the specification: %v", where, err)
	}
	if resp.StatusCode == http.StatusGone && route.Operation.Responses.Status(http.StatusGone) == nil {
		t.Errorf("%s: %s answers 410 and does not say so", where, route.Operation.OperationID)
	}
}

// ofSite reports whether a request is for the site, as far as there is one. The site has no specification.
func (s *spec) ofSite(req *http.Request) bool {
	path := answer.Lower(req.RequestURI)
	isAPI := strings.HasPrefix(path, "/supply") || strings.HasPrefix(path, "/pets")
	return s.k.cfg.Site != nil && !isAPI
}

// find looks up the request in its documented form: lower-case words, no trailing slash. A token
// with q counts as the figure's own address, unless q is invalid.
func (s *spec) find(req *http.Request, problem bool) (*routers.Route, map[string]string, error) {
	at := s.k.answerer.Host(req.Host)
	if at < 0 {
		return nil, nil, errors.New("not one of our hosts")
	}
	bases := []*answer.Base{s.k.supply.base, s.k.Server.pets.base, s.k.pages.base}
	i := slices.IndexFunc(bases, func(b *answer.Base) bool { return b.Host == at })
	u, err := url.Parse(bases[i].URL)
	if err != nil {
		return nil, nil, err
	}
	base := u.Scheme + "://" + u.Host
	path, query, _ := strings.Cut(strings.TrimPrefix(req.RequestURI, base), "?")
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	if path == "/supply" {
		path = "/supply/"
	}
	u, err = url.Parse(base + answer.Lower(path) + "?" + query)
	if err != nil {
		return nil, nil, err
	}
	r := *req
	r.URL = u
	req.URL = u
	if r.Method == http.MethodHead {
		r.Method = http.MethodGet
	}
	for _, router := range s.routers {
		route, params, err := router.FindRoute(&r)
		if err == nil && route.Path == "/{token}" && u.Query().Has("q") && !problem {
			r.URL = u.JoinPath("totalsupply")
			return router.FindRoute(&r)
		}
		if err == nil {
			return route, params, nil
		}
	}
	return nil, nil, errors.New("not described")
}

func (s *spec) refusal(t *testing.T, where string, resp *http.Response, body []byte) {
	t.Helper()
	if resp.StatusCode < 400 || resp.StatusCode >= 500 {
		if resp.StatusCode != http.StatusNoContent {
			t.Errorf("%s: %d at an undocumented address", where, resp.StatusCode)
		}
		return
	}
	if resp.Request.Method == http.MethodHead || resp.Header.Get("Content-Type") != "application/problem+json" {
		return
	}
	value, err := dig(body, "status")
	if err != nil || value == "" {
		t.Errorf("%s: not problem details: %s", where, body)
	}
}

func TestSpecificationsNameEveryRoute(t *testing.T) {
	k := newKit(t, oneHost())
	supply, pets := specifications(t, k.cfg)
	for i, d := range []openapi.Document{supply, pets} {
		doc := readSpec(t, d)
		b := []*answer.Base{k.supply.base, k.Server.pets.base}[i]
		if doc.Servers[0].URL != b.URL {
			t.Errorf("a specification of %s names the server %s", b.URL, doc.Servers[0].URL)
		}
		described := map[string]bool{}
		for _, r := range b.Routes {
			_, path, _ := strings.Cut(r.Name, " ")
			path = strings.Replace(path, "{tile...}", "{level}/{tile}", 1) // OpenAPI has no such wildcard
			described[path] = true
			if item := doc.Paths.Value(path); item == nil || item.Get == nil {
				t.Errorf("%s is not described", r.Name)
			}
		}
		for path := range doc.Paths.Map() {
			if !described[path] && !strings.HasSuffix(path, "/{width}") {
				t.Errorf("%s is described, and there is no such route", path)
			}
		}
	}
}

func TestSpecificationsHaveOneTypeForEachAnswer(t *testing.T) {
	supply, pets := specifications(t, oneHost())
	for _, d := range []openapi.Document{supply, pets} {
		for _, word := range []string{"anyOf", "oneOf", "allOf", `"head":`, `"options":`, "EXAMPLE", "example.com"} {
			if strings.Contains(string(d.JSON()), word) {
				t.Errorf("a specification has %s", word)
			}
		}
	}
}

// The licence in a specification is that of the data, as on the About page. The licence of the
// program does not apply to the data.
func TestSpecificationsNameTheLicenceOfTheData(t *testing.T) {
	for _, named := range []string{"", "CC-BY-4.0", "Ask us: \"free\" for {all}\n# no fee"} {
		service := openapi.Service{SupplyURL: "https://s.test", PetsURL: "https://p.test", SiteURL: "https://s.test",
			Collection: words(t).Collection, Texts: words(t).Texts, Licence: named}
		for _, d := range []openapi.Document{openapi.Supply(service), openapi.Pets(service)} {
			info := readSpec(t, d).Info
			got := ""
			if info.License != nil {
				got = info.License.Name
			}
			if got != named || info.License != nil && (named == "" || info.License.Identifier != "") {
				t.Errorf("%s has the licence %+v; the operator named %q", info.Title, info.License, named)
			}
		}
	}
}

// The specification has the collection in place of the placeholders in the file.
func TestTheCollectionIsInTheSpecification(t *testing.T) {
	_, pets := specifications(t, oneHost())
	text := string(pets)
	if strings.Contains(text, "COLLECTION_") || !strings.Contains(text, `name: "background", in: "query"`) ||
		!strings.Contains(text, `"gatheringbonusscalar": {"type":"integer"}`) ||
		!strings.Contains(text, `"equippedto": {"type":"string"`) {
		t.Error("the specification of pets does not name the traits of pets")
	}
}
