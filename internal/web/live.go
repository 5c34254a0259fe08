package web

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"petsupply/internal/pet"
)

// A collection has more documents than memory should hold, but its pets fit in
// there many times more easily. So the document of a pet in memory is made anew
// for everyone who asks for it plainly, at about the cost of looking it up.

// A live is a document made on the spot, in memory that is used again: it holds
// until the next one is made in it.
type live struct {
	entry entry
	form  form
	etag  []byte
	date  []byte // of Last-Modified
	since time.Time
}

// A mould is the head of every document of a pet, but for what differs.
type mould struct {
	route *route
	lines []mouldLine
}

type mouldLine struct {
	text  string // "Name: value\r\n", or "Name: " where the value differs
	key   string
	whole bool
	body  bool // not in a 304
}

// newMould takes the head of a document apart. t is the documents' route.
func (s *Server) newMould(t *route) *mould {
	r := documentOf(nil, s.started)
	sample := s.form(r, identity)
	sample.fill(nil)
	m := &mould{route: t}
	for _, x := range sample.header {
		l := mouldLine{key: x.key, text: x.key + ": "}
		switch x.key {
		case "Content-Length", "Etag", "Last-Modified":
		default:
			l.text, l.whole = l.text+x.values[0]+"\r\n", true
		}
		for _, b := range bodily {
			l.body = l.body || b == x.key
		}
		m.lines = append(m.lines, l)
	}
	return m
}

// petTarget returns the id of the pet whose document a target asks for in the
// plainest way, as it is without an encoding.
func (s *Server) petTarget(target string, accept []string) (uint64, bool) {
	if s.mould == nil || s.peek == nil {
		return 0, false
	}
	digits, ok := strings.CutPrefix(target, s.tokenPath)
	if !ok || len(digits) == 0 || digits[0] < '0' || digits[0] > '9' { // no error is made of what is for others
		return 0, false
	}
	id, err := pet.ParseID(digits)
	return id, err == nil && negotiate(accept) == identity
}

// make makes the document of a pet in l, unless the pet changed so recently that
// more has to be thought of.
func (s *Server) make(l *live, k *pet.Prepared, now time.Time) (*entry, *form) {
	reign := s.reignAt(now)
	modified := reign.modified(k.ChangedAt, now)
	if modified.IsZero() {
		return nil, nil
	}
	f := &l.form
	f.status, f.modified, f.body = http.StatusOK, modified, reign.append(f.body[:0], k)
	l.etag = append(appendMark(append(l.etag[:0], '"'), f.body), '"')
	f.etag = view(l.etag)
	if !modified.Equal(l.since) {
		l.since, l.date = modified, modified.AppendFormat(l.date[:0], http.TimeFormat)
	}
	f.wire = l.head(s.mould, f.wire[:0], http.StatusOK)
	f.wire304 = l.head(s.mould, f.wire304[:0], http.StatusNotModified)
	l.entry.route = s.mould.route
	return &l.entry, f
}

// made is the same for net/http, of a pet in memory: a form that can be kept,
// with its headers one by one.
func (s *Server) made(r *http.Request, now time.Time) (*entry, *form) {
	id, ok := s.petTarget(r.RequestURI, r.Header["Accept-Encoding"])
	if !ok {
		return nil, nil
	}
	k, ok := s.peek(id)
	if !ok {
		return nil, nil
	}
	var l live
	e, f := s.make(&l, k, now)
	if f == nil {
		return nil, nil
	}
	whole := s.form(documentOf(f.body, f.modified), identity)
	whole.fill(f.body)
	whole.wire, whole.wire304 = f.wire, f.wire304
	return e, whole
}

// head appends what goes before the Date.
func (l *live) head(m *mould, b []byte, status int) []byte {
	if status == http.StatusOK {
		b = append(b, "HTTP/1.1 200 OK\r\n"...)
	} else {
		b = append(b, "HTTP/1.1 304 Not Modified\r\n"...)
	}
	for i := range m.lines {
		x := &m.lines[i]
		if x.body && status == http.StatusNotModified {
			continue
		}
		b = append(b, x.text...)
		if x.whole {
			continue
		}
		switch x.key {
		case "Content-Length":
			b = strconv.AppendInt(b, int64(len(l.form.body)), 10)
		case "Etag":
			b = append(b, l.etag...)
		case "Last-Modified":
			b = append(b, l.date...)
		}
		b = append(b, "\r\n"...)
	}
	return append(b, "Date: "...)
}
