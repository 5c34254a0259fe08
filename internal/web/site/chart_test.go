package site

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"petsupply/internal/supply"
)

// history makes points, an hour apart, of totals and circulating figures.
func history(t *testing.T, pairs ...[2]string) []supply.Point {
	t.Helper()
	var out []supply.Point
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, p := range pairs {
		out = append(out, supply.Point{AsOf: at, Figures: supply.Figures{Total: amount(t, p[0]), Circulating: amount(t, p[1])}})
		at = at.Add(time.Hour)
	}
	return out
}

func TestDraw(t *testing.T) {
	c := draw("JEWEL", history(t, [2]string{"1000", "100"}, [2]string{"1050", "110"}, [2]string{"1100", "100"}))
	var points [][]any
	if err := json.Unmarshal([]byte(c.Points), &points); err != nil || len(points) != 3 {
		t.Fatalf("%d points: %v in %s", len(points), err, c.Points)
	}
	ys := func(i int) []float64 { // of the total and of circulating, by point
		var out []float64
		for _, p := range points {
			out = append(out, p[2+i].(float64))
		}
		return out
	}
	total, circulating := ys(0), ys(1)
	if !(total[0] > total[1] && total[1] > total[2]) {
		t.Errorf("a growing total goes %v", total)
	}
	if circulating[0] != circulating[2] || circulating[1] >= circulating[0] {
		t.Errorf("circulating goes %v", circulating)
	}
	for i, band := range [][]float64{total, circulating} {
		for _, y := range band {
			if b := c.Bands[i]; y < float64(b.Top) || y > float64(b.Foot) {
				t.Errorf("%s leaves its band at %v", b.Name, y)
			}
		}
	}
	// Both bands have one scale: ten tokens are as high in one as in the other.
	if perToken, other := (total[0]-total[2])/100, (circulating[0]-circulating[1])/10; perToken/other < 0.98 || perToken/other > 1.02 {
		t.Errorf("a token is %v high in one band and %v in the other", perToken, other)
	}
	if c.Bands[0].Change != "+10.00%" || c.Bands[1].Change != "unchanged" {
		t.Errorf("changes are %q and %q", c.Bands[0].Change, c.Bands[1].Change)
	}
	if !strings.Contains(c.Summary, "total supply went from 1,000 to 1,100") || !strings.HasSuffix(c.Bands[0].Area, "L600 88L0 88Z") {
		t.Errorf("%s %s", c.Summary, c.Bands[0].Area)
	}
}

// slowHistory takes a second, and counts those who read it.
type slowHistory struct {
	demoHistory
	asked int
}

func (h *slowHistory) History(ctx context.Context, token string, from, to time.Time, points int) ([]supply.Point, error) {
	h.asked++
	time.Sleep(time.Second)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return h.demoHistory.History(ctx, token, from, to, points)
}

func TestAChartIsMadeOnceHoweverManyAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := demoSite(t)
		slow := &slowHistory{demoHistory: s.History.(demoHistory)}
		s.History = slow
		st := s.Board.Now().States[0]
		first, leave := context.WithCancel(t.Context())
		var charts [8]*chart
		var all sync.WaitGroup
		for i := range charts {
			ctx := t.Context()
			if i == 0 {
				ctx = first
			}
			all.Go(func() { charts[i] = s.chart(ctx, st, time.Time{}, 0) })
			synctest.Wait()
		}
		leave()
		all.Wait()
		if slow.asked != 1 {
			t.Errorf("history was read %d times", slow.asked)
		}
		for i, c := range charts {
			if (c == nil) != (i == 0) {
				t.Errorf("caller %d got %v", i, c)
			}
		}
	})
}

func TestDrawExtremes(t *testing.T) {
	if draw("X", nil) != nil || draw("X", history(t, [2]string{"1", "1"})) != nil {
		t.Error("one point makes no line")
	}
	same := history(t, [2]string{"1", "1"}, [2]string{"1", "1"})
	same[1].AsOf = same[0].AsOf
	if draw("X", same) != nil {
		t.Error("two points of one moment make no line")
	}
	for name, p := range map[string][]supply.Point{
		"steady":   history(t, [2]string{"5", "5"}, [2]string{"5", "5"}),
		"largest":  history(t, [2]string{largest, "1"}, [2]string{largest, largest}),
		"smallest": history(t, [2]string{"0." + strings.Repeat("0", 76) + "1", "0." + strings.Repeat("0", 76) + "1"}, [2]string{"1", "0.5"}),
		"zero":     history(t, [2]string{"0", "0"}, [2]string{"0", "0"}),
	} {
		c := draw("X", p)
		if c == nil || strings.Contains(c.Bands[0].Line+c.Bands[1].Line+c.Points, "NaN") || strings.Contains(c.Points, "Inf") {
			t.Errorf("%s: %+v", name, c)
			continue
		}
		for _, b := range c.Bands {
			var x, y float64
			for part := range strings.SplitSeq(strings.TrimPrefix(b.Line, "M"), "L") {
				if _, err := fmt.Sscan(part, &x, &y); err != nil || x < 0 || x > chartWide || y < float64(b.Top) || y > float64(b.Foot) {
					t.Errorf("%s: %s has a point at %s (%v)", name, b.Name, part, err)
				}
			}
		}
	}
}

func TestSteadyFigureStaysFlat(t *testing.T) {
	c := draw("X", history(t, [2]string{"1000000", "1000000"}, [2]string{"1000001", "1000001"}))
	var points [][]any
	if err := json.Unmarshal([]byte(c.Points), &points); err != nil {
		t.Fatal(err)
	}
	if rise := points[0][2].(float64) - points[1][2].(float64); rise < 0 || rise > 1 {
		t.Errorf("a millionth more rises by %v pixels", rise)
	}
}

func TestCompact(t *testing.T) {
	for _, test := range []struct{ a, step, want string }{
		{"0", "10", "0"},
		{"12.75", "1", "12"},
		{"999999", "10", "999,999"},
		{"116943181.2", "1700000", "116.9M"},
		{"116943181.2", "17000", "116.943M"},
		{"117000000", "1700000", "117M"},
		{"2500000000", "100000000", "2.5B"},
		{"1000000000000", "100000000000", "1T"},
		{largest, "1" + strings.Repeat("0", 75), "1.157 × 10⁷⁷"},
	} {
		if got := compact(amount(t, test.a), amount(t, test.step)); got != test.want {
			t.Errorf("%s by %s: %q, want %q", test.a, test.step, got, test.want)
		}
	}
}

func TestChange(t *testing.T) {
	for _, test := range []struct{ from, to, want string }{
		{"100", "100", "unchanged"},
		{"100", "101.5", "+1.50%"},
		{"100", "99", "−1.00%"},
		{"1000000", "1000001", "+<0.01%"},
		{"0", "5", "from zero"},
		{"1", "5001", "+500,000%"},
	} {
		if got := change(amount(t, test.from), amount(t, test.to)); got != test.want {
			t.Errorf("%s to %s: %q, want %q", test.from, test.to, got, test.want)
		}
	}
}

func TestChartDates(t *testing.T) {
	c := draw("X", history(t, [2]string{"1", "1"}, [2]string{"1", "1"}))
	if got := c.Date(c.To); got != "1 Mar, 01:00 UTC" {
		t.Error(got)
	}
	c.To = c.To.AddDate(0, 0, 7)
	if got := c.Date(c.To); got != "8 Mar 2026" {
		t.Error(got)
	}
}

func TestThin(t *testing.T) {
	var points []supply.Point
	for i := range 100 {
		points = append(points, supply.Point{AsOf: time.Unix(int64(i), 0)})
	}
	out := thin(points, tableRows)
	if len(out) > tableRows || out[0].AsOf != points[99].AsOf || !out[1].AsOf.Before(out[0].AsOf) {
		t.Errorf("%d rows, first %v", len(out), out[0].AsOf)
	}
	if got := thin(points[:3], tableRows); len(got) != 3 {
		t.Errorf("%d of 3", len(got))
	}
}
