package site

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"petsupply/internal/pet"
)

// birdsFile is a collection whose traits are words.
const birdsFile = `
name: Birds
one: bird
many: birds
fields:
  - {name: colour, type: word, filter: true, counted: true}
  - {name: song, type: word, filter: true, counted: true}
  - {name: nest, type: word, filter: true}
attributes:
  - {trait: Colour, field: colour}
`

// The gallery offers the words that birds have, with the number of birds that each would show
// together with the chosen filters.
func TestGalleryOffersWords(t *testing.T) {
	s := siteOf(t, birdsFile, map[uint64]map[string]string{
		1: {"colour": "Red", "song": "Trill", "nest": "Oak"},
		2: {"colour": "red", "song": "7"},
		3: {"colour": "Blue", "song": "Low <b>", "nest": "Elm"},
		4: {"song": "Trill"},
	})
	c := s.Words.Collection
	census := &pet.Census{Collection: c, Words: map[string][]string{
		"colour": {"Red", "Blue"}, "song": {"Trill", "Low <b>", "7"}, "nest": {"Oak", "Elm"}}}
	for _, p := range s.Pets.(lair).pets {
		census.Counts = append(census.Counts, pet.Count{Realm: "cave", Numbers: pet.NumbersOf(c, c.CountedFields(), p.Value),
			Pets: 1})
	}
	s.Census = func(context.Context) (*pet.Census, error) { return census, nil }
	for path, test := range map[string]struct{ has, not string }{
		"/gallery": {`<summary>Colour</summary>|<summary>Song</summary>|value="Blue" autocomplete="off">Blue <small>1</small>|` +
			`value="Red" autocomplete="off">Red <small>2</small>|value="Trill" autocomplete="off">Trill <small>2</small>|` +
			`value="Low &lt;b&gt;" autocomplete="off">Low &lt;b&gt; <small>1</small>|value="Elm" autocomplete="off">Elm</label>`, "checked"},
		"/gallery?colour=Red": {`data-pet="1"|data-pet="2"|value="Red" autocomplete="off" checked>Red <small>2</small>|Colour: Red <span|` +
			`value="Blue" autocomplete="off">Blue <small>1</small>|>Trill <small>1</small>|>7 <small>1</small>|` +
			`<label class="nobody"><input type="checkbox" name="song" value="Low &lt;b&gt;"`, `data-pet="3"|data-pet="4"`},
		"/gallery?colour=rED":        {`data-pet="1"|data-pet="2"|value="Red" autocomplete="off" checked>Red|Colour: Red <span`, `data-pet="3"`},
		"/gallery?song=7":            {`data-pet="2"|Song: 7 <span|>Red <small>1</small>`, `data-pet="1"`},
		"/gallery?colour=Red&song=7": {`data-pet="2"|>Trill <small>1</small>`, `data-pet="1"`},
		"/gallery?colour=Green":      {"No bird matches all filters|Colour: Green <span", "data-pet="},
		"/gallery?nest=Oak": {`data-pet="1"|value="Oak" autocomplete="off" checked>Oak</label>`,
			`data-pet="2"|data-pet="3"`},
		"/gallery?colour=Red&colour=Red": {"Unknown filter", ""},
		"/gallery?colour=Red&colour=red": {"Unknown filter", ""},
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
		})
	}
}
