package site

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// Pages use the status in memory, because reading it queries the store.
func TestPagesAskForTheStatusOnce(t *testing.T) { synctest.Test(t, testPagesAskForTheStatusOnce) }

func testPagesAskForTheStatusOnce(t *testing.T) {
	s := demoSite(t)
	s.Demo = false // the demo's entries are invented, whatever the status
	asked, status := 0, s.Config.Status
	s.Config.Status = func() Status {
		asked++
		return status()
	}
	get := func(path string) {
		t.Helper()
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != http.StatusOK {
			t.Fatalf("%s: status %d", path, w.Code)
		}
	}
	for _, path := range []string{"/token/jewel", "/token/crystal", "/status", "/status"} {
		get(path)
	}
	if asked != 1 {
		t.Errorf("four pages asked for the status %d times, want once", asked)
	}
	time.Sleep(statusKept)
	if get("/status"); asked != 2 {
		t.Errorf("a page of later asked %d times in all, want twice", asked)
	}
}

// gapsOf is a history with these gaps.
type gapsOf struct {
	demoHistory
	gaps []supply.Gap
}

func (h gapsOf) Gaps(context.Context, string, time.Time, time.Duration) ([]supply.Gap, error) {
	return h.gaps, nil
}

// firstAt is a past with its first record at this time.
type firstAt struct {
	earlier
	time.Time
}

func (f firstAt) PublishedAt(context.Context, string, supply.Moment) (supply.Point, error) {
	return supply.Point{}, &supply.BeforeFirst{First: f.Time}
}

func TestShareOfTimeInWhichFiguresWereMeasured(t *testing.T) {
	now, hour := time.Now(), time.Hour
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	for name, c := range map[string]struct {
		first, confirmed time.Duration // ago
		gaps             []supply.Gap
		want             string
		listed           int
	}{
		"always":        {1000 * hour, 0, nil, "100.00%", 0},
		"a new service": {0, 0, nil, "100.00%", 0},
		"an hour too late": {100 * hour, 0, []supply.Gap{{From: ago(50 * hour), To: ago(47 * hour)}}, "99.00%",
			1},
		"a little is not nothing": {1000 * hour, 0,
			[]supply.Gap{{From: ago(50 * hour), To: ago(48*hour - time.Second)}}, "99.99%", 1},
		"it goes on":         {100 * hour, 3 * hour, nil, "99.00%", 1},
		"it is not late yet": {100 * hour, hour, nil, "100.00%", 0},
		"it began before the 90 days": {9999 * hour, 0, []supply.Gap{{From: ago(2200 * hour), To: ago(2052 * hour)}},
			"95.00%", 1},
		"never, since the first figure": {100 * hour, 100 * hour, nil, "2.00%", 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := bare(t)
			s.Late, s.History, s.Past = 2*hour, gapsOf{gaps: c.gaps}, firstAt{Time: ago(c.first)}
			st := supply.State{Token: &ledger.Token{Path: "jewel"}, Confirmed: ago(c.confirmed)}
			for range 2 { // the second time from memory
				gaps, share := s.lateTimes(t.Context(), st, now)
				if share != c.want || len(gaps) != c.listed {
					t.Errorf("%s in time and %d gaps, want %s and %d", share, len(gaps), c.want, c.listed)
				}
			}
		})
	}
}
