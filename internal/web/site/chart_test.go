package site

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"petsupply/internal/supply"
)

// history makes points of totals and circulating figures, an hour apart.
func history(t *testing.T, pairs ...[2]string) []supply.Point {
	t.Helper()
	var out []supply.Point
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, p := range pairs {
		figures := supply.Figures{Total: amount(t, p[0]), Circulating: amount(t, p[1])}
		out = append(out, supply.Point{Snapshot: &supply.Snapshot{AsOf: at, Figures: figures}})
		at = at.Add(time.Hour)
	}
	return out
}

// Both panels have the same scale, with steps of 1, 2 or 5, and contain their lines.
func TestDraw(t *testing.T) {
	for name, points := range map[string][]supply.Point{
		"usual":   history(t, [2]string{"1000", "100"}, [2]string{"1050", "110"}, [2]string{"1100", "100"}),
		"steady":  history(t, [2]string{"5", "5"}, [2]string{"5", "5"}),
		"largest": history(t, [2]string{largest, "1"}, [2]string{largest, largest}),
		"smallest": history(t, [2]string{"0." + strings.Repeat("0", 76) + "1", "0." + strings.Repeat("0", 76) + "1"},
			[2]string{"1", "0.5"}),
		"zero": history(t, [2]string{"0", "0"}, [2]string{"0", "0"}),
	} {
		t.Run(name, func(t *testing.T) {
			c := draw(points, nil)
			if c == nil {
				t.Fatal("nothing is drawn")
			}
			if !json.Valid([]byte(c.Points)) {
				t.Errorf("the script cannot read %s", c.Points)
			}
			if c.Panels[0].step != c.Panels[1].step || len(c.Panels[0].Ticks) != len(c.Panels[1].Ticks) {
				t.Errorf("the panels have different scales: %+v", c.Panels)
			}
			digit := strconv.FormatFloat(c.Panels[0].step, 'e', -1, 64)[0]
			if !strings.ContainsRune("125", rune(digit)) {
				t.Errorf("a step of %v", c.Panels[0].step)
			}
			for _, p := range c.Panels {
				for part := range strings.SplitSeq(p.Path[1:], "L") {
					var x, y float64
					_, err := fmt.Sscan(part, &x, &y)
					if err != nil || x < 0 || x > 1000 || y < float64(p.Top)-0.1 || y > float64(p.Top+p.Height)+0.1 {
						t.Errorf("a point at %s, %v", part, err)
					}
				}
			}
		})
	}
}

func TestTooFewPointsMakeNoLine(t *testing.T) {
	same := history(t, [2]string{"1", "1"}, [2]string{"1", "1"})
	same[1].AsOf = same[0].AsOf
	for _, points := range [][]supply.Point{nil, same[:1], same} {
		if draw(points, nil) != nil {
			t.Errorf("%d points make a chart", len(points))
		}
	}
}

func TestASteadyFigureStaysFlat(t *testing.T) {
	p := draw(history(t, [2]string{"1000000", "1000000"}, [2]string{"1000001", "1000001"}), nil).Panels[1]
	if rise := p.y(1000000) - p.y(1000001); rise < 0 || rise > 1 {
		t.Errorf("a millionth more rises by %v pixels", rise)
	}
}

// The labels of an axis differ, however small the figures are.
func TestAxisLabelsDiffer(t *testing.T) {
	for _, from := range []string{
		"0.001", "1.5", "12", "950", "12345", "999999", "1234567", "116943181", "98765432109",
	} {
		for _, p := range draw(history(t, [2]string{from, from}, [2]string{from, from}), nil).Panels {
			for i := range p.Ticks[1:] {
				if p.Ticks[i].Label == p.Ticks[i+1].Label {
					t.Errorf("of %s the axis has %q twice", from, p.Ticks[i].Label)
				}
			}
		}
	}
}

// The dates of a chart differ, have equal distances, and are not near its edges.
func TestChartDates(t *testing.T) {
	points := history(t, [2]string{"1", "1"}, [2]string{"1", "1"})
	for _, length := range []time.Duration{10 * time.Second, 3 * time.Minute, time.Hour, 50 * time.Hour, 72 * time.Hour,
		181 * time.Hour, 720 * time.Hour, 9600 * time.Hour} {
		t.Run(length.String(), func(t *testing.T) {
			points[1].AsOf = points[0].AsOf.Add(length)
			c := draw(points, nil)
			if len(c.Dates) < 2 || len(c.Dates) > 5 {
				t.Fatalf("%+v", c.Dates)
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
