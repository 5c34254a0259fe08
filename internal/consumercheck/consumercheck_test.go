package consumercheck

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
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
	return reply{http.StatusOK, http.Header{"Content-Type": {mediaType}, "Etag": {`"1"`}, "Supply-Snapshot": {"s1"}},
		body}
}

const (
	gem = `{"totalSupply":"10.5","circulatingSupply":"7","maxSupply":null,"status":"fresh","snapshot":"s1"}`
	pip = `{"name":"Pip","image":"BASE/pets/image/5?v=1","rawData":{"id":5},"data":{"wings":"none"}}`
	// The specifications, with what a collection of its own promises.
	supplySpec = `{"paths":{
		"/":{"get":{"responses":{"200":{"content":{"application/json":{"schema":
			{"type":"array","items":{"$ref":"#/components/schemas/Token"}}}}}}}},
		"/{token}":{"get":{"responses":{"200":{"content":{"application/json":{"schema":
			{"$ref":"#/components/schemas/Token"}}}},"404":{"$ref":"#/components/responses/Problem"}}}},
		"/{token}/totalsupply":{"get":{"responses":{"200":{"$ref":"#/components/responses/Figure"},"304":{}}}},
		"/{token}/circulatingsupply":{"get":{"responses":{"200":{"$ref":"#/components/responses/Figure"},"304":{}}}}},
		"components":{
		"headers":{"ETag":{"required":true,"schema":{"type":"string","pattern":"^\"[^\"]+\"$"}}},
		"responses":{"Figure":{"headers":{"ETag":{"$ref":"#/components/headers/ETag"},
			"Last-Modified":{"schema":{"pattern":"GMT$"}},
			"Access-Control-Allow-Origin":{"required":true,"schema":{"const":"*"}}},
			"content":{"text/plain":{"schema":{"type":"string","pattern":"^[0-9]+([.][0-9]+)?$"}},"application/json":{}}},
			"Problem":{"headers":{"Cache-Control":{"required":true,"schema":{"const":"no-store"}}},
			"content":{"application/problem+json":{}}}},
		"schemas":{"Token":{"type":"object","required":["maxSupply"],"properties":{
			"maxSupply":{"type":["string","null"]},"status":{"enum":["fresh","stale","demo"]}}}}}}`
	petsSpec = `{"paths":{
		"/tokens":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"type":"object"}}}}}}},
		"/image/{id}":{"get":{"responses":{"200":{"content":{"image/png":{}}}}}},
		"/token/{id}":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Pet"}}}},
			"400":{"$ref":"#/components/responses/Problem"},"404":{"$ref":"#/components/responses/Problem"}}}}},
		"components":{
		"responses":{"Problem":{"headers":{"Cache-Control":{"required":true,"schema":{"const":"no-store"}}}}},
		"schemas":{"Pet":{"type":"object","required":["name","image","data","rawData"],"properties":{
		"name":{"type":"string"},"image":{"type":"string","pattern":"^https?://.+[?]v=[0-9a-f]+$"},
		"data":{"type":"object","required":["wings"],"properties":{"wings":{"type":"string"}}},
		"rawData":{"type":"object","required":["id"],"properties":{"id":{"type":"integer"}}}}}}}}`
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
	no := func(status int) reply {
		header := http.Header{"Cache-Control": {"no-store"}, "Content-Type": {"application/problem+json"}}
		return reply{status, header, `{"tokens":["gem"]}`}
	}
	s := service{
		"/supply/openapi.json":                      is("application/json", supplySpec),
		"/supply/":                                  is("application/json", "["+gem+"]"),
		"/supply/gem":                               is("application/json", gem),
		"/supply/gem/totalsupply":                   is("text/plain; charset=utf-8", "10.5"),
		"/supply/gem/totalsupply?format=json":       is("application/json", `{"result":"10.5"}`),
		"/supply/gem/circulatingsupply":             is("text/plain", "7"),
		"/supply/gem/circulatingsupply?format=json": is("application/json", `{"result":"7"}`),
		"/supply/no-such-token":                     no(http.StatusNotFound),
		"/pets/openapi.json":                        is("application/json", petsSpec),
		"/pets/tokens?limit=1":                      is("application/json", `{"tokens":[{"rawData":{"id":5}}]}`),
		"/pets/token/5":                             is("application/json", pip),
		"/pets/token/01":                            no(http.StatusBadRequest),
		"/pets/token/999999999999999":               no(http.StatusNotFound),
	}
	for _, query := range []string{"", "?v=1", "?frame=false", "?background=false"} {
		s["/pets/image/5"+query] = is("image/png", picture(color.White))
	}
	s["/pets/image/5?frame=false&background=false"] = is("image/png", picture(color.Transparent))
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
			lines = append(lines, r.Demand+": "+r.Error)
		}
	}
	return strings.Join(lines, "\n")
}

func TestAGoodServiceMeetsEveryDemand(t *testing.T) {
	for _, pet := range []uint64{0, 5} {
		results := checked(t, good(), pet)
		if failed := failures(results); failed != "" || len(results) != 18 {
			t.Errorf("pet %d: %d results\n%s", pet, len(results), failed)
		}
		for _, r := range results {
			if r.Note != "" {
				t.Errorf("%s: a note: %s", r.Demand, r.Note)
			}
		}
	}
}

func TestEachFaultIsFound(t *testing.T) {
	with := func(a reply, name, value string) reply {
		a.header = a.header.Clone()
		a.header.Del(name)
		if value != "" {
			a.header.Set(name, value)
		}
		return a
	}
	but := func(document, old, now string) reply {
		return is("application/json", strings.Replace(document, old, now, 1))
	}
	const (
		figure = "/supply/gem/totalsupply"
		pet    = "/pets/token/5"
	)
	ok := is("text/plain", "10.5")
	for _, test := range []struct {
		name, at string
		answer   reply
		want     string // is part of the failure
	}{
		{"a figure with a newline", figure, is("text/plain", "10.5\n"),
			`the answer is not as the specification promises, at '': '10.5\n' does not match pattern`},
		{"a figure as HTML", figure, is("text/html", "10.5"),
			`the type is "text/html", and the specification promises`},
		{"a figure as JSON", figure, is("application/json", "10.5"), `the type is "application/json", want text/plain`},
		{"another figure than the document's", figure, is("text/plain", "11"), "11 here, 10.5 in the document"},
		{"another figure as JSON", figure + "?format=json", is("application/json", `{"result":"11"}`),
			"11 here, 10.5 in the document"},
		{"a figure that is refused", figure, reply{status: 503}, "status 503, want 200"},
		{"no ETag", figure, with(ok, "ETag", ""), "there is no header ETag"},
		{"a weak ETag", figure, with(ok, "ETag", `W/"1"`), "the header ETag is not as the specification promises"},
		{"no date", figure, with(ok, "Last-Modified", "now"), "the header Last-Modified is not"},
		{"no CORS", figure, with(ok, "Access-Control-Allow-Origin", "null"),
			"the header Access-Control-Allow-Origin is not"},
		{"no figure", "/supply/gem", but(gem, `"10.5"`, "null"), "no figure is published"},
		{"a stale figure", "/supply/gem", but(gem, "fresh", "stale"), "the figure's status is stale"},
		{"a status of another service", "/supply/gem", but(gem, "fresh", "fine"), "at '/status': value must be one of"},
		{"more circulates than there is", "/supply/gem", but(gem, `"7"`, `"11"`), "10.5 breaks the rule"},
		{"more than the maximum", "/supply/gem", but(gem, "null", `"10.4"`), "10.4 breaks the rule"},
		{"a total that is no number", "/supply/gem", but(gem, "10.5", "many"), "many breaks the rule"},
		{"a list that lacks a promise", "/supply/", but("["+gem+"]", "max", "most"),
			"at '/0': missing property 'maxSupply'"},
		{"a document that is not JSON", "/supply/", is("application/json", "[{"), "unexpected EOF"},
		{"an unknown token that is there", "/supply/no-such-token", ok, "status 200, want 404"},
		{"a pet without a picture", pet, is("application/json", `{"name":"Pip"}`),
			"missing properties 'image', 'data', 'rawData'"},
		{"a pet without a promised value", pet, but(pip, `"wings":"none"`, ""),
			"at '/data': missing property 'wings'"},
		{"a value of another type", pet, but(pip, `"none"`, "3"),
			"at '/data/wings': got number, want string"},
		{"a pet with an id in quotes", pet, but(pip, `"id":5`, `"id":"5"`),
			"at '/rawData/id': got string, want integer"},
		{"an id with a fraction", pet, but(pip, `"id":5`, `"id":5.5`), "at '/rawData/id': got number, want integer"},
		{"another pet", pet, but(pip, `"id":5`, `"id":6`), "rawData.id is 6, want 5"},
		{"a status that is not described", "/pets/openapi.json", but(petsSpec, `"400"`, `"401"`),
			"the specification does not describe status 400 of /token/{id}"},
		{"a schema in a file", "/pets/openapi.json", but(petsSpec, "#/components/schemas/Pet", "file:///etc/passwd"),
			"the answer has a schema that is not valid"},
		{"a schema that names itself", "/pets/openapi.json",
			but(petsSpec, `"schemas":{"Pet":{`, `"schemas":{"Pet":{"$ref":"#/components/schemas/Pet",`),
			"the answer is not as the specification promises"},
		{"no specification", "/pets/openapi.json", is("application/json", "[]"), "a specification: "},
		{"a relative picture", pet, but(pip, "BASE", ""), "at '/image': "},
		{"a dot in the picture's query", pet, but(pip, "v=1", "v=1.0"), "at '/image': "},
		{"a picture that is no PNG", "/pets/image/5", is("image/png", "GIF89a, not a PNG"), "png: invalid format"},
		{"a picture at no address", pet, but(pip, "BASE/pets/image", "http://["), "missing ']' in host"},
		{"a picture that is cut short", "/pets/image/5", is("image/png", picture(color.White)[:40]), "unexpected EOF"},
		{"a background that stays", "/pets/image/5?frame=false&background=false", is("image/png", picture(color.White)),
			"the corner is not transparent"},
		{"a refusal that is cached", "/pets/token/01", reply{status: http.StatusBadRequest},
			"there is no header Cache-Control"},
		{"a picture that is too large", "/pets/image/5", is("image/png", picture(color.White)[:16]+"\x00\x00\xff\xff"+
			"\x00\x00\xff\xff\x08\x06\x00\x00\x00\xb6\x05\xd9\x50"), "65535 × 65535 pixels"},
		{"an answer that is too large", pet, is("application/json", strings.Repeat(" ", maxBody+1)),
			"larger than 4 MB"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := good()
			s[test.at] = test.answer
			got := failures(checked(t, s, 5))
			if !strings.Contains(got, test.want) {
				t.Errorf("want a failure with %q, got:\n%s", test.want, got)
			}
			if lines := strings.Count(got, "\n") + 1; lines > 1 {
				t.Errorf("%d lines say so:\n%s", lines, got)
			}
		})
	}
}

// HEAD is answered as GET is, and a client that has an answer gets 304 even if it accepts JSON only.
func TestConditionalRequests(t *testing.T) {
	for _, test := range []struct {
		want  string
		wrong func(w http.ResponseWriter, r *http.Request) bool // answers, or returns false
	}{
		{"HEAD is answered with status 405", func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodHead {
				w.WriteHeader(http.StatusMethodNotAllowed)
			}
			return r.Method == http.MethodHead
		}},
		{"status 200 for an ETag that is still current", func(_ http.ResponseWriter, r *http.Request) bool {
			r.Header.Del("If-None-Match")
			return false
		}},
		{"status 406 for a client that accepts JSON", func(w http.ResponseWriter, r *http.Request) bool {
			if r.Header.Get("Accept") != "" {
				w.WriteHeader(http.StatusNotAcceptable)
			}
			return r.Header.Get("Accept") != ""
		}},
	} {
		t.Run(test.want, func(t *testing.T) {
			s := good()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !strings.HasSuffix(r.URL.Path, "/totalsupply") || !test.wrong(w, r) {
					s.ServeHTTP(w, r)
				}
			}))
			defer server.Close()
			var results []Result
			cfg := Config{Timeout: 10 * time.Second, Report: func(r Result) { results = append(results, r) }}
			if err := Check(t.Context(), cfg, server.URL+"/supply"); err != nil {
				t.Fatal(err)
			}
			if got := failures(results); !strings.Contains(got, test.want) {
				t.Errorf("want a failure with %q, got:\n%s", test.want, got)
			}
		})
	}
}

// A collection without pets has a note, and nothing more is demanded of it.
func TestAnEmptyListing(t *testing.T) {
	s := service{}
	for at, a := range good() {
		if strings.HasPrefix(at, "/pets") {
			s[at] = a
		}
	}
	s["/pets/tokens?limit=1"] = is("application/json", `{"tokens":[]}`)
	results := checked(t, s, 0)
	last := results[len(results)-1]
	if failed := failures(results); failed != "" || len(results) != 4 || last.Note != "it is empty" {
		t.Errorf("%d results, the last with the note %q\n%s", len(results), last.Note, failed)
	}
}

func TestTheDemoIsNoted(t *testing.T) {
	s := good()
	s["/supply/gem"] = is("application/json", strings.NewReplacer("fresh", "demo", "null", `"10.5"`).Replace(gem))
	results := checked(t, s, 0)
	noted := slices.ContainsFunc(results, func(r Result) bool { return strings.Contains(r.Note, "invented") })
	if failed := failures(results); failed != "" || !noted {
		t.Errorf("noted %t:\n%s", noted, failed)
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
	if results := checked(t, own, 0); failures(results) != "" || len(results) != 8 {
		t.Errorf("%d results\n%s", len(results), failures(results))
	}
	oneSided := service{}
	for at, a := range good() {
		if strings.HasPrefix(at, "/pets") {
			oneSided[at] = a
		}
	}
	if results := checked(t, oneSided, 0); failures(results) != "" || len(results) != 10 {
		t.Errorf("a service with pets only: %d results\n%s", len(results), failures(results))
	}
	page := service{"/openapi.json": is("text/html", "a page")}
	if got := failures(checked(t, page, 0)); !strings.Contains(got, "there is no specification") {
		t.Errorf("a page is taken for an interface: %s", got)
	}
	moved := service{"/openapi.json": {status: http.StatusFound,
		header: http.Header{"Location": {"/supply/openapi.json"}}}}
	if got := failures(checked(t, moved, 0)); !strings.Contains(got, "status 302") {
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
