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
	"time"

	"petsupply/internal/art"
	"petsupply/internal/demo"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/web/openapi"
)

// demoHistory is the history of every token.
type demoHistory []supply.Point

func (h demoHistory) History(context.Context, string, time.Time, time.Time, int) ([]supply.Point, error) {
	return h, nil
}

func (demoHistory) EvidenceAt(_ context.Context, token string, at time.Time) (*supply.Evidence, error) {
	return demoEvidence(token, at)
}

// Events returns a figure that was confirmed and one that was wrong.
func (demoHistory) Events(_ context.Context, token string) ([]supply.Notice, error) {
	if token != "jewel" {
		return nil, nil
	}
	then := demo.Start.AddDate(0, 1, 0)
	return []supply.Notice{
		{Kind: supply.NoticeHeld, At: then, Reason: "it went up by half"},
		{Kind: supply.NoticeReleased, At: then.AddDate(0, 0, 1), Reason: "confirmed by 5 further measurements"},
		{Kind: supply.NoticeCorrected, At: then.AddDate(0, 0, 3), Reason: "an entry was missing. It is back"}}, nil
}

// Gaps returns a day without a measurement.
func (demoHistory) Gaps(_ context.Context, token string, _ time.Time, _ time.Duration) ([]supply.Gap, error) {
	if token != "jewel" {
		return nil, nil
	}
	return []supply.Gap{{From: demo.End.AddDate(0, 0, -10), To: demo.End.AddDate(0, 0, -9)}}, nil
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

// changedPets are pets that have changed.
type changedPets struct{ *fakePets }

func (changedPets) History(context.Context, uint64) ([]pet.Change, error) {
	return []pet.Change{{At: demo.End, Realm: "second", Block: 7, Kind: pet.Changed,
		Fields: []pet.Delta{{Field: "rarity", From: "0", To: "4"}, {Field: "owner", From: "0x01", To: "0x02"}}}}, nil
}

// demoSite is the site of the demo, with its first token held, a second ledger of that token, and
// providers in every state.
func demoSite(t *testing.T) *Site {
	t.Helper()
	pack, err := art.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	tokens := demo.Tokens()
	board := supply.NewBoard(tokens, supply.AgePolicy{}, true)
	var history demoHistory
	for i, m := range supply.Measure(t.Context(), tokens, demo.Chains(demo.End), demo.End) {
		before := supply.Measure(t.Context(), tokens, demo.Chains(demo.Start), demo.Start)[i]
		if m.Err != nil || before.Err != nil {
			t.Fatal(m.Err, before.Err)
		}
		u := supply.Update{Record: supply.Record{Token: tokens[i].Path, Seq: 1, Snapshot: m.Snapshot,
			Confirmed: m.Snapshot.MeasuredAt}}
		if i == 0 {
			old, now := tokens[0].CurrentLedger(), tokens[0].CurrentLedger()
			old.Hash, old.Entries = "sha256:0123456789abcdef", old.Entries[1:]
			old.Since, now.Since = &demo.Start, &demo.End
			u.Ledgers = []ledger.Version{old, now}
			u.Hold = &supply.Hold{Candidate: before.Snapshot, Reason: "it went down by a third", Since: demo.End,
				Confirmations: 2}
			for _, s := range []*supply.Snapshot{before.Snapshot, m.Snapshot} {
				history = append(history, supply.Point{AsOf: s.AsOf, Figures: s.Figures})
			}
		}
		if i == 2 {
			u.Rejected = &supply.Rejection{Reason: "the total is above the maximum", Since: demo.End}
		}
		board.Set(u)
	}
	fake := changedPets{&fakePets{pets: map[uint64]pet.Pet{}, pages: map[string]pet.Page{}, burned: []uint64{7777}}}
	list := demo.Pets(pack.Tables())
	list[2].Realm = "second" // away from home
	for _, p := range list {
		fake.pets[p.ID] = p
	}
	fake.pages[""] = pet.Page{Pets: list[:48], Next: "more"}
	described := openapi.Service{SupplyURL: "http://localhost/supply", PetsURL: "http://localhost/pets",
		SiteURL: "http://localhost", Tokens: []string{"jewel"}, Pet: 1, Grid: 90,
		Collection: collection.Pets(), Texts: petWords(t, pack, nil).Texts}
	s, err := New(complete(Config{
		SupplyURL: "http://localhost/supply", PetsURL: "http://localhost/pets", SiteURL: "http://localhost", Demo: true,
		Every: time.Minute, Late: 12 * time.Hour,
		Rules: supply.Rules{Confirmations: 5, HoldFor: 10 * time.Minute}, Limit: "each address may use 5 ms of CPU time",
		About: About{Operator: "Example <Games>", Website: "https://example.com", Contact: "me@example.com",
			Licence: "CC-BY-4.0", Source: "https://example.com/code"},
		SupplySpec: openapi.Supply(described), PetsSpec: openapi.Pets(described),
		Board: board, History: history, Pets: fake, Realms: demo.Realms(), Pack: pack,
		LatestChanges: func(_ context.Context, before uint64, _ int) ([]pet.Change, error) {
			switch before {
			case 1:
				return nil, nil
			case 30:
				return []pet.Change{{ID: 7777, At: demo.End, Realm: "second", Kind: pet.Appeared}}, nil
			case 60:
				return slices.Repeat([]pet.Change{{Seq: 59, ID: 2, Realm: "second", Kind: pet.Changed}}, recentChanges), nil
			}
			list := []pet.Change{{ID: 1, At: demo.End, Realm: "second", Kind: pet.Changed, Fields: []pet.Delta{{Field: "owner"}}},
				{ID: pet.NoID, Kind: pet.Reread}, {ID: 77, At: demo.End, Realm: "second", Kind: pet.Burned},
				{ID: 2, Realm: "second", Kind: pet.Gone}, {ID: 2, Realm: "second", Kind: pet.Appeared}}
			for len(list) < recentChanges+1 {
				list = append(list, pet.Change{Seq: 30, ID: 2, Realm: "second", Kind: pet.Changed})
			}
			return list, nil
		},
		Words:     petWords(t, pack, demo.Realms()),
		Explorers: map[string]string{"first": "https://explorer.example/", "second": "https://explorer.example"},
		Status: func() Status {
			return Status{Version: "1", Started: demo.End, Leader: "x", Store: "sqlite",
				Log: LogStatus{Size: 2, Checkpoint: "head", Key: "example+0a1b2c3d+Ab+c"},
				Chains: []ChainStatus{{Name: "first", ID: 1, Quorum: 2, Finality: "latest-8", Providers: []ProviderStatus{
					{Name: "a", State: "ok", Height: 100, Seen: demo.End, Latency: time.Second},
					{Name: "b", State: "backoff", Height: 90, Errors: 3}, {Name: "c", State: "open", Errors: 9, Error: "refused"}}},
					{Name: "second", ID: 2}},
				Realms: []RealmStatus{{Name: "First", Closed: true, Pets: 5}, {Name: "Second", Phase: "natives", Share: 40,
					Rate: 7, Left: time.Minute},
					{Name: "Third", Phase: "follow", Block: 3, Head: 5, Failing: true, Every: 2 * time.Second}},
				Webhooks: []WebhookStatus{{Name: "game", Waiting: 1234, Failing: time.Minute}, {Name: "shop", Delivered: demo.End,
					Ended: true, Aside: 2}}}
		},
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPages fills every page with all that it can show, because the compiler does not check
// templates.
func TestPages(t *testing.T) {
	s := demoSite(t)
	for path, want := range map[string]string{
		"/": `Pebblewick|JEWEL|<meta name="description" content="A demo with invented figures and pets. How much of each`,
		"/token/jewel?days=all": "Why did it change?|Net changes: |unlocked|digits after the point are left out|In " +
			"transit|totalMinted()|history.csv?days=all|Emberreach|A figure was held: it went up by half|The held figure was " +
			"confirmed by 5 further measurements|A figure was corrected: an entry was missing|" +
			`<a href="#mark-2">7 Aug 2026, 00:00 UTC · A figure was corrected: an entry was missing.</a>|<td>−</td><th scope="row">In Cloudharbour`,
		"/token/crystal?mode=stack": `id="striped-locked"|fill="url(#striped-burned)"|Both sides count|balanceOf(0x|"?days=90&amp;mode=stack"`,
		"/token/jewel/history.csv":  "time,total,circulating",
		"/token/jewel": "A newer figure is held:</b> it went down by a third|until 5 measurements in a row confirm the new one over " +
			"at least 10 minutes, or the operator releases it.|2 further " +
			"measurements|First ledger|in use|id 2</small></dt><dd>JEWEL is the gas token of Emberreach. It has no contract there.|petsupply verify|balance of the account, returned <code>0x|" +
			`petsupply</code> is the program that runs this service: <a href="https://example.com/code"|` +
			`<line x1="100.00%" x2="100.00%" y1="30" y2="140"/><line x1="100.00%" x2="100.00%" y1="180" y2="290"/>`,
		"/token/jade": "The newest measurement was rejected|the total is above the maximum|since|Dead " +
			"address|since 1 Dec 2022<|balanceOf(0x|Contracts|18 decimals",
		"/gallery":                      "Pebblewick|Filters|cursor=more",
		"/gallery?rarity=3&realm=first": "Pebblewick",
		"/pet/1": "/image/1?size=720&amp;v=|From the same " +
			"owner|<small>id 1</small>|/gallery?rarity=|/gallery?owner=0x|<h1><bdi>Pebblewick</bdi> #1 |Common|Mythic|Gathering",
		"/gallery/recent": `<a href="/pet/1"><bdi>|New owner in|<a href="/pet/77">|Burned in|` +
			`</span><div>Pet 2<p>|Reverted by the chain|<a class="button" rel="next" href="?before=30">Older changes</a>`,
		"/gallery/recent?before=30":  `<a href="/pet/7777">|First seen in|Newest changes`,
		"/gallery/recent?before=60":  `Newest changes</a></nav>`, // exactly one page
		"/gallery/recent?before=1":   "No older changes are kept.",
		"/gallery/recent?before=now": "Unknown filter",
		"/pet/2000000000003":         "in transit from|The bridge, until it arrives|First read in this state at block",
		"/pet/3":                     "Lives in Emberreach</a>",
		"/pet/1?frame=false&size=90": "frame=false&amp;size=90",
		"/pet/1?frame=false&form=moving": "frame=false&amp;animated=true|ERC-721|Token id|" +
			"Licence: <a|/CC0-1.0.html|<th scope=\"row\">Equipped to</th>",
		"/pet/1?form=mp4": "Unknown filter",
		"/api": "/supply/openapi.json|/supply/jewel/evidence|/pets/token/1|Circulating " +
			"supply|One of <code>text</code>|/log/0a1b2c3d/tile/entries/000.p/2\"|" +
			"each address may use 5 ms of CPU time|a multiple of 90, at most|urllib.request import urlopen|from 2 to 2,000|" +
			`docs/SUPPLY.md in the <a href="https://example.com/code" rel="noopener">source code of petsupply</a> describes`,
		"/status": "A new figure of JEWEL has been held since 1 Nov 2026, 00:00 UTC: it went down " +
			"by a third.|Measurements of JADE have been rejected since|the total is above the maximum|Too few providers|not " +
			"answering|pausing|trying again|Not over yet: waiting.<|confirmed by 5 further measurements.<|Each token is measured " +
			"every minute|at most 12 hours old|99.44%|No measurement was published.|Over after 1 day.<|A figure was held: it went up by half.<|within 2 seconds|A " +
			"figure was corrected: an entry was missing|7 a second, 1 minute left|1,000 ms|<td>reading failed <span class=\"badge stale\">trying again|Last delivery|1,234|none yet|Webhook shop " +
			"has ended|data-name=\"Blocks behind\">10</td>|counted since this instance started|refused events for a day. 2 were set aside|>Pets</th>|Pets in transit count in " +
			"their last realm.|>ended<|<b><a href=\"/token/jewel\">JEWEL</a></b>",
		"/about": `Example &lt;Games&gt;|href="https://example.com"|href="mailto:me@example.com"|Run by Example|` +
			`/CC-BY-4.0.html" rel="license noopener">CC-BY-4.0|/CC0-1.0.html"|Every minute|The operator decides|` +
			`The program <a href="https://example.com/code" rel="noopener">petsupply</a> computes|` +
			`>demo</span></dt><dd>Invented, for the demo.|>past</span></dt><dd>An earlier figure|` +
			"petsupply verify http://localhost/supply/jewel/evidence --rpc CHAINID=URL\n|petsupply audit http://localhost/supply<",
		"/token/none":        "No such token",
		"/pet/77777":         "No such pet",
		"/pet/x":             "Not a valid number",
		"/none":              "Page not found",
		"/gallery?rarity=99": `Unknown filter|<a href="/gallery" aria-current="page">`,
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		for text := range strings.SplitSeq(want, "|") {
			if !strings.Contains(w.Body.String(), text) {
				t.Errorf("%s: %d, and it does not say %q", path, w.Code, text)
			}
		}
		seen := map[string]bool{}
		for _, id := range regexp.MustCompile(` id="[^"]*"`).FindAllString(w.Body.String(), -1) {
			if seen[id] {
				t.Errorf("%s: two elements have%s", path, id)
			}
			seen[id] = true
		}
	}
}
