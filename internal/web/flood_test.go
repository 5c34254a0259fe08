package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"

	"petsupply/internal/web/answer"

	"github.com/prometheus/client_golang/prometheus"
)

// TestFloodsOfNewWordsAreNotRemembered: callers invent hosts, encodings, ids, paths, methods and
// addresses. Memory does not grow, and no metric gets a new series.
func TestFloodsOfNewWordsAreNotRemembered(t *testing.T) {
	cfg := oneHost()
	cfg.Limit = answer.Limit{PerSecond: 1}
	k := newKit(t, cfg)
	registry := prometheus.NewRegistry()
	registry.MustRegister(k.Collectors()...)
	series := func() (n int) {
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range families {
			n += len(f.Metric)
		}
		return n
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	const most = 4 << 20
	for name, change := range map[string]func(*http.Request, int){
		"hosts": func(r *http.Request, i int) { r.Host = fmt.Sprintf("h%d.example.com", i) },
		"encodings": func(r *http.Request, i int) {
			r.Header.Set("Accept-Encoding", fmt.Sprintf("x%d, gzip;q=0.%03d, *;q=0", i, i%1000))
		},
		"ids": func(r *http.Request, i int) { r.URL.Path = fmt.Sprintf("/pets/token/%d", 4_000_000_000_000+i) },
		"pictures": func(r *http.Request, i int) {
			r.URL.Path = "/pets/image/1"
			r.URL.RawQuery = fmt.Sprintf("v=%x", i)
		},
		"queries":     func(r *http.Request, i int) { r.URL.RawQuery = fmt.Sprintf("x%d=%d", i, i) },
		"paths":       func(r *http.Request, i int) { r.URL.Path = fmt.Sprintf("/p%d/q%d", i, i) },
		"methods":     func(r *http.Request, i int) { r.Method = fmt.Sprintf("M%d", i) },
		"request ids": func(r *http.Request, i int) { r.Header.Set("X-Request-Id", fmt.Sprint("r", i)) },
		"validators":  func(r *http.Request, i int) { r.Header.Set("If-None-Match", fmt.Sprintf(`"%d"`, i)) },
	} {
		flood := func(from, to int) {
			for i := from; i < to; i++ {
				r := httptest.NewRequest(http.MethodGet, "http://localhost:8080/pets/token/1", nil)
				r.RemoteAddr = fmt.Sprintf("192.0.2.%d:1", i%100)
				change(r, i)
				k.ServeHTTP(httptest.NewRecorder(), r)
			}
		}
		flood(0, 100) // warms up
		had := heap()
		counted := series()
		flood(100, 5_100)
		if now := heap(); now > had+most {
			t.Errorf("5,000 %s take %d KB", name, (now-had)>>10)
		}
		if n := series(); n != counted {
			t.Errorf("%s make %d new series of metrics", name, n-counted)
		}
	}
}
