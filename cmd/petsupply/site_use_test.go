//go:build !race

package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// search: a number, an address and the beginning of a name find pets, and choices take effect at
// once.
func search(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, desktop)
	for _, test := range []struct{ typed, done string }{
		{"1,000,000,000,042", `location.pathname === "/pet/1000000000042"`},
		{"42", `location.search.startsWith("?q=42") && document.querySelectorAll(".grid .pet").length === 3`},
		{"burr", `location.search.startsWith("?q=burr") && !!document.querySelector(".grid .pet")`},
	} {
		x.visit(r.site + "/gallery")
		x.do(chromedp.SendKeys(chromedp.CSS("[name=q]"), test.typed+kb.Enter))
		x.wait(test.done)
	}
	x.visit(r.site + "/gallery")
	js[bool](x, `(() => {
		const s = document.querySelector("[name=rarity]");
		s.value = "4";
		return s.dispatchEvent(new Event("change", { bubbles: true }));
	})()`)
	x.wait(`location.search.includes("rarity=4") && document.querySelector("[name=rarity]").value === "4" &&
		[...document.querySelectorAll(".grid small")].every(s => s.textContent === "Mythic")`)
	x.do(chromedp.Click(chromedp.CSS("a[rel=next]")))
	x.wait(`location.search.includes("cursor=") && !!document.querySelector(".grid .pet")`)
	if c := x.consoleErrors(); len(c) > 0 {
		t.Errorf("the console says %q", c)
	}
}

// The chart shows the values under the pointer, and those that the arrow keys select.
func hover(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, desktop)
	x.visit(r.site + "/token/jewel")
	box := js[[]float64](x, `(() => {
		const s = document.querySelector(".graph");
		s.scrollIntoView({ block: "center" });
		const b = s.getBoundingClientRect();
		return [b.left, b.top, b.width, b.height];
	})()`)
	value := regexp.MustCompile(`^\d{1,2} \w{3} \d{4} \d\d:\d\d UTC\n` +
		`Circulating \d{1,3}(,\d{3})+\nTotal \d{1,3}(,\d{3})+$`)
	var before string
	for _, share := range []float64{0.1, 0.5, 0.9} {
		x.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, box[0]+share*box[2], box[1]+box[3]/2))
		x.wait(fmt.Sprintf(`!document.querySelector(".tip").hidden &&
			document.querySelector(".tip").textContent !== %q`, before))
		before = js[string](x, `document.querySelector(".tip").textContent`)
		if !value.MatchString(before) {
			t.Errorf("at %v it says %q", share, before)
		}
		if !js[bool](x, `(() => {
			const p = document.querySelector(".chart").getBoundingClientRect();
			const b = document.querySelector(".tip").getBoundingClientRect();
			return b.left >= p.left - 1 && b.right <= p.right + 1;
		})()`) {
			t.Errorf("at %v the values stick out of the chart", share)
		}
	}
	x.screenshot("demo-hover-desktop")
	x.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, 5, 5))
	x.wait(`document.querySelector(".tip").hidden`)
	js[bool](x, `(document.querySelector(".graph").focus({ focusVisible: true }), true)`)
	x.do(chromedp.KeyEvent(kb.End))
	last := js[string](x, `document.querySelector(".tip").textContent`)
	x.do(chromedp.KeyEvent(kb.ArrowLeft))
	if left := js[string](x, `document.querySelector(".tip").textContent`); left == last || !value.MatchString(left) {
		t.Errorf("an arrow key led from %q to %q", last, left)
	}
	x.do(chromedp.Click(chromedp.CSS(`.tabs a[href="?days=7"]`)))
	x.wait(`location.search === "?days=7" &&
		document.querySelector('.tabs a[href="?days=7"]').hasAttribute("aria-current")`)
	if c := x.consoleErrors(); len(c) > 0 {
		t.Errorf("the console says %q", c)
	}
}

// A tap on the chart shows the values there, until a tap elsewhere.
func tap(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, phone)
	x.visit(r.site + "/token/jewel")
	box := js[[]float64](x, `(() => {
		const s = document.querySelector(".graph");
		s.scrollIntoView({ block: "center" });
		const b = s.getBoundingClientRect();
		return [b.left + b.width / 2, b.top + b.height / 2];
	})()`)
	touch := func(left, top float64) {
		send(x, input.SynthesizeTapGesture, input.SynthesizeTapGestureParams{X: left, Y: top})
	}
	touch(box[0], box[1])
	x.wait(`!document.querySelector(".tip").hidden`)
	touch(box[0], 5)
	x.wait(`document.querySelector(".tip").hidden`)
}

// The button that copies an address never covers it, and copies all of it.
func copies(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, phone)
	for _, path := range []string{"/token/jewel", "/api", "/pet/1"} {
		x.visit(r.site + path)
		js[bool](x, `(document.querySelectorAll("details").forEach(d => { d.open = true; }), true)`)
		bad := js[[]string](x, `[...document.querySelectorAll("[data-copy]")].filter(b => {
			const code = b.previousElementSibling.getBoundingClientRect(), button = b.getBoundingClientRect();
			return button.left < code.right || button.top > code.bottom;
		}).map(b => b.parentElement.textContent)`)
		if len(bad) > 0 {
			t.Errorf("%s: the buttons of %q are not beside them", path, bad)
		}
	}
	x.visit(r.site + "/token/jewel")
	js[bool](x, `(navigator.clipboard.writeText = async text => { window.copied = text; }, true)`)
	js[bool](x, `(document.querySelector("[data-copy]").click(), true)`)
	x.wait(fmt.Sprintf(`(window.copied ?? "").startsWith("petsupply verify %s/jewel/evidence")`, r.supply))
}

// News replaces the content of an open page, but not while the reader uses it. Folds, the scroll
// position and the page itself stay.
func news(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, desktop)
	x.visit(r.site + "/token/jewel")
	js[bool](x, `(() => { window.same = true; document.querySelectorAll("details")[1].open = true; scrollTo(0, 300);
		const real = window.fetch; window.asked = 0;
		window.fetch = async (...of) => { window.asked++; const res = await real(...of), text = await res.text();
			return { ok: true, headers: new Headers({ ETag: '"' + window.asked + '"' }),
				text: async () => text.replace("<h1>", "<h1>" + window.asked + " ") }; };
		return true; })()`)
	look := func() { js[bool](x, `look().then(() => true)`) }
	has := func(want bool) {
		t.Helper()
		look()
		got := js[bool](x, `window.asked > 0 &&
			document.querySelector("h1").textContent.startsWith(window.asked + " ")`)
		if got != want {
			t.Errorf("the news is shown: %t, want %t", got, want)
		}
	}
	look()
	has(true)
	if !js[bool](x, `window.same && document.querySelectorAll("details")[1].open && scrollY === 300`) {
		t.Error("the page, a fold or the scroll position is lost")
	}
	asked := js[int](x, "window.asked")
	for _, busy := range []string{
		`document.querySelector("main a").focus()`,
		`getSelection().selectAllChildren(document.querySelector("h1"))`,
		`document.querySelector(".tip").hidden = false`,
	} {
		js[bool](x, `(`+busy+`, true)`)
		look()
		if n := js[int](x, "window.asked"); n != asked {
			t.Errorf("after %s it asks for news", busy)
		}
		js[bool](x, `(document.activeElement.blur(), getSelection().removeAllRanges(),
			document.querySelector(".tip").hidden = true, true)`)
	}
	has(true)
}

// A pet moves unless the visitor stops it or wants no motion.
func motion(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, moving)
	x.visit(r.site + "/pet/1")
	shown := `(i => i.checkVisibility() && i.currentSrc.includes("animated=true"))` +
		`(document.querySelector(".moving img"))`
	x.wait(shown)
	x.do(chromedp.Click(chromedp.CSS("#still")))
	x.wait(`!(` + shown + `) && document.querySelector(".still").checkVisibility()`)
	send(x, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}},
	})
	x.begin(t)
	x.visit(r.site + "/pet/1")
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, url := range x.asked {
		if strings.Contains(url, "animated") {
			t.Errorf("without motion it asks for %s", url)
		}
	}
}

// printed: on paper a page has its content, and nothing that only works on a screen.
func printed(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, desktop)
	send(x, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	for _, path := range []string{"/pet/1", "/token/jewel", "/gallery", "/nowhere"} {
		x.visit(r.site + path)
		seen := js[[]string](x, `[...document.querySelectorAll("nav, button, input, select, .button")]
			.filter(e => e.checkVisibility({ visibilityProperty: true })).map(e => e.outerHTML.slice(0, 80))`)
		if len(seen) > 0 {
			t.Errorf("%s is printed with %q", path, seen)
		}
	}
}

// Without scripts each page shows everything, and its links and forms work.
func withoutScripts(t *testing.T, browser context.Context, r *running) {
	d := phone
	d.scriptOff = true
	x := open(t, browser, d)
	x.do(chromedp.Navigate(r.site + "/token/jewel"))
	_, _, figure := fetch(t, r.supply+"/jewel/circulatingsupply")
	text := js[string](x, `[...document.querySelectorAll(".figures div:first-child dd")]
		.map(d => d.textContent).join("").replaceAll(",", "")`)
	if text != string(figure) {
		t.Errorf("the first figure is %q, want %s", text, figure)
	}
	if js[bool](x, `[...document.querySelectorAll(".js")].some(b => b.checkVisibility({ visibilityProperty: true }))`) {
		t.Error("a button that can do nothing is shown")
	}
	x.do(chromedp.Click(chromedp.CSS(`.tabs a[href="?days=7"]`)))
	x.wait(`location.search === "?days=7"`)
	x.do(chromedp.Navigate(r.site + "/gallery"))
	js[bool](x, `(document.querySelector("[name=egg]").value = "1", true)`)
	x.do(chromedp.Click(chromedp.CSS("form.line button")))
	x.wait(`location.search.includes("egg=1") && document.querySelector("[name=egg]").value === "1"`)
	x.do(chromedp.Click(chromedp.CSS("a[rel=next]")))
	x.wait(`location.search.includes("cursor=") && document.querySelectorAll(".grid .pet").length === 48`)
	x.screenshot("demo-without-scripts-phone")
}
