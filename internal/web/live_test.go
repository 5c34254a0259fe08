package web

import (
	"maps"
	"net/http/httptest"
	"slices"
	"strconv"
	"testing"
	"time"

	"petsupply/internal/pet"
)

// remember has the pets with ids from 1 up to n in memory.
func (k *kit) remember(n uint64) {
	kept := make([]*pet.Prepared, n)
	for i := range kept {
		kept[i] = pet.Prepare(k.shelf.pets[i])
	}
	k.peek = func(id uint64) (*pet.Prepared, bool) {
		if id < 1 || id > n {
			return nil, false
		}
		return kept[id-1], true
	}
}

// makes makes the document that target asks for, if its pet is in memory.
func (k *kit) makes(l *live, target string) (*entry, *form) {
	id, ok := k.petTarget(target, nil)
	if !ok {
		return nil, nil
	}
	kept, ok := k.peek(id)
	if !ok {
		return nil, nil
	}
	return k.make(l, kept, k.clock.now())
}

func TestDocumentsMadeOnTheSpotAreTheHandlers(t *testing.T) {
	for name, cfg := range map[string]Config{"one host": oneHost(), "three hosts": threeHosts()} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t, cfg)
			for id := range 40 {
				target := k.petsTarget("/token/" + strconv.Itoa(id+1))
				for _, header := range [][]string{nil, {"Accept-Encoding", "gzip"}, {"If-None-Match", "*"}, {"If-Modified-Since", started.Add(time.Hour).Format(time.RFC1123)}} {
					k.peek = nil
					want := k.get(target, header...)
					k.remember(30)
					got := k.get(target, header...)
					if got.Code != want.Code || got.Body.String() != want.Body.String() || !maps.EqualFunc(got.Header(), want.Header(), slices.Equal) {
						t.Errorf("%s with %v:\n%d %v\n%s\nby the handler:\n%d %v\n%s", target, header, got.Code, got.Header(), got.Body, want.Code, want.Header(), want.Body)
					}
				}
			}
		})
	}
}

func TestOnlyWhatIsInMemoryIsMadeOnTheSpot(t *testing.T) {
	k := newKit(t, oneHost())
	k.remember(3)
	for target, want := range map[string]bool{
		"/pets/token/1": true, "/pets/token/3": true,
		"/pets/token/4": false, "/pets/token/0": false, "/pets/token/03": false, "/pets/token/": false, "/pets/token/3/": false,
		"/pets/token/3?": false, "/pets/Token/3": false, "/pets/token/-1": false, "/pets/token/99999999999999999999999": false, "/supply/jewel": false,
	} {
		if _, f := k.makes(new(live), target); (f != nil) != want {
			t.Errorf("%s is made: %t", target, f != nil)
		}
	}
	// What changed in this very second has no date yet, and takes the long way.
	k.shelf.pets[2].ChangedAt = k.clock.now()
	k.remember(30)
	if _, f := k.makes(new(live), "/pets/token/3"); f != nil {
		t.Error("a pet that has just changed is made without a date")
	}
}

// A document costs no memory but for its picture's version.
func TestADocumentOnTheSpotAllocatesLittle(t *testing.T) {
	k := newKit(t, oneHost())
	k.remember(30)
	var l live
	if n := testing.AllocsPerRun(200, func() {
		if _, f := k.makes(&l, "/pets/token/2"); f == nil {
			t.Fatal("not made")
		}
	}); n > 1 {
		t.Errorf("%v allocations", n)
	}
	r := httptest.NewRequest("GET", "/pets/token/2", nil)
	w := httptest.NewRecorder()
	k.ServeHTTP(w, r)
	if w.Body.String() != string(l.form.body) {
		t.Error("another document than the one that is served")
	}
}
