package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/art"
	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/pet/directory"
	"petsupply/internal/pet/index"
	"petsupply/internal/store"
)

const banners = `
name: Banners
getters: {g: {call: "get(uint256)", returns: values}}
fields:
  - {name: id, type: uint256, is: id}
  - {name: motto, type: word, filter: true}
  - {name: size, type: uint8, filter: true}
`

// bannerKit is a server on a store with 20,002 banners and no index yet. Every second banner has a
// motto.
func bannerKit(t *testing.T) (*kit, *store.Store) {
	t.Helper()
	c, err := collection.Parse("banners.yaml", []byte(banners))
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(t.Context(), "sqlite://"+filepath.Join(t.TempDir(), "s.db"), time.Minute, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetCollection(c)
	if led, err := db.Campaign(t.Context(), "test", time.Hour); err != nil || !led {
		t.Fatalf("taking the lease: %v, %v", led, err)
	}
	zero := uint64(0)
	realms := []pet.Realm{{Key: "hall", Name: "Hall", Offset: &zero, Chain: "hall", Contract: common.Address{1},
		Getter: "g"}}
	kingdom := &pet.Kingdom{Collection: c, Realms: realms}
	b := &index.Reading{Step: index.Step{Realm: realms[0], Kingdom: kingdom, At: evm.Block{Number: 1, Time: started}}}
	for id := range uint64(20_002) {
		traits := map[string]string{"size": "3"}
		if id%2 == 0 {
			traits["motto"] = "Ice & Fire"
		}
		v, _, err := c.FromTexts(traits)
		if err != nil {
			t.Fatal(err)
		}
		b.Pets = append(b.Pets, pet.Observation{ID: id, Owner: common.Address{2}, Value: v})
	}
	if _, err := db.WritePets(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	packs, err := art.OpenAll(c, realms, []string{"embedded"})
	if err != nil {
		t.Fatal(err)
	}
	dir := directory.New(directory.Config{Kingdom: kingdom, Reader: db, Feed: db})
	cfg := newKit(t, oneHost()).cfg
	cfg.Packs, cfg.Pets, cfg.PetListings, cfg.Realms = packs, dir, dir, realms
	if cfg.Words, err = pet.NewWords(c, packs.Current().Tables(), realms); err != nil {
		t.Fatal(err)
	}
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return &kit{Server: s}, db
}

// A listing is refused until its index is ready. Other pages are served. Words match in any case.
func TestListingsFromAStore(t *testing.T) {
	k, db := bannerKit(t)
	motto := func(text string) string { return "/pets/tokens?limit=3&motto=" + url.QueryEscape(text) }
	for _, path := range []string{motto("Ice & Fire"), "/pets/tokens?size=3", "/pets/tokens?realm=hall",
		"/pets/tokens?owner=" + common.Address{2}.Hex()} {
		w := k.get(path)
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
			t.Errorf("%s before it is indexed: %d, %v", path, w.Code, w.Header())
		}
	}
	if w := k.get("/pets/tokens?limit=2"); w.Code != http.StatusOK {
		t.Errorf("all: %d %s", w.Code, w.Body)
	}
	if err := db.IndexPets(t.Context()); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{motto("Ice & Fire"): 3, motto("ICE & fire"): 3, motto("Salt"): 0,
		"/pets/tokens?limit=3&size=3": 3} {
		var found struct {
			Tokens []struct{ RawData struct{ Motto string } }
		}
		w := k.get(path)
		if err := json.Unmarshal(w.Body.Bytes(), &found); err != nil || w.Code != http.StatusOK || len(found.Tokens) != want {
			t.Errorf("%s: %d with %d tokens, %v", path, w.Code, len(found.Tokens), err)
		}
		for _, token := range found.Tokens {
			if path != "/pets/tokens?limit=3&size=3" && token.RawData.Motto != "Ice & Fire" {
				t.Errorf("%s: the motto is %q", path, token.RawData.Motto)
			}
		}
	}
	if w := k.get("/pets/tokens?motto="); w.Code != http.StatusBadRequest {
		t.Errorf("no word: %d", w.Code)
	}
}
