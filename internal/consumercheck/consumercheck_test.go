package consumercheck

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// A reply is an answer of the test's service at one address.
type reply struct {
	status int
	header http.Header
	body   string
}

// A service answers the addresses that it knows, and refuses all others.
type service map[string]reply

func (s service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	a, ok := s[r.URL.RequestURI()]
	if !ok {
		a = reply{status: http.StatusNotFound, header: http.Header{"Cache-Control": {"no-store"}}}
	}
	for name, values := range a.header {
		w.Header()[name] = values
	}
	tag := w.Header().Get("ETag")
	if a.status == http.StatusOK && tag != "" && r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.WriteHeader(a.status)
	if r.Method != http.MethodHead {
		w.Write([]byte(a.body))
	}
}

// is returns an answer of a media type that passes every check.
func is(mediaType, body string) reply {
	return reply{http.StatusOK, http.Header{"Content-Type": {mediaType}, "Etag": {`"1"`}, "Supply-Snapshot": {"s1"}}, body}
}

const (
	tokens = `[{"symbol":"GEM","totalSupply":"10.5","circulatingSupply":"7","maxSupply":null,
		"status":"fresh","snapshot":"s1"}]`
	aPet = `{"name":"Pip","image":"BASE/pets/image/5.png?v=1","attributes":[],"rawData":{"id":5},"data":{"wings":"none"}}`
	// The specifications, with what a collection of its own promises.
	supplySpec = `{"paths":{"/":{"get":{"responses":{"200":{"content":{"application/json":{"schema":
		{"type":"array","items":{"$ref":"#/components/schemas/Token"}}}}}}}}},
		"components":{"schemas":{"Token":{"type":"object","required":["symbol","maxSupply"],
		"properties":{"symbol":{"type":"string"},"maxSupply":{"type":["string","null"]}}}}}}`
	petsSpec = `{"paths":{
		"/tokens":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"type":"object"}}}}}}},
		"/token/{id}":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Pet"}}}}}}}},
		"components":{"schemas":{"Pet":{"type":"object","required":["name","image","data","rawData"],"properties":{
		"name":{"type":"string"},"image":{"type":"string"},"data":{"type":"object","required":["wings"],
		"properties":{"wings":{"type":"string"}}},"rawData":{"type":"object","required":["id"],
		"properties":{"id":{"type":"integer"}}}}}}}}`
)

// picture is a PNG of one pixel.
func picture(c color.Color) string {
	img := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	img.Set(0, 0, c)
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.String()
}

// good is a service that meets every demand.
func good() service {
	s := service{
		"/supply/":                                  is("application/json", tokens),
		"/supply/openapi.json":                      is("application/json", supplySpec),
		"/pets/openapi.json":                        is("application/json", petsSpec),
		"/supply/gem":                               is("application/json", "{}"),
		"/supply/gem/totalsupply":                   is("text/plain; charset=utf-8", "10.5"),
		"/supply/gem/totalsupply?format=json":       is("application/json", `{"result":"10.5"}`),
		"/supply/gem/circulatingsupply":             is("text/plain", "7"),
		"/pets/contract":                            is("application/json", "{}"),
		"/pets/tokens?limit=1":                      is("application/json", `{"tokens":[{"rawData":{"id":5}}]}`),
		"/pets/token/5":                             is("application/json", aPet),
		"/pets/image/5.png":                         is("image/png", picture(color.White)),
		"/pets/image/5.png?v=1":                     is("image/png", picture(color.White)),
		"/pets/image/5.png?frame=false":             is("image/png", picture(color.White)),
		"/pets/image/5.png?background=false":        is("image/png", picture(color.White)),
		"/supply/gem/circulatingsupply?format=json": is("application/json", `{"result":"7"}`),
	}
	s["/pets/token/01"] = reply{status: http.StatusBadRequest, header: http.Header{"Cache-Control": {"no-store"}}}
	s["/pets/image/5.png?frame=false&background=false"] = is("image/png", picture(color.Transparent))
	return s
}

// checked runs the checks of a service and returns the results.
func checked(t *testing.T, s service, pet uint64) (results []Result) {
	t.Helper()
	server := httptest.NewServer(s)
	defer server.Close()
	for at, a := range s {
		a.body = strings.ReplaceAll(a.body, "BASE", server.URL)
		s[at] = a
	}
	cfg := Config{Pet: pet, Timeout: 10 * time.Second, Report: func(r Result) { results = append(results, r) }}
	if err := Check(t.Context(), cfg, server.URL+"/"); err != nil {
		t.Fatal(err)
	}
	return results
}

// failures returns the unmet demands, one line each.
func failures(results []Result) string {
	var lines []string
	for _, r := range results {
		if !r.OK {
			lines = append(lines, r.Consumer+": "+r.Demand+": "+r.Error)
		}
	}
	return strings.Join(lines, "\n")
}

func TestAGoodServiceMeetsEveryDemand(t *testing.T) {
	for _, pet := range []uint64{0, 5} {
		results := checked(t, good(), pet)
		if failed := failures(results); failed != "" {
			t.Errorf("pet %d: %s", pet, failed)
		}
		asked := map[string]bool{}
		for _, r := range results {
			asked[r.Consumer] = true
			if r.Note != "" {
				t.Errorf("%s: a note: %s", r.Demand, r.Note)
			}
		}
		for _, consumer := range []string{"everyone", "CoinMarketCap", "CoinGecko", "Coinranking", "browser",
			"OpenSea", "Blockscout", "wallets", "indexers", "community tools", "client generators"} {
			if !asked[consumer] {
				t.Errorf("nothing was checked for %s", consumer)
			}
		}
	}
}

func TestEachFaultIsFound(t *testing.T) {
	with := func(a reply, name, value string) reply {
		a.header = a.header.Clone()
		a.header.Set(name, value)
		return a
	}
	const (
		figure = "/supply/gem/totalsupply"
		pet    = "/pets/token/5"
	)
	// Faults that several demands depend on.
	several := []string{"a specification without the address"}
	for _, test := range []struct {
		name, at string
		answer   reply
		want     string // is part of one of the failures
	}{
		{"a figure with a newline", figure, is("text/plain", "10.5\n"), "not a plain number"},
		{"a figure as HTML", figure, is("text/html", "10.5"), `type "text/html", want text/plain`},
		{"another figure than the document's", figure, is("text/plain", "11"), "11 here, 10.5 in the document"},
		{"another figure as JSON", figure + "?format=json", is("application/json", `{"result":"11"}`),
			"11 with ?format=json, 10.5 without it"},
		{"a figure that is refused", figure, reply{status: 503}, "status 503, want 200"},
		{"a bot challenge", figure, reply{403, http.Header{"Content-Type": {"text/html"}}, ""},
			"looks like a bot challenge"},
		{"no ETag", figure, with(is("text/plain", "10.5"), "ETag", ""), "no ETag"},
		{"no CORS", figure, with(is("text/plain", "10.5"), "Access-Control-Allow-Origin", "null"), "browser: "},
		{"no figure", "/supply/", is("application/json",
			`[{"symbol":"GEM","maxSupply":null,"status":"unavailable"}]`),
			"no figure is published"},
		{"a stale figure", "/supply/", is("application/json", strings.Replace(tokens, "fresh", "stale", 1)),
			"the figure's status is stale"},
		{"more circulates than there is", "/supply/", is("application/json", strings.Replace(tokens, `"7"`, `"11"`, 1)),
			"10.5 is less than 11"},
		{"a total that is no number", "/supply/", is("application/json", strings.Replace(tokens, "10.5", "many", 1)),
			`"many" is not a number`},
		{"a document that is not JSON", "/supply/", is("application/json", "[{"), "unexpected end of JSON input"},
		{"an unknown token that is there", "/supply/no-such-token", is("text/plain", "0"), "status 200, want 404"},
		{"a pet without a picture", pet, is("application/json", `{"name":"Pip"}`),
			"the document has no image, which the specification promises"},
		{"a pet without a promised value", pet, is("application/json", strings.Replace(aPet, `"wings":"none"`, "", 1)),
			"the document.data has no wings, which the specification promises"},
		{"a value of another type", pet, is("application/json", strings.Replace(aPet, `"none"`, "3", 1)),
			"the document.data.wings is of the type integer, and the specification promises string"},
		{"a pet with an id in quotes", pet, is("application/json", strings.Replace(aPet, `"id":5`, `"id":"5"`, 1)),
			"rawData.id is of the type string"},
		{"another pet", pet, is("application/json", strings.Replace(aPet, `"id":5`, `"id":6`, 1)), "rawData.id is 6, want 5"},
		{"a token without a promised value", "/supply/", is("application/json", strings.Replace(tokens, `"maxSupply"`, `"cap"`, 1)),
			"the document[0] has no maxSupply"},
		{"no specification", "/pets/openapi.json", reply{status: 404}, "client generators: "},
		{"a specification without the address", "/pets/openapi.json", is("application/json", "{}"),
			"the specification does not describe this address"},
		{"a relative picture", pet, is("application/json", strings.Replace(aPet, "BASE", "", 1)), "the link is not absolute"},
		{"a dot in the picture's query", pet, is("application/json", strings.Replace(aPet, "v=1", "v=1.0", 1)),
			"the query has a dot"},
		{"a picture that is no PNG", "/pets/image/5.png", is("image/png", "GIF89a, not a PNG"), "png: invalid format"},
		{"a background that stays", "/pets/image/5.png?frame=false&background=false", is("image/png", picture(color.White)),
			"the corner is not transparent"},
		{"a refusal that is cached", "/pets/token/01", reply{status: http.StatusBadRequest},
			`Cache-Control is "", want no-store`},
		{"a document that is too large", pet, is("application/json", "["+strings.Repeat("0,", maxDocument/2)+"0]"),
			"larger than 1 MB"},
		{"a picture that is too large", "/pets/image/5.png", is("image/png", picture(color.White)[:16]+"\x00\x00\xff\xff"+
			"\x00\x00\xff\xff\x08\x06\x00\x00\x00\xb6\x05\xd9\x50"), "65535 × 65535 pixels"},
		{"an answer that is too large", pet, is("application/json", strings.Repeat(" ", maxBody+1)), "larger than 16 MB"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := good()
			s[test.at] = test.answer
			got := failures(checked(t, s, 5))
			if !strings.Contains(got, test.want) {
				t.Errorf("want a failure with %q, got:\n%s", test.want, got)
			}
			if lines := strings.Count(got, "\n") + 1; lines > 1 && !slices.Contains(several, test.name) {
				t.Errorf("%d lines say so:\n%s", lines, got)
			}
		})
	}
}

func TestNotesAreNoFailures(t *testing.T) {
	for _, test := range []struct{ name, document, want string }{
		{"a demo", strings.Replace(tokens, "fresh", "demo", 1), "invented"},
		{"a frozen copy", strings.Replace(tokens, "fresh", "past", 1), "of the past"},
		{"another path", strings.Replace(tokens, "GEM", "ORE", 1), "its path is not its symbol"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := good()
			s["/supply/"] = is("application/json", test.document)
			results := checked(t, s, 0)
			if failed := failures(results); failed != "" {
				t.Errorf("these checks fail: %s", failed)
			}
			notes := ""
			for _, r := range results {
				notes += r.Note
			}
			if !strings.Contains(notes, test.want) {
				t.Errorf("noted %q, want %q", notes, test.want)
			}
		})
	}
}

// The interfaces are found at the address itself, below it, or not at all.
func TestTheInterfacesAreFound(t *testing.T) {
	own := service{}
	for at, a := range good() {
		if under, ok := strings.CutPrefix(at, "/supply"); ok {
			own[under] = a
		}
	}
	if results := checked(t, own, 0); failures(results) != "" || len(results) < 10 {
		t.Errorf("%d results\n%s", len(results), failures(results))
	}
	oneSided := service{}
	for at, a := range good() {
		if strings.HasPrefix(at, "/pets") {
			oneSided[at] = a
		}
	}
	if results := checked(t, oneSided, 0); failures(results) != "" || len(results) < 10 {
		t.Errorf("a service with pets only: %d results\n%s", len(results), failures(results))
	}
	nothing := service{"/": is("text/html", "a challenge")}
	got := failures(checked(t, nothing, 0))
	if !strings.Contains(got, "answered 200 text/html") || !strings.Contains(got, "bot challenge") {
		t.Errorf("a page is taken for an interface: %s", got)
	}
	moved := service{"/": {status: http.StatusFound, header: http.Header{"Location": {"/supply/"}}}}
	if got := failures(checked(t, moved, 0)); !strings.Contains(got, "answered 302") {
		t.Errorf("a redirect was followed: %s", got)
	}
}

func TestTextThatIsNoAddressIsRefused(t *testing.T) {
	for _, address := range []string{"", "nonsense", "ftp://example.com", "https://", "http://[", "localhost:8080"} {
		t.Run(address, func(t *testing.T) {
			if err := Check(t.Context(), Config{}, address); err == nil {
				t.Error("it was accepted")
			}
		})
	}
}

func TestCertificate(t *testing.T) {
	server := httptest.NewUnstartedServer(good())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	for _, test := range []struct {
		name   string
		client *http.Client
		want   string
	}{
		{"trusted", server.Client(), ""},
		{"not trusted", &http.Client{}, "certificate signed by unknown authority"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var last Result
			c := &checker{Config: Config{Report: func(r Result) {
				if strings.Contains(r.Demand, "certificate") {
					last = r
				}
			}}, client: test.client}
			c.check(t.Context(), server.URL)
			switch {
			case last.Demand == "":
				t.Error("the certificate was not checked")
			case last.OK != (test.want == ""),
				!strings.Contains(last.Error, test.want):
				t.Errorf("%q, want %q", last.Error, test.want)
			}
		})
	}
	leaf := *server.Certificate()
	leaf.NotAfter = time.Now().Add(24 * time.Hour)
	res, err := server.Client().Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	state := *res.TLS
	state.PeerCertificates[0] = &leaf
	if err := isCertified(&answer{tls: &state}); err == nil || !strings.Contains(err.Error(), "it expires on") {
		t.Errorf("a certificate that ends tomorrow: %v", err)
	}
}
