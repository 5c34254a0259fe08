package web

import "net/http"

// formCost is about what a form takes beside its bytes.
const formCost = 1024

// keep adds a form to the entry.
func (e *hotEntry) keep(f *form) {
	e.forms[f.encoding] = f
	e.bytes += len(f.body) + len(f.wire) + len(f.wire304) + formCost
}

// offer prepares the answer that q was given, plain and in the encoding that its
// caller wanted, if its address is asked for often.
func (s *Server) offer(q *request, epoch, id uint64, r *response) {
	if q.Method != http.MethodGet || !s.hot.wants(q.RequestURI, epoch) {
		return
	}
	e := &hotEntry{target: q.RequestURI, id: id, until: q.at.Add(hotLife)}
	e.route, e.tag = q.route, r.tag
	wanted := [encodings]bool{identity: true}
	if !r.squeeze {
		e.made = everyEncoding
	} else {
		wanted[negotiate(q.Header["Accept-Encoding"])] = true
		e.made = wanted
	}
	for enc := range encodings {
		body, ok := r.body, wanted[enc]
		if ok && enc != identity {
			body, ok = s.quick.squeeze(enc, r.body)
		}
		if ok {
			f := s.form(r, enc)
			f.fill(body)
			e.keep(f.seal())
		}
	}
	if s.hot.put(epoch, e) {
		s.metrics.hot.WithLabelValues("kept").Inc()
	}
}
