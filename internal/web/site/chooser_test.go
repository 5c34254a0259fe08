package site

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// earlier is a past with the kingdom's beginning.
type earlier struct{ token supply.Point }

func (e earlier) PublishedAt(_ context.Context, token string, m supply.Moment) (supply.Point, error) {
	if token != "jewel" {
		return supply.Point{}, supply.ErrNotFound
	}
	if m.Snapshot == "" && m.At.Before(demo.Start) {
		return supply.Point{}, &supply.BeforeFirst{First: demo.Start}
	}
	return e.token, nil
}

func (e earlier) Ledgers(context.Context, string) ([]ledger.Version, error) { return nil, nil }

// A page of the past shows fewer incidents, and leaves those of other pages alone.
func TestAPageOfThePastLeavesIncidentsAlone(t *testing.T) {
	s := demoSite(t)
	total := ledger.Whole(1234567, 0)
	s.Past = earlier{supply.Point{AsOf: demo.Start, MeasuredAt: demo.Start, Snapshot: strings.Repeat("a", 64),
		Figures: supply.Figures{Total: total, Circulating: total}}}
	for _, target := range []string{"/status", "/token/jewel?at=2026-07-05T10:00", "/status"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		if target == "/status" && !strings.Contains(w.Body.String(), "A figure was corrected: an entry was missing") {
			t.Errorf("%s lacks the correction", target)
		}
	}
}

// A correction is shown beside the figure, on the page of that time and on the current page.
func TestCorrectionsAreShown(t *testing.T) {
	s := demoSite(t)
	total := ledger.Whole(1234567, 0)
	wrong := &supply.Correction{Reason: "an entry was <b>missing</b>", At: demo.End}
	s.Past = earlier{supply.Point{AsOf: demo.Start, MeasuredAt: demo.Start, Snapshot: strings.Repeat("a", 64),
		Figures: supply.Figures{Total: total, Circulating: total}, Correction: wrong}}
	page := func(target string) string {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		return w.Body.String()
	}
	const said = "<b>This figure was wrong:</b> <bdi>an entry was &lt;b&gt;missing&lt;/b&gt;.</bdi>"
	if !strings.Contains(page("/token/jewel?at=2026-07-05T10:00"), said) {
		t.Error("the page of that time does not show the correction")
	}
	if !strings.Contains(page("/token/jewel?at=2026-07-05T10:00"), "a single figure of this moment get 410") {
		t.Error("the page of that time does not say that single figures get 410")
	}
	if strings.Contains(page("/token/jewel?at=2026-07-05T10:00"), "Since then") {
		t.Error("the page of that time compares the wrong figure with the current one")
	}
	if strings.Contains(page("/token/jewel"), said) {
		t.Error("the current page shows the correction with another figure")
	}
	st, _ := s.Board.Now().State("jewel")
	s.Board.Set(supply.Update{Record: supply.Record{Token: "jewel", Seq: 2, Snapshot: st.Snapshot,
		Confirmed: st.Snapshot.MeasuredAt, Correction: wrong}})
	if !strings.Contains(page("/token/jewel"), said) {
		t.Error("the current page does not show the correction")
	}
}

func TestPagesOfThePast(t *testing.T) {
	s := demoSite(t)
	total, _ := ledger.ParseAmount("1234567")
	s.Past = earlier{supply.Point{AsOf: demo.Start, MeasuredAt: demo.Start, Snapshot: strings.Repeat("a", 64),
		LedgerHash: strings.Repeat("b", 64),
		Figures:    supply.Figures{Total: total, Circulating: total}}}
	for target, want := range map[string]struct {
		status int
		has    string
	}{
		"/token/jewel?at=2026-07-05T10:00":        {200, "4 Jul 2026, 00:00:00 UTC"},
		"/token/jewel?at=2026-07-06T10:00":        {200, `id="since">Since then`},
		"/token/jewel?at=2026-07-07T10:00&days=7": {200, `"?at=2026-07-06T10%3A00&amp;days=7"`},
		"/token/jewel?at=2026-07-08T10:00":        {200, `class="past"`},
		"/token/jewel?at=2026-08-04T10:00":        {200, "At that moment a newer figure was held: it went up by half.<"},
		"/token/JEWEL/?at=2026-07-05T10:00:00Z":   {200, `value="2026-07-05T10:00"`},
		"/token/jewel?at=1783256400":              {200, "/supply/jewel?at=1783256400"},
		"/token/jewel?at=2020-01-01T00:00":        {404, "4 Jul 2026, 00:00 UTC"},
		"/token/jewel?at=yesterday":               {400, "such as <code>?at=2026-01-31</code> or"},
		"/token/jewel?at=2999-01-01T00:00":        {400, "This time has not come yet"},
		"/token/jewel?at=1&at=2":                  {400, "Not a valid time"},
		"/token/jewel":                            {200, "data-moment"},
		"/pet/1?at=2026-07-05T10:00":              {400, "current"},
		"/pet/1?at=soon":                          {400, "current"},
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		if w.Code != want.status || !strings.Contains(w.Body.String(), want.has) {
			t.Errorf("%s: %d, and %q is there: %v", target, w.Code, want.has, strings.Contains(w.Body.String(), want.has))
		}
	}
}

// The slider has exactly the midnights for which there is data.
func TestTheSlidersDays(t *testing.T) {
	at := func(text string) time.Time {
		out, err := time.Parse(fieldTime, text)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	c := chooser{From: at("2026-07-04T10:00"), To: at("2026-07-09T08:00")}
	day := func(n int64) string { return time.Unix(n, 0).UTC().Format(fieldTime) }
	if d := c.Days(); day(d.First) != "2026-07-05T00:00" || day(d.Last) != "2026-07-09T00:00" || d.At != d.Last {
		t.Errorf("from %s to %s", day(d.First), day(d.Last))
	}
	if c.At = at("2026-07-04T11:00"); c.Days().At != c.Days().First || c.Earlier() != "" ||
		c.Later() != "?at=2026-07-05T11%3A00" {
		t.Errorf("%+v, %q and %q", c.Days(), c.Earlier(), c.Later())
	}
	if c.From = c.From.Add(time.Second); c.First().Format(fieldTime) != "2026-07-04T10:01" {
		t.Errorf("the first minute is %s", c.First())
	}
	if c.Empty() || !(chooser{}).Empty() || !(chooser{From: c.From, To: c.From}).Empty() {
		t.Error("what can be chosen is not known")
	}
}
