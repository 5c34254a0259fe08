//go:build !race

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// hostileConfig has tokens that are difficult to show, on three hosts, and a realm whose chain does
// not answer.
const hostileConfig = `
supply_url: http://supply.localhost:PORT
pets_url: http://pets.localhost:PORT
site_url: http://localhost:PORT
chains:
  silent: {id: 77, rpc: ["http://127.0.0.1:1"]}
tokens:
  - path: colossus
    symbol: COLOSSUS
    name: The Most Enormously Large Token That Anybody Ever Wrote Down In One Long Name
    decimals: 0
    ledger:
      - {label: "<script>alert(1)</script>", bucket: issued, amount: "115792089237316195423570985008687907853269984665640564039457584007913129639935", reason: "<img src=x onerror=alert(1)>"}
      - {label: Reserve, bucket: reserved, amount: "5792089237316195423570985008687907853269984665640564039457584007913129639935", reason: Kept}
  - path: mote
    symbol: MOTE
    name: "Mote </title><script>alert(2)</script>"
    decimals: 77
    ledger:
      - {label: Dust, bucket: issued, amount: "1.15792089237316195423570985008687907853269984665640564039457584007913129639935", reason: Every digit}
      - {label: Lost, bucket: burned, amount: "0.00000000000000000000000000000000000000000000000000000000000000000000000000001", reason: Hardly}
realms:
  - {key: old, name: "Old <b>Realm</b>", offset: 0, chain: silent, contract: "0x0000000000000000000000000000000000000001", getter: v1, closed: true}
  - {key: mute, name: Mute Realm, offset: 1000000000000, chain: silent, contract: "0x0000000000000000000000000000000000000002", getter: v2}
`

// hostileNames are names that owners may give, with the form in which pages may show them.
var hostileNames = []struct{ written, shown string }{
	{`<script>alert("pet")</script>`, `<script>alert("pet")</script>`},
	{`<img src=x onerror=alert(3)>`, `<img src=x onerror=alert(3)>`},
	{"\u202egnp.evil\u202c", "gnp.evil"},
	{"\u2067\u05d0\u05d1\u05d2\u2069 end", "\u05d0\u05d1\u05d2 end"},
	{strings.Repeat("A", 64), strings.Repeat("A", 64)},
	{strings.Repeat("\u05d0", 200), strings.Repeat("\u05d0", 64) + "…"},
	{"\U0001f409\U0001f525 Ember \U0001f3f3\ufe0f", "\U0001f409\U0001f525 Ember \U0001f3f3\ufe0f"},
	{`"quoted" & 'both' {{.}}`, `"quoted" & 'both' {{.}}`},
	{"two\nlines\tand\u0000more", "two lines andmore"},
}

// Names and figures that try to break pages are shown and do no harm.
func TestSiteHostile(t *testing.T) {
	browser := chrome(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	dir := t.TempDir()
	file := filepath.Join(dir, "petsupply.yaml")
	pets := filepath.Join(dir, "pets.jsonl")
	write(t, file, strings.ReplaceAll(hostileConfig, "PORT", port))
	write(t, pets, hostilePets(t))
	var out bytes.Buffer
	if code := run(t.Context(), []string{"import", pets, "--config", file, "--data", dir}, os.Getenv,
		strings.NewReader(""), &out, &out); code != exitOK {
		t.Fatalf("importing: %d %s", code, &out)
	}
	r := start(t, "--config", file, "--data", dir, "--listen", "127.0.0.1:"+port)
	bases := []string{"http://localhost:" + port, "http://supply.localhost:" + port, "http://pets.localhost:" + port}
	for _, on := range []struct {
		device device
		paths  []string
	}{
		{phone, []string{"/", "/token/colossus", "/token/mote", "/gallery", "/status", "/pet/1"}},
		{desktop, []string{"/", "/api"}},
	} {
		d := on.device
		x := openUncached(t, browser, on.device)
		for _, path := range on.paths {
			t.Run(strings.Trim(strings.ReplaceAll(path, "/", "-"), "-")+"-"+d.name, func(t *testing.T) {
				x.begin(t)
				x.visit(r.site + path)
				checkPage(t, x, sitePage{}, d, bases...)
				bad := js[int64](x, `
					document.querySelectorAll("main script, [onerror], main b b, a[href^=javascript]").length +
					[...document.querySelectorAll("main img")]
						.filter(i => i.complete && !i.naturalWidth && i.loading !== "lazy").length`)
				if bad > 0 {
					t.Errorf("%d elements come from foreign text, or pictures did not load", bad)
				}
				x.screenshot("hostile" + strings.ReplaceAll(path, "/", "-") + "-" + d.name)
			})
		}
	}
	t.Run("names", func(t *testing.T) {
		x := open(t, browser, phone)
		for i, name := range hostileNames {
			x.visit(fmt.Sprintf("%s/pet/%d", r.site, i+1))
			if wide := js[int64](x, "document.documentElement.scrollWidth"); wide > phone.wide {
				t.Errorf("%q makes the page %d wide", name.written, wide)
			}
			if got := js[string](x, `document.querySelector("h1 bdi").textContent`); got != name.shown {
				t.Errorf("%q is shown as %q, want %q", name.written, got, name.shown)
			}
			if js[bool](x, `/[\u202a-\u202e\u2066-\u2069]/.test(document.documentElement.outerHTML)`) {
				t.Errorf("%q turns the text around", name.written)
			}
		}
		for _, d := range []device{phone, desktop} {
			x := open(t, browser, d)
			x.visit(r.site + "/gallery")
			lost := js[[]string](x, `[...document.querySelectorAll(".called")]
				.filter(b => b.scrollWidth > b.clientWidth + 1 || b.getBoundingClientRect().width > 181)
				.map(b => b.textContent)`)
			if len(lost) > 0 {
				t.Errorf("%s: the numbers %q are cut off", d.name, lost)
			}
		}
		if c := x.consoleErrors(); len(c) > 0 {
			t.Errorf("the console says %q", c)
		}
	})
	t.Run("unavailable", func(t *testing.T) {
		x := open(t, browser, phone)
		x.do(chromedp.Navigate(r.site + "/pet/1000000000001")) // visit would load a refused page again
		x.wait(`document.readyState === "complete"`)
		if text := x.text("h1"); text != "Not available right now" {
			t.Errorf("it says %q", text)
		}
		x.screenshot("hostile-unavailable-phone")
		if status, header, _ := fetch(t, r.site+"/pet/1000000000001"); status != http.StatusServiceUnavailable ||
			header.Get("Retry-After") == "" {
			t.Errorf("it answers %d, to be tried again after %q", status, header.Get("Retry-After"))
		}
	})
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func hostilePets(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for i, name := range hostileNames {
		line, err := json.Marshal(map[string]any{
			"id": i + 1, "originid": 0, "name": name.written, "season": 1, "eggtype": 1, "rarity": 4, "element": 2,
			"bonuscount": 2, "profbonus": 3,
			"profbonusscalar": 15, "craftbonus": 90, "craftbonusscalar": 24, "combatbonus": 200, "combatbonusscalar": 9,
			"appearance": 5, "background": 1, "shiny": 1,
			"hungryat": "18446744073709551615", "equippableat": "1", "equippedto": "0",
			"owner": "0xdDC71CBbD12A5Cff76AB601ce03ee50FA10884a3", "block": 10, "at": 1700000000,
		})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n", line)
	}
	return b.String()
}
