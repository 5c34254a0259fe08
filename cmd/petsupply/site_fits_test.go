//go:build !race

package main

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// weakBorders returns the controls whose border has a contrast of less than 3 with its background.
const weakBorders = `(() => {
	const numbers = c => c.match(/[\d.]+/g).map(Number);
	const light = c => {
		const v = numbers(c).slice(0, 3).map(n => n / 255)
			.map(n => n <= .03928 ? n / 12.92 : ((n + .055) / 1.055) ** 2.4);
		return .2126 * v[0] + .7152 * v[1] + .0722 * v[2];
	};
	const behind = e => {
		for (e = e.parentElement; e; e = e.parentElement) {
			const c = getComputedStyle(e).backgroundColor;
			if (numbers(c)[3] !== 0) return c;
		}
		return "rgb(255, 255, 255)";
	};
	const controls = "button, select, input:not([type=radio], [type=checkbox], [type=range]), .button";
	return [...document.querySelectorAll("main :is(" + controls + ")")].filter(e => e.offsetWidth).filter(e => {
		const a = light(getComputedStyle(e).borderTopColor), b = light(behind(e));
		return (Math.max(a, b) + .05) / (Math.min(a, b) + .05) < 3;
	}).map(e => e.outerHTML.slice(0, 120));
})()`

// sticksOut returns what is wider than its place, and dates of a chart that touch.
const sticksOut = `[...[...document.querySelectorAll("main .box")]
		.filter(e => e.scrollWidth > e.clientWidth + 1 && !e.querySelector("pre"))
		.map(e => e.scrollWidth - e.clientWidth + " px: " + e.outerHTML.slice(0, 80)),
	...[...document.querySelectorAll(".graph .date")].map(e => e.getBoundingClientRect()).filter(r => r.width)
		.filter((r, i, all) => i && r.left < all[i - 1].right + 4).map(r => "a date at " + Math.round(r.left))]`

// torn returns the numbers of pets that continue on a second line, and the lines that begin with the
// dot between two links.
const torn = `(() => {
	const out = [], range = document.createRange();
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	const top = (n, at) => {
		range.setStart(n, at);
		range.setEnd(n, at + 1);
		return range.getBoundingClientRect().top;
	};
	for (let n; (n = walk.nextNode()); ) {
		if (!n.parentElement.checkVisibility()) continue;
		for (const m of n.data.matchAll(/#\d+/g)) {
			if (top(n, m.index + m[0].length - 1) > top(n, m.index) + 4) out.push(n.parentElement.textContent);
		}
		const before = n.previousSibling;
		if (/^\s·/.test(n.data) && before?.nodeName === "A" &&
				top(n, 1) > [...before.getClientRects()].at(-1).bottom - 4) {
			out.push(before.textContent + n.data);
		}
	}
	return out;
})()`

// checkFits checks that the page is not wider than its screen, from the smallest to the largest, and at
// twice its size: 1280 pixels at 200 % leave 640. Jump links do not scroll sideways. Borders can be seen. A
// theme changes only colours, so one theme is enough for widths.
func checkFits(t *testing.T, x *tab) {
	t.Helper()
	for _, wide := range []int64{320, 390, 640, 768, 1024, 1920, 1280} {
		if wide < 600 {
			x.do(chromedp.EmulateViewport(wide, 900, chromedp.EmulateMobile, chromedp.EmulateTouch))
		} else {
			x.do(chromedp.EmulateViewport(wide, 900))
		}
		if is := js[int64](x, "document.documentElement.scrollWidth"); is > wide {
			t.Errorf("it is %d wide on a screen of %d", is, wide)
		}
		is := js[int64](x, `Math.max(0, ...[...document.querySelectorAll("nav")]
			.map(n => n.scrollWidth - n.clientWidth))`)
		if is > 0 {
			t.Errorf("on a screen of %d, a list of links scrolls sideways by %d", wide, is)
		}
		if broken := js[[]string](x, torn); len(broken) > 0 {
			t.Errorf("on a screen of %d, this is torn: %q", wide, broken)
		}
		if out := js[[]string](x, sticksOut); len(out) > 0 {
			t.Errorf("on a screen of %d, this sticks out: %q", wide, out)
		}
	}
	for _, scheme := range []string{"dark", "light"} {
		x.theme(scheme)
		if weak := js[[]string](x, weakBorders); len(weak) > 0 {
			t.Errorf("%s: hardly a border has %q", scheme, weak)
		}
	}
}
