package web

import (
	"crypto/rand"
	"encoding/hex"
	"strconv"
	"sync/atomic"
)

// requestIDs makes names for requests: one random part for the process, so
// that instances differ, and a counter.
type requestIDs struct {
	prefix string
	last   *atomic.Uint64
}

func newRequestIDs() requestIDs {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return requestIDs{hex.EncodeToString(b[:]) + "-", new(atomic.Uint64)}
}

// identify returns the request's name: the one that its caller sent, if it is
// fit to be logged and sent back, else a new one. A shared cache would replay a
// name to others, so only refusals, which nobody keeps, and callers who sent
// one get it.
func (s *Server) identify(q *request) string {
	if q.id != "" {
		return q.id
	}
	if sent := q.Header.Get("X-Request-Id"); sent != "" && len(sent) <= 64 && named(sent) {
		q.id = sent
	} else {
		q.id = s.ids.prefix + strconv.FormatUint(s.ids.last.Add(1), 36)
	}
	return q.id
}

func named(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.':
		default:
			return false
		}
	}
	return true
}
