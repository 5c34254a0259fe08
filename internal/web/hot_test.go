package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"petsupply/internal/art"
	"petsupply/internal/pet/directory"
)

// blank is a ResponseWriter that keeps nothing, so that only our own work is
// counted.
type blank struct{ header http.Header }

func (b *blank) Header() http.Header         { return b.header }
func (b *blank) Write(p []byte) (int, error) { return len(p), nil }
func (b *blank) WriteHeader(int)             {}

func TestAHotFigureAllocatesNothing(t *testing.T) {
	k := newKit(t, oneHost())
	for _, c := range []struct{ method, target, tag string }{
		{"GET", "/supply/jewel/totalsupply", ""},
		{"HEAD", "/supply/jewel/totalSupply", ""},
		{"GET", "/supply/jewel/totalsupply?format=json", ""},
		{"GET", "/supply/", ""},
		{"GET", "/supply/jewel/", k.get("/supply/jewel").Header().Get("Etag")},
	} {
		r := httptest.NewRequest(c.method, c.target, nil)
		r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
		if c.tag != "" {
			r.Header.Set("If-None-Match", c.tag)
		}
		w := &blank{http.Header{}}
		if n := testing.AllocsPerRun(200, func() {
			clear(w.header)
			k.ServeHTTP(w, r)
		}); n != 0 {
			t.Errorf("%s %s: %v allocations", c.method, c.target, n)
		}
	}
}

// warm asks until the answer is kept.
func (k *kit) warm(t *testing.T, target string, headers ...string) {
	t.Helper()
	for range 3 {
		if w := k.get(target, headers...); w.Code != 200 {
			t.Fatalf("%s: %d", target, w.Code)
		}
	}
	if k.hot.get(target, k.clock.now()) == nil {
		t.Fatalf("%s is not kept", target)
	}
}

func TestHotAnswersEqualColdOnes(t *testing.T) {
	k := newKit(t, oneHost())
	for _, target := range []string{"/pets/token/1", "/pets/image/1?frame=false", "/pets/image/2"} {
		for _, accept := range []string{"", "gzip", "zstd"} {
			k.hot.drop([]uint64{1, 2})
			cold := k.get(target, "Accept-Encoding", accept)
			k.warm(t, target, "Accept-Encoding", accept)
			warm := k.get(target, "Accept-Encoding", accept)
			if cold.Body.String() != warm.Body.String() || len(cold.Header()) != len(warm.Header()) {
				t.Errorf("%s with %q differs when hot", target, accept)
			}
			for key := range cold.Header() {
				if a, b := cold.Header().Get(key), warm.Header().Get(key); a != b {
					t.Errorf("%s with %q: %s is %q cold, %q hot", target, accept, key, a, b)
				}
			}
		}
	}
}

func TestAChangedPetIsForgotten(t *testing.T) {
	k := newKit(t, oneHost())
	k.warm(t, "/pets/token/1")
	k.warm(t, "/pets/image/1?frame=0")
	k.warm(t, "/pets/token/2")
	k.shelf.pets[0].Name = "Renamed"
	k.hot.drop([]uint64{1})
	if w := k.get("/pets/token/1"); !strings.Contains(w.Body.String(), "Renamed") {
		t.Error("the old name is still answered")
	}
	if k.hot.get("/pets/token/2", k.clock.now()) == nil {
		t.Error("another pet was forgotten too")
	}
	if k.hot.get("/pets/image/1?frame=0", k.clock.now()) != nil {
		t.Error("the picture is still kept")
	}
	// Should the news be lost, an answer ends by itself.
	k.shelf.pets[1].Name = "Silent"
	k.clock.advance(hotLife)
	if w := k.get("/pets/token/2"); !strings.Contains(w.Body.String(), "Silent") {
		t.Error("an answer outlived its time")
	}
}

func blankEntry(target string, id uint64, bytes int, until time.Time) *hotEntry {
	e := &hotEntry{target: target, id: id, bytes: bytes, until: until}
	e.forms[identity] = new(form)
	return e
}

func TestNothingBegunBeforeAChangeIsKept(t *testing.T) {
	h := newHot(1 << 20)
	epoch := h.begin()
	h.wants("/x", epoch)
	h.drop([]uint64{7})
	if h.wants("/x", epoch) || h.put(epoch, blankEntry("/x", 7, 1, time.Time{})) {
		t.Error("an answer from before the change was kept")
	}
	if epoch = h.begin(); !h.wants("/x", epoch) || !h.put(epoch, blankEntry("/x", 7, 1, time.Time{})) {
		t.Error("an answer from after the change was not kept")
	}
}

func TestHotStaysBounded(t *testing.T) {
	h := newHot(64 << 10)
	now := time.Now()
	for i := range 10_000 {
		target := "/t/" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + time.Duration(i).String()
		h.put(0, blankEntry(target, uint64(i), 1<<10, now.Add(time.Hour)))
		if sum := h.young.bytes + h.old.bytes; sum > 68<<10 {
			t.Fatalf("%d bytes after %d answers", sum, i)
		}
	}
	// What is asked for again and again stays.
	h.put(0, blankEntry("/stay", 1, 1<<10, now.Add(time.Hour)))
	for i := range 1000 {
		h.put(0, blankEntry("/go/"+time.Duration(i).String(), 2, 1<<10, now.Add(time.Hour)))
		if h.get("/stay", now) == nil {
			t.Fatalf("forgotten after %d others", i)
		}
	}
}

var _ Pets = (*directory.Directory)(nil)

func TestANewPackEndsEveryAnswer(t *testing.T) {
	k := newKit(t, oneHost())
	k.warm(t, "/pets/token/1")
	before := k.get("/pets/token/1").Header().Get("Last-Modified")
	again, err := art.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	k.packs = art.Packs{again}
	k.clock.advance(hotLife)
	after := k.get("/pets/token/1").Header().Get("Last-Modified")
	if after == before || after != k.clock.now().Format(http.TimeFormat) {
		t.Errorf("modified %s, then %s", before, after)
	}
	if k.hot.get("/pets/token/1", k.clock.now()) != nil {
		t.Error("an answer of the old pack is still kept")
	}
}
