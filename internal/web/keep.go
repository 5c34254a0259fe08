package web

import "net/http"

// formCost is about what a form takes beside its bytes.
const formCost = 1024

// offer prepares the answer that q was given, in every encoding, if its address
// is asked for often.
func (s *Server) offer(q *request, epoch, id uint64, r *response) {
	if q.Method != http.MethodGet || !s.hot.wants(q.RequestURI, epoch) {
		return
	}
	e := &hotEntry{target: q.RequestURI, id: id, until: q.at.Add(hotLife)}
	e.route, e.tag = q.route, r.tag
	for enc := range encodings {
		body, ok := r.body, enc == identity
		if !ok && r.squeeze {
			body, ok = s.quick.squeeze(enc, r.body)
		}
		if ok {
			f := s.form(r, enc)
			f.fill(body)
			e.forms[enc] = f.seal()
			e.bytes += len(body) + len(f.wire) + len(f.wire304) + formCost
		}
	}
	if s.hot.put(epoch, e) {
		s.metrics.hot.WithLabelValues("kept").Inc()
	}
}
