package site

import (
	"context"
	"fmt"
	"html/template"
	"math/big"
	"strings"
	"sync"
	"time"

	"petsupply/internal/supply"
)

// A chart is a token's total and circulating supply over time, as SVG paths in
// a box of chartWide by chartHigh.
type chart struct {
	Total, Circulating string // path data
	Area               string // below circulating
	Summary            string // for those who cannot see it
	Low, High          string
	From, To           time.Time
	Points             template.JS // [[ms, x, total, circulating], …] for the hover
	Rows               []supply.Point
}

const (
	chartWide, chartHigh = 600, 160
	chartPad             = 8
	chartPoints          = 120
)

// A chartCache keeps each chart until the token's snapshot changes, so that a
// page costs no query.
type chartCache struct {
	mu   sync.Mutex
	made map[string]cachedChart
}

type cachedChart struct {
	snapshot string
	chart    *chart
}

// chart makes or finds the chart of a token; nil if its history cannot be read
// or is too short.
func (s *Site) chart(ctx context.Context, st supply.State, from time.Time, days int) *chart {
	key := fmt.Sprint(st.Token.Path, days)
	s.charts.mu.Lock()
	defer s.charts.mu.Unlock()
	if c, ok := s.charts.made[key]; ok && c.snapshot == st.Snapshot.ID {
		return c.chart
	}
	points, err := s.Past.History(ctx, st.Token.Path, from, st.Snapshot.AsOf, chartPoints)
	if err != nil {
		s.Log.Warn("reading history for a chart", "token", st.Token.Path, "error", err)
		return nil
	}
	if s.charts.made == nil {
		s.charts.made = map[string]cachedChart{}
	}
	c := draw(st.Token.Symbol, points)
	s.charts.made[key] = cachedChart{st.Snapshot.ID, c}
	return c
}

func draw(symbol string, points []supply.Point) *chart {
	if len(points) < 2 {
		return nil
	}
	low, high := points[0].Circulating, points[0].Total
	for _, p := range points {
		if p.Circulating.Cmp(low) < 0 {
			low = p.Circulating
		}
		if p.Total.Cmp(high) > 0 {
			high = p.Total
		}
	}
	first, last := points[0], points[len(points)-1]
	span := max(last.AsOf.Sub(first.AsOf), time.Millisecond)
	c := &chart{From: first.AsOf, To: last.AsOf, Low: whole(low), High: whole(high), Rows: thin(points, 12)}
	var total, circulating, data strings.Builder
	data.WriteByte('[')
	for i, p := range points {
		x := float64(p.AsOf.Sub(first.AsOf)) / float64(span) * chartWide
		verb := "L"
		if i == 0 {
			verb = "M"
		} else {
			data.WriteByte(',')
		}
		fmt.Fprintf(&total, "%s%.1f %.1f", verb, x, height(p.Total, low, high))
		fmt.Fprintf(&circulating, "%s%.1f %.1f", verb, x, height(p.Circulating, low, high))
		fmt.Fprintf(&data, `[%d,%.1f,"%s","%s"]`, p.AsOf.UnixMilli(), x, whole(p.Total), whole(p.Circulating))
	}
	data.WriteByte(']')
	c.Total, c.Circulating, c.Points = total.String(), circulating.String(), template.JS(data.String())
	c.Area = fmt.Sprintf("%sL%d %dL0 %dZ", c.Circulating, chartWide, chartHigh, chartHigh)
	c.Summary = fmt.Sprintf("%s from %s to %s: total supply went from %s to %s, circulating supply from %s to %s.", symbol,
		first.AsOf.Format("2 January 2006"), last.AsOf.Format("2 January 2006"),
		whole(first.Total), whole(last.Total), whole(first.Circulating), whole(last.Circulating))
	return c
}

// height is where an amount stands in the box: low at the bottom, high on top.
func height(a, low, high supply.Amount) float64 {
	span := high.Sub(low)
	if span.Sign() == 0 {
		return chartHigh / 2
	}
	part, _ := new(big.Rat).SetFrac(scaled(a.Sub(low), span), big.NewInt(1_000_000)).Float64()
	return chartHigh - chartPad - part*(chartHigh-2*chartPad)
}

// scaled is part of whole in millionths.
func scaled(part, whole supply.Amount) *big.Int {
	d := max(part.Decimals, whole.Decimals)
	a, errA := part.Rescale(d)
	b, errB := whole.Rescale(d)
	if errA != nil || errB != nil || b.Units.Sign() == 0 {
		return new(big.Int)
	}
	n := new(big.Int).Mul(a.Units, big.NewInt(1_000_000))
	return n.Quo(n, b.Units)
}

// whole is an amount without its decimals, in groups of three.
func whole(a supply.Amount) string {
	w, _, _ := strings.Cut(a.String(), ".")
	return group(w)
}

// thin keeps about n points, the last among them.
func thin(points []supply.Point, n int) []supply.Point {
	step := max(1, len(points)/n)
	var out []supply.Point
	for i := len(points) - 1; i >= 0; i -= step {
		out = append(out, points[i])
	}
	return out
}
