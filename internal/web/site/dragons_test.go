package site

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/art"
	"petsupply/internal/demo"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/supply"
)

// dragonsFile is a collection that shares no trait with the default one.
const dragonsFile = `
name: Dragons
one: dragon
many: dragons
getters: {dragon: {call: "dragon(uint256)", returns: struct}}
count: {last: "lastDragon()"}
fields:
  - {name: genes, type: uint256}
  - {name: temper, type: int16, sort: ascending}
  - {name: tame, type: bool, filter: true, counted: true}
  - {name: title, type: string}
  - {name: bornAt, type: uint64, sort: descending}
  - {name: might, type: uint8, is: rank, sort: descending}
  - {name: body, of: genes, bits: [0, 4], is: look, values: 4, filter: true, counted: true}
  - {name: wings, of: genes, bits: [8, 4], is: look, values: 3, filter: true, counted: true}
tables:
  wings: [No wings, Leather wings, Feathered wings]
  sizes: [Wyrm, Drake, Drake]
words:
  wings: {table: wings, by: [wings], none: "Wings {wings#}"}
  size: {table: sizes, by: [wings], none: None}
token: {name: "{title} the {number}th", description: "A dragon with {wings}.", line: "{wings}, might {might}", kind: wings, family: size}
attributes:
  - {trait: Wings, word: wings}
  - {trait: Size, word: size}
  - {trait: Temper, field: temper, display: number}
  - {trait: Tame, field: tame, display: yes_no}
  - {trait: Born, field: bornat, display: date}
  - {trait: Might, field: might, display: stars, stars: [1, 5, 9]}
  - {trait: Might Points, field: might, display: number}
`

// A lair has dragons, and lists those with the requested traits.
type lair struct {
	*fakePets
	words *pet.Words
}

func (l lair) List(_ context.Context, q pet.Query) (pet.Page, error) {
	var out []pet.Pet
	for _, p := range l.pets {
		fits := (q.Owner == nil || *q.Owner == p.Owner) && strings.HasPrefix(p.Name, q.Name)
		for key, values := range q.Traits {
			fits = fits && slices.Contains(values, int(l.words.Number(&p, l.words.Collection.FieldNamed(key))))
		}
		if fits {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b pet.Pet) int { return int(a.ID) - int(b.ID) })
	return pet.Page{Pets: out[:min(len(out), q.Limit)]}, nil
}

func (lair) History(context.Context, uint64) ([]pet.Change, error) {
	return []pet.Change{{At: demo.Start, Realm: "cave", Block: 7, Kind: pet.Changed, Fields: []pet.Delta{
		{Field: "temper", From: "-3", To: "4"}, {Field: "tame", From: "false", To: "true"},
		{Field: "bornat", From: "0", To: "1700000000"}, {Field: "title", From: "Ash", To: "Ember"}}}}, nil
}

func dragonSite(t *testing.T) *Site {
	t.Helper()
	return siteOf(t, dragonsFile, map[uint64]map[string]string{
		1: {"genes": "513", "temper": "-5", "tame": "true", "title": "Ember", "bornat": "1700000000", "might": "9"},
		2: {"genes": "258", "temper": "7", "tame": "false", "title": "Ash <b>", "bornat": "1600000000", "might": "0"},
		3: {"genes": "0", "temper": "0", "tame": "false", "title": "Slow", "bornat": "0", "might": "3"},
	})
}

// siteOf makes the site of a collection with these tokens.
func siteOf(t *testing.T, file string, tokens map[uint64]map[string]string) *Site {
	t.Helper()
	c, err := collection.Parse("collection.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	zero := uint64(0)
	realms := []pet.Realm{{Key: "cave", Name: "Cave", Offset: &zero, Chain: "cave"}}
	packs, err := art.OpenAll(c, realms, []string{"embedded"})
	if err != nil {
		t.Fatal(err)
	}
	words, err := pet.NewWords(c, packs.Current().Tables(), realms)
	if err != nil {
		t.Fatal(err)
	}
	pets := map[uint64]pet.Pet{}
	for id, traits := range tokens {
		v, _, err := c.FromTexts(traits)
		if err != nil {
			t.Fatal(err)
		}
		pets[id] = pet.Pet{ID: id, Value: v, Realm: "cave", Owner: common.Address{1}, ChangedAt: demo.Start}
	}
	s, err := New(complete(Config{
		SupplyURL: "http://localhost/supply", PetsURL: "http://localhost/pets", SiteURL: "http://localhost",
		Board: supply.NewBoard(nil, supply.AgePolicy{}, true), Pets: lair{&fakePets{pets: pets}, words}, Words: words,
		Realms: realms, Pack: packs.Current(), Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// traitsOfPets are words of the default collection alone.
var traitsOfPets = regexp.MustCompile(`(?i)\b(pets?|egg|rarity|element|shiny|appearance|season|bonus|gathering|crafting|combat|hungry|equipp\w+|food|fed|hatch\w*|creature)\b`)

// markup matches tags and addresses. The words in their paths do not count.
var markup = regexp.MustCompile(`https?://[^\s<"]*|<[^>]*>`)

func TestPagesFollowTheCollection(t *testing.T) {
	s := dragonSite(t)
	for path, test := range map[string]struct{ has, not string }{
		"/":                     {"Dragons of the realms|Ember the 1th|Feathered wings, might 9", ""},
		"/gallery":              {"A random dragon|Wings|Tame|Sort by|, rarest first|Born, latest|Temper, lowest|How dragons are numbered", "Body"},
		"/gallery?wings=2":      {`data-pet="1"`, `data-pet="2"|data-pet="3"`},
		"/gallery?tame=0":       {`data-pet="2"|data-pet="3"`, `data-pet="1"`},
		"/gallery?body=1":       {`data-pet="1"|Body: 1 <span`, `data-pet="2"`},
		"/gallery?sort=might":   {`data-pet="1"`, ""},
		"/gallery?id=feather":   {"<b>Wings</b> <a|Feathered wings", ""},
		"/gallery?id=drake":     {">Feathered wings (Drake) <small>1</small></a>|>Leather wings (Drake) <small>1</small></a>", ">No wings</a>"},
		"/gallery?wings=9":      {"Unknown filter", ""},
		"/gallery?sort=wings":   {"Unknown filter", ""},
		"/gallery?rarity=1":     {`data-pet="1"`, ""}, // not a filter of this collection, so it is ignored
		"/pet/1":                {"<h1><bdi>Ember the 1th|A dragon with Feathered wings.|Feathered wings · <a |>Drake family<|might 9|>Tame</a>|★★★|points 9|The Drake family|Ash &lt;b&gt; the 2th|-3</bdi> <span>→ <bdi>4|No</bdi> <span>→ <bdi>Yes|14 Nov 2023, 22:13|>Born<|-5", ""},
		"/pet/3":                {"Slow the 3th|Wyrm", ">Born<"},
		"/pet/1?with=2":         {"Two dragons side by side|Leather wings", ""},
		"/pet/77":               {"No such dragon", ""},
		"/pet/x":                {"The number of a dragon has digits only", ""},
		"/status":               {"Everything is working", ""},
		"/gallery?owner=0x01":   {"Use the filters of the gallery", ""},
		"/gallery?id=nothing":   {"No dragon or wings is called", ""},
		"/gallery?wings=1&tame": {`data-pet="2"`, `data-pet="1"`},
	} {
		t.Run(path, func(t *testing.T) {
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
			body := w.Body.String()
			for text := range strings.SplitSeq(test.has, "|") {
				if !strings.Contains(body, text) {
					t.Errorf("%d, and it does not say %q", w.Code, text)
				}
			}
			for text := range strings.SplitSeq(test.not, "|") {
				if text != "" && strings.Contains(body, text) {
					t.Errorf("it says %q", text)
				}
			}
			if found := traitsOfPets.FindString(markup.ReplaceAllString(strings.ReplaceAll(body, "<wbr>", ""), " ")); found != "" {
				t.Errorf("a page about dragons says %q", found)
			}
		})
	}
}

// A filter's values are numbers, even if a word of the field looks like one.
func TestFiltersByWordsThatAreDigits(t *testing.T) {
	s := siteOf(t, strings.Replace(dragonsFile, "[No wings, Leather wings, Feathered wings]", `["2", "0", "1"]`, 1),
		map[uint64]map[string]string{1: {"genes": "513"}, 2: {"genes": "258"}})
	for wings, want := range map[string]string{"1": "/pet/2", "2": "/pet/1"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/gallery?wings="+wings, nil))
		if body := w.Body.String(); w.Code != http.StatusOK || strings.Count(body, `href="/pet/`) != 1 || !strings.Contains(body, want) {
			t.Errorf("wings %s: %d without %s alone", wings, w.Code, want)
		}
	}
}
