//go:build !race

package main

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// No page is wider than its screen, from the smallest to the largest, by day and
// by night, and at twice its size; 640 pixels are what 1280 leave at 200 %.
func fits(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, desktop)
	for _, path := range []string{"/", "/token/crystal?days=all", "/gallery?sort=rarity", "/gallery?id=moth", "/pet/1?with=1000000000002", "/status"} {
		x.visit(r.site + path)
		for i, wide := range []int64{320, 640, 768, 1920} {
			x.do(chromedp.EmulateViewport(wide, 900))
			send(x, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: []string{"light", "dark"}[i%2]}}})
			if is := js[int64](x, "document.documentElement.scrollWidth"); is > wide {
				t.Errorf("%s is %d wide on a screen of %d", path, is, wide)
			}
		}
	}
	if c := x.consoleErrors(); len(c) > 0 {
		t.Errorf("the console says %q", c)
	}
}

// A pet moves where one looks at it, until it is told to hold still; and never
// where motion is not wanted.
func motion(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, desktop)
	x.visit(r.site + "/pet/1")
	x.wait(`document.getElementById("picture").src.includes("animated=true")`)
	x.do(chromedp.Click(chromedp.CSS("[data-motion]")))
	x.wait(`!document.getElementById("picture").src.includes("animated") && document.querySelector("[data-motion]").textContent === "Let it move"`)
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
	if asked > 2 { // once on its page, once in the gallery
		t.Errorf("moving pictures were asked for %d times", asked)
	}
}
