package answer

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// A Template makes entries for the express lane that differ only in their body, ETag and
// Last-Modified. It allocates nothing, so they need not be kept.
type Template struct {
	// The heads of a 200 and a 304, cut at the values that differ: Content-Length (not in a 304), ETag
	// and Last-Modified, in this order.
	head, head304 []string
	route         *Route
}

// Template returns the template of answers like r, which must have a tag and a date. The route t counts
// them.
func (a *Answerer) Template(r *Response, t *Route) Template {
	sample := a.head(r, Identity).fill(nil).header
	for i, x := range sample {
		if x.key == "Content-Length" || x.key == "Etag" || x.key == "Last-Modified" {
			sample[i].values = []string{"\x00"}
		}
	}
	cut := func(status int) []string { return strings.Split(string(wireHead(sample, status)), "\x00") }
	return Template{head: cut(http.StatusOK), head304: cut(http.StatusNotModified), route: t}
}

// Entry returns the entry of a body with a quoted ETag and a date in UTC. It makes the heads in the
// free capacity behind etag.
func (m *Template) Entry(body, etag []byte, modified time.Time) Entry {
	date := modified.AppendFormat(etag[len(etag):], http.TimeFormat)
	length := strconv.AppendInt(date[len(date):], int64(len(body)), 10)
	head := join(length[len(length):], m.head, length, etag, date)
	head304 := join(head[len(head):], m.head304, etag, date)
	return Entry{
		Head: head, Head304: head304, ETag: etag, Modified: modified, Body: body, Route: m.route, status: http.StatusOK,
	}
}

// join appends the parts to dst, with the values between them.
func join(dst []byte, parts []string, values ...[]byte) []byte {
	for i, v := range values {
		dst = append(append(dst, parts[i]...), v...)
	}
	return append(dst, parts[len(values)]...)
}
