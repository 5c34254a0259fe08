package site

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"petsupply/internal/supply"
)

// history makes points of totals and circulating figures, an hour apart.
func history(t *testing.T, pairs ...[2]string) []supply.Point {
	t.Helper()
	var out []supply.Point
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, p := range pairs {
		out = append(out, supply.Point{AsOf: at, Figures: supply.Figures{Total: amount(t, p[0]),
			Circulating: amount(t, p[1])}})
		at = at.Add(time.Hour)
	}
	return out
}

// hoverPoint is a point of a chart in the form that the script reads.
type hoverPoint struct {
	ms      int64
	x       float64
	heights []float64 // circulating, total
	values  []string
}

func hoverPoints(t *testing.T, c *chart) (out []hoverPoint) {
	t.Helper()
	var raw [][]json.RawMessage
	if err := json.Unmarshal([]byte(c.Points), &raw); err != nil {
		t.Fatalf("%v in %s", err, c.Points)
	}
	for _, r := range raw {
		var p hoverPoint
		for i, to := range []any{&p.ms, &p.x, &p.heights, &p.values} {
			if err := json.Unmarshal(r[i], to); err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, p)
	}
	return out
}

// A figure that was corrected is not drawn, and no change counts from it.
func TestAChartLeavesOutWrongFigures(t *testing.T) {
	right := history(t, [2]string{"1000", "100"}, [2]string{"1100", "100"})
	all := history(t, [2]string{"9000", "900"}, [2]string{"1000", "100"}, [2]string{"5000", "500"}, [2]string{"1100", "100"})
	all[0].Correction, all[2].Correction = &supply.Correction{}, &supply.Correction{}
	right[0].AsOf, right[1].AsOf = all[1].AsOf, all[3].AsOf
	want, got := draw("X", right, false), draw("X", all, false)
	if !got.Corrected || want.Corrected {
		t.Errorf("wrong figures are noticed: %t, without any: %t", got.Corrected, want.Corrected)
	}
	if got.Corrected = false; !reflect.DeepEqual(got, want) || got.spark(all) != want.spark(right) {
		t.Errorf("with wrong figures the chart is %+v, want %+v", got, want)
	}
}

func TestDraw(t *testing.T) {
	c := draw("JEWEL", history(t, [2]string{"1000", "100"}, [2]string{"1050", "110"}, [2]string{"1100", "100"}), false)
	points := hoverPoints(t, c)
	var total, circulating []float64
	for _, p := range points {
		circulating, total = append(circulating, p.heights[0]), append(total, p.heights[1])
	}
	if !(total[0] > total[1] && total[1] > total[2]) {
		t.Errorf("a growing total goes %v", total)
	}
	if circulating[0] != circulating[2] || circulating[1] >= circulating[0] {
		t.Errorf("circulating goes %v", circulating)
	}
	for i, list := range [][]float64{circulating, total} {
		for _, y := range list {
			if p := c.Panels[i]; y < float64(p.Top) || y > float64(p.Foot) {
				t.Errorf("%s leaves its panel at %v", p.Name, y)
			}
		}
	}
	// Both panels have one scale: ten tokens have the same height in both.
	if perToken, other := (total[0]-total[2])/100, (circulating[0]-circulating[1])/10; perToken/other < 0.98 ||
		perToken/other > 1.02 {
		t.Errorf("a token is %v high in one panel and %v in the other", perToken, other)
	}
	if c.Panels[0].Change != "unchanged" || c.Panels[1].Change != "+10.00%" {
		t.Errorf("changes are %q and %q", c.Panels[0].Change, c.Panels[1].Change)
	}
	if got := points[2].values; c.Names != "Circulating,Total" ||
		!slices.Equal(got, []string{"100", "−10", "1,100", "+50"}) {
		t.Errorf("the last point says %q of %s", got, c.Names)
	}
	if !strings.Contains(c.Summary, "total supply went from 1,000 to 1,100") {
		t.Errorf("the summary is %s", c.Summary)
	}
}

func TestAStackBeginsAtZeroAndLeavesNoGap(t *testing.T) {
	points := history(t, [2]string{"90", "50"}, [2]string{"100", "60"})
	for i := range points {
		points[i].Locked, points[i].Reserved, points[i].Burned = amount(t, "30"), amount(t, "10"), amount(t, "10")
	}
	c := draw("X", points, true)
	if len(c.Layers) != 4 || !strings.Contains(c.Layers[0].Path, fmt.Sprintf("L%d %d.0L0 %d.0Z", chartWide, chartFoot,
		chartFoot)) {
		t.Fatalf("the layers are %+v", c.Layers)
	}
	for i := 1; i < len(c.Layers); i++ {
		upper, _, _ := strings.Cut(c.Layers[i-1].Path[1:], "L")
		if !strings.HasSuffix(c.Layers[i].Path, "L"+upper+"Z") {
			t.Errorf("%s does not begin where %s ends", c.Layers[i].Path, c.Layers[i-1].Path)
		}
	}
}

func TestAChangeOfTheLedgerIsMarked(t *testing.T) {
	points := history(t, [2]string{"1", "1"}, [2]string{"1", "1"}, [2]string{"1", "1"})
	points[2].LedgerHash = "other"
	if c := draw("X", points, false); len(c.Marks) != 1 || c.Marks[0].At != "100.00" {
		t.Errorf("the marks are %+v", c.Marks)
	}
}

// slowHistory takes a second, and counts its readers.
type slowHistory struct {
	demoHistory
	asked int
}

func (h *slowHistory) History(ctx context.Context, token string, from, to time.Time, points int) ([]supply.Point,
	error) {
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
		var spans [8]*span
		var all sync.WaitGroup
		for i := range spans {
			ctx := t.Context()
			if i == 0 {
				ctx = first
			}
			all.Go(func() { spans[i] = s.span(ctx, st, 0) })
			synctest.Wait()
		}
		leave()
		all.Wait()
		if slow.asked != 1 {
			t.Errorf("history was read %d times", slow.asked)
		}
		for i, c := range spans {
			if (c.lines == nil) != (i == 0) {
				t.Errorf("caller %d got %v", i, c)
			}
		}
	})
}

func TestDrawExtremes(t *testing.T) {
	if draw("X", nil, false) != nil || draw("X", history(t, [2]string{"1", "1"}), true) != nil {
		t.Error("one point makes no line")
	}
	same := history(t, [2]string{"1", "1"}, [2]string{"1", "1"})
	same[1].AsOf = same[0].AsOf
	if draw("X", same, false) != nil {
		t.Error("two points of one moment make no line")
	}
	for name, p := range map[string][]supply.Point{
		"steady":  history(t, [2]string{"5", "5"}, [2]string{"5", "5"}),
		"largest": history(t, [2]string{largest, "1"}, [2]string{largest, largest}),
		"smallest": history(t, [2]string{"0." + strings.Repeat("0", 76) + "1", "0." + strings.Repeat("0", 76) + "1"},
			[2]string{"1", "0.5"}),
		"zero": history(t, [2]string{"0", "0"}, [2]string{"0", "0"}),
	} {
		for _, stacked := range []bool{false, true} {
			c := draw("X", p, stacked)
			if c == nil {
				t.Errorf("%s: nothing", name)
				continue
			}
			hoverPoints(t, c)
			var paths []string
			for _, p := range c.Panels {
				paths = append(paths, p.Line)
			}
			for _, l := range c.Layers {
				paths = append(paths, l.Path)
			}
			for _, path := range append(paths, c.spark(p)) {
				var x, y float64
				for part := range strings.SplitSeq(strings.Trim(path, "MZ"), "L") {
					if part == "" {
						continue
					}
					if _, err := fmt.Sscan(part, &x, &y); err != nil || x < 0 || x > chartWide || y < 0 || y > chartFoot {
						t.Errorf("%s: a point at %s (%v)", name, part, err)
					}
				}
			}
		}
	}
}

func TestSteadyFigureStaysFlat(t *testing.T) {
	points := hoverPoints(t, draw("X", history(t, [2]string{"1000000", "1000000"}, [2]string{"1000001", "1000001"}),
		false))
	if rise := points[0].heights[0] - points[1].heights[0]; rise < 0 || rise > 1 {
		t.Errorf("a millionth more rises by %v pixels", rise)
	}
}

func TestCompact(t *testing.T) {
	for _, test := range []struct{ a, step, want string }{
		{"0", "10", "0"},
		{"12.75", "10", "13"},
		{"12.75", "1", "12.8"},
		{"12.75", "0.1", "12.75"},
		{"0.000125", "0.0001", "0.00013"},
		{"999999", "10", "999,999"},
		{"116943181.2", "1700000", "116.9M"},
		{"116943181.2", "17000", "116.943M"},
		{"117000000", "1700000", "117.0M"},
		{"79510000.5", "159020001", "79.5M"},
		{"159020001", "159020001", "159M"},
		{"79560000", "159120000", "79.6M"},
		{"999999.5", "10", "1.000M"},
		{"999960000", "1700000", "1.000B"},
		{"2500000000", "100000000", "2.50B"},
		{"1000000000000", "100000000000", "1.00T"},
		{largest, "1" + strings.Repeat("0", 75), "1.158 × 10⁷⁷"},
	} {
		t.Run(test.a+" by "+test.step, func(t *testing.T) {
			if got := compact(amount(t, test.a), amount(t, test.step)); got != test.want {
				t.Errorf("%s by %s: %q, want %q", test.a, test.step, got, test.want)
			}
		})
	}
}

func TestChange(t *testing.T) {
	for _, test := range []struct{ from, to, want string }{
		{"100", "100", "unchanged"},
		{"100", "101.5", "+1.50%"},
		{"100", "99", "−1.00%"},
		{"1000000", "1000001", "+<0.01%"},
		{"3600", "3632", "+0.89%"},
		{"300", "302", "+0.67%"},
		{"300", "298", "−0.67%"},
		{"0", "5", "from zero"},
		{"1", "5001", "+500,000%"},
	} {
		t.Run(test.from+" to "+test.to, func(t *testing.T) {
			if got := change(amount(t, test.from), amount(t, test.to)); got != test.want {
				t.Errorf("%s to %s: %q, want %q", test.from, test.to, got, test.want)
			}
		})
	}
}

// The dates of a chart differ, have equal distances, and are not near its edges.
func TestChartDates(t *testing.T) {
	points := history(t, [2]string{"1", "1"}, [2]string{"1", "1"})
	for length, want := range map[time.Duration]string{
		10 * time.Second: "00:00:01", 3 * time.Minute: "00:00:18", time.Hour: "00:06", 50 * time.Hour: "05:00",
		3 * 24 * time.Hour: "2 Mar",
		6 * 24 * time.Hour: "2 Mar", 181 * time.Hour: "2 Mar", 30 * 24 * time.Hour: "4 Mar", 400 * 24 * time.Hour: "Apr 2026",
	} {
		t.Run(length.String(), func(t *testing.T) {
			points[1].AsOf = points[0].AsOf.Add(length)
			c := draw("X", points, false)
			if len(c.Dates) < 2 || len(c.Dates) > 5 || c.Dates[0].Label != want {
				t.Errorf("%+v, the first not %q", c.Dates, want)
			}
			var places []float64
			for _, d := range c.Dates {
				x, err := strconv.ParseFloat(d.At, 64)
				if err != nil || x < 5 || x > 95 {
					t.Errorf("%q is at %s, %v", d.Label, d.At, err)
				}
				places = append(places, x)
			}
			for i := range c.Dates[1:] {
				if d := places[i+1] - places[i] - (places[1] - places[0]); d < -0.03 || d > 0.03 {
					t.Errorf("the distances differ: %v", places)
				}
				if c.Dates[i].Label == c.Dates[i+1].Label {
					t.Errorf("two labels are %q", c.Dates[i].Label)
				}
			}
		})
	}
}

// The labels of an axis differ, however small the figures are.
func TestAxisLabelsDiffer(t *testing.T) {
	for _, from := range []string{"0.001", "1.5", "12", "950", "12345", "999999", "1234567", "116943181", "98765432109"} {
		c := draw("X", history(t, [2]string{from, from}, [2]string{from, from}), false)
		for _, p := range c.Panels {
			for i := range p.Ticks[1:] {
				if p.Ticks[i].Label == p.Ticks[i+1].Label {
					t.Errorf("of %s the axis has %q twice", from, p.Ticks[i].Label)
				}
			}
		}
	}
}

func TestThin(t *testing.T) {
	var points []supply.Point
	for i := range 100 {
		points = append(points, supply.Point{AsOf: time.Unix(int64(i), 0)})
		out := thin(points, tableRows)
		if len(out) != min(i+1, tableRows) || out[0].AsOf != points[i].AsOf || out[len(out)-1].AsOf != points[0].AsOf {
			t.Fatalf("%d rows of %d points, from %v to %v", len(out), i+1, out[len(out)-1].AsOf, out[0].AsOf)
		}
		for n := 1; n < len(out); n++ {
			if !out[n].AsOf.Before(out[n-1].AsOf) {
				t.Fatalf("row %d of %d points is not older than the row before it", n, i+1)
			}
		}
	}
}
