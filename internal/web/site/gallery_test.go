package site

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/art"
	"petsupply/internal/pet"
	"petsupply/testkit/traits"
)

func bare(t *testing.T) *Site {
	t.Helper()
	pack, err := art.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	zero, one := uint64(0), uint64(pet.Band)
	realms := []pet.Realm{
		{Key: "first", Name: "First", Offset: &zero}, {Key: "second", Name: "Second", Offset: &one},
		{Key: "arena", Name: "Arena"},
	}
	return &Site{Config: complete(Config{SiteURL: "http://x", PetsURL: "http://x/pets", Pack: pack, Realms: realms,
		Words: petWords(t, pack, realms)})}
}

func TestQuery(t *testing.T) {
	s := bare(t)
	ask := func(text string) (pet.Query, error) {
		in, err := url.ParseQuery(text)
		if err != nil {
			t.Fatal(err)
		}
		return s.query(in, s.filters(in, nil), s.sorts(in))
	}
	q, err := ask("realm=arena&egg=0&rarity=4&element=7&shiny=1&background=0&cursor=abc&other=1")
	want := map[string][]int{"egg": {0}, "rarity": {4}, "element": {7}, "shiny": {1}, "background": {0}}
	if err != nil || !slices.Equal(q.Realms, []string{"arena"}) || !maps.EqualFunc(q.Traits, want, slices.Equal) ||
		q.PageToken != "abc" || q.Limit != pageSize {
		t.Errorf("the query is %+v, %v", q, err)
	}
	if q, err := ask("realm=&egg=&rarity="); err != nil || len(q.Realms) != 0 || len(q.Traits) != 0 {
		t.Errorf("the query of empty parameters is %+v, %v", q, err)
	}
	for _, bad := range []string{"realm=nowhere", "egg=-1", "egg=99", "rarity=5", "rarity=04", "rarity=4.0", "element=8",
		"season=256",
		"shiny=true", "shiny=2", "background=x", "rarity=1&rarity=1", "sort=newest&sort=newest"} {
		if _, err := ask(bad); !errors.Is(err, errFilter) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// A filter may have several values.
func TestAQueryOfSeveralValues(t *testing.T) {
	s := bare(t)
	ask := func(text string) (pet.Query, error) {
		in, err := url.ParseQuery(text)
		if err != nil {
			t.Fatal(err)
		}
		return s.query(in, s.filters(in, nil), s.sorts(in))
	}
	q, err := ask("realm=first&realm=second&rarity=3&rarity=4&sort=newest")
	if err != nil || q.Order != pet.Newest || !slices.Equal(q.Realms, []string{"first", "second"}) ||
		!slices.Equal(q.Traits["rarity"], []int{3, 4}) {
		t.Errorf("%+v %v", q, err)
	}
	many := ""
	for n := range mostValues + 1 {
		many += fmt.Sprintf("&appearance=%d", n)
	}
	if _, err := ask(many); !errors.Is(err, errTooMany) {
		t.Errorf("%d values: %v", mostValues+1, err)
	}
}

func TestSearch(t *testing.T) {
	s := bare(t)
	for text, want := range map[string]uint64{
		"id=42": 42, "id=%2342": 42, "id=1,000": 1000, "id=+7+": 7, "id=42&of=first": 42, "id=42&of=second": pet.Band + 42,
		"id=second+42": pet.Band + 42, "id=Second+%2342": pet.Band + 42, "id=1000000000042&of=second": pet.Band + 42,
		"id=1000000000042": pet.Band + 42,
	} {
		in, _ := url.ParseQuery(text)
		if got, err := s.number(in.Get("id"), in.Get("of")); err != nil || got != want {
			t.Errorf("%s: %d %v, want %d", text, got, err, want)
		}
	}
	for text, want := range map[string]error{
		"id=": pet.ErrBadID, "id=-1": pet.ErrBadID, "id=007": pet.ErrBadID, "id=x": pet.ErrBadID,
		"id=1&of=arena": errFilter, "id=1&of=nowhere": errFilter, "id=99999999999999999999": pet.ErrNotFound,
	} {
		in, _ := url.ParseQuery(text)
		if _, err := s.number(in.Get("id"), in.Get("of")); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", text, err, want)
		}
	}
}

// fakePets are pets whose listing has empty pages.
type fakePets struct {
	pages  map[string]pet.Page
	asked  int
	pets   map[uint64]pet.Pet
	burned []uint64
	next   uint64
	away   error
}

func (p *fakePets) Pet(_ context.Context, id uint64) (pet.Pet, error) {
	if x, ok := p.pets[id]; ok && p.away == nil {
		return x, nil
	}
	if slices.Contains(p.burned, id) {
		return pet.Pet{}, pet.ErrBurned
	}
	return pet.Pet{}, errors.Join(p.away, pet.ErrNotFound)
}
func (p *fakePets) List(_ context.Context, q pet.Query) (pet.Page, error) {
	p.asked++
	return p.pages[q.PageToken], p.away
}
func (p *fakePets) History(context.Context, uint64) ([]pet.Change, error) { return nil, p.away }
func (p *fakePets) Random(context.Context) (uint64, error) {
	p.next++
	return p.next, p.away
}

func TestFindLooksThroughEmptyPages(t *testing.T) {
	s, fake := bare(t), &fakePets{pages: map[string]pet.Page{
		"": {Next: "a"}, "a": {Next: "b"}, "b": {Pets: []pet.Pet{{ID: 5}}, Next: "c"}, "far": {Next: "far"},
	}}
	s.Pets = fake
	page, err := s.find(httptest.NewRequest("GET", "/gallery", nil), pet.Query{})
	if err != nil || len(page.Pets) != 1 || page.Next != "c" || fake.asked != 3 {
		t.Errorf("%+v %v after %d", page, err, fake.asked)
	}
	fake.asked = 0
	if page, err := s.find(httptest.NewRequest("GET", "/gallery", nil), pet.Query{PageToken: "far"}); err != nil ||
		page.Next != "far" || fake.asked != pageTries {
		t.Errorf("%+v %v after %d", page, err, fake.asked)
	}
	if page, err := s.find(httptest.NewRequest("GET", "/gallery", nil), pet.Query{PageToken: "end"}); err != nil ||
		page.Next != "" || len(page.Pets) != 0 {
		t.Errorf("the page after the last is %+v, %v", page, err)
	}
}

func TestFlag(t *testing.T) {
	for text, want := range map[string]bool{"": true, "frame=true": true, "frame=1": true, "frame=FALSE": false,
		"frame=0": false, "frame=": true} {
		in, _ := url.ParseQuery(text)
		if got, err := flag(in, "frame"); err != nil || got != want {
			t.Errorf("%q: frame is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"frame=no", "frame=1&frame=1", "frame=2"} {
		in, _ := url.ParseQuery(text)
		if _, err := flag(in, "frame"); !errors.Is(err, errFilter) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestPortrait(t *testing.T) {
	s := bare(t)
	for text, want := range map[string]string{
		"": "http://x/pets/image/7", "frame=false": "http://x/pets/image/7?frame=false",
		"background=0&frame=1":         "http://x/pets/image/7?background=false",
		"size=360":                     "http://x/pets/image/7",
		"size=90&frame=0&background=0": "http://x/pets/image/7?frame=false&background=false&size=90",
	} {
		in, _ := url.ParseQuery(text)
		d := petPage{Pet: pet.Pet{ID: 7}, Sizes: s.sizes(), Version: "abc"}
		if err := s.portrait(&d, in); err != nil || d.Address != want {
			t.Errorf("%q: %s %v, want %s", text, d.Address, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                             "?size=3240",
		"size=90&form=moving":          "?size=3240",
		"size=90&frame=0&background=0": "?frame=false&background=false&size=3240",
	} {
		in, _ := url.ParseQuery(text)
		d := petPage{Pet: pet.Pet{ID: 7}, Sizes: s.sizes(), Version: "abc"}
		if err := s.portrait(&d, in); err != nil || d.LargestAddress != "http://x/pets/image/7"+want {
			t.Errorf("%q: the largest picture is %s %v, want %s", text, d.LargestAddress, err, want)
		}
	}
	for _, text := range []string{"size=91", "size=0", "size=x", "frame=x"} {
		in, _ := url.ParseQuery(text)
		if err := s.portrait(&petPage{Sizes: s.sizes()}, in); !errors.Is(err, errFilter) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestTheGalleryOfOneOwner(t *testing.T) {
	s, fake := bare(t), &fakePets{}
	s.Pets = fake
	const owner = "0xAb096F0000000000000000000000000000000bA9"
	s.Census = func(context.Context) (*pet.Census, error) {
		return &pet.Census{Collection: traits.Pets(), Counts: []pet.Count{counted("a", 2), counted("b", 40, "rarity", 1)}},
			nil
	}
	ask := func(query string) (*page, error) {
		return s.gallery(httptest.NewRequest("GET", "/gallery?"+query, nil))
	}
	if p, err := ask("id=" + owner); err != nil || p.redirect != s.ownerLink(common.HexToAddress(owner)) {
		t.Errorf("an owner in the search box: %+v, %v", p, err)
	}
	fake.pages = map[string]pet.Page{"": {Pets: make([]pet.Pet, 3)}}
	p, err := ask("rarity=4&owner=" + owner)
	if err != nil {
		t.Fatal(err)
	}
	g := p.Data.(gallery)
	if g.Count != 3 || g.Filters[0].Counted {
		t.Errorf("an owner of 3 pets has %d, options counted: %v", g.Count, g.Filters[0].Counted)
	}
	fake.pages = map[string]pet.Page{"": {Pets: make([]pet.Pet, 48), Next: "a"}, "a": {Pets: make([]pet.Pet, 3)},
		"more": {Pets: make([]pet.Pet, 48), Next: "more"}}
	s.Owners = func(context.Context) (pet.Owners, error) {
		return pet.Owners{Largest: []pet.Holding{{Owner: common.HexToAddress(owner), Pets: 52}}}, nil
	}
	for query, want := range map[string]uint64{"rarity=4&owner=" + owner: 51, "owner=" + owner: 52,
		"cursor=more&owner=" + owner: 52, "rarity=4&cursor=more&owner=" + owner: 0} {
		if p, err := ask(query); err != nil || p.Data.(gallery).Count != want {
			t.Errorf("%s: %+v, %v; want %d pets", query, p, err, want)
		}
	}
	want := []choice{{Name: "Rarity: Mythic", Link: "/gallery?owner=" + owner},
		{Name: "Owner: " + short(common.HexToAddress(owner).Hex()),
			Link: "/gallery?rarity=4"}}
	if g.Owner != owner || g.All != 42 || !slices.Equal(g.Chips, want) {
		t.Errorf("%q of %d pets, chosen are %+v", g.Owner, g.All, g.Chips)
	}
	for _, bad := range []string{"owner=x", "owner=0x12", "owner=" + owner[2:], "owner=" + owner + "&owner=" + owner} {
		if _, err := ask(bad); !errors.Is(err, errFilter) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// Filters show how many pets each choice has. A choice without pets is not searched for, and the
// page offers other choices with their counts.
func TestTheGalleryCounts(t *testing.T) {
	s, fake := bare(t), &fakePets{}
	s.Pets = fake
	s.Census = func(context.Context) (*pet.Census, error) {
		return &pet.Census{Collection: traits.Pets(), Counts: []pet.Count{counted("first", 38, "rarity", 4, "element", 2),
			counted("second", 1200, "rarity", 1, "element", 3)},
			Kinds: map[pet.Numbers]uint64{{0, 1}: 7}}, nil
	}
	s.Owners = func(context.Context) (pet.Owners, error) { return pet.Owners{All: 17}, nil }
	ask := func(query string) gallery {
		t.Helper()
		p, err := s.gallery(httptest.NewRequest("GET", "/gallery?"+query, nil))
		if err != nil {
			t.Fatal(err)
		}
		return p.Data.(gallery)
	}
	of := func(g gallery, filter, value string) uint64 {
		for _, f := range g.Filters {
			for _, o := range f.Options {
				if f.Name == filter && o.Value == value {
					return o.Pets
				}
			}
		}
		return 0
	}
	g := ask("")
	if g.All != 1238 || g.Owners.All != 17 || of(g, "rarity", "4") != 38 || of(g, "element", "3") != 1200 ||
		of(g, "realm", "first") != 38 {
		t.Errorf("without filters: %+v", g)
	}
	if g = ask("sort=rarity"); g.Chosen || g.Owners.All != 17 {
		t.Errorf("in another order: chosen %v, %d owners", g.Chosen, g.Owners.All)
	}
	g = ask("rarity=4")
	if g.Count != 38 || !g.Filters[0].Counted || g.Owners.All != 0 || of(g, "rarity", "1") != 1200 || of(g, "element", "3") != 0 ||
		of(g, "element", "2") != 38 {
		t.Errorf("of one rarity: %+v", g)
	}
	asked := fake.asked
	g = ask("rarity=4&element=3")
	want := []choice{{Name: "Rarity: Mythic", Link: "/gallery?element=3"},
		{Name: "Element: Wind", Link: "/gallery?rarity=4"}}
	if fake.asked != asked || !slices.Equal(g.Chips, want) {
		t.Errorf("of nobody: looked %d times, chosen are %+v", fake.asked-asked, g.Chips)
	}
	g = ask("rarity=4&rarity=1&element=3")
	want = []choice{{Name: "Rarity: Mythic", Link: "/gallery?element=3&rarity=1"},
		{Name: "Rarity: Uncommon", Link: "/gallery?element=3&rarity=4"},
		{Name: "Element: Wind", Link: "/gallery?rarity=4&rarity=1"}}
	if g.Count != 1200 || of(g, "element", "2") != 38 || of(g, "rarity", "1") != 1200 || of(g, "rarity", "4") != 0 ||
		!slices.Equal(g.Chips, want) {
		t.Errorf("of two rarities: %+v", g)
	}
	kin := s.Words.KindNumbered([]uint64{0, 1}).Family
	family := []choice{{Name: "Creature: " + kin + " family", Link: "/gallery"}}
	if link := s.familyLink(kin); link != "/gallery?appearance=1&appearance=2&appearance=3&egg=0" {
		t.Errorf("the link of a family is %s", link)
	} else if g := ask(strings.TrimPrefix(link, "/gallery?")); g.Count != 7 || !slices.Equal(g.Chips, family) {
		t.Errorf("of a family: %+v", g)
	}
	kind := []choice{{Name: "Creature: " + s.Words.KindNumbered([]uint64{0, 1}).Name, Link: "/gallery"}}
	if g := ask("egg=0&appearance=1"); g.Count != 7 || g.Filters[0].Counted || !slices.Equal(g.Chips, kind) {
		t.Errorf("of a kind: %+v", g)
	}
	for text, want := range map[string]string{"mythic": "/gallery?rarity=4", "SHINY": "/gallery?shiny=1",
		"first": "/gallery?realm=first", "Mythic dark": "/gallery?element=7&rarity=4",
		"shiny moth mythic": "/gallery?id=moth&rarity=4&shiny=1", "mythic zzz": "", "mythic rare moth": ""} {
		if p, err := s.gallery(httptest.NewRequest("GET", "/gallery?id="+url.QueryEscape(text), nil)); err != nil || p.redirect != want {
			t.Errorf("looking for %s leads to %+v, %v", text, p, err)
		}
	}
	for _, bad := range []string{"egg=0&appearance=x", "egg=0&appearance=1&appearance=1", "appearance=99999",
		"sort=price", "sort=egg", "id=1&id=2", "id=+", "id=" + strings.Repeat("x", 300)} {
		if _, err := s.gallery(httptest.NewRequest("GET", "/gallery?"+bad, nil)); !errors.Is(err, errFilter) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if g := ask("appearance=1"); len(g.Chips) != 1 || g.Chips[0].Name != "Appearance: 1" {
		t.Errorf("of one appearance: %+v", g)
	}
	name := s.Words.KindNumbered([]uint64{0, 1}).Name
	if g := ask("id=" + url.QueryEscape(strings.ToUpper(name))); len(g.Found) == 0 || g.Found[0].Name != name ||
		g.Found[0].Pets != 7 {
		t.Errorf("looking for %s: %+v", name, g.Found)
	}
}

// Eggs of all colours have one name. They are counted together, and a search tells them apart.
func TestKindsOfOneName(t *testing.T) {
	s := bare(t)
	s.Pets = kindsOf{&fakePets{}}
	s.Census = func(context.Context) (*pet.Census, error) {
		return &pet.Census{Collection: traits.Pets(), Counts: []pet.Count{counted("first", 70)},
			Kinds: map[pet.Numbers]uint64{{0, 0}: 3, {1, 0}: 4}}, nil
	}
	egg := pet.Pet{ID: 1, Realm: "first", Value: traits.V2("egg", 1, "appearance", 0)}
	creature := s.traits(egg, s.counts(t.Context()))[0]
	if creature.Pets != 7 || creature.Share != "10.0" || creature.Link != "/gallery?id=Unrevealed+pet" {
		t.Errorf("the creature of an egg is %+v", creature)
	}
	alike := s.alike(egg, s.counts(t.Context()))
	if alike.Value != "egg type, rarity, element, background and shiny" ||
		!slices.Equal(alike.Notes, []string{"(the creature may differ)"}) {
		t.Errorf("counted together: %+v", alike)
	}
	p, err := s.gallery(httptest.NewRequest("GET", "/gallery?id=unrevealed", nil))
	if err != nil {
		t.Fatal(err)
	}
	g := p.Data.(gallery)
	if len(g.Found) != 2 || g.Found[0].Name != "Unrevealed pet, blue" || g.Found[1].Name != "Unrevealed pet, grey" ||
		g.Count != 7 {
		t.Errorf("a search finds %+v, %d pets", g.Found, g.Count)
	}
}

// kindsOf lists pets by their kinds. It has no pets with names.
type kindsOf struct{ *fakePets }

func (k kindsOf) List(_ context.Context, q pet.Query) (pet.Page, error) {
	if q.Name != "" {
		return pet.Page{}, nil
	}
	egg, look := q.Traits["egg"][0], q.Traits["appearance"][0]
	return pet.Page{Pets: []pet.Pet{{ID: uint64(egg*100 + look + 1000), Realm: "first",
		Value: traits.V2("egg", egg, "appearance", look)}}}, nil
}

// burr lists pets by their kinds, and one pet with a name.
type burr struct{ kindsOf }

func (b burr) List(ctx context.Context, q pet.Query) (pet.Page, error) {
	if q.Name == "burr" {
		return pet.Page{Pets: []pet.Pet{{ID: 2, Name: "Burr", Realm: "first", Value: traits.V2("egg", 0, "appearance", 1)}}},
			nil
	}
	found, err := b.kindsOf.List(ctx, q)
	if q.Name == "" && q.Traits["element"] != nil {
		found.Next = "more"
	}
	return found, err
}

// A search says how many of the found pets it shows, and which of them have the name. Its words can
// be removed.
func TestSearchesSayWhatTheyShow(t *testing.T) {
	s := demoSite(t)
	s.Pets = burr{}
	s.Census = func(context.Context) (*pet.Census, error) {
		c := &pet.Census{Collection: traits.Pets(), Counts: []pet.Count{counted("first", 3596)},
			Kinds: map[pet.Numbers]uint64{}}
		for _, text := range []string{"burr", "fox"} {
			for _, k := range s.kindsNamed(text, pet.Query{}, nil, nil) {
				c.Kinds[pet.Numbers{uint64(k.of.Traits["egg"][0]), uint64(k.of.Traits["appearance"][0])}] = 30
			}
		}
		return c, nil
	}
	for path, want := range map[string]string{
		"/gallery?id=fox":           "6 of 180 shown.|Search: fox <",
		"/gallery?id=fox&element=0": "6 shown; there may be more.",
		"/gallery?id=burr":          "5 of 121 shown. Only the first has a given name that begins with “<bdi>burr</bdi>”.",
		"/gallery?id=0x123":         "An address has 40 hex digits",
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		for text := range strings.SplitSeq(want, "|") {
			if !strings.Contains(w.Body.String(), text) {
				t.Errorf("%s does not say %q", path, text)
			}
		}
		if strings.Contains(w.Body.String(), "3,596") {
			t.Errorf("%s says the number of all pets", path)
		}
	}
}

// A search and filters narrow each other. Each of them can be removed alone.
func TestSearchesAndFiltersCombine(t *testing.T) {
	s := demoSite(t)
	fox := s.kindsNamed("road fox", pet.Query{}, nil, nil)[0].of.Traits
	newt := s.kindsNamed("freckle newt", pet.Query{}, nil, nil)[0].of.Traits
	of := func(id uint64, name string, kind map[string][]int, rarity int) pet.Pet {
		return pet.Pet{ID: id, Name: name, Realm: "first",
			Value: traits.V2("egg", kind["egg"][0], "appearance", kind["appearance"][0], "rarity", rarity)}
	}
	pets := map[uint64]pet.Pet{}
	for _, p := range []pet.Pet{of(1, "", fox, 4), of(2, "", fox, 1), of(3, "foxglove", newt, 4),
		of(4, "foxfire", newt, 1), of(5, "", newt, 4)} {
		pets[p.ID] = p
	}
	s.Pets = lair{fakePets: &fakePets{pets: pets}, words: s.Words}
	ask := func(query string) *page {
		t.Helper()
		p, err := s.gallery(httptest.NewRequest("GET", "/gallery?"+query, nil))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	g := ask("id=fox&rarity=4&sort=newest").Data.(gallery)
	var ids []uint64
	for _, p := range g.Pets {
		ids = append(ids, p.ID)
	}
	chips := []choice{{Name: "Search: fox", Link: "/gallery?rarity=4&sort=newest"},
		{Name: "Rarity: Mythic", Link: "/gallery?id=fox&sort=newest"}}
	if !slices.Equal(ids, []uint64{3, 1}) || g.Count != 2 || !slices.Equal(g.Chips, chips) {
		t.Errorf("pets %v of %d, chosen are %+v", ids, g.Count, g.Chips)
	}
	link := fmt.Sprintf("/gallery?appearance=%d&egg=%d&rarity=4&sort=newest", fox["appearance"][0], fox["egg"][0])
	if len(g.Found) != 1 || g.Found[0].Pets != 1 || g.Found[0].Link != link {
		t.Errorf("kinds with such pets: %+v, want %s", g.Found, link)
	}
	if g := ask("id=fox&rarity=2").Data.(gallery); len(g.Pets)+len(g.Found) != 0 || len(g.Chips) != 2 {
		t.Errorf("of another rarity: %+v", g)
	}
	owner := common.HexToAddress("0xAb096F0000000000000000000000000000000bA9")
	for query, want := range map[string]string{"id=" + owner.Hex() + "&rarity=4": s.ownerLink(owner) + "&rarity=4",
		"id=shiny&rarity=4": "/gallery?rarity=4&shiny=1", "id=rare&rarity=4": "/gallery?rarity=2",
		"id=Mythic+fire+shiny": "/gallery?element=0&rarity=4&shiny=1", "id=quick+paws": "/gallery?gathering=1",
		"id=mythic+season+2+newt": "/gallery?id=newt&rarity=4&season=2"} {
		if p := ask(query); p.redirect != want {
			t.Errorf("%s leads to %q, want %q", query, p.redirect, want)
		}
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "/gallery?id=fox&rarity=2&sort=newest", nil))
	for _, field := range []string{`name="rarity" value="2">`, `name="id" value="fox">`} {
		if !strings.Contains(w.Body.String(), `<input type="hidden" `+field) {
			t.Errorf("a form leaves out %s", field)
		}
	}
	if n := strings.Count(w.Body.String(), `<input type="hidden" name="sort" value="newest">`); n != 2 {
		t.Errorf("%d forms keep the order", n)
	}
}

// A filter without words has a box for a number. A trait has a link only if the gallery has a filter
// for its value.
func TestFiltersBySeasonAndBonus(t *testing.T) {
	s := demoSite(t)
	p := pet.Pet{ID: 1, Realm: "first", Value: traits.V2("season", 3, "gathering", 1, "combat", 79)}
	s.Pets = lair{fakePets: &fakePets{pets: map[uint64]pet.Pet{1: p}}, words: s.Words}
	for path, wanted := range map[string][]string{
		"/gallery?season=3": {`<input type="number" name="season" min="0" max="255" value="3"`, "Season: 3 <span",
			`data-pet="1"`,
			`name="gathering" value="1" autocomplete="off">Quick Paws`, "<summary>Combat bonus</summary>"},
		"/gallery?season=4&gathering=1":   {"No pet matches all filters.", "Gathering bonus: Quick Paws <span"},
		"/gallery?season=256":             {"Unknown filter"},
		"/gallery?rarity=mythic":          {"Rarity: Mythic <span", `name="rarity" value="4" autocomplete="off" checked>`},
		"/gallery?rarity=mythic&rarity=4": {"Unknown filter"},
		"/pet/1": {`<a href="/gallery?season=3">3</a>`, `<a href="/gallery?gathering=1">Quick Paws</a>`,
			"<bdi>Unknown combat bonus 79</bdi>"},
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		for _, want := range wanted {
			if !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s: %d, and it does not say %s", path, w.Code, want)
			}
		}
	}
}

// A filter without words offers the numbers that pets have, if they are known. Other numbers can be
// searched too. A number alone is no value of a filter.
func TestTheGalleryOffersSeasons(t *testing.T) {
	s := demoSite(t)
	s.Pets = &fakePets{}
	s.Census = func(context.Context) (*pet.Census, error) {
		return &pet.Census{Collection: traits.Pets(), Counts: []pet.Count{counted("first", 38, "rarity", 4)},
			Values: map[string][]int{"season": {1, 3}}}, nil
	}
	for path, want := range map[string]string{
		"/gallery":                    `<summary>Season</summary><div role="group" aria-label="Season"><label><input type="checkbox" name="season" value="1" autocomplete="off">1</label>`,
		"/gallery?season=3":           `value="3" autocomplete="off" checked>3</label>`,
		"/gallery?season=4":           "Season: 4 <span",
		"/gallery?id=mythic+season+3": `href="/gallery?rarity=4&amp;season=3"`,
		"/gallery?id=mythic+season+4": `href="/gallery?rarity=4&amp;season=4"`,
		"/gallery?id=mythic+3":        "called “<bdi>mythic 3</bdi>”",
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d, and it does not say %s:\n%s", path, w.Code, want, w.Body)
		}
	}
}

// A number that several realms have leads to a choice of these pets, unless the realm is named or the
// filters leave one. Filters stay chosen.
func TestANumberOfSeveralRealms(t *testing.T) {
	s := demoSite(t)
	pets := map[uint64]pet.Pet{}
	for _, id := range []uint64{42, pet.Band + 42, 43, pet.Band + 45, 47} {
		pets[id] = pet.Pet{ID: id, Realm: "first", Value: traits.V2("egg", 0, "appearance", 1, "rarity", 2+id/pet.Band)}
	}
	s.Pets = &fakePets{pets: pets, burned: []uint64{pet.Band + 46, pet.Band + 47}}
	for query, want := range map[string]string{"id=42": "", "id=%2342": "", "id=43": "/pet/43", "id=44": "/pet/44",
		"id=45": "/pet/1000000000045", "id=46": "/pet/1000000000046",
		"id=42&of=" + s.Realms[1].Key: "/pet/1000000000042", "id=1000000000042": "/pet/1000000000042",
		"id=42&rarity=2": "/pet/42", "id=42&rarity=3": "/pet/1000000000042", "id=42&rarity=2&rarity=3": "",
		"id=42&rarity=4": "", "id=42&realm=second": "", "id=43&rarity=4": "/pet/43"} {
		p, err := s.gallery(httptest.NewRequest("GET", "/gallery?"+query, nil))
		if err != nil || p.redirect != want {
			t.Errorf("%s leads to %+v, %v, want %q", query, p, err, want)
			continue
		}
		g, ok := p.Data.(gallery)
		if in, _ := url.ParseQuery(query); ok && (len(g.Pets)+len(g.Unfit) != 2 || int(g.Count) != len(g.Pets) ||
			len(g.Chips) != 1+len(in["rarity"])+len(in["realm"]) || len(g.Filters) == 0) {
			t.Errorf("%s shows %+v", query, g)
		}
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "/gallery?id=47", nil))
	want := `<a href="/pet/1000000000047">#47 of ` + s.Realms[1].Name + `</a> was burned.`
	if body := w.Body.String(); !strings.Contains(body, want) || !strings.Contains(body, `data-pet="47"`) {
		t.Errorf("a number with a burned pet shows %s", body)
	}
	w = httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "/gallery?id=42&rarity=4", nil))
	want = `No pet with this number fits the filters. Without the filters: <a href="/pet/42">`
	if body := w.Body.String(); !strings.Contains(body, want) {
		t.Errorf("a number that no filter fits shows %s", body)
	}
	reads := 0
	s.Charge = func(*http.Request, float64) time.Duration { reads++; return time.Duration(reads/2) * time.Second }
	if p, err := s.gallery(httptest.NewRequest("GET", "/gallery?id=42", nil)); err == nil {
		t.Errorf("with one read instead of two, it leads to %+v", p)
	}
}

// A search for a part of a family's name finds every kind of it, and shows pets of each.
func TestASearchForAFamilyShowsItsPets(t *testing.T) {
	s := bare(t)
	s.Pets = kindsOf{}
	want := map[string]bool{}
	for _, k := range s.Words.Kinds() {
		if strings.Contains(strings.ToLower(k.Name+" "+k.Family), "fox") {
			want[k.Name] = true
		}
	}
	if len(want) < 3 {
		t.Fatalf("the pack has %v", want)
	}
	var g gallery
	if p, err := s.search(httptest.NewRequest("GET", "/gallery?id=fox", nil), url.Values{"id": {"fox"}}, &g,
		pet.Query{}, nil); err != nil || p != nil {
		t.Fatalf("the search for fox gives %+v, %v", p, err)
	}
	for _, p := range g.Pets {
		delete(want, s.Words.KindOf(&p).Name)
	}
	if len(want) > 0 {
		t.Errorf("no pet is shown of %v", want)
	}
}

// Kinds with the whole word come before kinds that only contain its letters: a search for moth does
// not show Hoardmother first.
func TestASearchShowsWholeWordsFirst(t *testing.T) {
	found := bare(t).kindsNamed("moth", pet.Query{}, nil, nil)
	if len(found) < 2 {
		t.Fatalf("found %+v", found)
	}
	for i, k := range found[1:] {
		if before := found[i]; !hasWord(before.Name, "moth") && hasWord(k.Name, "moth") {
			t.Errorf("%s comes before %s", before.Name, k.Name)
		}
	}
}

// Every realm has a number 42, so pages name the realm. The number stays visible, however long the
// name is.
func TestNamesOfPets(t *testing.T) {
	s := bare(t)
	p := pet.Pet{ID: pet.Band + 42, Realm: "first", Value: traits.V2("egg", 0, "appearance", 3)}
	if got := s.fullName(&p); !strings.HasSuffix(got, " #42 · Second") {
		t.Errorf("it is called %q", got)
	}
	p.Name = "Hazel" // many pets may have this name
	if got := s.fullName(&p); got != "Hazel #42 · Second" {
		t.Errorf("with a given name it is called %q", got)
	}
	for p, want := range map[pet.Pet]string{{ID: 1, Realm: "first"}: "First", {ID: 1, Realm: "arena"}: "Arena, from First",
		{ID: 1, Realm: "first", InTransit: true}: "In transit from First",
		{ID: 1, Realm: "arena", InTransit: true}: "First, in transit from Arena"} {
		if got := s.where(p); got != want {
			t.Errorf("pet of %s: %q, want %q", p.Realm, got, want)
		}
	}
	for name, want := range map[string]nameParts{"": {s.Words.KindOf(&p).Name, "#42"}, "Burr": {"Burr", "#42"},
		"Rex #1": {"Rex #1", "#42"}} {
		p.Name = name
		if got := s.nameParts(p); got != want {
			t.Errorf("%q: %+v", name, got)
		}
		d := petPage{Pet: p}
		if s.describe(&d); (d.Kind == "") != (name == "") || d.Family == "" {
			t.Errorf("under the name %q: kind %q, family %q", name, d.Kind, d.Family)
		}
	}
	if s.Realms = s.Realms[:1]; s.homeRealm(42) != "" {
		t.Error("the only realm is named")
	}
}

// A search that matches many kinds lists pets of only a few.
func TestSearchesListFewKinds(t *testing.T) {
	s, fake := demoSite(t), &fakePets{}
	s.Pets = fake
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "/gallery?id=c", nil))
	_, kinds, _ := strings.Cut(w.Body.String(), `class="note kinds"`)
	found := strings.Count(kinds, "<a href=")
	if w.Code != 200 || found <= kindsListed || fake.asked != 1+kindsListed {
		t.Errorf("%d: %d listings for more than %d kinds", w.Code, fake.asked, found)
	}
}
