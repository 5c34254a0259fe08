package site

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"petsupply/internal/supply"
)

// A chart is a token's total and circulating supply over time, as SVG paths in
// a box of chartWide by chartHigh. Each has a band of its own; both bands have
// the same scale, so that what lies between them takes no room and their
// slopes can be compared.
type chart struct {
	Bands   [2]band // total, circulating
	Summary string  // for those who cannot see it
	From    time.Time
	To      time.Time
	Points  string // JSON for the hover: [[ms, x, y total, y circulating, total, circulating], …]
	Rows    []supply.Point
}

// A band is one figure's part of the chart.
type band struct {
	Name, Key  string
	Line, Area string // path data
	Top, Foot  int    // where its plot begins and ends
	High, Low  string // what its edges stand for
	Change     string // from the first point to the last
	low        supply.Amount
}

const (
	chartWide   = 600
	chartHigh   = 202
	bandHigh    = 62
	chartPoints = 120
	tableRows   = 12
)

// chartTime bounds the reading of a chart's history: it is not cut short by
// whichever caller came first.
const chartTime = 5 * time.Second

// A cachedChart is kept until the token's snapshot changes, so that a page
// costs no query.
type cachedChart struct {
	snapshot string
	chart    *chart
}

// chart makes or finds the chart of a token, once however many ask; nil if its
// history cannot be read or is too short.
func (s *Site) chart(ctx context.Context, st supply.State, from time.Time, days int) *chart {
	key := fmt.Sprint(st.Token.Path, " ", days)
	if c, ok := s.charts.Load(key); ok && c.(cachedChart).snapshot == st.Snapshot.ID {
		return c.(cachedChart).chart
	}
	made := s.drawing.DoChan(key+" "+st.Snapshot.ID, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), chartTime)
		defer cancel()
		points, err := s.History.History(ctx, st.Token.Path, from, st.Snapshot.AsOf, chartPoints)
		if err != nil {
			s.Log.Warn("reading history for a chart", "token", st.Token.Path, "error", err)
			return (*chart)(nil), nil
		}
		c := draw(st.Token.Symbol, points)
		s.charts.Store(key, cachedChart{st.Snapshot.ID, c})
		return c, nil
	})
	select {
	case c := <-made:
		return c.Val.(*chart)
	case <-ctx.Done():
		return nil
	}
}

// draw makes a chart of points in the order of time; nil where they make no
// line.
func draw(symbol string, points []supply.Point) *chart {
	if len(points) < 2 || !points[len(points)-1].AsOf.After(points[0].AsOf) {
		return nil
	}
	totals, circulating := make([]supply.Amount, len(points)), make([]supply.Amount, len(points))
	for i, p := range points {
		totals[i], circulating[i] = p.Total, p.Circulating
	}
	first, last := points[0], points[len(points)-1]
	unit := scale(totals, circulating)
	c := &chart{From: first.AsOf, To: last.AsOf, Rows: thin(points, tableRows)}
	c.Bands[0] = newBand("Total", "total", 26, totals, unit)
	c.Bands[1] = newBand("Circulating", "circulating", 138, circulating, unit)
	c.trace(points, unit)
	c.Summary = fmt.Sprintf("%s from %s to %s: total supply went from %s to %s, circulating supply from %s to %s.", symbol,
		first.AsOf.UTC().Format("2 January 2006"), last.AsOf.UTC().Format("2 January 2006"),
		whole(first.Total), whole(last.Total), whole(first.Circulating), whole(last.Circulating))
	return c
}

// trace writes the paths of both bands and the points of the hover.
func (c *chart) trace(points []supply.Point, unit supply.Amount) {
	length := c.To.Sub(c.From)
	var lines [2]strings.Builder
	var data strings.Builder
	for i, p := range points {
		x := float64(p.AsOf.Sub(c.From)) / float64(length) * chartWide
		verb, comma := "L", ","
		if i == 0 {
			verb, comma = "M", "["
		}
		fmt.Fprintf(&data, "%s[%d,%.1f", comma, p.AsOf.UnixMilli(), x)
		for b, a := range []supply.Amount{p.Total, p.Circulating} {
			y := c.Bands[b].height(a, unit)
			fmt.Fprintf(&lines[b], "%s%.1f %.1f", verb, x, y)
			fmt.Fprintf(&data, ",%.1f", y)
		}
		fmt.Fprintf(&data, `,"%s","%s"]`, whole(p.Total), whole(p.Circulating))
	}
	c.Points = data.String() + "]"
	for b := range c.Bands {
		c.Bands[b].Line = lines[b].String()
		c.Bands[b].Area = fmt.Sprintf("%sL%d %dL0 %dZ", lines[b].String(), chartWide, c.Bands[b].Foot, c.Bands[b].Foot)
	}
}

// Date writes a moment as finely as the chart's span asks for.
func (c *chart) Date(t time.Time) string {
	if c.To.Sub(c.From) < 48*time.Hour {
		return t.UTC().Format("2 Jan, 15:04 UTC")
	}
	return t.UTC().Format("2 Jan 2006")
}

// thin keeps about n points, newest first, the last among them.
func thin(points []supply.Point, n int) []supply.Point {
	step := max(1, (len(points)+n-1)/n)
	var out []supply.Point
	for i := len(points) - 1; i >= 0; i -= step {
		out = append(out, points[i])
	}
	return out
}

// scale is what the height of a band stands for, the same for all series: the
// widest of them with some air, but never so little that a steady figure would
// look like a steep one.
func scale(all ...[]supply.Amount) supply.Amount {
	var wide, high supply.Amount
	for _, series := range all {
		low, top := slices.MinFunc(series, supply.Amount.Cmp), slices.MaxFunc(series, supply.Amount.Cmp)
		wide, high = larger(wide, top.Sub(low)), larger(high, top)
	}
	if wide = larger(wide, divided(high, 100)); wide.Sign() <= 0 {
		return supply.Whole(1, 0)
	}
	return wide.Add(divided(wide, 5))
}

// newBand places a series in a band that begins at top: in its middle, or on
// the ground where it would otherwise begin below zero.
func newBand(name, key string, top int, series []supply.Amount, unit supply.Amount) band {
	low, high := slices.MinFunc(series, supply.Amount.Cmp), slices.MaxFunc(series, supply.Amount.Cmp)
	air := unit.Sub(high.Sub(low))
	b := band{Name: name, Key: key, Top: top, Foot: top + bandHigh, low: larger(low.Sub(divided(air, 2)), supply.Zero(0))}
	b.Low, b.High = compact(b.low, unit), compact(b.low.Add(unit), unit)
	b.Change = change(series[0], series[len(series)-1])
	return b
}

// height is where an amount stands in its band.
func (b band) height(a, unit supply.Amount) float64 {
	return float64(b.Foot) - float64(part(a.Sub(b.low), unit, 1_000_000))/1_000_000*bandHigh
}

func larger(a, b supply.Amount) supply.Amount {
	if b.Cmp(a) > 0 {
		return b
	}
	return a
}

// divided is a/n, rounded down. The zero Amount has no units.
func divided(a supply.Amount, n int64) supply.Amount {
	if a.Units == nil {
		return a
	}
	return supply.Amount{Units: new(big.Int).Quo(a.Units, big.NewInt(n)), Decimals: a.Decimals}
}
