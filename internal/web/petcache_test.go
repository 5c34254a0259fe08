package web

import (
	"net/http"
	"strings"
	"testing"

	"petsupply/internal/art"
	"petsupply/internal/pet"
	"petsupply/internal/pet/directory"
	"petsupply/internal/web/answer"
)

var (
	_ Pets        = (*directory.Directory)(nil)
	_ PetListings = (*directory.Directory)(nil)
)

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

// The lane sends documents of pets in memory in one spelling. An answer without a date gets one later. A
// large one is for net/http, which reserves memory for it.
func TestPetsInTheLane(t *testing.T) {
	k := newKit(t, oneHost())
	k.remember(3)
	k.store.pets[0].ChangedAt = k.clock.now()
	k.change(1)
	for target, want := range map[string]bool{
		"/pets/token/2": true, "/pets/token/3": true, "/pets/image/2": true,
		"/pets/token/1": false, "/pets/image/1": false, // has changed within the last minute
		"/pets/image/2?animated=true": false, "/pets/token/4": false, "/pets/token/0": false, "/pets/token/03": false,
		"/pets/token/": false, "/pets/token/3/": false, "/pets/token/3?": false, "/pets/Token/3": false,
		"/pets/token/-1": false, "/pets/token/99999999999999999999999": false, "/supply/gold": false,
	} {
		if sent := k.sendsLikeNetHTTP(t, target, k.get(target)); sent != want {
			t.Errorf("%s is sent by the lane: %t", target, sent)
		}
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
