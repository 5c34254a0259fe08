//go:build !race

package main

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// weakBorders returns the controls whose border has a contrast of less than 3 with its background.
const weakBorders = `(() => {
	const numbers = c => c.match(/[\d.]+/g).map(Number);
	const light = c => { const v = numbers(c).slice(0, 3).map(n => n / 255).map(n => n <= .03928 ? n / 12.92 : ((n + .055) / 1.055) ** 2.4); return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
	const behind = e => { for (e = e.parentElement; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (numbers(c)[3] !== 0) return c; } return "rgb(255, 255, 255)"; };
	return [...document.querySelectorAll("main :is(button, select, input:not([type=radio], [type=checkbox], [type=range]), .button)")].filter(e => e.offsetWidth && !e.closest("#viewer")).filter(e => {
		const a = light(getComputedStyle(e).borderTopColor), b = light(behind(e));
		return (Math.max(a, b) + .05) / (Math.min(a, b) + .05) < 3;
	}).map(e => e.outerHTML.slice(0, 120));
})()`

// emptyCards returns the cards of a pet that are higher than what they contain.
const emptyCards = `[...document.querySelectorAll(".portrait > .card")].map(e => {
	const last = Math.max(...[...e.children].map(c => c.getBoundingClientRect().bottom));
	return [e.getBoundingClientRect().bottom - parseFloat(getComputedStyle(e).paddingBottom) - last, e.outerHTML.slice(0, 80)];
}).filter(([blank]) => blank > 8).map(([blank, card]) => Math.round(blank) + " px: " + card)`

// sticksOut returns the parts of a page that are wider than the card that they are in, and the dates
// of a chart that overlap. Code may scroll sideways.
const sticksOut = `[...[...document.querySelectorAll("main :is(.scroll, .card, .then, .then-bar)")].filter(e => e.scrollWidth > e.clientWidth + 1 && !e.querySelector("pre")).map(e => e.scrollWidth - e.clientWidth + " px: " + e.outerHTML.slice(0, 80)),
	...[...document.querySelectorAll(".graph .date")].map(e => e.getBoundingClientRect()).filter(r => r.width).filter((r, i, all) => i && r.left < all[i - 1].right + 4).map(r => "a date at " + Math.round(r.left))]`

// torn returns the numbers of pets that continue on a second line, and the lines that begin with the
// dot between two links.
const torn = `(() => {
	const out = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
	const top = (n, at) => { range.setStart(n, at); range.setEnd(n, at + 1); return range.getBoundingClientRect().top; };
	for (let n; (n = walk.nextNode()); ) {
		if (!n.parentElement.checkVisibility()) continue;
		for (const m of n.data.matchAll(/#\d+/g)) if (top(n, m.index + m[0].length - 1) > top(n, m.index) + 4) out.push(n.parentElement.textContent);
		const before = n.previousSibling;
		if (/^\s·/.test(n.data) && before?.nodeName === "A" && top(n, 1) > before.getClientRects()[before.getClientRects().length - 1].bottom - 4) out.push(before.textContent + n.data);
	}
	return out;
})()`

// No page is wider than its screen, from the smallest to the largest, and at twice its size: 1280
// pixels at 200 % leave 640. Jump links do not scroll sideways. Pages are accessible in the dark theme too, which other tests do not
// try. A theme changes only colours, so one theme is enough for widths.
func fits(t *testing.T, browser context.Context, r *running) {
	barriers := axe(t)
	// The chart of these few days has the longest dates.
	_, _, tooEarly := fetch(t, r.site+"/token/jade?at=1")
	first, err := strconv.ParseInt(string(regexp.MustCompile(`at=(\d+)"`).FindSubmatch(tooEarly)[1]), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	earlyOn := fmt.Sprint("/token/jade?at=", first+4*24*60*60)
	for _, path := range []string{"/", "/token/crystal?days=all&mode=stack", "/token/jewel", earlyOn, "/gallery?sort=rarity", "/gallery?id=moth",
		"/gallery?id=" + strings.Repeat("x", 100), "/gallery/recent", "/pet/1000000000001?with=1", "/status"} {
		x := open(t, browser, desktop)
		x.visit(r.site + path)
		for _, wide := range []int64{320, 390, 640, 768, 1024, 1920, 1280} {
			if wide < 600 {
				x.do(chromedp.EmulateViewport(wide, 900, chromedp.EmulateMobile, chromedp.EmulateTouch))
			} else {
				x.do(chromedp.EmulateViewport(wide, 900))
			}
			if is := js[int64](x, "document.documentElement.scrollWidth"); is > wide {
				t.Errorf("%s is %d wide on a screen of %d", path, is, wide)
			}
			if is := js[int64](x, `Math.max(0, ...[...document.querySelectorAll("nav")].map(n => n.scrollWidth - n.clientWidth))`); is > 0 {
				t.Errorf("%s: on a screen of %d, a list of links scrolls sideways by %d", path, wide, is)
			}
			if broken := js[[]string](x, torn); len(broken) > 0 {
				t.Errorf("%s: on a screen of %d, this is torn: %q", path, wide, broken)
			}
			if out := js[[]string](x, sticksOut); len(out) > 0 {
				t.Errorf("%s: on a screen of %d, this sticks out: %q", path, wide, out)
			}
			if empty := js[[]string](x, emptyCards); len(empty) > 0 {
				t.Errorf("%s: on a screen of %d, cards are partly empty: %q", path, wide, empty)
			}
		}
		// A long name breaks before its number, not in it.
		x.do(chromedp.EmulateViewport(320, 900))
		if broken := js[[]string](x, `[...Array(14).keys()].flatMap(n => { for (const name of document.querySelectorAll(".recent a > bdi")) name.textContent = "n".repeat(n + 6); return `+torn+`; })`); len(broken) > 0 {
			t.Errorf("%s: with longer names, this is torn: %q", path, broken)
		}
		x.do(chromedp.EmulateViewport(1280, 900))
		for _, scheme := range []string{"light", "dark"} {
			x.theme(scheme)
			if weak := js[[]string](x, weakBorders); len(weak) > 0 {
				t.Errorf("%s, %s: hardly a border has %q", path, scheme, weak)
			}
		}
		checkAccessible(t, x, barriers)
		if c := x.consoleErrors(); len(c) > 0 {
			t.Errorf("the console says %q", c)
		}
	}
}

// A pet moves while it is visible, until the visitor stops it. It never moves if the visitor wants
// no motion.
func motion(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, desktop)
	x.visit(r.site + "/pet/1")
	x.wait(`document.getElementById("picture").src.includes("animated=true")`)
	x.do(chromedp.Click(chromedp.CSS("[data-motion]")))
	x.wait(`!document.getElementById("picture").src.includes("animated") && document.querySelector("[data-motion]").textContent === "Resume animation"`)
	x.visit(r.site + "/gallery")
	js[bool](x, `(document.querySelector(".grid .pet").focus(), true)`)
	x.wait(`document.querySelectorAll('.grid img[src*="animated"]').length === 1`)
	js[bool](x, `(document.activeElement.blur(), true)`)
	x.wait(`document.querySelectorAll('.grid img[src*="animated"]').length === 0`)

	send(x, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}})
	x.visit(r.site + "/pet/1")
	x.wait(`document.querySelector("[data-motion]").hidden && document.getElementById("picture").complete`)
	js[bool](x, `(document.querySelector(".strip .pet").focus(), true)`)
	x.mu.Lock()
	defer x.mu.Unlock()
	asked := 0
	for _, url := range x.asked {
		if strings.Contains(url, "/image/1?") && strings.Contains(url, "animated") {
			asked++
		}
	}
	if asked > 2 { // once on its page, and once in the gallery
		t.Errorf("moving pictures were asked for %d times", asked)
	}
}
