//go:build !race

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// pixels identifies a picture, and counts its transparent pixels.
const pixels = `(() => { const i = document.getElementById("picture"), c = document.createElement("canvas");
	c.width = c.height = 90; const g = c.getContext("2d"); g.imageSmoothingEnabled = false; g.drawImage(i, 0, 0, 90, 90);
	const d = g.getImageData(0, 0, 90, 90).data; let sum = 0, clear = 0;
	for (let n = 0; n < d.length; n += 4) { sum = (sum * 31 + d[n] + 7 * d[n + 1] + 13 * d[n + 2] + 17 * d[n + 3]) % 4294967291; if (!d[n + 3]) clear++; }
	return { Sum: sum, Clear: clear, Wide: i.naturalWidth }; })()`

type picture struct{ Sum, Clear, Wide int64 }

// The switches change the picture, and the address beside it leads to that picture. The picture
// moves before the first choice.
func switches(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, desktop)
	x.visit(r.site + "/pet/1000000000001")
	address := r.pets + "/image/1000000000001"
	seen := map[int64]string{}
	for _, step := range []struct {
		choose, query string
		wide          int64
		clear         bool
	}{
		{"", "", 360, false},
		{`[name=frame][value=false]`, "?frame=false", 360, false},
		{`[name=background][value=false]`, "?frame=false&background=false", 360, true},
		{`[name=frame][value=true]`, "?background=false", 360, true},
		{`size 90`, "?background=false&size=90", 90, true},
		{`form moving`, "?background=false&size=90&animated=true", 90, true},
		{`form still`, "?background=false&size=90", 90, true},
	} {
		want := address + step.query
		name, value, list := strings.Cut(step.choose, " ")
		switch {
		case step.choose == "":
		case list:
			js[bool](x, fmt.Sprintf(`(() => { const s = document.querySelector("[name=%s]"); s.value = %q; s.dispatchEvent(new Event("change", { bubbles: true })); return true; })()`, name, value))
		default:
			x.do(chromedp.Click(chromedp.CSS(step.choose)))
		}
		if step.choose != "" {
			x.wait(fmt.Sprintf(`document.getElementById("picture").src.replace(/[?&]v=\w+$/, "") === %q`, want))
		}
		x.wait(fmt.Sprintf(`document.querySelector("#address code").textContent === %q && document.getElementById("picture").complete && document.getElementById("picture").naturalWidth === %d`, want, step.wide))
		got := js[picture](x, pixels)
		if was, ok := seen[got.Sum]; ok && step.wide == 360 {
			t.Errorf("%s looks like %s", want, was)
		}
		seen[got.Sum] = want
		if (got.Clear > 90*90/4) != step.clear {
			t.Errorf("%s has %d transparent pixels of %d", want, got.Clear, 90*90)
		}
		if save := js[string](x, `document.getElementById("save").href`); save != want {
			t.Errorf("the picture to save is %s, want %s", save, want)
		}
		switches, _, _ := strings.Cut(step.query+"&size=", "size=")
		wantLargest := address + "?" + strings.TrimLeft(switches, "?&") + "size=3240"
		if largest := js[string](x, `document.getElementById("largest").href`); largest != wantLargest {
			t.Errorf("the largest picture is %s, want %s", largest, wantLargest)
		}
		if copies := js[string](x, `document.querySelector("#address button").dataset.copy`); copies != want {
			t.Errorf("what is copied is %s, want %s", copies, want)
		}
		if status, _, body := fetch(t, want); status != http.StatusOK || !strings.HasPrefix(string(body), "\x89PNG") {
			t.Errorf("%s answers %d", want, status)
		}
	}
	x.do(chromedp.Reload())
	x.wait(`document.querySelector("[name=background][value=false]").checked && document.getElementById("picture").naturalWidth === 90`)
	if c := x.consoleErrors(); len(c) > 0 {
		t.Errorf("the console says %q", c)
	}
}

// shown returns the numbers of the pets on the page.
func shown(x *tab) []string {
	return js[[]string](x, `[...document.querySelectorAll(".grid [data-pet]")].map(p => p.dataset.pet)`)
}

func pick(x *tab, name, value string) {
	js[bool](x, fmt.Sprintf(`(() => { const s = document.querySelector(".facets [name=%s][value='%s']"); s.focus(); s.click(); return true; })()`, name, value))
	x.wait(fmt.Sprintf(`new URLSearchParams(location.search).getAll(%q).includes(%q)`, name, value))
}

// Filters change the listing and the address without loading a new page.
func filters(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, phone)
	x.visit(r.site + "/gallery")
	x.do(chromedp.Click(chromedp.CSS(".drawer > summary")))
	js[bool](x, `(window.same = true)`)
	pick(x, "rarity", "4")
	pick(x, "shiny", "1")
	if !js[bool](x, `window.same === true && document.activeElement.name === "shiny"`) {
		t.Error("choosing a filter lost the page or the focus")
	}
	ids := shown(x)
	if len(ids) == 0 {
		t.Fatal("there is no shiny mythic pet")
	}
	if !js[bool](x, `(e => { const { top, bottom } = e.getBoundingClientRect(); return top > 0 && bottom <= innerHeight && e.checkVisibility({ visibilityProperty: true }); })(document.querySelector(".to-found"))`) {
		t.Error("on a phone the way from the filters to the pets is out of sight")
	}
	if got, want := x.text(".to-found"), fmt.Sprintf("Show %d pets", len(ids)); got != want {
		t.Errorf("the link to the pets is %q, want %q", got, want)
	}
	_, _, body := fetch(t, r.pets+"/tokens?ids="+strings.Join(ids, ","))
	var pets struct {
		Tokens []struct {
			Data struct {
				Rarity string
				Shiny  bool
			}
		}
	}
	if err := json.Unmarshal(body, &pets); err != nil || len(pets.Tokens) != len(ids) {
		t.Fatalf("%d pets of %d: %v", len(pets.Tokens), len(ids), err)
	}
	for i, p := range pets.Tokens {
		if p.Data.Rarity != "Mythic" || !p.Data.Shiny {
			t.Errorf("pet %s is %+v", ids[i], p.Data)
		}
	}
	x.do(chromedp.NavigateBack())
	x.wait(`location.search === "?rarity=4" && !document.querySelector("input[name=shiny]:checked") && document.querySelectorAll(".grid [data-pet]").length > ` + fmt.Sprint(len(ids)))
	js[bool](x, `(document.querySelector(".chips .clear").focus(), document.activeElement.click(), true)`)
	x.wait(`!document.querySelector(".chips .clear")`)
	if !js[bool](x, `document.activeElement.id === "found"`) {
		t.Error("removing all filters lost the focus")
	}
	x.visit(r.site + "/gallery?id=fox")
	x.do(chromedp.Click(chromedp.CSS(".drawer > summary")))
	pick(x, "rarity", "4")
	x.wait(`new URLSearchParams(location.search).get("id") === "fox" && document.querySelectorAll(".chips [data-swap]").length === 3`)
	if c := x.consoleErrors(); len(c) > 0 {
		t.Errorf("the console says %q", c)
	}
}

// After two choices in a row the last choice is shown, whichever reply comes last.
func lateReplies(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, desktop)
	x.visit(r.site + "/gallery")
	js[bool](x, `(() => { const real = window.fetch; window.came = 0;
		window.fetch = async (...of) => { const late = String(of[0]).includes("rarity=1"), res = await real(...of);
			if (late) { await new Promise(go => { window.later = go; }); }
			const text = await res.text();
			return { ok: res.ok, text: async () => { setTimeout(() => { window.came++; }, 0); return text; } }; };
		return true; })()`)
	js[bool](x, `(() => { const [one, four] = [1, 4].map(v => document.querySelector("input[name=rarity][value='" + v + "']")); one.click(); one.checked = false; four.click(); return true; })()`)
	x.wait(`location.search === "?rarity=4" && !!window.later`)
	before := shown(x)
	js[bool](x, `(window.later(), true)`)
	x.wait(`window.came === 2`)
	if after := shown(x); !slices.Equal(before, after) || !js[bool](x, `location.search === "?rarity=4"`) {
		t.Errorf("a late reply replaced %v by %v", before, after)
	}
}

// If something changes while a page is fetched, the page is fetched once more.
func changesMeanwhile(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, desktop)
	x.visit(r.site + "/about")
	x.wait(`typeof refresh === "function"`)
	js[bool](x, `(() => { const real = window.fetch; window.asked = 0;
		window.fetch = async (...of) => { if (++window.asked === 1) await new Promise(go => { window.reply = go; }); return real(...of); };
		refresh();
		return true; })()`)
	x.wait(`window.asked === 1`)
	js[bool](x, `(refresh(), window.reply(), true)`)
	x.wait(`window.asked === 2`)
}

// More pets load twice as the reader gets near the end. Each pet is shown once.
func paging(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, desktop)
	x.visit(r.site + "/gallery?element=2&element=3")
	for _, want := range []int{96, 144} {
		js[bool](x, `(window.scrollTo(0, document.body.scrollHeight), true)`)
		x.wait(fmt.Sprintf(`document.querySelectorAll(".grid [data-pet]").length >= %d`, want))
	}
	if n := js[int](x, `more(document.querySelector("a[data-more]")).then(() => document.querySelectorAll(".grid [data-pet]").length)`); n != 144 {
		t.Errorf("%d pets came by themselves, so that nobody reaches the end of the page", n)
	}
	ids := shown(x)
	slices.Sort(ids)
	if n := len(slices.Compact(ids)); n != js[int](x, `document.querySelectorAll(".grid [data-pet]").length`) {
		t.Error("a pet comes twice")
	}
	if next := js[string](x, `document.querySelector("a[data-more]").search`); !strings.Contains(next,
		"element=2&element=3") {
		t.Errorf("the next page is %s", next)
	}
}

func search(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, desktop)
	for _, test := range []struct{ typed, want string }{
		{"first 42", "/pet/42"},
		{"second 42", "/pet/1000000000042"},
		{"1,000,000,000,042", "/pet/1000000000042"},
	} {
		x.visit(r.site + "/gallery")
		x.do(chromedp.SendKeys(chromedp.CSS("[name=id]"), test.typed+kb.Enter))
		x.wait(fmt.Sprintf("location.pathname === %q && document.getElementById('picture')?.complete", test.want))
	}
	x.visit(r.site + "/gallery")
	x.do(chromedp.SendKeys(chromedp.CSS("[name=id]"), "42"+kb.Enter)) // each realm has a pet of that number
	x.wait(`location.search === "?id=42" && document.querySelectorAll(".grid .pet").length === 3`)
	var met []string
	for range 3 {
		x.visit(r.site + "/gallery")
		x.do(chromedp.Click(chromedp.CSS(`.lead [href$="/random"]`)))
		x.wait(`location.pathname.startsWith("/pet/") && document.getElementById("picture")?.complete`)
		met = append(met, js[string](x, "location.pathname"))
	}
	if met[0] == met[1] && met[1] == met[2] {
		t.Errorf("the random pet was always %s", met[0])
	}
}

// The chart shows the values under the pointer, and those that the arrow keys select.
func hover(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, desktop)
	x.visit(r.site + "/token/jewel")
	box := js[[]float64](x, `(() => { const s = document.querySelector(".chart .graph"); s.scrollIntoView({ block: "center" }); const b = s.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()`)
	value := regexp.MustCompile(`^\d{1,2} \w{3} \d{4}, \d\d:\d\d UTC` +
		`Circulating(\d{1,3}(?:,\d{3})+)[+−±][\d,]+Total(\d{1,3}(?:,\d{3})+)[+−±][\d,]+Change since \d{1,2} \w{3} \d{4}, \d\d:\d\d UTC$`)
	var before string
	for _, share := range []float64{0.1, 0.5, 0.9} {
		x.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, box[0]+share*box[2], box[1]+box[3]/2))
		x.wait(fmt.Sprintf(`!document.querySelector(".tip").hidden && document.querySelector(".tip").textContent !== %q`,
			before))
		before = js[string](x, `document.querySelector(".tip").textContent`)
		if !value.MatchString(before) {
			t.Errorf("at %v it says %q", share, before)
		}
		if !js[bool](x, `(() => { const p = document.querySelector(".plot").getBoundingClientRect(), b = document.querySelector(".tip").getBoundingClientRect(); return b.left >= p.left - 1 && b.right <= p.right + 1; })()`) {
			t.Errorf("at %v the values stick out of the chart", share)
		}
	}
	x.screenshot("demo-hover-desktop")
	x.do(chromedp.MouseClickXY(box[0]+box[2]/2, box[1]+box[3]/2))
	x.wait(`document.activeElement.matches(".graph")`)
	if frame := js[string](x, `getComputedStyle(document.activeElement).outlineStyle`); frame != "none" {
		t.Errorf("a click draws a frame around the chart: %s", frame)
	}
	js[bool](x, `(document.activeElement.blur(), true)`)
	x.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, 5, 5))
	x.wait(`document.querySelector(".tip").hidden`)
	js[bool](x, `(document.querySelector(".chart .graph").focus({ focusVisible: true }), true)`)
	x.do(chromedp.KeyEvent(kb.End))
	last := js[string](x, `document.querySelector(".tip").textContent`)
	x.do(chromedp.KeyEvent(kb.ArrowLeft))
	if left := js[string](x, `document.querySelector(".tip").textContent`); left == last || !value.MatchString(left) {
		t.Errorf("an arrow key led from %q to %q", last, left)
	}
	x.do(chromedp.Click(chromedp.CSS(`.days a[href="?days=7"]`)))
	x.wait(`location.search === "?days=7" && document.querySelector('.days a[href="?days=7"]').hasAttribute("aria-current")`)
	label := js[string](x, `document.querySelector(".chart .graph").getAttribute("aria-label")`)
	if !strings.Contains(label, "total supply went from") {
		t.Errorf("a screen reader says %q", label)
	}
	if c := x.consoleErrors(); len(c) > 0 {
		t.Errorf("the console says %q", c)
	}
}

// On a phone, a button that copies an address of the ledger is beside the address.
func copies(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, phone)
	x.visit(r.site + "/token/jewel")
	if far := js[[]string](x, `[...document.querySelectorAll(".ledger [data-copy]")].filter(b => {
		const code = b.parentElement.querySelector("code").getBoundingClientRect(), button = b.getBoundingClientRect();
		return button.top > code.bottom || button.left < code.right; }).map(b => b.dataset.copy)`); len(far) > 0 {
		t.Errorf("the buttons of %q are not beside them", far)
	}
	x.visit(r.site + "/pet/1?size=720&form=moving")
	if code := js[string](x, `asCode("html")`); !strings.HasSuffix(code, `size=720&amp;animated=true" alt="Pebblewick" width="720" height="720"></a>`) {
		t.Errorf("the HTML of the picture is %s", code)
	}
}

// A tap on the chart shows the values there, with names and values on the same line, until a tap
// elsewhere.
func tap(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, phone)
	x.visit(r.site + "/token/jewel")
	box := js[[]float64](x, `(() => { const s = document.querySelector(".chart .graph"); s.scrollIntoView({ block: "center" }); const b = s.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; })()`)
	touch := func(left, top float64) {
		send(x, input.SynthesizeTapGesture, input.SynthesizeTapGestureParams{X: left, Y: top})
	}
	touch(box[0], box[1])
	x.wait(`!document.querySelector(".tip").hidden`)
	if !js[bool](x, `[...document.querySelectorAll(".tip .what")].every(w => { const is = w.nextSibling; return Math.abs(w.getBoundingClientRect().top - is.getBoundingClientRect().top) < 1; })`) {
		t.Error("a name is not level with its value")
	}
	if gaps := js[[]float64](x, `(tops => tops.slice(1).map((top, i) => top - tops[i]))([...new Set([...document.querySelector(".tip").children].map(c => c.getBoundingClientRect().top))])`); len(gaps) < 3 || slices.Max(gaps)-slices.Min(gaps) > 1 {
		t.Errorf("the distances between the lines are %v", gaps)
	}
	x.screenshot("demo-tap-phone")
	touch(box[0], 5)
	x.wait(`document.querySelector(".tip").hidden`)
}

// The slider moves by days, and the page changes only when its button is pressed.
func days(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, desktop)
	x.visit(r.site + "/token/jewel")
	js[bool](x, `(window.same = true, document.querySelector("[data-moment]").focus(), true)`)
	before := js[string](x, `document.querySelector("[name=at]").value`)
	x.do(chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.ArrowLeft))
	after := js[string](x, `document.querySelector("[name=at]").value`)
	if !js[bool](x, `window.same === true && location.search === ""`) {
		t.Error("the slider led to another page")
	}
	if before <= after || !strings.HasSuffix(after, "T00:00") {
		t.Errorf("two keys led from %s to %s", before, after)
	}
	for _, key := range []string{kb.Home, kb.End} { // both ends show data
		js[bool](x, `(window.same = true, document.querySelector("[data-moment]").focus(), true)`)
		x.do(chromedp.KeyEvent(key), chromedp.Click(chromedp.CSS(".then button")))
		x.wait(`!window.same && location.search.startsWith("?at=") && document.readyState === "complete"`)
		if title := x.text("h1"); !strings.Contains(title, "Jewel") {
			t.Errorf("the end of the slider shows %q", title)
		}
	}
}

// A pet's page fits on one sheet of paper, with its history, now and in the past.
func printed(t *testing.T, browser context.Context, r *running) {
	_, _, feed := fetch(t, r.pets+"/changes")
	moved := regexp.MustCompile(`"id":(\d+),[^{}]*"kind":"moved"`).FindSubmatch(feed)
	if moved == nil {
		t.Fatalf("no pet has travelled: %.500s", feed)
	}
	x := open(t, browser, desktop)
	for _, moment := range []string{"?at=" + time.Now().UTC().Add(-time.Minute).Format("2006-01-02T15:04"), ""} {
		x.visit(r.site + "/pet/" + string(moved[1]) + moment)
		paper, err := chromedp.Call(x.ctx, page.PrintToPDF, page.PrintToPDFParams{})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(paper.Data, -1)); n != 1 {
			t.Errorf("%q is printed on %d sheets", moment, n)
		}
	}
	send(x, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	if !js[bool](x, `document.querySelector(".history li").checkVisibility()`) {
		t.Error("its history is not printed")
	}
	x.visit(r.site + "/pet/1?with=2")
	for selector, seen := range map[string]bool{".compare th:last-child .pet": true, ".compare tbody td": true,
		"[aria-labelledby=compare] form": false} {
		if js[bool](x, fmt.Sprintf(`document.querySelector(%q).checkVisibility()`, selector)) != seen {
			t.Errorf("a comparison is printed wrong: %s is visible: %t", selector, !seen)
		}
	}
	for _, empty := range []string{"?id=zzzz&rarity=4", "?season=200&rarity=4"} {
		x.visit(r.site + "/gallery" + empty)
		if text := x.text("main"); !strings.Contains(text, "No pet") || strings.Contains(text, "above") {
			t.Errorf("%s is printed as %q", empty, text)
		}
	}
	x.visit(r.site + "/gallery?id=fox")
	if text := x.text("main"); !strings.Contains(text, " shown") || strings.Contains(text, "Each link") {
		t.Errorf("a search is printed as %q", text)
	}
	x.visit(r.site + "/nowhere")
	if js[bool](x, `[...document.querySelectorAll("main a")].some(a => a.checkVisibility())`) {
		t.Error("buttons of an error are printed")
	}
	x.visit(r.site + "/gallery/recent")
	if js[bool](x, `(e => e.scrollHeight > e.clientHeight)(document.querySelector(".recent"))`) {
		t.Error("the recent changes are cut")
	}
	x.visit(r.site + "/nowhere")
	if js[bool](x, `document.querySelector(".trouble .button").checkVisibility()`) {
		t.Error("buttons of an error page are printed")
	}
	x.visit(r.site + "/token/jewel")
	if js[string](x, `getComputedStyle(document.querySelector("[aria-labelledby=evidence] > p")).breakAfter`) != "avoid" {
		t.Error("the command that recomputes a figure can be alone on a sheet")
	}
	if ink := js[string](x, `getComputedStyle(document.querySelector("aside.demo")).color`); ink != "rgb(0, 0, 0)" {
		t.Errorf("the notice of the demo is printed in %s", ink)
	}
	if js[string](x, `getComputedStyle(document.querySelector(".badge.demo")).paddingLeft`) == "0px" {
		t.Error("the badge of the demo has no padding")
	}
	if js[bool](x, `[...document.querySelectorAll("main a")].some(a => / as JSON$|^How|^What it/.test(a.textContent) && a.checkVisibility())`) {
		t.Error("links are printed that lead nowhere on paper")
	}
	if at := js[string](x, `(dispatchEvent(new Event("beforeprint")), document.querySelector("[data-printed]").textContent)`); !regexp.MustCompile(`^, printed \d+ \w{3} \d{4}, \d\d:\d\d UTC$`).MatchString(at) {
		t.Errorf("the time of printing is written %q", at)
	}
}

// The API page shows answers of the real interfaces, within the policy.
func viewer(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, desktop)
	x.visit(r.site + "/api")
	if text := x.text(".recipes"); !strings.Contains(text, r.supply+"/jewel/circulatingsupply") ||
		strings.Contains(text, "{{") {
		t.Errorf("the recipes are %q", text)
	}
	for _, id := range []string{"allTokens", "circulatingSupply", "metadata", "image"} {
		js[bool](x, `(document.querySelector("#`+id+` summary").click(), document.querySelector("#`+id+` [data-try]").click(), true)`)
		x.wait(`document.querySelector("#` + id + ` [data-answer]").innerText.startsWith("200")`)
	}
	js[bool](x, `(location.hash = "#contract", true)`)
	x.wait(`document.getElementById("contract").open`)
	if n := js[int](x, `document.querySelectorAll(".endpoint").length`); n < 20 {
		t.Errorf("only %d endpoints are shown", n)
	}
	if c := x.consoleErrors(); len(c) > 0 {
		t.Errorf("the console says %q", c)
	}
}

// Without scripts, everything works that does not need them.
func withoutScripts(t *testing.T, browser context.Context, r *running) {
	d := phone
	d.scriptOff = true
	x := open(t, browser, d)
	x.do(chromedp.Navigate(r.site + "/token/jewel"))
	_, _, figure := fetch(t, r.supply+"/jewel/circulatingsupply")
	if text := js[string](x, `document.querySelector(".figures dd").textContent.replaceAll(",", "")`); text != string(figure) {
		t.Errorf("the first figure is %q, want %s", text, figure)
	}
	if js[bool](x, `[...document.querySelectorAll("button[data-copy]")].some(b => getComputedStyle(b).visibility !== "hidden")`) {
		t.Error("a button that can do nothing is shown")
	}
	if short := js[[]string](x, `[...document.querySelectorAll(".ledger .w code[title]")].filter(c => !c.closest("td").innerText.includes(c.title) || c.checkVisibility()).map(c => c.title)`); len(short) > 0 {
		t.Errorf("nothing can copy these addresses, and they are shortened: %q", short)
	}
	x.do(chromedp.Navigate(r.site + "/pet/7"))
	x.do(chromedp.Click(chromedp.CSS(".tools > summary")), chromedp.Click(chromedp.CSS(`[name=frame][value=false]`)),
		chromedp.Click(chromedp.CSS("noscript button")))
	x.wait(`location.search.includes("frame=false") && document.querySelector(".tools").open && document.getElementById("picture").src.includes("frame=false") && document.querySelector("#address code").textContent.endsWith("/image/7?frame=false")`)
	x.do(chromedp.Navigate(r.site + "/gallery"))
	x.do(chromedp.Click(chromedp.CSS(".drawer > summary")))
	js[bool](x, `(document.querySelector(".facets [name=egg][value='1']").checked = true)`)
	x.do(chromedp.Click(chromedp.CSS(".facets button")))
	x.wait(`location.search.includes("egg=1") && document.querySelector(".facets [name=egg][value='1']").checked`)
	x.do(chromedp.Click(chromedp.CSS("a[rel=next]")))
	x.wait(`location.search.includes("cursor=") && document.querySelectorAll(".grid [data-pet]").length === 48`)
	x.do(chromedp.Navigate(r.site + "/api"))
	if text := x.text("#circulatingSupply summary"); !strings.Contains(text, "/{token}/circulatingsupply") {
		t.Errorf("the endpoint says %q", text)
	}
	x.screenshot("demo-without-scripts-phone")
}

// A link to a pet shows its picture on other sites.
func unfolding(t *testing.T, _ context.Context, r *running) {
	_, _, body := fetch(t, r.site+"/pet/1000000000001")
	tag := func(name string) string {
		m := regexp.MustCompile(`<meta (?:name|property)="` + name + `" content="([^"]*)">`).FindSubmatch(body)
		if m == nil {
			return ""
		}
		return strings.NewReplacer("&#43;", "+", "&amp;", "&", "&#39;", "'").Replace(string(m[1]))
	}
	for _, name := range []string{"og:title", "og:description", "og:url", "og:image", "og:image:width", "og:type",
		"twitter:card", "twitter:title", "twitter:image", "description"} {
		if tag(name) == "" {
			t.Errorf("there is no %s", name)
		}
	}
	status, header, _ := fetch(t, tag("og:image"))
	if status != http.StatusOK || header.Get("Content-Type") != "image/png" {
		t.Errorf("%s answers %d %s", tag("og:image"), status, header.Get("Content-Type"))
	}
	if tag("og:url") != r.site+"/pet/1000000000001" {
		t.Errorf("og:url is %s", tag("og:url"))
	}
}

// Requests that pages do not support are refused with a page and the right status.
func refusals(t *testing.T, _ context.Context, r *running) {
	for _, test := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/pet/01", http.StatusBadRequest},
		{"GET", "/pet/-1", http.StatusBadRequest},
		{"GET", "/pet/1e3", http.StatusBadRequest},
		{"GET", "/pet/1?frame=maybe", http.StatusBadRequest},
		{"GET", "/pet/1?frame=true&frame=false", http.StatusBadRequest},
		{"GET", "/pet/1?size=91", http.StatusBadRequest},
		{"GET", "/pet/999999", http.StatusNotFound},
		{"GET", "/pet/99999999999999999999999", http.StatusNotFound},
		{"GET", "/gallery?rarity=9", http.StatusBadRequest},
		{"GET", "/gallery?rarity=purple", http.StatusBadRequest},
		{"GET", "/gallery?rarity=1&rarity=2", http.StatusOK},
		{"GET", "/gallery?rarity=1&rarity=1", http.StatusBadRequest},
		{"GET", "/gallery/kinds", http.StatusOK},
		{"GET", "/gallery?realm=nowhere", http.StatusBadRequest},
		{"GET", "/gallery?cursor=%00", http.StatusBadRequest},
		{"GET", "/gallery?id=abc", http.StatusOK},
		{"GET", "/gallery?id=", http.StatusBadRequest},
		{"GET", "/gallery?sort=price", http.StatusBadRequest},
		{"GET", "/pet/1?with=2", http.StatusOK},
		{"GET", "/pet/1?with=x", http.StatusOK},
		{"GET", "/gallery?id=1&of=nowhere", http.StatusBadRequest},
		{"GET", "/gallery?unknown=1", http.StatusOK},
		{"GET", "/gallery/", http.StatusOK},
		{"GET", "/token/JEWEL", http.StatusOK},
		{"GET", "/token/nothing", http.StatusNotFound},
		{"GET", "/assets/nothing.js", http.StatusNotFound},
		{"GET", "/favicon.ico", http.StatusOK},
		{"GET", "/robots.txt", http.StatusOK},
		{"POST", "/status", http.StatusMethodNotAllowed},
		{"DELETE", "/pet/1", http.StatusMethodNotAllowed},
		{"POST", "/nowhere", http.StatusNotFound},
	} {
		t.Run(test.method+" "+test.path, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), test.method, r.site+test.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			res, err := http.DefaultTransport.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(res.Body)
			res.Body.Close()
			if err != nil || res.StatusCode != test.status {
				t.Errorf("%d, want %d (%v)", res.StatusCode, test.status, err)
			}
			if test.status >= 400 && (!strings.Contains(string(body), `<main id="main"`) ||
				res.Header.Get("Cache-Control") != "no-store") {
				t.Errorf("not a page that explains, or one that is kept (%s): %.80s", res.Header.Get("Cache-Control"), body)
			}
			if test.status == http.StatusMethodNotAllowed && res.Header.Get("Allow") == "" {
				t.Error("it does not say what it allows")
			}
		})
	}
}
