package answer

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Query has the parameters that the route reads. It keeps the first error, which names its parameter.
// A parameter that the route refuses is an error, and others are ignored.
type Query struct {
	Err        error
	parameters []param
}

// A param is one parameter of a query. Its value is not decoded yet.
type param struct{ name, value string }

// Query returns the reader of the request's parameters, which is the same for each call.
func (q *Request) Query() *Query {
	if q.query == nil {
		q.query = &Query{parameters: readParams(q.URL.RawQuery)}
		if len(q.query.parameters) > maxParams {
			q.query.Err = errManyParams
		}
		q.query.parameters = slices.DeleteFunc(q.query.parameters, func(p param) bool {
			if slices.Contains(q.Route.Query, p.name) {
				return false
			}
			if q.Route.Refuse != nil {
				if why := q.Route.Refuse(p.name); why != "" {
					q.query.Fail(p.name, why)
				}
			}
			return true
		})
	}
	return q.query
}

// maxParams bounds the parameters of a query. Each is compared with all parameters of a route.
const maxParams = 100

var errManyParams = &Problem{
	Status: http.StatusBadRequest, Detail: "the query has more than " + strconv.Itoa(maxParams) + " parameters",
}

// readParams splits a query. It leaves out parameters whose name is empty or cannot be decoded.
func readParams(raw string) (list []param) {
	for pair := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if name, err := url.QueryUnescape(name); err == nil && name != "" {
			list = append(list, param{name, value})
			if len(list) > maxParams {
				return list
			}
		}
	}
	return list
}

// Text returns the value of the parameter called name, and whether it was given. A parameter that
// is given twice, or cannot be decoded, is an error.
func (q *Query) Text(name string) (value string, found bool) {
	for _, p := range q.parameters {
		if p.name != name {
			continue
		}
		if found {
			q.Fail(name, "given twice")
			return "", false
		}
		var err error
		value, err = url.QueryUnescape(p.value)
		if err != nil {
			q.Fail(name, "not correctly percent-encoded")
			return "", false
		}
		found = true
	}
	return value, found
}

// Fail notes that the query parameter called name is malformed. The error is made by the function
// Malformed. Only the first error is kept.
func (q *Query) Fail(name, why string) {
	if q.Err == nil {
		q.Err = Malformed(name, why)
	}
}

// Boolean reads true, false, 1 or 0, ignoring case, from the parameter called name. Without that
// parameter, the result is fallback.
func (q *Query) Boolean(name string, fallback bool) bool {
	s, ok := q.Text(name)
	if !ok {
		return fallback
	}
	yes := s == "1" || EqualFold(s, "true")
	if !yes && s != "0" && !EqualFold(s, "false") {
		q.Fail(name, "not true, false, 1 or 0")
	}
	return yes
}

// Number reads a number from low to high, in plain decimal digits, from the parameter called name.
// Without that parameter, the result is fallback.
func (q *Query) Number(name string, fallback, low, high int) int {
	s, ok := q.Text(name)
	if !ok {
		return fallback
	}
	n, err := strconv.Atoi(s)
	if err != nil || strconv.Itoa(n) != s || n < low || n > high {
		q.Fail(name, fmt.Sprintf("not a whole number from %d to %d", low, high))
		return fallback
	}
	return n
}

// Time reads the parameter called name: a time in RFC 3339, unix seconds, or a date, which means
// midnight UTC at its start. It accepts years from 1970 to 9999, so that every result can be
// written as RFC 3339. Without that parameter, the result is fallback.
func (q *Query) Time(name string, fallback time.Time) time.Time {
	s, ok := q.Text(name)
	if !ok {
		return fallback
	}
	s = strings.ReplaceAll(s, " ", "+") // an unescaped plus sign arrives as a space
	var t time.Time
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if read, err := time.Parse(layout, s); err == nil {
			t = read.UTC()
		}
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n >= 0 && n < 1<<37 {
		t = time.Unix(n, 0).UTC()
	}
	if t.Year() < 1970 || t.Year() > 9999 {
		q.Fail(name, "not a time such as 2026-01-31, 2026-01-31T12:00:00Z or 1769817600, from 1970 to 9999")
		return fallback
	}
	return t
}

// PastTime is like Time, but the time must not be in the future. The result is zero if no time was
// given.
func (q *Query) PastTime(name string, now time.Time) time.Time {
	t := q.Time(name, time.Time{})
	if t.After(now) {
		q.Fail(name, "in the future")
	}
	return t
}
