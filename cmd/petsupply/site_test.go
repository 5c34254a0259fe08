//go:build !race

package main

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
)

// A sitePage is a page that everyone may come to.
type sitePage struct {
	name, path string
	status     int
}

var sitePages = []sitePage{
	{name: "home", path: "/"},
	{name: "token", path: "/token/jewel?days=all"},
	{name: "past-token", path: "/token/jewel?at=" + time.Now().AddDate(0, 0, -40).UTC().Format("2006-01-02T15:04")},
	{name: "gallery", path: "/gallery"},
	{name: "kinds", path: "/gallery/kinds"},
	{name: "nothing-found", path: "/gallery?rarity=4&element=3&shiny=1&egg=0&background=2"},
	{name: "pet", path: "/pet/1000000000001"},
	{name: "api", path: "/api"},
	{name: "status", path: "/status"},
	{name: "no-page", path: "/nowhere", status: http.StatusNotFound},
	{name: "no-number", path: "/pet/0x12", status: http.StatusBadRequest},
}

// The demo's pages in a real browser: sound, light, within the policy, without
// barriers, and doing what they promise.
func TestSite(t *testing.T) {
	browser, barriers := chrome(t), axe(t)
	r := start(t, "--data", t.TempDir())
	t.Run("looks", func(t *testing.T) {
		for _, l := range sitePages {
			for _, d := range []device{phone, desktop} {
				t.Run(l.name+"-"+d.name, func(t *testing.T) {
					x := open(t, browser, d)
					x.visit(r.site + l.path)
					checkPage(t, x, l, d, r.site)
					checkAccessible(t, x, barriers)
					x.screenshot("demo-" + l.name + "-" + d.name)
				})
			}
		}
	})
	for name, test := range map[string]func(*testing.T, context.Context, *running){
		"switches": switches, "filters": filters, "paging": paging, "late replies": lateReplies, "search": search, "hover": hover, "viewer": viewer,
		"without scripts": withoutScripts, "unfolding": unfolding, "refusals": refusals, "fits": fits, "motion": motion, "plays": plays, "tap": tap, "days": days, "printed": printed,
	} {
		t.Run(name, func(t *testing.T) { test(t, browser, r) })
	}
}

// checkPage finds what is wrong with a page that has loaded.
func checkPage(t *testing.T, x *tab, l sitePage, d device, bases ...string) {
	t.Helper()
	if l.status == 0 {
		x.wait(`(document.getElementById("stream")?.textContent ?? "Live").startsWith("Live")`) // the API page has none
	}
	consoleErrors := slices.DeleteFunc(x.consoleErrors(), func(s string) bool {
		return l.status != 0 && strings.Contains(s, "Failed to load resource") && strings.HasSuffix(s, l.path) // that is the page itself
	})
	if len(consoleErrors) > 0 {
		t.Errorf("the console says %q", consoleErrors)
	}
	if wide := js[int64](x, "document.documentElement.scrollWidth"); wide > d.wide {
		t.Errorf("it is %d wide on a screen of %d", wide, d.wide)
	}
	// Nothing moves once it is there. A layout shift is counted by the share of
	// the screen that moved.
	moved := js[struct {
		Sum  float64
		What []string
	}](x, `new Promise(done => { const sum = { Sum: 0, What: [] }, add = l => { for (const e of l) { sum.Sum += e.value;
			for (const s of e.sources) if (s.node) sum.What.push((s.node.outerHTML || s.node.textContent).slice(0, 80)); } };
		const o = new PerformanceObserver(l => add(l.getEntries())); o.observe({ type: "layout-shift", buffered: true });
		setTimeout(() => { add(o.takeRecords()); done(sum); }, 50); })`)
	if moved.Sum > 0.001 {
		t.Errorf("its layout shifted by %.3f: %q", moved.Sum, moved.What)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	weight := 0.0
	for id, url := range x.asked {
		if !strings.HasPrefix(url, "data:") && !slices.ContainsFunc(bases, func(b string) bool { return strings.HasPrefix(url, b+"/") }) {
			t.Errorf("it asked for %s", url)
		}
		if x.kinds[id] != network.ResourceTypeImage {
			weight += x.bytes[id]
		}
	}
	if weight < 1000 || weight > 100_000 {
		t.Errorf("without pictures it weighs %.0f bytes, want fewer than 100,000", weight)
	}
	t.Logf("%.0f bytes without pictures", weight)
}

// checkAccessible finds what keeps somebody out of a page.
func checkAccessible(t *testing.T, x *tab, barriers string) {
	t.Helper()
	js[bool](x, barriers+"; true")
	found := js[[]string](x, `axe.run({ exclude: ["#viewer"] }, { resultTypes: ["violations"] }).then(r => r.violations.map(v => v.id + ": " + v.help + ": " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + " " + n.failureSummary).join(" | ")))`)
	for _, f := range found {
		t.Errorf("a barrier: %s", f)
	}
}
