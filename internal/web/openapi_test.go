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

	"petsupply/internal/web/answer"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// A spec is openapi.yaml as a server publishes it.
type spec struct {
	doc    *openapi3.T
	router routers.Router
	k      *kit
}

func loadSpec(t *testing.T, k *kit) *spec {
	t.Helper()
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(k.openapi[answer.Identity].Body)
	if err != nil {
		t.Fatalf("reading openapi.yaml: %v", err)
	}
	if err := doc.Validate(loader.Context, openapi3.IsOpenAPI31OrLater()); err != nil {
		t.Fatalf("openapi.yaml is not valid: %v", err)
	}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	return &spec{doc, router, k}
}

// validate holds an answer against the document. What no operation describes,
// an unknown address or method, must be a refusal in the described form.
func (s *spec) validate(t *testing.T, where string, req *http.Request, resp *http.Response, body []byte) {
	t.Helper()
	route, params, err := s.find(req)
	if err != nil {
		s.refusal(t, where, resp, body)
		return
	}
	in := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route},
		Status:                 resp.StatusCode, Header: resp.Header,
		Options: &openapi3filter.Options{IncludeResponseStatus: true, ExcludeResponseBody: req.Method == http.MethodHead},
	}
	in.Body = io.NopCloser(bytes.NewReader(body))
	if err := openapi3filter.ValidateResponse(context.Background(), in); err != nil {
		t.Errorf("%s: the answer does not fit openapi.yaml: %v", where, err)
	}
}

// find looks the request up as it is documented: lower-case words, no trailing
// slash.
func (s *spec) find(req *http.Request) (*routers.Route, map[string]string, error) {
	at := s.k.hosts.Index(req.Host)
	if at < 0 {
		return nil, nil, errors.New("not one of our hosts")
	}
	bases := s.k.hosts.Bases()
	i := slices.IndexFunc(bases, func(b *answer.Base) bool { return s.k.hosts.Of(b) == at })
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
	if u, err = url.Parse(base + answer.Lower(path) + "?" + query); err != nil {
		return nil, nil, err
	}
	r := *req
	r.URL, req.URL = u, u
	return s.router.FindRoute(&r)
}

func (s *spec) refusal(t *testing.T, where string, resp *http.Response, body []byte) {
	t.Helper()
	if resp.StatusCode < 400 || resp.StatusCode >= 500 {
		if resp.StatusCode != http.StatusNoContent {
			t.Errorf("%s: %d at an address that openapi.yaml does not describe", where, resp.StatusCode)
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

func TestSpecificationNamesEveryRoute(t *testing.T) {
	k := newKit(t, oneHost())
	s := loadSpec(t, k)
	for _, b := range k.hosts.Bases() {
		for _, r := range b.Routes {
			_, path, _ := strings.Cut(r.Name, " ")
			path = strings.Replace(path, "{tile...}", "{level}/{tile}", 1) // OpenAPI has no word for it
			item := s.doc.Paths.Value(path)
			if item == nil || item.Get == nil || item.Head == nil || item.Options == nil {
				t.Errorf("openapi.yaml does not describe %s", r.Name)
				continue
			}
			if item.Servers[0].URL != b.URL {
				t.Errorf("%s is described under %s, not %s", r.Name, item.Servers[0].URL, b.URL)
			}
		}
	}
}
