package web

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/web/express"
)

// aged publishes the kingdom as a real service would: measured at demo.End, and stale and refused
// after the given times.
func (k *kit) aged(t *testing.T, stale, refuse time.Duration) {
	t.Helper()
	p := &supply.Publication{At: k.clock.now()}
	tokens := demo.Tokens()
	for i, u := range updates(t, demo.End) {
		p.States = append(p.States, supply.State{
			Token: &tokens[i], Snapshot: u.Snapshot, Status: supply.Fresh,
			Ledger:  ledger.Document{Version: tokens[i].CurrentLedger()},
			StaleAt: u.Snapshot.AsOf.Add(stale), RefuseAt: u.Snapshot.AsOf.Add(refuse),
		})
	}
	k.OnPublication(p)
}

var directive = regexp.MustCompile(`(max-age|stale-while-revalidate|stale-if-error)=(\d+)`)

// lifetime returns how long caches may show an answer.
func lifetime(t *testing.T, cacheControl string) time.Duration {
	t.Helper()
	if cacheControl == "no-store" {
		return 0
	}
	var sum time.Duration
	for _, m := range directive.FindAllStringSubmatch(cacheControl, -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil {
			t.Fatal(err)
		}
		sum += time.Duration(n) * time.Second
	}
	if sum == 0 {
		t.Fatalf("no lifetime in %q", cacheControl)
	}
	return sum
}

func TestNoCacheShowsAFigureLongerThanWeWould(t *testing.T) {
	k := newKit(t, oneHost())
	const refuse = 80 * time.Minute
	k.clock.set(demo.End)
	k.aged(t, 10*time.Minute, refuse)
	paths := []string{"/supply/", "/supply/jewel", "/supply/jewel/totalsupply", "/supply/jade/evidence",
		"/supply/jade/totalsupply?format=json", "/supply/jade/history"}
	step := time.Duration(0)
	for at := time.Duration(0); at < refuse+time.Minute; at += step {
		step = 29_989 * time.Millisecond
		if at > refuse-3*time.Minute {
			step = 1997 * time.Millisecond // small steps near the end, to find a lifetime that is too long
		}
		k.clock.set(demo.End.Add(at))
		for _, path := range paths {
			w := k.get(path)
			if left := refuse - at; left > 0 {
				if w.Code != http.StatusOK {
					t.Fatalf("%s at %v: %d", path, at, w.Code)
				}
				if got := lifetime(t, w.Header().Get("Cache-Control")); got > left {
					t.Fatalf("%s at %v: may be shown for %v, but is refused in %v", path, at, got, left)
				}
				continue
			}
			if path != "/supply/" && !strings.HasSuffix(path, "history") && w.Code != http.StatusServiceUnavailable {
				t.Fatalf("%s at %v, past its end: %d", path, at, w.Code)
			}
		}
	}
}

func TestTheStatusChangesWithTheClock(t *testing.T) {
	k := newKit(t, oneHost())
	k.clock.set(demo.End)
	k.aged(t, 10*time.Minute, time.Hour)
	for _, step := range []struct {
		at     time.Duration
		status string
		code   int
	}{
		{0, "fresh", 200}, {10*time.Minute - 1, "fresh", 200}, {10 * time.Minute, "stale", 200},
		{time.Hour - 1, "stale", 200}, {time.Hour, "unavailable", 503},
	} {
		k.clock.set(demo.End.Add(step.at))
		w := k.get("/supply/jewel/totalsupply")
		if w.Code != step.code || w.Code == 200 && w.Header().Get("Supply-Status") != step.status {
			t.Errorf("at %v: %d %s", step.at, w.Code, w.Header().Get("Supply-Status"))
		}
		digit := regexp.MustCompile(`\d`)
		if w.Code == 503 && (w.Header().Get("Retry-After") == "" || digit.MatchString(w.Body.String())) {
			t.Errorf("at %v: %v %q", step.at, w.Header(), w.Body)
		}
		var all []supply.Document
		if err := json.Unmarshal(k.get("/supply/").Body.Bytes(), &all); err != nil || len(all) != 3 {
			t.Fatalf("at %v: %v", step.at, err)
		}
		if string(all[0].Status) != step.status || (all[0].Total == nil) != (step.code == 503) ||
			(all[0].AsOf == nil) != (step.code == 503) {
			t.Errorf("at %v: the list says %+v", step.at, all[0])
		}
	}
	if w := k.get("/supply/jewel/ledger"); w.Code != 200 {
		t.Errorf("the ledger of a token without a figure: %d", w.Code)
	}
}

func TestNothingBeforeTheFirstPublication(t *testing.T) {
	k := newKit(t, oneHost())
	k.supply.table.Store(nil)
	for _, path := range []string{"/supply/", "/supply/jewel", "/supply/jewel/totalsupply", "/supply/jewel/history"} {
		if w := k.get(path); w.Code != 503 || w.Header().Get("Retry-After") == "" {
			t.Errorf("%s before the first figure: status %d, %v", path, w.Code, w.Header())
		}
	}
}

// Each figure of a document has an address, with the same digits of the same snapshot. A maximum that does
// not exist has none.
func TestEveryFigureHasAnAddress(t *testing.T) {
	k := newKit(t, oneHost())
	p := *k.supply.current(started).publication
	p.States = slices.Clone(p.States)
	p.States[1].Ledger.MaxSupply = nil
	p.States[1].Ledger.Entries = p.States[1].Ledger.Entries[:1]
	k.OnPublication(&p)
	given := 0
	for _, token := range demo.Tokens() {
		var doc map[string]any
		if err := json.Unmarshal(k.get("/supply/"+token.Path).Body.Bytes(), &doc); err != nil {
			t.Fatal(err)
		}
		for _, name := range supply.FigureNames {
			want, has := doc[strings.TrimSuffix(name, "supply")+"Supply"]
			w := k.get("/supply/" + token.Path + "/" + name)
			if !has || want == nil {
				if w.Code != http.StatusNotFound {
					t.Errorf("%s has no %s, but an address: %d %s", token.Path, name, w.Code, w.Body)
				}
				continue
			}
			given++
			if w.Body.String() != want || w.Header().Get("Supply-Snapshot") != doc["snapshot"] {
				t.Errorf("%s of %s: %d %s, want %s", name, token.Path, w.Code, w.Body, want)
			}
		}
	}
	if given != 17 {
		t.Errorf("%d figures are given", given)
	}
}

func TestNoDateNamesTwoRepresentations(t *testing.T) {
	second := func(n float64) time.Time { return time.Unix(1000, 0).Add(time.Duration(n * float64(time.Second))) }
	var c change
	seen := map[time.Time]string{}
	for _, step := range []struct {
		at   float64
		tag  string
		want time.Time
	}{
		{0.2, "a", second(0)},
		{0.7, "a", second(0)},   // unchanged
		{0.9, "b", time.Time{}}, // in the same second, so no date
		{0.95, "a", time.Time{}},
		{1.5, "a", second(1)}, // unchanged in the next second
		{5, "a", second(1)},
		{6, "b", second(6)},
		{3, "c", time.Time{}}, // the clock went back
	} {
		c = c.next(step.tag, second(step.at))
		if !c.modified.Equal(step.want) {
			t.Errorf("at %v: %v, not %v", step.at, c.modified, step.want)
		}
		if tag, ok := seen[c.modified]; ok && tag != step.tag && !c.modified.IsZero() {
			t.Errorf("%v is the date of both %s and %s", c.modified, tag, step.tag)
		}
		seen[c.modified] = step.tag
	}
}

// Two publications in one second leave answers without a date, but only during that second.
func TestADateComesWithTheNextSecond(t *testing.T) {
	k := newKit(t, oneHost())
	k.board.Set(updates(t, demo.End.Add(-24*time.Hour))...)
	if date := k.get("/supply/").Header().Get("Last-Modified"); date != "" {
		t.Errorf("dated %s, as the one before in the same second", date)
	}
	k.clock.advance(999 * time.Millisecond)
	if date := k.get("/supply/").Header().Get("Last-Modified"); date != "" {
		t.Errorf("dated %s before the second was over", date)
	}
	k.clock.advance(time.Millisecond)
	want := k.clock.now().Format(http.TimeFormat)
	for range 2 {
		if date := k.get("/supply/").Header().Get("Last-Modified"); date != want {
			t.Errorf("dated %q, not %q", date, want)
		}
		k.clock.advance(time.Hour)
	}
}

func TestAnUnchangedBodyKeepsItsTagAndDate(t *testing.T) {
	k := newKit(t, oneHost())
	before := k.get("/supply/jewel/maxsupply")
	k.clock.advance(time.Hour)
	k.board.Set(updates(t, demo.End.Add(-24*time.Hour))...)
	after := k.get("/supply/jewel/maxsupply")
	for _, h := range []string{"Etag", "Last-Modified"} {
		if before.Header().Get(h) != after.Header().Get(h) {
			t.Errorf("%s changed from %s to %s", h, before.Header().Get(h), after.Header().Get(h))
		}
	}
	if before.Header().Get("Supply-Snapshot") == after.Header().Get("Supply-Snapshot") {
		t.Error("the snapshot is still the old one")
	}
	total := k.get("/supply/jewel/totalsupply")
	if total.Header().Get("Last-Modified") != k.clock.now().Format(http.TimeFormat) {
		t.Errorf("a new figure is dated %s", total.Header().Get("Last-Modified"))
	}
}

// While a figure is withdrawn, no address answers with it, not even in the lane. Its evidence is
// still served, with the reason.
func TestAWithdrawnFigureIsRefusedEverywhere(t *testing.T) {
	k := newKit(t, oneHost())
	k.clock.set(demo.End)
	k.aged(t, time.Hour, 24*time.Hour)
	forms := []string{"/supply/jewel", "/supply/jewel/", "/supply/jewel?q=total", "/supply/jewel?q=circulatingsupply",
		"/supply/jewel/totalsupply",
		"/supply/jewel/totalSupply/", "/supply/jewel/circulatingsupply?format=json"}
	tags := map[string]string{}
	for _, target := range forms {
		w := k.get(target)
		tags[target] = w.Header().Get("ETag")
		if w.Code != http.StatusOK {
			t.Fatalf("%s before: %d", target, w.Code)
		}
	}
	p := *k.supply.current(demo.End).publication
	p.States = slices.Clone(p.States)
	p.States[0].Status = supply.Withdrawn
	p.States[0].Correction = &supply.Correction{Reason: "an entry was missing", At: demo.End}
	k.OnPublication(&p)
	for _, target := range forms {
		w := k.get(target, "If-None-Match", tags[target])
		if w.Code != http.StatusServiceUnavailable ||
			!strings.Contains(w.Body.String(), "the figure of JEWEL is withdrawn: an entry was missing") ||
			w.Header().Get("Retry-After") == "" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s of a withdrawn figure: status %d, %s %v", target, w.Code, w.Body, w.Header())
		}
		if head, _ := k.Find(&express.Request{Host: "localhost:8080", Target: target, At: demo.End}); head != nil {
			t.Errorf("%s: the lane still answers", target)
		}
	}
	for target, want := range map[string]string{"/supply/": `"status":"withdrawn","snapshot":null`,
		"/supply/jewel/evidence":      `"correction":{"reason":"an entry was missing"`,
		"/supply/crystal/totalsupply": ""} {
		if w := k.get(target); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %.300s", target, w.Code, w.Body)
		}
	}
}
