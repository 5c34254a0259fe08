//go:build !race

package main

import (
	"context"
	"errors"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"petsupply/testkit/process"
	"petsupply/testkit/tools"
)

// chrome starts a Chromium for the test. Tabs can be opened in it.
func chrome(t *testing.T) context.Context {
	t.Helper()
	process.SkipShort(t)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true), chromedp.Flag("hide-scrollbars", true),
		chromedp.UserDataDir(t.TempDir()))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("starting Chromium: %v", err)
	}
	return ctx
}

// A tab is one page with its own cache, and a record of its events.
type tab struct {
	t     *testing.T
	ctx   context.Context
	moves bool // see device

	mu    sync.Mutex
	said  []string // console, exceptions, violations of the policy
	asked map[network.RequestID]string
	kinds map[network.RequestID]network.ResourceType
	bytes map[network.RequestID]float64
}

// A device is the screen on which a page is shown.
type device struct {
	name      string
	wide      int64
	high      int64
	dark      bool
	scriptOff bool
	moves     bool // the user has nothing against motion, which takes much CPU to draw
}

var (
	phone   = device{name: "phone", wide: 390, high: 844, dark: true}
	desktop = device{name: "desktop", wide: 1280, high: 900}
	moving  = device{name: "moving", wide: 1280, high: 900, moves: true}
)

// open opens an empty tab.
func open(t *testing.T, browser context.Context, d device) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 10*time.Minute)
	t.Cleanup(cancel)
	x := &tab{t: t, ctx: ctx, moves: d.moves, asked: map[network.RequestID]string{},
		kinds: map[network.RequestID]network.ResourceType{}, bytes: map[network.RequestID]float64{}}
	var options []chromedp.EmulateViewportOption
	scheme := "light"
	if d.wide < 600 {
		options = append(options, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	if d.dark {
		scheme = "dark"
	}
	x.do(chromedp.EmulateViewport(d.wide, d.high, options...))
	x.theme(scheme)
	// a tab in the background would not listen
	send(x, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	if d.scriptOff {
		send(x, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	}
	x.watch()
	return x
}

// openUncached opens an empty tab for many pages. Each page loads everything again. A tab for each
// page would need a process for each.
func openUncached(t *testing.T, browser context.Context, d device) *tab {
	t.Helper()
	x := open(t, browser, d)
	send(x, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
	return x
}

// begin clears the record of the tab, and uses it for the test of another page.
func (x *tab) begin(t *testing.T) {
	t.Helper()
	x.t = t
	x.mu.Lock()
	defer x.mu.Unlock()
	x.said = nil
	clear(x.asked)
	clear(x.kinds)
	clear(x.bytes)
}

func send[P, R any](x *tab, command cdp.Command[P, R], params P) {
	x.t.Helper()
	if _, err := chromedp.Call(x.ctx, command, params); err != nil {
		x.t.Fatalf("%s: %v", command.Method, err)
	}
}

// watch records the messages and requests of the page.
func (x *tab) watch() {
	console := chromedp.Console(x.ctx)
	requests := chromedp.Events(x.ctx, network.RequestWillBeSent)
	responses := chromedp.Events(x.ctx, network.ResponseReceived)
	ends := chromedp.Events(x.ctx, network.LoadingFinished)
	note := func(fn func()) {
		x.mu.Lock()
		defer x.mu.Unlock()
		fn()
	}
	go func() {
		for m, err := range console {
			if err != nil {
				return
			}
			note(func() { x.said = append(x.said, string(m.Type)+": "+m.Text+" "+m.URL) })
		}
	}()
	go func() {
		for e, err := range requests {
			if err != nil {
				return
			}
			note(func() { x.asked[e.RequestID] = e.Request.URL })
		}
	}()
	go func() {
		for e, err := range responses {
			if err != nil {
				return
			}
			note(func() { x.kinds[e.RequestID] = e.Type })
		}
	}()
	go func() {
		for e, err := range ends {
			if err != nil {
				return
			}
			note(func() { x.bytes[e.RequestID] = e.EncodedDataLength })
		}
	}()
}

func (x *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	x.t.Helper()
	if err := chromedp.Do(x.ctx, steps...); err != nil {
		x.t.Fatal(err)
	}
}

// visit loads a page and waits until it and its pictures are complete. On a busy machine the service
// may refuse a page for now. Then it is loaded again.
func (x *tab) visit(url string) {
	x.t.Helper()
	for {
		x.do(chromedp.Navigate(url))
		x.wait(`document.readyState === "complete" &&
			[...document.images].every(i => i.complete || i.loading === "lazy")`)
		if js[int](x, `performance.getEntriesByType("navigation")[0].responseStatus`) != http.StatusServiceUnavailable {
			return
		}
		x.begin(x.t)
	}
}

// theme shows the page in the "light" or the "dark" colours.
func (x *tab) theme(scheme string) {
	x.t.Helper()
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
	if !x.moves {
		features = append(features, &emulation.MediaFeature{Name: "prefers-reduced-motion", Value: "reduce"})
	}
	send(x, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
}

// js evaluates an expression in the page.
func js[T any](x *tab, expression string) T {
	x.t.Helper()
	v, err := chromedp.Run(x.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		x.t.Fatalf("%.300s: %v", expression, err)
	}
	return v
}

func (x *tab) text(selector string) string {
	x.t.Helper()
	return js[string](x, `(document.querySelector("`+selector+`")?.innerText ?? "").trim()`)
}

// wait waits until an expression is true in the page, also if the tab loads another page meanwhile.
// The page's policy forbids repeated evaluation inside the page, so the test evaluates the
// expression from outside.
func (x *tab) wait(expression string) {
	x.t.Helper()
	var last error
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(75 * time.Millisecond) {
		ok, err := chromedp.Run(x.ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		if ok && err == nil {
			return
		}
		last = err
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			break
		}
	}
	at, _ := chromedp.Run(x.ctx, chromedp.Location())
	x.t.Fatalf("at %s this did not become true: %s (%v)\nthe console says %q", at, expression, last, x.consoleErrors())
}

// consoleErrors returns messages that a good page does not log.
func (x *tab) consoleErrors() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	var out []string
	for _, s := range x.said {
		// On a busy machine, a browser may send a request more than five seconds after it has connected.
		// The server has closed the connection by then.
		if strings.Contains(s, "net::ERR_EMPTY_RESPONSE") {
			continue
		}
		if kind, _, _ := strings.Cut(s, ":"); kind == "error" || kind == "warning" || kind == "exception" ||
			kind == "assert" {
			out = append(out, s)
		}
	}
	return out
}

var screenshots = flag.Bool("screenshots", false, "write a picture of every page into .tools/screenshots")

// screenshot saves a picture of the whole page, if the flag is set.
func (x *tab) screenshot(name string) {
	x.t.Helper()
	if !*screenshots {
		return
	}
	js[bool](x, `(document.querySelectorAll("img[loading=lazy]").forEach(i => { i.loading = "eager"; }), true)`)
	x.wait(`[...document.images].every(i => i.complete)`)
	picture, err := chromedp.Run(x.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		x.t.Fatal(err)
	}
	dir := filepath.Join("..", "..", ".tools", "screenshots")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		x.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644); err != nil {
		x.t.Fatal(err)
	}
}

// axe returns the source of axe-core, which it installs with npm if it is missing.
func axe(t *testing.T) string {
	t.Helper()
	dir, err := tools.NPM(t.Context(), "internal/web/site")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}
