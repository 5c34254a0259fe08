package web

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
)

// BenchmarkMetadata asks for ever other pets, so that nothing is prepared.
func BenchmarkMetadata(b *testing.B) {
	cfg := oneHost()
	cfg.HotBytes = -1
	k := newKit(b, cfg)
	w := &blank{http.Header{}}
	requests := make([]*http.Request, 1000)
	for i := range requests {
		requests[i] = httptest.NewRequest(http.MethodGet, "/pets/token/"+strconv.Itoa(i+1), nil)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		clear(w.header)
		k.ServeHTTP(w, requests[i%len(requests)])
	}
}

func BenchmarkFigure(b *testing.B) {
	k := newKit(b, oneHost())
	w := &blank{http.Header{}}
	r := httptest.NewRequest(http.MethodGet, "/supply/jewel/totalsupply", nil)
	b.ReportAllocs()
	for b.Loop() {
		clear(w.header)
		k.ServeHTTP(w, r)
	}
}

func BenchmarkLane(b *testing.B) {
	k := newKit(b, oneHost())
	lane := k.NewLane(newPlug(), LaneLimits{})
	conn := &endless{request: []byte(figureRequest), left: b.N}
	c := &laneConn{Conn: conn, lane: lane}
	b.ReportAllocs()
	b.ResetTimer()
	c.serve()
}

func BenchmarkPublish(b *testing.B) {
	k := newKit(b, oneHost())
	p := k.board.Now()
	b.ReportAllocs()
	for b.Loop() {
		k.table.Store(nil)
		k.Publish(p)
	}
}
