package site

import (
	"html/template"
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

func TestFigure(t *testing.T) {
	for in, want := range map[string]string{
		"0":                                "0|",
		"999":                              "999|",
		"1000":                             "1,000|",
		"123456789012.5":                   "123,456,789,012|.5|",
		"1234567890123":                    "1,/234,/567,/890,/123|",
		"7.123456789012345678":             "7|.123456789012345678|",
		"7.1234567890123456789":            "7|.123456789012345678|9|",
		"7.123456789012345678901234567890": "7|.123456789012345678|90123456789|",
	} {
		a := amount(t, in)
		if got := written(&a); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	if got := written(nil); got != "–|" {
		t.Errorf("a missing amount is written as %s", got)
	}
}

// written returns a figure with a bar at the end of each piece, and a slash at each possible line
// break within a piece.
func written(a *ledger.Amount) string {
	return strings.NewReplacer(`<span class="figure">`, "", `<span class="whole">`, "", `<span class="rest">`, "",
		"</span></span>", "|", "</span>", "|", "<wbr>", "/").Replace(string(figure(a)))
}

func FuzzFigure(f *testing.F) {
	f.Add(largest)
	f.Add(largest + "." + largest)
	f.Add("0.000000000000000000000000000000001")
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ledger.ParseAmount(s)
		if err != nil {
			return
		}
		if got := strings.NewReplacer(",", "", "/", "", "|", "").Replace(written(&a)); got != a.String() {
			t.Errorf("%s is shown as %s", a, got)
		}
	})
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                      "just now",
		999 * time.Millisecond: "just now",
		time.Second:            "1 second ago",
		59 * time.Second:       "59 seconds ago",
		time.Minute:            "1 minute ago",
		2*time.Hour - 1:        "1 hour ago",
		48 * time.Hour:         "2 days ago",
		1826 * 24 * time.Hour:  "1,826 days ago",
		-time.Minute:           "in 1 minute",
		-72 * time.Hour:        "in 3 days",
	} {
		if got := age(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestPieces(t *testing.T) {
	for in, want := range map[string]template.HTML{
		"https://a.example/b/<i>": "https://a.example/<wbr>b/<wbr>&lt;i&gt;",
		"<plain>":                 "&lt;plain&gt;",
	} {
		if got := breakable(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{"": "", "0x1234": "0x1234", "0x00112233445566778899": "0x001122…8899"} {
		if got := short(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"1": "1", "12": "12", "123": "123", "1234": "1,234", "123456": "123,456",
		"1234567": "1,234,567"} {
		if got := ledger.Grouped(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestPart(t *testing.T) {
	for _, test := range []struct {
		a, whole string
		scale    int64
		want     int64
	}{
		{"1", "3", 1000, 333},
		{"3", "3", 1000, 1000},
		{"0", "3", 1000, 0},
		{"1", "0", 1000, 0},
		{"0.000000000000000001", "1", 1000, 0},
		{largest, largest, 100_000, 100_000},
		{largest, "0.000000000000000001", 1000, 1<<63 - 1},
	} {
		t.Run(test.a+" of "+test.whole, func(t *testing.T) {
			if got := portion(amount(t, test.a), amount(t, test.whole), test.scale); got != test.want {
				t.Errorf("%s of %s: %d, want %d", test.a, test.whole, got, test.want)
			}
		})
	}
}

func TestExplorer(t *testing.T) {
	s := &Site{Config: Config{Explorers: map[string]string{"good": "https://x.example/", "bad": "javascript:alert(1)//",
		"none": ""}}}
	for chain, want := range map[string]string{"good": "https://x.example/address/0x1", "bad": "", "none": "",
		"unknown": ""} {
		if got := s.explorer(chain, "address", "0x1"); got != want {
			t.Errorf("%s: %q, want %q", chain, got, want)
		}
	}
	if got := s.explorer("good", "block", "7"); got != "https://x.example/block/7" {
		t.Errorf("the address of a block is %s", got)
	}
	if got := s.explorer("bad", "block", "7"); got != "" {
		t.Errorf("a bad explorer gives the address %s", got)
	}
}

func TestBase(t *testing.T) {
	for url, want := range map[string]string{"https://a.example": "", "https://a.example/": "",
		"https://a.example/pages": "/pages", "http://localhost:8080/a/b/": "/a/b"} {
		s, err := New(complete(Config{SiteURL: url, Board: supply.NewBoard(nil, supply.AgePolicy{}, false)}))
		if err != nil {
			t.Fatal(err)
		}
		if s.base != want {
			t.Errorf("%s: %q, want %q", url, s.base, want)
		}
	}
}

func TestPolicyNamesEveryHostOnce(t *testing.T) {
	got := contentPolicy("https://s.example/supply", "https://p.example", "https://s.example")
	for _, want := range []string{"default-src 'none'", "script-src 'self';", "style-src 'self';",
		"connect-src 'self' https://s.example https://p.example;", "frame-ancestors 'none'"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
	if strings.Contains(got, "unsafe") {
		t.Errorf("an unsafe address remains: %s", got)
	}
}

func TestReasonsAreReadable(t *testing.T) {
	for text, want := range map[string]string{
		"total rises by 40%, from 116943181.199378513580809 to 163720453.5; a change of more than 10% at once is held": "total rises by 40%, from 116,943,181 to 163,720,453; a change of more than 10% at once is held",
		"total rises by more than 1%, from 50000.251 to 50000.759":                                                     "total rises by more than 1%, from 50,000.25 to 50,000.75",
		"total falls by 40%, from 12345.678 to 7407.4068":                                                              "total falls by 40%, from 12,345 to 7,407",
		"total falls by 99%, from 12345.678 to 123.4568":                                                               "total falls by 99%, from 12,345.67 to 123.45",
		"total 5000.000000000000000001 is above the maximum 5000":                                                      "total 5,000 is above the maximum 5000",
		"total 50000.000000000000000001 is above the maximum 50000":                                                    "total 50,000.000000000000000001 is above the maximum 50,000",
		"went back from block 52531200 to 12":                                                                          "went back from block 52,531,200 to 12",
		"0x00000000000000000001, 2026-11-01":                                                                           "0x00000000000000000001, 2026-11-01",
	} {
		if got := readable(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
