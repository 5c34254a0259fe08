//go:build !race

package main

import (
	"cmp"
	"context"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
)

// A sitePage is a page that visitors can reach.
type sitePage struct {
	name, path string
	status     int
}

var sitePages = []sitePage{
	{name: "home", path: "/"},
	{name: "token", path: "/token/crystal?days=all"},
	{name: "week", path: "/token/jade?days=7"},
	{name: "gallery", path: "/gallery?sort=rarity"},
	{name: "long-search", path: "/gallery?q=" + strings.Repeat("x", 100)},
	{name: "nothing-found", path: "/gallery?rarity=4&element=3&shiny=1&egg=0"},
	{name: "pet", path: "/pet/1000000000001"},
	{name: "api", path: "/api"},
	{name: "status", path: "/status"},
	{name: "about", path: "/about"},
	{name: "no-page", path: "/nowhere", status: http.StatusNotFound},
	{name: "no-number", path: "/pet/0x12", status: http.StatusBadRequest},
}

// The demo's pages in a real browser: they work, are small, follow the policy, and are accessible.
func TestSite(t *testing.T) {
	browser := chrome(t)
	barriers := axe(t)
	r := start(t, "--data", t.TempDir())
	t.Run("looks", func(t *testing.T) {
		for _, d := range []device{phone, desktop} {
			x := openUncached(t, browser, d)
			for _, l := range sitePages {
				t.Run(l.name+"-"+d.name, func(t *testing.T) {
					x.begin(t)
					x.visit(r.site + l.path)
					checkPage(t, x, l, d, r.site)
					if d == desktop {
						checkAccessible(t, x, barriers)
						checkFits(t, x)
					} else { // the elements are the same, but not their places and colours
						checkFingers(t, x)
						checkContrast(t, x, barriers)
						x.theme("light")
						checkContrast(t, x, barriers)
						x.theme("dark")
					}
					x.screenshot("demo-" + l.name + "-" + d.name)
				})
			}
		}
	})
	for name, test := range map[string]func(*testing.T, context.Context, *running){
		"search": search, "hover": hover, "tap": tap, "copies": copies, "news": news, "motion": motion, "plays": plays,
		"printed": printed, "links": links, "without scripts": withoutScripts,
	} {
		t.Run(name, func(t *testing.T) { test(t, browser, r) })
	}
}

// checkPage finds faults of a page that has loaded.
func checkPage(t *testing.T, x *tab, l sitePage, d device, bases ...string) {
	t.Helper()
	got := js[int](x, `performance.getEntriesByType("navigation")[0].responseStatus`)
	want := cmp.Or(l.status, http.StatusOK)
	if got != want {
		t.Errorf("it has the status %d, want %d", got, want)
	}
	x.wait(`document.documentElement.classList.contains("ready")`)
	consoleErrors := slices.DeleteFunc(x.consoleErrors(), func(s string) bool {
		// the page itself, which is an error
		return l.status != 0 && strings.Contains(s, "Failed to load resource") && strings.HasSuffix(s, l.path)
	})
	if len(consoleErrors) > 0 {
		t.Errorf("the console says %q", consoleErrors)
	}
	if wide := js[int64](x, "document.documentElement.scrollWidth"); wide > d.wide {
		t.Errorf("it is %d wide on a screen of %d", wide, d.wide)
	}
	// Nothing moves after it was drawn. A layout shift is measured as the share of the screen that
	// moved. On a busy machine the emulated screen can get its size after the page's first lines,
	// which does not happen on a real screen. So only a page that shifts again after a reload
	// fails.
	for try := 1; ; try++ {
		moved := js[struct {
			Sum  float64
			What []string
		}](x, `new Promise(done => {
			const sum = { Sum: 0, What: [] };
			const add = l => { for (const e of l) {
				sum.Sum += e.value;
				for (const s of e.sources) {
					if (s.node) sum.What.push((s.node.outerHTML || s.node.textContent).slice(0, 80));
				}
			} };
			const o = new PerformanceObserver(l => add(l.getEntries()));
			o.observe({ type: "layout-shift", buffered: true });
			setTimeout(() => { add(o.takeRecords()); done(sum); }, 50);
		})`)
		if moved.Sum <= 0.001 {
			break
		}
		if try == 3 {
			t.Errorf("its layout shifted by %.3f: %q", moved.Sum, moved.What)
			break
		}
		x.begin(t)
		x.visit(js[string](x, "location.href"))
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	weight := 0.0
	all := 0.0
	for id, url := range x.asked {
		if !strings.HasPrefix(url, "data:") &&
			!slices.ContainsFunc(bases, func(b string) bool { return strings.HasPrefix(url, b+"/") }) {
			t.Errorf("it asked for %s", url)
		}
		all += x.bytes[id]
		if x.kinds[id] != network.ResourceTypeImage {
			weight += x.bytes[id]
		}
	}
	if weight < 1000 || weight > 100_000 {
		t.Errorf("without pictures it weighs %.0f bytes, want fewer than 100,000", weight)
	}
	if l.name == "gallery" && all > 250_000 {
		t.Errorf("with the pictures of its first screen it weighs %.0f bytes, want at most 250,000", all)
	}
	t.Logf("%.0f bytes without pictures, %.0f with them", weight, all)
}

// checkAccessible finds barriers for people with disabilities.
func checkAccessible(t *testing.T, x *tab, barriers string) {
	t.Helper()
	checkRules(t, x, barriers, `{ resultTypes: ["violations"] }`)
}

// checkContrast finds text that is hard to read in these colours and at this width.
func checkContrast(t *testing.T, x *tab, barriers string) {
	t.Helper()
	checkRules(t, x, barriers, `{ resultTypes: ["violations"], runOnly: ["color-contrast"] }`)
}

func checkRules(t *testing.T, x *tab, barriers, options string) {
	t.Helper()
	js[bool](x, barriers+"; true")
	found := js[[]string](x, `axe.run(`+options+`).then(r => r.violations.map(v => v.id + ": " + v.help + ": " +
		v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + " " + n.failureSummary).join(" | ")))`)
	for _, f := range found {
		t.Errorf("a barrier: %s", f)
	}
}

// checkFingers finds controls that are too small for a finger.
func checkFingers(t *testing.T, x *tab) {
	t.Helper()
	low := js[[]string](x, `[...document.querySelectorAll("button, select, summary, .button, nav a, " +
			"label:has([type=radio], [type=checkbox]), input:not([type=radio], [type=checkbox])")]
		.filter(e => e.checkVisibility({ visibilityProperty: true }) && e.offsetHeight < 44)
		.map(e => e.offsetHeight + " px: " + e.outerHTML.slice(0, 120))`)
	for _, f := range low {
		t.Errorf("too low for a finger, %s", f)
	}
}

var linked = regexp.MustCompile(`(?:href|src|action)="([^"#]+)`)

// No page has a broken link.
func links(t *testing.T, _ context.Context, r *running) {
	seen := map[string]string{}
	for _, l := range sitePages {
		_, _, body := fetch(t, r.site+l.path)
		for _, m := range linked.FindAllSubmatch(body, -1) {
			to := html.UnescapeString(string(m[1]))
			if strings.HasPrefix(to, "/") {
				to = r.site + to
			}
			if strings.HasPrefix(to, r.site+"/") {
				seen[to] = l.path
			}
		}
	}
	if len(seen) < 100 {
		t.Errorf("only %d links were found", len(seen))
	}
	for to, from := range seen {
		if res, err := http.Get(to); err != nil || res.Body.Close() != nil || res.StatusCode != http.StatusOK {
			t.Errorf("%s links to %s: %v, %v", from, to, res.Status, err)
		}
	}
}
