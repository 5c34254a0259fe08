package site

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"petsupply/internal/art"
	"petsupply/internal/demo"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/web/answer"
)

var errAway = errors.New("dial tcp 10.0.0.7:5432: refused")

// A fakeHistory has points, events and gaps of the token jewel. If it is away, it has nothing.
type fakeHistory struct {
	points []supply.Point
	events []supply.Notice
	gaps   []supply.Gap
	away   bool
	reads  int
}

func (h *fakeHistory) err() error {
	h.reads++
	if h.away {
		return errAway
	}
	return nil
}

func (h *fakeHistory) History(context.Context, string, time.Time, time.Time, int) ([]supply.Point, error) {
	return h.points, h.err()
}

func (h *fakeHistory) EvidenceAt(_ context.Context, token string, at time.Time) (*supply.Evidence, error) {
	if err := h.err(); err != nil {
		return nil, err
	}
	return demoEvidence(token, at)
}

func (h *fakeHistory) Events(context.Context, string) ([]supply.Notice, error) {
	return h.events, h.err()
}

func (h *fakeHistory) Gaps(context.Context, string, time.Time, time.Duration) ([]supply.Gap, error) {
	return h.gaps, h.err()
}

// demoEvidence returns the evidence of a token on the demo's chains at a time.
func demoEvidence(token string, at time.Time) (*supply.Evidence, error) {
	for _, m := range supply.Measure(context.Background(), demo.Tokens(), demo.Chains(at), at) {
		if m.Token.Path == token {
			return m.Snapshot.Evidence, m.Err
		}
	}
	return nil, supply.ErrNotFound
}

// fakePets has the pets of the demo.
type fakePets struct {
	list []pet.Pet
	away bool
}

func (f *fakePets) Pet(_ context.Context, id uint64) (pet.Pet, error) {
	for _, p := range f.list {
		if p.ID == id {
			return p, nil
		}
	}
	return pet.Pet{}, pet.ErrNotFound
}

func (f *fakePets) List(_ context.Context, q pet.Query) (pet.Page, error) {
	if f.away {
		return pet.Page{}, errAway
	}
	var out pet.Page
	for _, p := range f.list {
		named := q.Name == "" || strings.HasPrefix(strings.ToLower(p.Name), strings.ToLower(q.Name))
		if p.ID >= q.From.ID && named && len(out.Pets) < q.Limit {
			out.Pets = append(out.Pets, p)
		}
	}
	if len(out.Pets) == pageSize {
		out.Next = "more"
	}
	return out, nil
}

func (f *fakePets) History(context.Context, uint64) ([]pet.Change, error) {
	return []pet.Change{{At: demo.End, Realm: "second", Block: 7, Kind: pet.Changed,
		Fields: []pet.Delta{{Field: "rarity", From: "0", To: "4"}, {Field: "owner", From: "0x01", To: "0x02"}}}}, nil
}

func (f *fakePets) Census(context.Context) (*pet.Census, error) { return nil, errAway }

// demoSite is the site of the demo. Its token jewel is held and has two ledgers, and the last
// measurement of jade was rejected.
func demoSite(t *testing.T) (*Site, *fakeHistory, *fakePets) {
	t.Helper()
	pack, err := art.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	words, err := pet.NewWords(collection.Pets(), pack.Tables(), demo.Realms())
	if err != nil {
		t.Fatal(err)
	}
	board := supply.NewBoard(demo.Tokens(), supply.AgePolicy{}, false)
	h := &fakeHistory{gaps: []supply.Gap{{From: demo.End.AddDate(0, 0, -10), To: demo.End.AddDate(0, 0, -9)}}}
	early := supply.Measure(t.Context(), demo.Tokens(), demo.Chains(demo.Start), demo.Start)
	for i, m := range supply.Measure(t.Context(), demo.Tokens(), demo.Chains(demo.End), demo.End) {
		u := supply.Record{Token: m.Token.Path, Seq: 1, Snapshot: m.Snapshot,
			Confirmed: m.Snapshot.MeasuredAt}
		if m.Token.Path == "jewel" {
			old := m.Token.CurrentLedger()
			now := m.Token.CurrentLedger()
			old.Hash = "sha256:0123456789abcdef"
			old.Entries = old.Entries[1:]
			old.Since = &demo.Start
			now.Since = &demo.End
			u.Ledgers = []ledger.Version{old, now}
			u.Hold = &supply.Hold{Candidate: early[i].Snapshot, Reason: "it went down by a third", Since: demo.End}
			h.points = []supply.Point{{Snapshot: early[i].Snapshot}, {Snapshot: m.Snapshot}}
		}
		if m.Token.Path == "jade" {
			u.Failed = &supply.Failure{Reason: "the total is above the maximum", Since: demo.End, Times: 2}
		}
		board.Set(u)
	}
	p := &fakePets{list: demo.Pets(pack.Tables())[:200]}
	p.list[0].Name = "<i>Zed</i>"
	s, err := New(Config{
		SupplyURL: "http://localhost/supply", PetsURL: "http://localhost/pets", SiteURL: "http://localhost",
		Poll: time.Second, Every: time.Minute, Late: 12 * time.Hour, Limit: "5 ms of CPU time",
		About: About{Operator: "Example <Games>", Website: "https://example.com", Contact: "me@example.com",
			Licence: "CC-BY-4.0", Source: "https://example.com/code"},
		Board: board, History: h, Pets: p, Realms: demo.Realms(), Pack: pack, Words: words,
		Explorers: map[string]string{"first": "https://explorer.example/"},
		Known: func(context.Context, string, string) map[string]string {
			return map[string]string{"Minted": "proven"}
		},
		Status: func() Status {
			return Status{Version: "1", Started: demo.End, Leader: "x", Store: "sqlite",
				Problems: []string{"jade is stale"},
				Log:      LogStatus{Size: 2, Checkpoint: "head", Key: "example+0a1b2c3d+Ab+c"},
				Chains: []ChainStatus{{Name: "first", ID: 1, Quorum: 2, Finality: "latest-8",
					Providers: []ProviderStatus{
						{Name: "a", State: "ok", Height: 100},
						{Name: "b", State: "down", Errors: 9, Error: "refused"}}},
					{Name: "second", ID: 2, Quorum: 2, Providers: make([]ProviderStatus, 3)}},
				Realms:   []RealmStatus{{Name: "First", State: "up to date", Pets: 5}},
				Webhooks: []WebhookStatus{{Name: "game", Waiting: 1234}, {Name: "shop", Delivered: demo.End}}}
		},
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, h, p
}

// show returns a page, or the address that it redirects to. The path may have a query.
func show(
	t *testing.T, s *Site, decide func(*answer.Request) (*page, error), path string, args ...string,
) (string, error) {
	t.Helper()
	route := &answer.Route{} // reads what any page does
	for _, row := range s.Routes() {
		route.Query = append(route.Query, row.Query...)
	}
	r := httptest.NewRequest(http.MethodGet, path, nil)
	q := &answer.Request{Request: r, Route: route, Args: args, At: demo.End}
	p, err := decide(q)
	if err != nil {
		return "", err
	}
	if p.Redirect != "" {
		return p.Redirect, nil
	}
	body, err := s.render(p)
	return string(body), err
}

// TestPages fills every page with all that it can show, because the compiler does not check
// templates. Then the store goes away, and every page still answers.
func TestPages(t *testing.T) {
	s, h, pets := demoSite(t)
	pages := []struct {
		path   string
		decide func(*answer.Request) (*page, error)
		args   []string
		has    []string
	}{
		{"/", s.home, nil, []string{"New pets", "Measured on chain", `class="spark"`, "&lt;i&gt;"}},
		{"/token/jewel", s.token, []string{"jewel"}, []string{
			"It went down by a third.", ">proven<", "agreed by 2 of 3", "Why it changed", "Bridges", "Versions of the ledger",
			"petsupply verify http://localhost/supply/jewel/evidence", "30 days"}},
		{"/token/JADE", s.token, []string{"JADE"}, []string{"The total is above the maximum."}},
		{"/gallery", s.gallery, nil, []string{"More pets", "Rarity", "Id, highest"}},
		{"/pet/1", s.pet, []string{"1"}, []string{
			"&lt;i&gt;Zed&lt;/i&gt;", "Rarity", "changed", "On the chain", "twitter:card"}},
		{"/status", s.status, nil, []string{"Jade is stale.", "No measurement was published.", "1,234", "refused"}},
		{"/api", s.api, nil, []string{"/supply/jewel/circulatingsupply", "/log/0a1b2c3d/"}},
		{"/about", s.about, nil, []string{"Example &lt;Games&gt;", "mailto:me@example.com"}},
	}
	for _, x := range pages {
		body, err := show(t, s, x.decide, x.path, x.args...)
		if err != nil {
			t.Errorf("%s: %v", x.path, err)
		}
		for _, text := range x.has {
			if !strings.Contains(strings.ReplaceAll(body, "<wbr>", ""), text) {
				t.Errorf("%s lacks %q", x.path, text)
			}
		}
		if strings.Contains(body, "<i>Zed") || strings.Contains(body, "ZgotmplZ") {
			t.Errorf("%s: a foreign text is not escaped", x.path)
		}
	}
	h.away = true
	s.memory.slots.Clear()
	for _, x := range pages {
		if _, err := show(t, s, x.decide, x.path, x.args...); err != nil {
			t.Errorf("%s without the store: %v", x.path, err)
		}
	}
	pets.away = true
	if _, err := show(t, s, s.gallery, "/gallery"); !errors.Is(err, errAway) {
		t.Errorf("a gallery without pets: %v", err)
	}
	for path, decide := range map[string]func(*answer.Request) (*page, error){"/": s.home, "/api": s.api} {
		if _, err := show(t, s, decide, path); err != nil {
			t.Errorf("%s without pets: %v", path, err)
		}
	}
}

// What is not configured does not appear.
func TestOneSidedSites(t *testing.T) {
	s, _, _ := demoSite(t)
	s.Board = supply.NewBoard(nil, supply.AgePolicy{}, false)
	for path, decide := range map[string]func(*answer.Request) (*page, error){"/": s.home, "/status": s.status,
		"/api": s.api, "/about": s.about} {
		body, err := show(t, s, decide, path)
		if err != nil || strings.Contains(body, ">Supply<") || strings.Contains(body, "Circulating") {
			t.Errorf("%s without tokens: %v %s", path, err, body)
		}
	}
	s, _, _ = demoSite(t)
	s.Pets = nil
	s.Words = nil
	s.Realms = nil
	for path, decide := range map[string]func(*answer.Request) (*page, error){"/": s.home, "/api": s.api} {
		body, err := show(t, s, decide, path)
		if err != nil || strings.Contains(body, ">Pets<") || strings.Contains(body, "/image/") {
			t.Errorf("%s without pets: %v", path, err)
		}
	}
	if _, err := show(t, s, s.gallery, "/gallery"); !errors.Is(err, answer.ErrNoPath) {
		t.Errorf("the gallery without pets: %v", err)
	}
}

// All sums on a token's page balance.
func TestSumsOfALedgerBalance(t *testing.T) {
	for _, token := range demo.Tokens() {
		for at := demo.Start; at.Before(demo.End); at = at.AddDate(0, 0, 17) {
			ev, err := demoEvidence(token.Path, at)
			if err != nil {
				t.Fatal(err)
			}
			list := sums(ev.Figures)
			parts := map[string]ledger.Amount{}
			for _, r := range rows(ev, list) {
				if r.Read.Counted {
					parts[string(r.Bucket)] = parts[string(r.Bucket)].Add(*r.Amount)
				}
			}
			for _, s := range list {
				if got, ok := parts[s.Key]; ok && got.Cmp(s.Amount) != 0 {
					t.Errorf("%s at %s: entries of %s, a sum of %s %s", token.Path, at, got, s.Amount, s.Key)
				}
			}
			total := list[0].Amount.Sub(list[1].Amount)
			circulating := total.Sub(list[3].Amount).Sub(list[4].Amount)
			if total.Cmp(list[2].Amount) != 0 || circulating.Cmp(list[5].Amount) != 0 {
				t.Errorf("%s at %s: %+v", token.Path, at, list)
			}
			shown := ledger.Zero(1)
			for _, x := range shares(ev.Figures) {
				shown = shown.Add(x.Percent)
			}
			if shown.Cmp(ledger.Whole(100, 0)) != 0 {
				t.Errorf("the shares add up to %s", shown)
			}
		}
	}
}

func TestTheReasonsOfAChangeAddUp(t *testing.T) {
	for _, token := range demo.Tokens() {
		last, err := demoEvidence(token.Path, demo.End)
		if err != nil {
			t.Fatal(err)
		}
		to := &supply.Snapshot{AsOf: demo.End, Figures: last.Figures}
		for at := demo.Start; at.Before(demo.End); at = at.AddDate(0, 0, 13) {
			first, err := demoEvidence(token.Path, at)
			if err != nil {
				t.Fatal(err)
			}
			from := &supply.Snapshot{AsOf: at, Figures: first.Figures}
			byEntry := explain(from, to, first, last)
			byBucket := explain(from, to, nil, last)
			if byEntry.ByBucket || !byBucket.ByBucket {
				t.Fatalf("%+v %+v", byEntry, byBucket)
			}
			for _, w := range []*why{byEntry, byBucket} {
				circulating := ledger.Zero(0)
				total := ledger.Zero(0)
				for _, p := range w.Parts {
					circulating = circulating.Add(p.Circulating)
					total = total.Add(p.Total)
				}
				if circulating.Cmp(w.Circulating) != 0 || total.Cmp(w.Total) != 0 {
					t.Errorf("%s since %s: parts of %s and %s, changes of %s and %s",
						token.Path, at, circulating, total, w.Circulating, w.Total)
				}
			}
		}
	}
}

func TestVersionsOfALedger(t *testing.T) {
	a := ledger.Whole(5000, 18)
	b := ledger.Whole(6000, 18)
	version := func(hash string, max *ledger.Amount, entries ...ledger.Entry) ledger.Version {
		return ledger.Version{Hash: hash, Terms: ledger.Terms{Decimals: 18, MaxSupply: max, Entries: entries}}
	}
	minted := ledger.Entry{Label: "Minted", Bucket: ledger.Issued, ERC20: "0x1"}
	moved := minted
	moved.ERC20 = "0x2"
	pending := version("p", &a, moved)
	type brief struct{ Added, Removed, Changed []string }
	var have []brief
	for _, v := range versions(ledger.Document{
		Version: version("c", &a, minted, ledger.Entry{Label: "Treasury"}),
		Pending: &pending,
		Earlier: []ledger.Version{version("b", &b, minted)},
	}) {
		have = append(have, brief{v.Added, v.Removed, v.Changed})
	}
	want := []brief{{Removed: []string{"“Treasury”"}, Changed: []string{"“Minted”"}},
		{Added: []string{"“Treasury”"}, Changed: []string{"maximum supply"}}, {}}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Error(diff)
	}
}

func TestIncidents(t *testing.T) {
	since := time.Unix(1700000000, 0)
	notice := func(hours int, kind, reason string) supply.Notice {
		return supply.Notice{Kind: kind, At: since.Add(time.Duration(hours) * time.Hour), Reason: reason}
	}
	events := []supply.Notice{
		notice(0, supply.NoticeHeld, "it doubled"),
		notice(1, supply.NoticeReleased, "released by an operator: announced"),
		notice(2, supply.NoticeCorrected, "miscounted"), notice(2, supply.NoticeCorrected, "miscounted"),
		notice(3, supply.NoticeHeld, "it fell"), notice(4, supply.NoticeHeld, "it fell further"),
	}
	token := &ledger.Token{Path: "jewel"}
	waits := supply.State{Token: token, Hold: &supply.Hold{Reason: "it fell further", Since: since.Add(4 * time.Hour),
		Candidate: &supply.Snapshot{ID: "1"}}}
	all := []string{"A figure was held: It doubled. Released by an operator: announced.",
		"A figure was corrected: Miscounted.", "A figure was held: It fell. Another figure was held in its place.",
		"A figure was held: It fell further. (open)"}
	for name, test := range map[string]struct {
		state  supply.State
		events []supply.Notice
		away   bool
		want   []string
	}{
		"held":                    {waits, events, false, all},
		"held, without the store": {waits, events, true, all[3:]},
		"none":                    {supply.State{Token: token}, nil, false, nil},
		"ended a moment ago": {supply.State{Token: token}, events[4:5], false,
			[]string{"A figure was held: It fell."}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Site{Config: Config{History: &fakeHistory{events: test.events, away: test.away}},
				memory: memory{log: slog.New(slog.DiscardHandler)}}
			var got []string
			for _, i := range s.incidents(test.state) {
				text := i.Text
				if i.Open {
					text += " (open)"
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What was read is read again for a new version only. After a failure nothing is read for a while,
// and the old value is used.
func TestLatest(t *testing.T) {
	m := &memory{log: slog.New(slog.DiscardHandler)}
	reads := 0
	read := func(text string, err error) func(context.Context) (string, error) {
		return func(context.Context) (string, error) {
			reads++
			return text, err
		}
	}
	steps := []struct {
		key, version string
		read         func(context.Context) (string, error)
		want         string
		reads        int
	}{
		{"a", "1", read("one", nil), "one", 1},
		{"a", "1", read("two", nil), "one", 1},
		{"a", "2", read("two", nil), "two", 2},
		{"a", "3", read("", errAway), "two", 3},
		{"a", "3", read("three", nil), "two", 3},
		{"b", "1", read("another", nil), "", 3},
	}
	for i, step := range steps {
		if got := latest(m, step.key, step.version, step.read); got != step.want || reads != step.reads {
			t.Errorf("step %d: %q after %d reads, want %q after %d", i, got, reads, step.want, step.reads)
		}
	}
	m.paused = time.Time{}
	if got := latest(m, "a", "3", read("three", nil)); got != "three" {
		t.Errorf("later: %q", got)
	}
}

func TestShareOfTimeInWhichFiguresWereMeasured(t *testing.T) {
	end := demo.End
	ago := func(d time.Duration) time.Time { return end.Add(-d) }
	begin := ago(statusDays * 24 * time.Hour)
	for name, test := range map[string]struct {
		first time.Duration // ago
		gaps  []supply.Gap
		want  string
	}{
		"always": {9999 * time.Hour, nil, "100.00 %"},
		"an hour too late": {100 * time.Hour,
			[]supply.Gap{{From: ago(50 * time.Hour), To: ago(47 * time.Hour)}}, "99.00 %"},
		"it goes on": {100 * time.Hour, []supply.Gap{{From: ago(3 * time.Hour)}}, "99.00 %"},
		"it began before the 90 days": {9999 * time.Hour,
			[]supply.Gap{{From: ago(2200 * time.Hour), To: ago(2052 * time.Hour)}}, "95.00 %"},
	} {
		t.Run(name, func(t *testing.T) {
			st := supply.State{Token: &ledger.Token{Path: "jewel"}, Confirmed: end,
				Snapshot: &supply.Snapshot{ID: "1", Evidence: &supply.Evidence{}}}
			st.Snapshot.AsOf = end
			first := []supply.Point{{Snapshot: &supply.Snapshot{AsOf: ago(test.first)}}}
			s := &Site{Config: Config{Late: 2 * time.Hour, History: &fakeHistory{points: first}},
				memory: memory{log: slog.New(slog.DiscardHandler)}}
			if got := s.inTime(st, test.gaps, begin); got != test.want {
				t.Errorf("%s in time, want %s", got, test.want)
			}
		})
	}
}

func TestGallery(t *testing.T) {
	const holder = "0x00000000000000000000000000000000000000aB"
	s, _, _ := demoSite(t)
	for path, want := range map[string]string{
		"/gallery?q=42":                      "/pet/42",
		"/gallery?q=%2342":                   "/pet/42",
		"/gallery?q=%20003":                  "No pet fits",
		"/gallery?q=999999":                  "No pet fits",
		"/gallery?q=" + holder + "&rarity=4": "/gallery?owner=" + holder + "&rarity=4",
		"/gallery?q=%3Ci%3Ez":                "&lt;i&gt;Zed",
		"/gallery?rarity=4":                  `<option value="4" selected>`,
		"/gallery?shiny=1":                   "Shiny",
		"/gallery?sort=newest":               `value="newest" selected`,
		"/gallery?realm=first":               `name="realm" value="first"`,
		"/gallery?cursor=x":                  "Back to the start",
		"/gallery?unknown=1":                 "More pets",
		"/gallery?rarity=purple":             "400",
		"/gallery?realm=nowhere":             "400",
		"/gallery?owner=0x12":                "400",
		"/gallery?sort=price":                "400",
		"/gallery?rarity=1&rarity=2":         "400",
	} {
		body, err := show(t, s, s.gallery, path)
		if p, ok := errors.AsType[*answer.Problem](err); ok && p.Status == http.StatusBadRequest {
			body = "400"
		} else if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if !strings.Contains(body, want) {
			t.Errorf("%s lacks %q", path, want)
		}
	}
}

// Pets with one number name their realms, and others do not.
func TestRealmsAreNamedIfNumbersClash(t *testing.T) {
	s, _, pets := demoSite(t)
	twin := pets.list[41]
	twin.ID = pet.Band + 42
	twin.Realm = "second"
	pets.list = append(pets.list, twin)
	body, err := show(t, s, s.gallery, "/gallery?q=42")
	if err != nil || !strings.Contains(body, `<small class="block">Emberreach`) {
		t.Errorf("two pets with the number 42: %v", err)
	}
	body, err = show(t, s, s.gallery, "/gallery")
	if err != nil || strings.Contains(body, `<small class="block">`) {
		t.Errorf("realms are named without need: %v", err)
	}
}

// A pet's page has at most eight traits, and each fact once.
func TestThePageOfAPetIsShort(t *testing.T) {
	s, _, pets := demoSite(t)
	for _, p := range pets.list {
		v := petView{Pet: p}
		s.describe(&v)
		if len(v.Traits) == 0 || len(v.Traits) > maxTraits {
			t.Errorf("pet %d has %d traits", p.ID, len(v.Traits))
		}
		seen := map[string]bool{}
		for _, x := range append(v.Traits, v.Facts...) {
			if seen[x.Name] {
				t.Errorf("pet %d has %q twice", p.ID, x.Name)
			}
			seen[x.Name] = true
		}
	}
}

func TestPetEvents(t *testing.T) {
	s, _, _ := demoSite(t)
	change := func(kind string, fields ...pet.Delta) pet.Change {
		return pet.Change{At: demo.End, Realm: "second", Block: 2, Kind: kind, Fields: fields}
	}
	for name, test := range map[string]struct {
		change pet.Change
		title  string
		fields []fieldChange
	}{
		"first":  {change(pet.Appeared, pet.Delta{Field: "rarity", To: "1"}), "First seen in Emberreach", nil},
		"gone":   {change(pet.Gone), "Reverted by the chain", nil},
		"burned": {change(pet.Burned), "Burned", nil},
		"moved": {change(pet.Moved, pet.Delta{Field: "realm", From: "first", To: "elsewhere"},
			pet.Delta{Field: "intransit"}), "Moved",
			[]fieldChange{{"Realm", "Greenhollow", "elsewhere"}}},
		"named": {change(pet.Changed, pet.Delta{Field: "name", To: "\u202eevil"}), "Name changed",
			[]fieldChange{{"Name", "–", "evil"}}},
		"many": {change(pet.Changed,
			pet.Delta{Field: "rarity", From: "0", To: "4"}, pet.Delta{Field: "season", From: "1", To: "2"},
			pet.Delta{Field: "owner", From: "0x0000000000000000000000000000000000000001", To: ""}),
			"Rarity, Season, more changed",
			[]fieldChange{{"Rarity", "Common", "Mythic"}, {"Season", "1", "2"}, {"Owner", "0x000000…0001", "–"}}},
	} {
		t.Run(name, func(t *testing.T) {
			got := s.petEvent(test.change)
			if diff := cmp.Diff(test.fields, got.Fields); diff != "" || got.Title != test.title {
				t.Errorf("%q, want %q\n%s", got.Title, test.title, diff)
			}
		})
	}
}
