package site

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// A chart shows a token's supply over time. Horizontal lengths are in percent of its width. In path
// data they are in hundredths of a percent. Vertical lengths are in pixels.
//
// Total and circulating supply have a panel each. Both have the same scale, so that their slopes
// can be compared. In a stacked chart the buckets are on top of each other, from zero.
type chart struct {
	Panels  []panel
	Layers  []layer // layers of a stacked chart, the lowest first
	Dates   []tick
	Marks   []mark
	Summary string // for screen readers
	From    time.Time
	To      time.Time
	Points  string // JSON for the hover: [[ms, x, [y, …], [value, change since the previous point, …]], …]
	Names   string // names of the values in Points, separated by commas
	Rows    []supply.Point
	// Corrected says that some figures were corrected, so they are not in the chart.
	Corrected bool
	Spark     string // path of the circulating supply, chartWide by sparkHigh; only in charts kept for later requests
}

// A panel is one figure's part of the chart.
type panel struct {
	Name, Key string
	Line      string // path data
	Ticks     []tick
	Change    string // from the first point to the last
	Top, Foot int
	low, unit ledger.Amount // the amount at its bottom, and the amount that its height represents
}

// Y is the vertical position of the panel's name.
func (p panel) Y() int { return p.Top - 8 }

// A layer is a bucket's part of a stacked chart.
type layer struct{ Name, Key, Path string }

// A tick is a line of the grid.
type tick struct {
	At    string // in percent from the left, or pixels from the top
	Label string
}

// An event is something that happened to a token. It has no place in a chart yet.
type event struct {
	at         time.Time
	key, words string
}

// A mark is an event with its place in a chart.
type mark struct{ At, Key, Label string }

// Title returns the first sentence of the label, without the figures that a correction adds.
func (m mark) Title() string {
	first, _, _ := strings.Cut(m.Label, ". ")
	return first
}

const (
	chartWide   = 10_000
	chartTop    = 30
	chartFoot   = 290
	panelHigh   = 110
	sparkHigh   = 40
	chartPoints = 120
	pastPoints  = 31 // points of a chart that is made for one request
	tableRows   = 12
	marksShown  = 12 // events that are marked, besides changes of the ledger
)

// draw makes a chart of points, oldest first. It leaves out figures that were corrected. It returns
// nil if the others make no line: there are fewer than two, or all have the same time.
func draw(symbol string, all []supply.Point, stacked bool) *chart {
	points := correct(all)
	if len(points) < 2 || !points[len(points)-1].AsOf.After(points[0].AsOf) {
		return nil
	}
	first, last := points[0], points[len(points)-1]
	c := &chart{From: first.AsOf, To: last.AsOf, Rows: thin(points, tableRows), Corrected: len(points) < len(all)}
	total := series(points, func(p supply.Point) ledger.Amount { return p.Total })
	circulating := series(points, func(p supply.Point) ledger.Amount { return p.Circulating })
	unit := scale(total, circulating)
	if stacked {
		c.stack(points)
	} else {
		c.Panels = []panel{
			newPanel("Circulating", "circulating", chartTop, panelHigh, circulating, unit),
			newPanel("Total", "total", chartFoot-panelHigh, panelHigh, total, unit),
		}
		for i, list := range [][]ledger.Amount{circulating, total} {
			c.Panels[i].Line = c.path(points, list, c.Panels[i])
		}
	}
	c.date()
	c.mark(points)
	c.hover(points)
	c.Summary = fmt.Sprintf(
		"%s from %s to %s (UTC): total supply went from %s to %s, circulating supply from %s to %s.", symbol,
		first.AsOf.UTC().Format("2 January 2006"), last.AsOf.UTC().Format("2 January 2006"),
		whole(first.Total), whole(last.Total), whole(first.Circulating), whole(last.Circulating))
	return c
}

// correct returns the points without those that were corrected.
func correct(points []supply.Point) []supply.Point {
	return slices.DeleteFunc(slices.Clone(points), func(p supply.Point) bool { return p.Correction != nil })
}

// spark returns the path for the field Spark.
func (c *chart) spark(all []supply.Point) string {
	points := correct(all)
	circulating := series(points, func(p supply.Point) ledger.Amount { return p.Circulating })
	return c.path(points, circulating, newPanel("", "", 2, sparkHigh-4, circulating, scale(circulating)))
}

func series(points []supply.Point, of func(supply.Point) ledger.Amount) []ledger.Amount {
	out := make([]ledger.Amount, len(points))
	for i, p := range points {
		out[i] = of(p)
	}
	return out
}

// x returns the horizontal place of a time, in percent.
func (c *chart) x(at time.Time) float64 {
	return float64(at.Sub(c.From)) / float64(c.To.Sub(c.From)) * 100
}

func (c *chart) path(points []supply.Point, list []ledger.Amount, in panel) string {
	var out strings.Builder
	for i, p := range points {
		fmt.Fprintf(&out, "%c%.0f %.1f", "ML"[min(i, 1)], c.x(p.AsOf)*chartWide/100, in.height(list[i]))
	}
	return out.String()
}

// newPanel puts a series into the middle of a panel, or lower if the panel would otherwise
// begin below zero.
func newPanel(name, key string, top, high int, list []ledger.Amount, unit ledger.Amount) panel {
	low, most := slices.MinFunc(list, ledger.Amount.Cmp), slices.MaxFunc(list, ledger.Amount.Cmp)
	air := unit.Sub(most.Sub(low))
	p := panel{Name: name, Key: key, Top: top, Foot: top + high, unit: unit}
	p.low = larger(low.Sub(divided(air, 2)), ledger.Zero(0))
	for _, at := range []ledger.Amount{p.low, p.low.Add(divided(unit, 2)), p.low.Add(unit)} {
		p.Ticks = append(p.Ticks, tick{fmt.Sprintf("%.1f", p.height(at)), compact(at, unit)})
	}
	p.Change = change(list[0], list[len(list)-1])
	return p
}

// height returns the vertical place of an amount, in pixels from the top of the chart.
func (p panel) height(a ledger.Amount) float64 {
	return float64(p.Foot) - float64(portion(a.Sub(p.low), p.unit, 1_000_000))/1_000_000*float64(p.Foot-p.Top)
}

// buckets are the parts of everything issued. They are the layers of a stacked chart, the lowest
// first.
var buckets = []struct {
	name, key string
	of        func(supply.Figures) ledger.Amount
}{
	{"Circulating", "circulating", func(f supply.Figures) ledger.Amount { return f.Circulating }},
	{"Locked", "locked", func(f supply.Figures) ledger.Amount { return f.Locked }},
	{"Reserved", "reserved", func(f supply.Figures) ledger.Amount { return f.Reserved }},
	{"Burned", "burned", func(f supply.Figures) ledger.Amount { return f.Burned }},
}

// stack puts the buckets on top of each other, in one panel that begins at zero.
func (c *chart) stack(points []supply.Point) {
	tops := make([][]ledger.Amount, len(buckets)+1)
	tops[0] = series(points, func(supply.Point) ledger.Amount { return ledger.Zero(0) })
	for i, b := range buckets {
		tops[i+1] = make([]ledger.Amount, len(points))
		for n, p := range points {
			tops[i+1][n] = tops[i][n].Add(b.of(p.Figures))
		}
	}
	high := slices.MaxFunc(tops[len(buckets)], ledger.Amount.Cmp)
	if high.Sign() <= 0 {
		high = ledger.Whole(1, 0)
	}
	span := []ledger.Amount{ledger.Zero(0), high}
	p := newPanel("Everything issued", "total", chartTop, chartFoot-chartTop, span, high.Add(divided(high, 20)))
	p.Change = change(tops[len(buckets)][0], tops[len(buckets)][len(points)-1])
	c.Panels = []panel{p}
	for i, b := range buckets {
		upper := c.path(points, tops[i+1], p)
		lower := strings.Split(strings.TrimPrefix(c.path(points, tops[i], p), "M"), "L")
		slices.Reverse(lower)
		c.Layers = append(c.Layers, layer{b.name, b.key, upper + "L" + strings.Join(lower, "L") + "Z"})
	}
}

// date writes some dates under the chart, at equal distances. It leaves out dates near the edges,
// where a label would be cut off.
func (c *chart) date() {
	const count = 5
	length := c.To.Sub(c.From)
	form, whole := "Jan 2006", 24*time.Hour
	switch step := length / count; { // labels that are one step apart must differ
	case step < time.Minute:
		form, whole = "15:04:05", time.Second
	case step < 12*time.Hour:
		form, whole = "15:04", time.Minute
	case step < 60*24*time.Hour:
		form = "2 Jan"
	}
	step := ((length + count*whole - 1) / count).Truncate(whole) // not 0, however short the length is
	for at := c.From.Add(step / 2).UTC().Truncate(whole); at.Before(c.To); at = at.Add(step) {
		if x := c.x(at); x > 5 && x < 95 {
			c.Dates = append(c.Dates, tick{fmt.Sprintf("%.2f", x), at.Format(form)})
		}
	}
}

// mark adds a mark wherever the ledger changed.
func (c *chart) mark(points []supply.Point) {
	for i := 1; i < len(points); i++ {
		if points[i-1].LedgerHash != points[i].LedgerHash {
			c.Marks = append(c.Marks, c.place(event{points[i].AsOf, "ledger", "The ledger changed"}))
		}
	}
}

// place returns the mark of an event.
func (c *chart) place(e event) mark {
	return mark{fmt.Sprintf("%.2f", min(c.x(e.at), 100)), e.key, minute(e.at) + " · " + e.words}
}

// with returns the chart with marks for events. Events can be after its end: a held figure is newer
// than the published one.
func (c *chart) with(events []event) *chart {
	if c == nil || len(events) == 0 {
		return c
	}
	out := *c
	out.Marks = slices.Clone(c.Marks)
	slices.SortStableFunc(events, func(a, b event) int { return a.at.Compare(b.at) })
	for _, e := range events[max(0, len(events)-marksShown):] {
		if !e.at.Before(c.From) {
			out.Marks = append(out.Marks, c.place(e))
		}
	}
	return &out
}

// hover writes the values that the pointer and the arrow keys show.
func (c *chart) hover(points []supply.Point) {
	shown := buckets
	if c.Layers == nil {
		shown = append(shown[:1:1], shown[0])
		shown[1].name, shown[1].of = "Total", func(f supply.Figures) ledger.Amount { return f.Total }
	}
	var names []string
	for _, b := range shown {
		names = append(names, b.name)
	}
	c.Names = strings.Join(names, ",")
	var list []string
	for n, p := range points {
		var values []string
		for _, b := range shown {
			since := ""
			if n > 0 {
				d := signed{b.of(p.Figures).Sub(b.of(points[n-1].Figures))}
				since = d.Sign() + whole(d.size())
			}
			values = append(values, fmt.Sprintf(`"%s","%s"`, whole(b.of(p.Figures)), since))
		}
		list = append(list, fmt.Sprintf("[%d,%.2f,[%s],[%s]]",
			p.AsOf.UnixMilli(), c.x(p.AsOf), c.dots(p), strings.Join(values, ",")))
	}
	c.Points = "[" + strings.Join(list, ",") + "]"
}

// dots returns the vertical places of a point's circulating and total supply, separated by a comma.
// It returns "" for a stacked chart.
func (c *chart) dots(p supply.Point) string {
	if c.Layers != nil {
		return ""
	}
	return fmt.Sprintf("%.1f,%.1f", c.Panels[0].height(p.Circulating), c.Panels[1].height(p.Total))
}

// thin returns at most n of the points, newest first. The newest and the oldest point are always
// among them. n is at least 2.
func thin(points []supply.Point, n int) []supply.Point {
	n = min(n, len(points))
	last := len(points) - 1
	out := make([]supply.Point, n)
	for i := range out {
		out[i] = points[last-i*last/max(1, n-1)]
	}
	return out
}

// scale returns the amount that the height of a panel represents, the same for all series. It is a
// little more than the range of the widest series. It has a lower limit, so that a steady figure
// never looks steep.
func scale(all ...[]ledger.Amount) ledger.Amount {
	var wide, high ledger.Amount
	for _, list := range all {
		low, top := slices.MinFunc(list, ledger.Amount.Cmp), slices.MaxFunc(list, ledger.Amount.Cmp)
		wide, high = larger(wide, top.Sub(low)), larger(high, top)
	}
	if wide = larger(wide, divided(high, 100)); wide.Sign() <= 0 {
		return ledger.Whole(1, 0)
	}
	return wide.Add(divided(wide, 5))
}

func larger(a, b ledger.Amount) ledger.Amount {
	if b.Cmp(a) > 0 {
		return b
	}
	return a
}

// divided returns a/n, rounded down. The result has three more decimals than a, if so many are
// allowed. A zero Amount, whose Units are nil, stays as it is.
func divided(a ledger.Amount, n int64) ledger.Amount {
	if a.Units == nil {
		return a
	}
	if finer, err := a.Rescale(a.Decimals + 3); err == nil {
		a = finer
	}
	return ledger.Amount{Units: new(big.Int).Quo(a.Units, big.NewInt(n)), Decimals: a.Decimals}
}
