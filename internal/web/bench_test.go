package web

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
)

// BenchmarkMetadata requests a different pet each time, so that nothing is prepared.
func BenchmarkMetadata(b *testing.B) {
	k := newKit(b, oneHost())
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

// benchmarkLane sends the same request again and again on one connection in the lane.
func benchmarkLane(b *testing.B, target string, headers ...string) {
	k := newKit(b, oneHost())
	k.remember(30)
	k.get(target, headers...)
	head := "GET " + target + " HTTP/1.1\r\nHost: localhost:8080\r\n"
	for i := 0; i < len(headers); i += 2 {
		head += headers[i] + ": " + headers[i+1] + "\r\n"
	}
	ask := repeat(b, k, head+"\r\n")
	before := k.answered()
	b.ReportAllocs()
	b.ResetTimer()
	ask(b.N)
	if n := k.answered() - before; n != float64(b.N) {
		b.Fatalf("the lane answered %v of %d", n, b.N)
	}
}

func BenchmarkLane(b *testing.B)         { benchmarkLane(b, "/supply/jewel/totalsupply") }
func BenchmarkLaneDocument(b *testing.B) { benchmarkLane(b, "/pets/token/2") }
func BenchmarkLanePicture(b *testing.B)  { benchmarkLane(b, "/pets/image/2") }
func BenchmarkLaneGzipDocument(b *testing.B) {
	benchmarkLane(b, "/pets/token/2", "Accept-Encoding", "gzip")
}

// benchmarkServer sends the same request to the handler again and again.
func benchmarkServer(b *testing.B, target, accept string) {
	k := newKit(b, oneHost())
	k.remember(30)
	w := &blank{http.Header{}}
	r := httptest.NewRequest(http.MethodGet, target, nil)
	if accept != "" {
		r.Header.Set("Accept-Encoding", accept)
	}
	b.ReportAllocs()
	for b.Loop() {
		clear(w.header)
		k.ServeHTTP(w, r)
	}
}

func BenchmarkServerDocument(b *testing.B)     { benchmarkServer(b, "/pets/token/2", "") }
func BenchmarkServerGzipDocument(b *testing.B) { benchmarkServer(b, "/pets/token/2", "gzip") }
func BenchmarkServerPicture(b *testing.B)      { benchmarkServer(b, "/pets/image/2", "") }

func BenchmarkPublish(b *testing.B) {
	k := newKit(b, oneHost())
	p := k.board.Now()
	b.ReportAllocs()
	for b.Loop() {
		k.supply.table.Store(nil)
		k.OnPublication(p)
	}
}
