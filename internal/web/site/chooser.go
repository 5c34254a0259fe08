package site

import (
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// A chooser lets people choose an earlier state of a page.
type chooser struct {
	Page     string     // path of the page
	Title    string     // says what the page shows of an earlier time; the time follows
	From, To time.Time  // the span to choose from
	At       time.Time  // the chosen time; zero means now
	Keep     url.Values // the rest of the query of the page
}

// Days returns the ends of the slider and its position At, in Unix seconds. The ends are the first
// and last midnight of the span. If First is not before Last, there is no slider.
func (c chooser) Days() (out struct{ First, Last, At int64 }) {
	const day = 24 * 60 * 60
	out.First, out.Last = (c.From.Unix()+day-1)/day*day, c.To.Unix()/day*day
	out.At = out.Last
	if !c.At.IsZero() {
		out.At = min(max(c.At.Unix()/day*day, out.First), out.Last)
	}
	return out
}

// First returns the first full minute of the span.
func (c chooser) First() time.Time { return c.From.Add(time.Minute - 1).Truncate(time.Minute) }

// Empty reports whether there is no earlier state to choose.
func (c chooser) Empty() bool { return c.From.IsZero() || c.To.Sub(c.From) < time.Minute }

// Earlier and Later return links to the times a day before and after At, or "" outside the span.
func (c chooser) Earlier() string { return c.step(-24 * time.Hour) }
func (c chooser) Later() string   { return c.step(24 * time.Hour) }

func (c chooser) step(by time.Duration) string {
	at := c.At.Add(by)
	if at.Before(c.From) || at.After(c.To) {
		return ""
	}
	return with(c.Keep, "at", at.Format(fieldTime))
}

// Value returns the chosen time, or the end of the span if no time was chosen, in the format
// fieldTime.
func (c chooser) Value() string {
	if c.At.IsZero() {
		return c.To.UTC().Format(fieldTime)
	}
	return c.At.UTC().Format(fieldTime)
}

// fieldTime is the format of times in form fields. They are in UTC.
const fieldTime = "2006-01-02T15:04"

// at reads the query parameter "at", the time of the state that a page shows. Without that
// parameter it returns the zero time.
func (s *Site) at(r *http.Request) (time.Time, error) {
	in := r.URL.Query()
	switch {
	case !in.Has("at"):
		return time.Time{}, nil
	case len(in["at"]) > 1:
		return time.Time{}, errMoment
	}
	text := in.Get("at")
	for _, layout := range []string{fieldTime, fieldTime + ":05", time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return past(t)
		}
	}
	if n, err := strconv.ParseInt(text, 10, 36); err == nil && n > 0 {
		return past(time.Unix(n, 0))
	}
	return time.Time{}, errMoment
}

// past returns t in UTC. The error is errFuture if t is in the future, and errMoment if it is before
// 1970.
func past(t time.Time) (time.Time, error) {
	switch {
	case t.After(time.Now()):
		return time.Time{}, errFuture
	case t.Year() < 1970:
		return time.Time{}, errMoment
	}
	return t.UTC(), nil
}
