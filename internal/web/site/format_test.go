package site

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

func amount(t *testing.T, s string) ledger.Amount {
	t.Helper()
	a, err := ledger.ParseAmount(s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

const largest = "115792089237316195423570985008687907853269984665640564039457584007913129639935"

// Rounded parts add up to their rounded sum, and each is less than one unit away from its part.
func TestRoundedPartsAddUp(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		sum := ledger.Zero(18)
		var parts []ledger.Amount
		for range random.IntN(8) + 1 {
			units := new(big.Int).SetBits([]big.Word{big.Word(random.Uint64()), big.Word(random.Uint64())})
			units.Rsh(units, uint(random.IntN(100)))
			parts = append(parts, ledger.Amount{Units: units, Decimals: 18})
			sum = sum.Add(parts[len(parts)-1])
		}
		places := random.IntN(2) * 4
		whole := floor(sum, places)
		got := ledger.Zero(places)
		one := ledger.Amount{Units: big.NewInt(1), Decimals: places}
		for i, p := range balance(places, whole, parts...) {
			got = got.Add(p)
			if d := p.Sub(parts[i]); d.Cmp(one) >= 0 || ledger.Zero(0).Sub(d).Cmp(one) >= 0 {
				t.Fatalf("%s is shown as %s", parts[i], p)
			}
		}
		if got.Cmp(whole) != 0 {
			t.Fatalf("%v add up to %s, and not to %s", parts, got, whole)
		}
	}
}

func TestAmountsInWords(t *testing.T) {
	for name, test := range map[string]struct{ got, want string }{
		"positive":   {signed(amount(t, "1234.5")), "+1,234.5"},
		"negative":   {signed(ledger.Zero(0).Sub(amount(t, "1234"))), "−1,234"},
		"none":       {signed(ledger.Zero(18)), "±0"},
		"whole":      {whole(amount(t, "12.5")), "12"},
		"fraction":   {fraction(amount(t, "12.05")), ".05"},
		"no digits":  {fraction(amount(t, "12")), ""},
		"short":      {short("0x00112233445566778899"), "0x001122…8899"},
		"short hex":  {short("0x1234"), "0x1234"},
		"licence":    {licence("CC-BY-4.0"), "https://spdx.org/licenses/CC-BY-4.0.html"},
		"no licence": {licence("all rights reserved"), ""},
		"second":     {length(0), "1 second"},
		"minutes":    {length(119*time.Minute + 59*time.Second), "1 hour"},
		"days":       {length(48 * time.Hour), "2 days"},
		"capital":    {capital("ægis"), "Ægis"},
	} {
		t.Run(name, func(t *testing.T) {
			if test.got != test.want {
				t.Errorf("%q, want %q", test.got, test.want)
			}
		})
	}
}

func TestChange(t *testing.T) {
	for _, test := range []struct{ from, to, want string }{
		{"100", "100", "unchanged"}, {"100", "101.5", "+1.50 %"}, {"100", "99", "−1.00 %"},
		{"1000000", "1000001", "+<0.01 %"}, {"3600", "3632", "+0.89 %"}, {"300", "302", "+0.67 %"},
		{"300", "298", "−0.67 %"}, {"0", "5", "from zero"},
	} {
		if got := change(amount(t, test.from), amount(t, test.to)); got != test.want {
			t.Errorf("%s to %s: %q, want %q", test.from, test.to, got, test.want)
		}
	}
}

func TestReasonsAreReadable(t *testing.T) {
	for text, want := range map[string]string{
		"total rises by 40 %, from 116943181.199378513580809 to 163720453.5": "Total rises by 40 %, from 116,943,181.19 to 163,720,453.5.",
		"went back from block 52531200 to 12":                                "Went back from block 52531200 to 12.",
		"It is back!":                                                        "It is back!",
	} {
		if got := sentence(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestExplorer(t *testing.T) {
	explorers := map[string]string{"good": "https://x.example/", "bad": "javascript:alert(1)//"}
	s := &Site{Config: Config{Explorers: explorers}}
	for chain, want := range map[string]string{"good": "https://x.example/address/0x1", "bad": "", "unknown": ""} {
		if got := s.explorer(chain, "address", "0x1"); got != want {
			t.Errorf("%s: %q, want %q", chain, got, want)
		}
	}
}

func TestBase(t *testing.T) {
	for url, want := range map[string]string{"https://a.example": "", "https://a.example/": "",
		"https://a.example/pages": "/pages", "http://localhost:8080/a/b/": "/a/b"} {
		s, err := New(Config{SiteURL: url, Board: supply.NewBoard(nil, supply.AgePolicy{}, false)})
		if err != nil {
			t.Fatal(err)
		}
		if s.base != want || !strings.HasPrefix(s.assets["site.css"], want+"/assets/site.css?h=") {
			t.Errorf("%s: %q, %q", url, s.base, s.assets["site.css"])
		}
	}
}

func TestPolicyNamesEveryHostOnce(t *testing.T) {
	got := contentPolicy("https://s.example/supply", "https://s.example.com", "https://s.example")
	for _, want := range []string{"default-src 'none'", "script-src 'self';", "style-src 'self';",
		"connect-src 'self' https://s.example https://s.example.com;", "frame-ancestors 'none'"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
	if strings.Contains(got, "unsafe") {
		t.Errorf("an unsafe address remains: %s", got)
	}
}
