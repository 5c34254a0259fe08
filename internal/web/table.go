package web

import (
	"net/http"
	"time"

	"petsupply/internal/supply"
)

// An entry is one prepared answer.
type entry struct {
	route *route
	tag   string
	forms [encodings]*form // identity is always there, another where it is worth having
	// made says which forms were tried: what was not worth it is not tried
	// again.
	made [encodings]bool
}

// pick returns the form for what a caller sent in Accept-Encoding; nil: it has
// yet to be made.
func (e *entry) pick(accept []string) *form {
	if e.made[gzipped] && e.made[zstded] && e.forms[gzipped] == nil && e.forms[zstded] == nil {
		return e.forms[identity]
	}
	enc := negotiate(accept)
	if f := e.forms[enc]; f != nil || !e.made[enc] {
		return f
	}
	return e.forms[identity]
}

// everyEncoding is made of an entry whose forms were all tried.
var everyEncoding = [encodings]bool{true, true, true}

// A table is everything that is published of the supply, in every form, made
// once and never changed after. Requests only look up and write.
type table struct {
	publication *supply.Publication
	until       time.Time // from then on its headers promise too much, and it is made anew
	states      map[string]supply.State
	entries     map[string]*entry // by path below the base, in lower case
	targets     map[string]*entry // the same by request target, as most callers spell it
	changed     map[string]change // carried from table to table
}

// A change is when the representation at one address last became another.
type change struct {
	tag      string
	modified time.Time // zero: it shares its second with the one before, so that no date tells them apart
	latest   time.Time // the last second that was given out here
}

// next returns the change after a representation with this tag was made at now.
func (c change) next(tag string, now time.Time) change {
	now = now.Truncate(time.Second)
	switch {
	case c.tag == tag && !c.modified.IsZero():
		return c
	case now.After(c.latest):
		return change{tag, now, now}
	default:
		return change{tag, time.Time{}, c.latest}
	}
}

// Publish prepares every form of p and swaps them in at once. Whoever asks sees
// either all of the old ones or all of the new. Where tokens are not served it
// does nothing.
func (s *Server) Publish(p *supply.Publication) {
	if !s.publishes {
		return
	}
	s.publishing.Lock()
	defer s.publishing.Unlock()
	s.table.Store(s.prepare(p, s.table.Load(), s.now()))
	for _, st := range p.States {
		if st.Available() {
			s.figured.Store(true)
		}
	}
}

// current returns the table whose headers are true at now, or nil before the
// first publication. As a figure nears its end its lifetimes shrink; whoever
// finds them out of date makes the table anew, and nobody waits for that.
func (s *Server) current(now time.Time) *table {
	t := s.table.Load()
	if t == nil || t.until.IsZero() || now.Before(t.until) || !s.publishing.TryLock() {
		return t
	}
	defer s.publishing.Unlock()
	if latest := s.table.Load(); latest != t {
		return latest
	}
	t = s.prepare(t.publication, t, now)
	s.table.Store(t)
	return t
}

// ready returns the prepared answer that r asks for in the plainest way, or nil.
func (s *Server) ready(r *http.Request, now time.Time) (*entry, *form) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || r.Header["X-Request-Id"] != nil {
		return nil, nil
	}
	house := s.house(r.Host)
	if e := s.prepared(r.RequestURI, house, now); e != nil {
		return e, e.pick(r.Header["Accept-Encoding"])
	}
	if house == s.petsHouse {
		return s.made(r, now)
	}
	return nil, nil
}

// prepared returns the answer for a request target in a house, or nil. It keeps
// nothing of the target.
func (s *Server) prepared(target string, house int, now time.Time) *entry {
	if house == s.supplyHouse {
		if t := s.current(now); t != nil {
			if e := t.targets[target]; e != nil {
				return e
			}
		}
	}
	if house == s.petsHouse {
		return s.hot.get(target, now)
	}
	return nil
}
