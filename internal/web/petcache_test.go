package web

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"petsupply/internal/art"
	"petsupply/internal/pet/directory"
	"petsupply/internal/web/answer"
	"petsupply/internal/web/express"
)

var (
	_ Pets        = (*directory.Directory)(nil)
	_ PetListings = (*directory.Directory)(nil)
)

// blank is a ResponseWriter that keeps nothing, so that the test counts only our own work.
type blank struct{ header http.Header }

func (b *blank) Header() http.Header         { return b.header }
func (b *blank) Write(p []byte) (int, error) { return len(p), nil }
func (b *blank) WriteHeader(int)             {}

// net/http has a request and a response of its own for each answer. Nothing else is made.
func TestAPreparedAnswerAllocatesLittle(t *testing.T) {
	k := newKit(t, oneHost())
	k.remember(3)
	k.warm(t, "/pets/image/1")
	k.warm(t, "/pets/token/1", "Accept-Encoding", "gzip")
	for _, c := range []struct{ method, target, accept, tag string }{
		{"GET", "/supply/jewel/totalsupply", "gzip, deflate, br, zstd", ""},
		{"HEAD", "/supply/jewel/totalSupply", "gzip, deflate, br, zstd", ""},
		{"GET", "/supply/jewel/totalsupply?format=json", "gzip, deflate, br, zstd", ""},
		{"GET", "/supply/", "gzip, deflate, br, zstd", ""},
		{"GET", "/supply/jewel/", "gzip, deflate, br, zstd", k.get("/supply/jewel").Header().Get("Etag")},
		{"GET", "/pets/image/1", "", ""},
		{"GET", "/pets/token/1", "gzip", ""},
	} {
		t.Run(c.method+" "+c.target, func(t *testing.T) {
			r := httptest.NewRequest(c.method, c.target, nil)
			r.Host = "localhost:8080"
			if c.accept != "" {
				r.Header.Set("Accept-Encoding", c.accept)
			}
			if c.tag != "" {
				r.Header.Set("If-None-Match", c.tag)
			}
			w := &blank{http.Header{}}
			if n := testing.AllocsPerRun(200, func() {
				clear(w.header)
				k.ServeHTTP(w, r)
			}); n > 3 {
				t.Errorf("%s %s: %v allocations", c.method, c.target, n)
			}
		})
	}
}

// cached returns the cached answer for a target.
func (k *kit) cached(target string, headers ...string) *answer.Entry {
	accept := ""
	if len(headers) > 0 {
		accept = headers[1]
	}
	return k.Server.pets.answers.get(target, answer.Negotiate(accept))
}

// warm sends a request, after which the cache keeps the answer.
func (k *kit) warm(t *testing.T, target string, headers ...string) {
	t.Helper()
	if w := k.get(target, headers...); w.Code != 200 {
		t.Fatalf("%s: status %d", target, w.Code)
	}
	if k.cached(target, headers...) == nil {
		t.Fatalf("%s is not kept", target)
	}
}

func TestCachedAnswersEqualNewOnes(t *testing.T) {
	k := newKit(t, oneHost())
	for _, target := range []string{"/pets/token/1", "/pets/image/1?frame=false", "/pets/image/2"} {
		for _, accept := range []string{"", "gzip", "zstd"} {
			if target == "/pets/token/1" && accept == "" {
				continue // it is rendered for every request
			}
			k.remember(3) // replaces the pets, so that no kept answer is valid
			if k.cached(target, "Accept-Encoding", accept) != nil {
				t.Errorf("%s with %q is kept for a pet that has changed", target, accept)
			}
			fresh := k.get(target, "Accept-Encoding", accept)
			k.warm(t, target, "Accept-Encoding", accept)
			cached := k.get(target, "Accept-Encoding", accept)
			if fresh.Body.String() != cached.Body.String() || len(fresh.Header()) != len(cached.Header()) {
				t.Errorf("%s with %q differs when cached", target, accept)
			}
			for key := range fresh.Header() {
				if a, b := fresh.Header().Get(key), cached.Header().Get(key); a != b {
					t.Errorf("%s with %q: %s is %q new, %q cached", target, accept, key, a, b)
				}
			}
		}
	}
}

func TestAChangedPetIsForgotten(t *testing.T) {
	k := newKit(t, oneHost())
	k.remember(3)
	gzip := []string{"Accept-Encoding", "gzip"}
	k.warm(t, "/pets/token/1", gzip...)
	k.warm(t, "/pets/image/1?frame=0")
	k.warm(t, "/pets/token/2", gzip...)
	before := k.get("/pets/token/1", gzip...).Header().Get("Etag")
	k.store.pets[0].Name = "Renamed"
	k.change(1)
	if w := k.get("/pets/token/1"); !strings.Contains(w.Body.String(), "Renamed") {
		t.Error("the old name is still answered")
	}
	if w := k.get("/pets/token/1", gzip...); w.Header().Get("Etag") == before {
		t.Error("the old name is still answered, compressed")
	}
	if k.cached("/pets/token/2", gzip...) == nil {
		t.Error("another pet was forgotten too")
	}
	if k.cached("/pets/image/1?frame=0") != nil {
		t.Error("the picture is still kept")
	}
	// A pet that has left the memory is looked up again.
	k.store.pets[1].Name = "Silent"
	k.remember(1)
	if w := k.get("/pets/token/2"); !strings.Contains(w.Body.String(), "Silent") {
		t.Error("an answer outlived its pet")
	}
}

// An answer without a date gets one later. A large one is kept for net/http, which reserves memory for
// it.
func TestWhatTheLaneDoesNotSend(t *testing.T) {
	k := newKit(t, oneHost())
	k.remember(3)
	k.store.pets[0].ChangedAt = k.clock.now()
	k.change(1)
	for target, want := range map[string]bool{"/pets/image/2": true, "/pets/image/2?animated=true": false,
		"/pets/token/1": false, "/pets/token/2": true} {
		size := k.get(target).Body.Len()
		head, body := k.Find(&express.Request{Host: "localhost:8080", Target: target, At: k.clock.now()})
		if (head != nil) != want || want && len(body) != size {
			t.Errorf("%s, %d bytes: the lane sends %d", target, size, len(body))
		}
	}
}

func TestTheCacheStaysBounded(t *testing.T) {
	k := newKit(t, oneHost())
	k.remember(1)
	one, _ := k.pets.Peek(1)
	const limit = 64 << 10
	cache := newPetCache(k.pets, limit)
	const answers = 500
	for i := range answers {
		entry := &answer.Entry{Body: make([]byte, 1000), Head: make([]byte, 100), Head304: make([]byte, 100)}
		cache.answers.Set(petKey{strconv.Itoa(i), answer.Identity}, petAnswer{one, entry})
	}
	kept := 0
	for i := range answers {
		if cache.get(strconv.Itoa(i), answer.Identity) != nil {
			kept++
		}
	}
	if kept < 10 || kept*1200 > limit {
		t.Errorf("%d answers are kept", kept)
	}
}

// A picture is never larger than what is reserved for it.
func TestPicturesAreNotLargerThanReserved(t *testing.T) {
	p := pack(t)
	for id := range uint64(3) {
		look := p.Look(map[string]uint64{"appearance": id + 1})
		for _, scale := range []int{1, 4, 12, p.MaxScale()} {
			for _, form := range []art.Form{art.Still, art.Moving} {
				if form == art.Moving && scale > 12 {
					continue
				}
				view := art.View{Frame: true, Background: true, Scale: scale, Form: form}
				if size := len(p.Draw(look, view)); size > pictureBytes(p, view) {
					t.Errorf("look %d at scale %d has %d bytes, more than %d", id, scale, size, pictureBytes(p, view))
				}
			}
		}
	}
}
