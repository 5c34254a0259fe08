package web

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/web/answer"
	"petsupply/internal/web/express"
)

// render renders the document of a target, as the lane does.
func (k *kit) render(target string) *answer.Entry {
	d := &k.Server.pets.documents
	p, ok := d.loaded(k.pets, target)
	if !ok {
		return nil
	}
	e, ok := d.render(nil, p, k.clock.now())
	if !ok {
		return nil
	}
	return &e
}

// wireOf returns the head of a recorded answer as net/http writes it.
func wireOf(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("HTTP/1.1 " + strconv.Itoa(w.Code) + " " + http.StatusText(w.Code) + "\r\n")
	if err := w.Result().Header.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String() + "Date: "
}

func TestRenderedDocumentsEqualTheHandlers(t *testing.T) {
	for name, cfg := range map[string]Config{"one host": oneHost(), "three hosts": threeHosts()} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t, cfg)
			k.remember(40)
			for id := range 40 {
				target := k.petsTarget("/token/" + strconv.Itoa(id+1))
				got, want := k.render(target), k.get(target)
				if got == nil {
					t.Fatalf("%s is not rendered", target)
				}
				if string(got.Body) != want.Body.String() || string(got.Head) != wireOf(t, want) ||
					string(got.ETag) != want.Header().Get("Etag") {
					t.Errorf("%s:\n%s\n%s\nby the handler:\n%s\n%s", target, got.Head, got.Body, wireOf(t, want), want.Body)
				}
				for _, header := range [][]string{{"If-None-Match", "*"}, {"If-None-Match", string(got.ETag)},
					{"If-Modified-Since", started.Add(time.Hour).Format(http.TimeFormat)}} {
					if want := k.get(target, header...); want.Code != http.StatusNotModified ||
						string(got.Head304) != wireOf(t, want) {
						t.Errorf("%s with %v:\n%s\nby the handler:\n%s", target, header, got.Head304, wireOf(t, want))
					}
				}
			}
		})
	}
}

func TestOnlyPetsInMemoryAreRendered(t *testing.T) {
	k := newKit(t, oneHost())
	k.remember(3)
	for target, want := range map[string]bool{
		"/pets/token/1": true, "/pets/token/3": true,
		"/pets/token/4": false, "/pets/token/0": false, "/pets/token/03": false, "/pets/token/": false,
		"/pets/token/3/": false,
		"/pets/token/3?": false, "/pets/Token/3": false, "/pets/token/-1": false,
		"/pets/token/99999999999999999999999": false, "/supply/gold": false,
	} {
		if a := k.render(target); (a != nil) != want {
			t.Errorf("%s is rendered: %t", target, a != nil)
		}
	}
	// A pet that changed in this second has no date yet, so its handler answers.
	k.store.pets[2].ChangedAt = k.clock.now()
	k.remember(30)
	if a := k.render("/pets/token/3"); a != nil {
		t.Error("a pet that has just changed is rendered without a date")
	}
}

// A burned pet is not found, but its history is.
func TestABurnedPetHasAHistory(t *testing.T) {
	k := newKit(t, oneHost())
	k.store.pets[0] = pet.Pet{ID: 1, Burned: true}
	if w := k.get("/pets/token/1"); w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "burned") {
		t.Errorf("the pet: %d %s", w.Code, w.Body)
	}
	if w := k.get("/pets/token/1/history"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "appeared") {
		t.Errorf("its history: %d %s", w.Code, w.Body)
	}
}

// A document allocates nothing except its picture's version.
func TestARenderedDocumentAllocatesLittle(t *testing.T) {
	k := newKit(t, oneHost())
	k.remember(30)
	q := &express.Request{Target: "/pets/token/2", At: k.clock.now(), Room: make([]byte, 0, 8<<10)}
	var body []byte
	if n := testing.AllocsPerRun(200, func() {
		_, body = k.Find(q)
	}); n > 1 || len(body) == 0 {
		t.Errorf("%v allocations for %d bytes", n, len(body))
	}
	if w := k.get("/pets/token/2"); w.Body.String() != string(body) {
		t.Error("another document than the one that is served")
	}
}
