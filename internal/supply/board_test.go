package supply

import (
	"context"
	"encoding/json"
	"slices"
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
		b := NewBoard([]ledger.Token{token}, AgePolicy{StaleAfter: 10 * time.Minute, RefuseAfter: 24 * time.Hour},
			false)
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
		if !slices.Equal(seen, want) {
			t.Errorf("published %v, want %v", seen, want)
		}
	})
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

func TestDemoNeverAges(t *testing.T) {
	token, _ := gem(t)
	b := NewBoard([]ledger.Token{token}, AgePolicy{StaleAfter: 1, RefuseAfter: 1}, true)
	unknown := confirmed(take(1, day))
	unknown.Token = "unknown"
	b.Set(confirmed(take(1000, day)), unknown)
	if s := b.Now().States[0]; s.Status != Demo || !s.StaleAt.IsZero() || !s.RefuseAt.IsZero() {
		t.Errorf("the demo is %s until %s, %s", s.Status, s.StaleAt, s.RefuseAt)
	} else if before := s.earlier(Point{Snapshot: s.Snapshot}, nil).Status; before != Demo {
		t.Errorf("the past of the demo is %s", before)
	}
}

// TestTheLedgerOfAFigure: the token's symbol, decimals and ledger were changed in the configuration.
// The published figure keeps the old ones, which are in the log, until the next figure is published.
func TestTheLedgerOfAFigure(t *testing.T) {
	token := ledger.Token{Path: "gem", Symbol: "NEW", Decimals: 6}
	version := func(max int64, at time.Time) ledger.Version {
		m := ledger.Whole(max, 0)
		v := (&ledger.Token{Path: "gem", Decimals: 18, MaxSupply: &m}).CurrentLedger()
		v.Since = &at
		return v
	}
	first, second := version(1, day), version(2, after(time.Hour))
	s := take(1000, day)
	s.LedgerHash = second.Hash
	s.Evidence.Symbol, s.Evidence.Decimals = "GEM", 18
	r := confirmed(s)
	r.Ledgers = []ledger.Version{first, second}
	b := NewBoard([]ledger.Token{token}, AgePolicy{}, false)
	b.Set(r)
	st, _ := b.Now().State("gem")
	l := st.Ledger
	if d := st.Document(); d.Symbol != "GEM" || d.Decimals != 18 || l.Symbol != "GEM" {
		t.Errorf("the document has %s and %d decimals, the ledger %s", d.Symbol, d.Decimals, l.Symbol)
	}
	if l.Hash != second.Hash || l.Pending == nil || l.Pending.Hash != token.LedgerHash() || l.Pending.Since != nil ||
		len(l.Earlier) != 1 || l.Earlier[0].Hash != first.Hash {
		t.Errorf("while the new ledger waits: %s, pending %+v, earlier %+v", l.Hash, l.Pending, l.Earlier)
	}
	if got, ok := st.Figure("othersupply"); ok || st.HasFigure("othersupply") {
		t.Errorf("an unknown figure is %q", got)
	}
	third := token.CurrentLedger()
	third.Since = &day
	l = token.LedgerDocument([]ledger.Version{first, second, third}, third.Hash)
	if l.Hash != third.Hash || l.Pending != nil || l.Since == nil || len(l.Earlier) != 2 ||
		l.Earlier[0].Hash != second.Hash {
		t.Errorf("once it is published: %s, pending %v, since %v, earlier %d", l.Hash, l.Pending, l.Since,
			len(l.Earlier))
	}
}
