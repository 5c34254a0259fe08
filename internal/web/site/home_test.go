package site

import (
	"math/rand/v2"
	"net/http"
	"testing"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

func figures(t *testing.T, circulating, locked, reserved, burned string) supply.Figures {
	f := supply.Figures{Circulating: amount(t, circulating), Locked: amount(t, locked), Reserved: amount(t, reserved),
		Burned: amount(t, burned)}
	f.Total = f.Circulating.Add(f.Locked).Add(f.Reserved)
	return f
}

func TestShares(t *testing.T) {
	for name, test := range map[string]struct {
		f    supply.Figures
		want [4]string
	}{
		"plain":   {figures(t, "50", "25", "15", "10"), [4]string{"50.0", "25.0", "15.0", "10.0"}},
		"thirds":  {figures(t, "1", "1", "1", "0"), [4]string{"33.4", "33.3", "33.3", "0.0"}},
		"dust":    {figures(t, "1000000", "0.000000000000000001", "0", "0"), [4]string{"100.0", "<0.1", "0.0", "0.0"}},
		"largest": {figures(t, largest, "0", "0", largest), [4]string{"50.0", "0.0", "0.0", "50.0"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := shares(test.f)
			for i, want := range test.want {
				if got[i].Percent() != want {
					t.Errorf("%s: %s is %s, want %s", name, got[i].Name, got[i].Percent(), want)
				}
			}
		})
	}
	if got := shares(supply.Figures{}); got != nil {
		t.Errorf("nothing was split into %v", got)
	}
}

// The bar and the numbers beside it add up for all figures.
func TestSharesAddUp(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := func() ledger.Amount { return ledger.Whole(dice.Int64N(1<<uint(dice.IntN(40))), 18) }
		f := supply.Figures{Circulating: n(), Locked: n(), Reserved: n(), Burned: n()}
		f.Total = f.Circulating.Add(f.Locked).Add(f.Reserved)
		if f.Total.Add(f.Burned).Sign() == 0 {
			continue
		}
		var tenths, wide int64
		for _, s := range shares(f) {
			if s.From != wide || s.Wide < 0 || s.Tenths < 0 {
				t.Fatalf("%+v: %+v begins at %d", f, s, wide)
			}
			tenths, wide = tenths+s.Tenths, wide+s.Wide
		}
		if tenths != 1000 || wide != 100_000 {
			t.Fatalf("%+v: they add up to %d tenths and %d", f, tenths, wide)
		}
	}
}

func TestDays(t *testing.T) {
	for query, want := range map[string]int{"": 30, "days=7": 7, "days=30": 30, "days=all": 0, "days=8": 30,
		"days=90": 90, "days=365": 365, "days=0": 30, "days=-1": 30, "days=%00": 30} {
		r, err := http.NewRequest(http.MethodGet, "http://x/?"+query, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := days(r); got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
}
