package site

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// A chart shows a token's supply over time. Horizontal places are in percent of its width, vertical
// ones in pixels. Circulating and total supply have a panel each, with the same scale, so that
// their slopes can be compared.
type chart struct {
	From, To time.Time
	Panels   []panel
	Dates    []tick
	Marks    []mark
	Rows     []supply.Point // some of the points, newest first
	Points   string         // JSON for the script: [[ms, x, [y, y], [circulating, total]], …]
}

// A panel is one figure's part of the chart.
type panel struct {
	Name, Key     string
	Before, After ledger.Amount
	Path          string // 1000 wide
	Top, Height   int
	Ticks         []tick
	low, step     float64
	steps         int
}

// A tick is a line of the grid, with its place from the left or from the top.
type tick struct{ At, Label string }

// A mark is an incident with its place from the left.
type mark struct {
	X string
	incident
}

const (
	chartPoints = 120
	tableRows   = 12
	panelHeight = 100
	panelGap    = 34
)

// draw makes a chart of points, oldest first. It returns nil if they make no line.
func draw(points []supply.Point, happened []incident) *chart {
	if len(points) < 2 || !points[len(points)-1].AsOf.After(points[0].AsOf) {
		return nil
	}
	c := &chart{From: points[0].AsOf, To: points[len(points)-1].AsOf}
	c.Panels = []panel{
		{Name: "Circulating", Key: "circulating", Top: panelGap},
		{Name: "Total", Key: "total", Top: 2*panelGap + panelHeight},
	}
	series := [2][]float64{}
	widest := 0.0
	for _, p := range points {
		series[0] = append(series[0], number(p.Circulating))
		series[1] = append(series[1], number(p.Total))
	}
	for _, list := range series {
		high := slices.Max(list)
		widest = max(widest, high-slices.Min(list), high/100) // a steady figure must not look steep
	}
	step := niceStep(widest / 3)
	steps := 1
	for i, list := range series {
		c.Panels[i].low = math.Floor(slices.Min(list)/step) * step
		steps = max(steps, int(math.Ceil((slices.Max(list)-c.Panels[i].low)/step)))
	}
	first := points[0].Figures
	last := points[len(points)-1].Figures
	c.Panels[0].Before = first.Circulating
	c.Panels[0].After = last.Circulating
	c.Panels[1].Before = first.Total
	c.Panels[1].After = last.Total
	var shown [][]any
	for i := range c.Panels {
		c.Panels[i].scale(step, steps)
		c.Panels[i].Path = c.path(points, series[i], c.Panels[i])
	}
	for i, p := range points {
		shown = append(shown, []any{
			p.AsOf.UnixMilli(), math.Round(c.x(p.AsOf)*100) / 100,
			[]float64{c.Panels[0].y(series[0][i]), c.Panels[1].y(series[1][i])},
			[]string{ledger.Grouped(whole(p.Circulating)), ledger.Grouped(whole(p.Total))},
		})
	}
	text, _ := json.Marshal(shown) // numbers and digits: cannot fail
	c.Points = string(text)
	for i := range min(tableRows, len(points)) {
		c.Rows = append(c.Rows, points[(len(points)-1)*(tableRows-1-i)/(tableRows-1)])
	}
	c.Rows = slices.CompactFunc(c.Rows, func(a, b supply.Point) bool { return a.AsOf.Equal(b.AsOf) })
	c.date()
	for _, e := range happened {
		if !e.At.Before(c.From) {
			c.Marks = append(c.Marks, mark{place(min(c.x(e.At), 100)), e})
		}
	}
	return c
}

// number returns an amount for drawing.
func number(a ledger.Amount) float64 {
	n, _ := strconv.ParseFloat(a.String(), 64)
	return n
}

// niceStep returns 1, 2 or 5 times a power of ten that is at least n.
func niceStep(n float64) float64 {
	if n <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(n)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= n {
			return m * power
		}
	}
	return 10 * power
}

// scale sets the lines of the panel's grid.
func (p *panel) scale(step float64, steps int) {
	p.Height = panelHeight
	p.step = step
	p.steps = steps
	for i := range steps + 1 {
		at := p.low + float64(i)*step
		p.Ticks = append(p.Ticks, tick{strconv.FormatFloat(p.y(at), 'f', 0, 64), compact(at, step)})
	}
}

// y returns the vertical place of a value, in pixels.
func (p panel) y(value float64) float64 {
	part := (value - p.low) / (p.step * float64(p.steps))
	return math.Round((float64(p.Top+panelHeight)-part*panelHeight)*10) / 10
}

// x returns the horizontal place of a time, in percent.
func (c *chart) x(at time.Time) float64 {
	return float64(at.Sub(c.From)) / float64(c.To.Sub(c.From)) * 100
}

func place(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }

func (c *chart) path(points []supply.Point, values []float64, in panel) string {
	var b strings.Builder
	for i, p := range points {
		fmt.Fprintf(&b, "%c%.1f %.1f", "ML"[min(i, 1)], c.x(p.AsOf)*10, in.y(values[i]))
	}
	return b.String()
}

// compact writes a value of an axis, such as 88.5M. Values one step apart differ.
func compact(value, step float64) string {
	unit := 0
	name := ""
	for _, u := range []struct {
		digits int
		name   string
	}{{6, "M"}, {9, "B"}, {12, "T"}} {
		if value >= math.Pow10(u.digits) {
			unit = u.digits
			name = u.name
		}
	}
	places := max(0, unit-int(math.Floor(math.Log10(step)+1e-9)))
	digits, rest, found := strings.Cut(strconv.FormatFloat(value/math.Pow10(unit), 'f', places, 64), ".")
	if found {
		rest = "." + rest
	}
	return ledger.Grouped(digits) + rest + name
}

// date writes some dates under the chart, at equal distances, and none where it would be cut off.
func (c *chart) date() {
	length := c.To.Sub(c.From)
	step := length / 5
	form := "Jan 2006"
	unit := 24 * time.Hour
	switch { // labels that are one step apart must differ
	case step < time.Hour:
		form = "15:04:05"
		unit = time.Second
	case step < 24*time.Hour:
		form = "2 Jan 15:04"
		unit = time.Hour
	case step < 60*24*time.Hour:
		form = "2 Jan"
	}
	step = (step + unit - 1).Truncate(unit)
	for at := c.From.Add(step / 2).UTC().Truncate(unit); at.Before(c.To); at = at.Add(step) {
		if x := c.x(at); x > 5 && x < 95 {
			c.Dates = append(c.Dates, tick{place(x), at.Format(form)})
		}
	}
}
