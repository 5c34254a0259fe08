package web

import "net/http"

// offer prepares the answer that q was given, in every encoding, if its address
// is asked for often.
func (s *Server) offer(q *request, epoch, id uint64, r *response) {
	if q.Method != http.MethodGet || !s.hot.wants(q.RequestURI, epoch) {
		return
	}
	e := &hotEntry{id: id, until: q.at.Add(hotLife)}
	e.route, e.tag = q.route, r.tag
	for enc := range encodings {
		body, ok := r.body, enc == identity
		if !ok && r.squeeze {
			body, ok = s.quick.squeeze(enc, r.body)
		}
		if ok {
			f := s.form(r, enc)
			f.fill(body)
			e.forms[enc] = f
			e.bytes += len(body) + 1024
		}
	}
	if s.hot.put(q.RequestURI, epoch, e) {
		s.metrics.hot.WithLabelValues("kept").Inc()
	}
}
