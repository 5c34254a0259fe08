package supply

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"petsupply/internal/supply/ledger"
)

// confirmed returns the record of a token whose only figure is s.
func confirmed(s *Snapshot) Record {
	return Record{Token: s.Token, Snapshot: s, Confirmed: s.MeasuredAt}
}

func TestStatusTurnsStaleAndThenUnavailableByTimeAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		token, _ := gem(t)
		b := NewBoard([]ledger.Token{token}, AgePolicy{StaleAfter: 10 * time.Minute, RefuseAfter: 24 * time.Hour}, false)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go b.Run(ctx)
		var mu sync.Mutex
		var seen []Status
		b.Subscribe(func(p *Publication) {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, p.States[0].Status)
		})
		b.Set(confirmed(take(1000, time.Now().UTC())))
		expect := func(want Status) {
			t.Helper()
			synctest.Wait()
			if got := b.Now().States[0].Status; got != want {
				t.Errorf("after %s the status is %s, want %s", time.Since(b.Now().States[0].Snapshot.AsOf), got, want)
			}
		}
		expect(Fresh)
		time.Sleep(10*time.Minute - 1)
		expect(Fresh)
		time.Sleep(1 * time.Nanosecond)
		expect(Stale)
		if f, ok := b.Now().States[0].Figure(totalSupply); !ok || f != "1000" {
			t.Errorf("a stale figure is %q, %v", f, ok)
		}
		time.Sleep(24*time.Hour - 10*time.Minute - 1)
		expect(Stale)
		time.Sleep(1 * time.Nanosecond)
		expect(Unavailable)
		if f, ok := b.Now().States[0].Figure(totalSupply); ok {
			t.Errorf("past refuse_after there is still a figure: %q", f)
		}
		b.Set(confirmed(take(1001, time.Now().UTC())))
		expect(Fresh)
		mu.Lock()
		defer mu.Unlock()
		want := []Status{Unavailable, Fresh, Stale, Unavailable, Fresh}
		if len(seen) != len(want) {
			t.Fatalf("published %v, want %v", seen, want)
		}
		for i := range want {
			if seen[i] != want[i] {
				t.Fatalf("published %v, want %v", seen, want)
			}
		}
	})
}

func TestHeldFigureIsStillRefusedInTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		token, _ := gem(t)
		b := NewBoard([]ledger.Token{token}, AgePolicy{StaleAfter: time.Minute, RefuseAfter: time.Hour}, false)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go b.Run(ctx)
		held := confirmed(take(1000, time.Now().UTC()))
		held.Hold = &Hold{Candidate: take(2000, time.Now().UTC())}
		b.Set(held)
		for _, c := range []struct {
			wait time.Duration
			want Status
		}{{0, Held}, {2 * time.Minute, Held}, {time.Hour, Unavailable}} {
			time.Sleep(c.wait)
			synctest.Wait()
			if got := b.Now().States[0].Status; got != c.want {
				t.Errorf("after %s more: %s, want %s", c.wait, got, c.want)
			}
		}
	})
}

func TestDemoNeverAges(t *testing.T) {
	token, _ := gem(t)
	b := NewBoard([]ledger.Token{token}, AgePolicy{StaleAfter: 1, RefuseAfter: 1}, true)
	b.Set(confirmed(take(1000, day)))
	if s := b.Now().States[0]; s.Status != Demo || !s.StaleAt.IsZero() || !s.RefuseAt.IsZero() {
		t.Errorf("the demo is %s until %s, %s", s.Status, s.StaleAt, s.RefuseAt)
	}
}

func TestBoardIgnoresUnknownTokens(t *testing.T) {
	token, _ := gem(t)
	b := NewBoard([]ledger.Token{token}, AgePolicy{}, false)
	published := 0
	b.Subscribe(func(*Publication) { published++ })
	newer := take(1001, day.Add(time.Minute))
	b.Set(Record{Token: "gem", Seq: 2, Snapshot: newer})
	b.Set(Record{Token: "other", Seq: 3, Snapshot: take(1000, day)})
	if got := b.Now().States[0].Snapshot; got != newer || published != 3 {
		t.Errorf("shows %s after %d publications, want that of gem after 3", got.Total, published)
	}
}

func TestDocument(t *testing.T) {
	token, w := gem(t)
	maximum := ledger.Whole(2000, 18)
	token.MaxSupply = &maximum
	b := NewBoard([]ledger.Token{token}, AgePolicy{}, false)
	text, err := json.Marshal(b.Now().States[0].Document())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"symbol":"GEM","name":"Gem","decimals":18,"totalSupply":null,"circulatingSupply":null,"burnedSupply":null,` +
		`"lockedSupply":null,"reservedSupply":null,"maxSupply":null,"asOf":null,"measuredAt":null,"status":"unavailable","snapshot":null,"ledger":null,"blocks":[]}`
	if string(text) != want {
		t.Errorf("without a figure the document is\n%s\nwant\n%s", text, want)
	}
	s := measured(t, token, map[string]Chain{"first": w}, day)
	b.Set(confirmed(s))
	if text, err = json.Marshal(b.Now().States[0].Document()); err != nil {
		t.Fatal(err)
	}
	want = `{"symbol":"GEM","name":"Gem","decimals":18,"totalSupply":"900","circulatingSupply":"650","burnedSupply":"100",` +
		`"lockedSupply":"200","reservedSupply":"50","maxSupply":"2000","asOf":"2026-11-01T12:00:00Z","measuredAt":"2026-11-01T12:00:00Z","status":"fresh","snapshot":"` + s.ID +
		`","ledger":"` + s.LedgerHash + `","blocks":[{"chain":"first","chainId":1,"number":100,"hash":"` +
		s.Blocks[0].Hash.Hex() + `","parentHash":"` + s.Blocks[0].Parent.Hex() + `","time":"2026-11-01T12:00:00Z"}]}`
	if string(text) != want {
		t.Errorf("the document is\n%s\nwant\n%s", text, want)
	}
	for kind, want := range map[string]string{totalSupply: "900", circulatingSupply: "650", maxSupply: "2000",
		burnedSupply: "100", lockedSupply: "200"} {
		if got, ok := b.Now().States[0].Figure(kind); !ok || got != want {
			t.Errorf("%s is %q, %v; want %q", kind, got, ok, want)
		}
	}
}

func TestFigureThatATokenDoesNotHave(t *testing.T) {
	thousand := ledger.Whole(1000, 0)
	token := ledger.Token{Path: "a", Symbol: "A", Name: "A",
		Ledger: []ledger.Entry{{Label: "x", Bucket: ledger.Issued, Amount: &thousand}}}
	b := NewBoard([]ledger.Token{token}, AgePolicy{}, false)
	b.Set(confirmed(measured(t, token, nil, day)))
	for _, kind := range []string{maxSupply, burnedSupply, lockedSupply, "othersupply"} {
		if got, ok := b.Now().States[0].Figure(kind); ok || b.Now().States[0].HasFigure(kind) {
			t.Errorf("%s is %q", kind, got)
		}
	}
}

func TestTheLedgerShowsThePublishedVersionThePendingOneAndEarlierOnes(t *testing.T) {
	token, _ := gem(t)
	version := func(label string, at time.Time) ledger.Version {
		c := token
		c.Ledger = append([]ledger.Entry(nil), token.Ledger...)
		c.Ledger[0].Label = label
		v := c.CurrentLedger()
		v.Since = &at
		return v
	}
	first, second := version("one", day), version("two", day.Add(time.Hour))
	doc := token.LedgerDocument([]ledger.Version{first, second}, second.Hash)
	if doc.Hash != second.Hash || doc.Pending == nil || doc.Pending.Hash != token.LedgerHash() ||
		doc.Pending.Since != nil {
		t.Errorf("while the new ledger waits: %s, pending %+v", doc.Hash, doc.Pending)
	}
	if len(doc.Earlier) != 1 || doc.Earlier[0].Hash != first.Hash {
		t.Errorf("earlier ones are %+v", doc.Earlier)
	}
	third := token.CurrentLedger()
	at := day.Add(2 * time.Hour)
	third.Since = &at
	doc = token.LedgerDocument([]ledger.Version{first, second, third}, third.Hash)
	if doc.Hash != third.Hash || doc.Pending != nil || doc.Since == nil || len(doc.Earlier) != 2 ||
		doc.Earlier[0].Hash != second.Hash {
		t.Errorf("once it is published: %s, pending %v, since %v, earlier %d", doc.Hash, doc.Pending, doc.Since,
			len(doc.Earlier))
	}
}

// The symbol and decimals of a token were changed in the configuration. The published figure keeps
// the old ones, which are in the log, until the next figure is published.
func TestAFigureKeepsItsSymbolAndDecimals(t *testing.T) {
	token := ledger.Token{Path: "gem", Symbol: "NEW", Decimals: 6}
	b := NewBoard([]ledger.Token{token}, AgePolicy{}, false)
	s := take(1000, day)
	s.Evidence.Symbol, s.Evidence.Decimals = "GEM", 18
	b.Set(confirmed(s))
	st, _ := b.Now().State("gem")
	if d := st.Document(); d.Symbol != "GEM" || d.Decimals != 18 || st.Ledger.Symbol != "GEM" {
		t.Errorf("the document has %s and %d decimals, the ledger %s", d.Symbol, d.Decimals, st.Ledger.Symbol)
	}
}
