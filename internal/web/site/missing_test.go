package site

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/pet"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/testkit/traits"
)

// awayHistory is a database that is down.
type awayHistory struct{}

var errAway = errors.New("dial tcp 10.0.0.7:5432: refused")

func (awayHistory) History(context.Context, string, time.Time, time.Time, int) ([]supply.Point, error) {
	return nil, errAway
}
func (awayHistory) EvidenceAt(context.Context, string, time.Time) (*supply.Evidence, error) {
	return nil, errAway
}
func (awayHistory) Events(context.Context, string) ([]supply.Notice, error) { return nil, errAway }
func (awayHistory) Gaps(context.Context, string, time.Time, time.Duration) ([]supply.Gap, error) {
	return nil, errAway
}

// burnedPets are pets that were burned.
type burnedPets struct {
	fakePets
	at time.Time
}

func (burnedPets) Pet(context.Context, uint64) (pet.Pet, error) { return pet.Pet{}, pet.ErrBurned }
func (b burnedPets) History(context.Context, uint64) ([]pet.Change, error) {
	return []pet.Change{{Kind: pet.Burned, At: b.at}}, nil
}

// If data is missing, the page leaves it out or says so. A page is never empty, and never shows
// internal errors.
func TestPagesWithoutData(t *testing.T) {
	nobody := func(context.Context) (*pet.Census, error) {
		return &pet.Census{Collection: traits.Pets(), Counts: []pet.Count{counted("first", 5, "rarity", 1)}}, nil
	}
	s := demoSite(t)
	whole := s.Config
	for name, test := range map[string]struct {
		change   func(*Site)
		path     string
		status   int
		has, not string
	}{
		"a token without history": {func(s *Site) { s.History = demoHistory(nil) }, "/token/crystal", 200,
			"Circulating|Ledger|petsupply verify", "Over time|Why did it change"},
		"one point of history": {func(s *Site) { s.History = s.History.(demoHistory)[:1] }, "/token/crystal", 200,
			"Ledger<", "Over time|Why did it change"},
		"the database is away from a token": {func(s *Site) { s.History = awayHistory{} }, "/token/jewel?days=all", 200,
			"Circulating|A newer figure is held", "Over time"},
		"the database is away from the status": {func(s *Site) { s.History = awayHistory{} }, "/status", 200,
			"it went down by a third|waiting", ""},
		"the database is away from a table": {func(s *Site) { s.History = awayHistory{} }, "/token/jewel/history.csv",
			503, "One moment, please", ""},
		"the database is away from the home": {func(s *Site) { s.History = awayHistory{}; s.Pets = &fakePets{away: pet.ErrUnavailable} }, "/", 200, "JEWEL", ""},
		"the database is away from the gallery": {func(s *Site) { s.Pets = &fakePets{away: pet.ErrUnavailable} }, "/gallery",
			503,
			"Not available right now", ""},
		"the database is away from a search": {func(s *Site) { s.Pets = &fakePets{away: pet.ErrUnavailable} },
			"/gallery?id=moth", 503, "Not available right now", ""},
		"a realm without pets": {func(s *Site) { s.Census = nobody }, "/gallery?realm=third", 200,
			"Realm: |Remove one of the filters", `data-pet="`},
		"an address without pets": {func(s *Site) { s.Pets = &fakePets{} },
			"/gallery?owner=0xAb096F0000000000000000000000000000000bA9", 200, "This address has no pets.", "Remove one"},
		"a gallery before its first pet": {func(s *Site) {
			s.Census = func(context.Context) (*pet.Census, error) { return &pet.Census{Collection: traits.Pets()}, nil }
		}, "/gallery", 200, "There are none yet", "Remove one of the filters"},
		"filters that nothing fits": {func(s *Site) { s.Census = nobody }, "/gallery?rarity=4&element=3", 200,
			"Rarity: Mythic|Element: ", `data-pet="`},
		"a burned pet": {func(s *Site) { s.Pets = &burnedPets{at: demo.End} }, "/pet/3", 404,
			"This pet was burned|1 Nov 2026, 00:00 UTC|no longer exists", ""},
		"a token without any figure": {func(s *Site) {
			var tokens []ledger.Token
			for _, st := range s.Board.Now().States {
				tokens = append(tokens, *st.Token)
			}
			s.Board = supply.NewBoard(tokens, supply.AgePolicy{}, false)
		}, "/token/jewel", 200, `no reliable figure|href="/status"|id="contracts"|>declared<`, "decimals|>invented<"},
		"a token before its first figure": {func(*Site) {}, "/token/jewel?at=2020-01-01T00:00", 404,
			`Too long ago|First record|href="/token/jewel"`, ""},
		"no pets at all": {func(s *Site) { s.Pets = nil }, "/gallery", 404, "", ""},
		"no tokens at all": {func(s *Site) { s.Board = supply.NewBoard(nil, supply.AgePolicy{}, true) }, "/",
			200, "No tokens are published here", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s.Config = whole
			s.spans.latest.Clear()
			s.happened.latest.Clear()
			test.change(s)
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, test.path, nil))
			body := w.Body.String()
			if w.Code != test.status || strings.Contains(body, "10.0.0.7") {
				t.Errorf("%d, want %d: %s", w.Code, test.status, body)
			}
			for text := range strings.SplitSeq(test.has, "|") {
				if !strings.Contains(body, text) {
					t.Errorf("it does not say %q", text)
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

// An error page marks the entry of the menu that the address belongs to.
func TestErrorsKeepTheMenu(t *testing.T) {
	s := demoSite(t)
	for path, want := range map[string]string{
		"/token/none":                `aria-current="page">Supply<`,
		"/token/jewel?at=2020-01-01": `aria-current="page">Supply<`,
		"/gallery?rarity=99":         `aria-current="page">Pets<`,
		"/gallery/recent?before=x":   `aria-current="page">Pets<`,
		"/pet/x":                     `aria-current="page">Pets<`,
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if body := w.Body.String(); w.Code < 400 || !strings.Contains(body, want) {
			t.Errorf("%s: %d without %q", path, w.Code, want)
		}
	}
}
