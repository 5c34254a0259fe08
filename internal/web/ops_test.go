package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

func probe(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

func TestOps(t *testing.T) {
	k := newKit(t, oneHost())
	registry := prometheus.NewRegistry()
	registry.MustRegister(k.Collectors()...)
	var troubles []string
	ops := k.Ops(OpsConfig{Gatherer: registry, Troubles: func() []string { return troubles },
		Leader: func() (string, bool) { return "", false }})
	if w := probe(ops, "/healthz"); w.Code != 200 || w.Body.String() != "{\"status\":\"alive\"}\n" {
		t.Errorf("/healthz: status %d, %s", w.Code, w.Body)
	}
	if w := probe(ops, "/readyz"); w.Code != 200 {
		t.Errorf("/readyz: status %d, %s", w.Code, w.Body)
	}
	troubles = []string{"the store does not answer"}
	if w := probe(ops, "/readyz"); w.Code != 200 || !strings.Contains(w.Body.String(), troubles[0]) {
		t.Errorf("/readyz with trouble: status %d, %s", w.Code, w.Body)
	}
	k.supply.hasFigure.Store(false)
	if w := probe(ops, "/readyz"); w.Code != 503 || !strings.Contains(w.Body.String(), "no figure is in memory yet") {
		t.Errorf("/readyz without a figure: status %d, %s", w.Code, w.Body)
	}
	k.get("/supply/jewel/totalsupply")
	k.get("/supply/%2e/x")
	text := probe(ops, "/metrics").Body.String()
	for _, line := range []string{
		`petsupply_http_requests_total{route="supply /{token}/totalsupply",status="200"} 1`,
		`petsupply_http_requests_total{route="none",status="404"} 1`,
		`petsupply_http_request_seconds_count{route="supply /{token}/totalsupply"} 1`,
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no line %s", line)
		}
	}
	if w := probe(ops, "/debug/pprof/"); w.Code != 200 {
		t.Errorf("pprof: %d", w.Code)
	}
}

// An uncommon status of the site raises no alarm about internal errors.
func TestEveryStatusIsCountedAsItself(t *testing.T) {
	cfg := oneHost()
	cfg.Site = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if err != nil {
			t.Error(err)
		}
		w.WriteHeader(status)
	})
	k := newKit(t, cfg)
	for status, label := range map[int]string{200: "200", 206: "206", 303: "303", 307: "307", 416: "416", 418: "other",
		500: "500"} {
		k.get("/" + strconv.Itoa(status))
		if n := k.requests(t, "site", label); n != 1 {
			t.Errorf("%d: %v as %s", status, n, label)
		}
	}
}

func TestEventsReachEveryPage(t *testing.T) {
	k := newKit(t, oneHost())
	events := newEvents(2, 9, time.Hour, k.streams)
	srv := httptest.NewServer(events)
	defer srv.Close()
	if err := events.Broadcast("supply", map[string]int{"n": 1}); err != nil {
		t.Fatal(err)
	}
	var pages []*bufio.Reader
	for range 2 {
		resp, err := http.Get(srv.URL)
		if err != nil || resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" {
			t.Fatalf("opening the event stream: %v %v", err, resp)
		}
		defer resp.Body.Close()
		pages = append(pages, bufio.NewReader(resp.Body))
	}
	if resp, err := http.Get(srv.URL); err != nil || resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" {
		t.Errorf("a third stream of two: %v %v", err, resp)
	}
	if err := events.Broadcast("pets", []int{7}); err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		want := "retry: 3000\n\nid: 1\nevent: supply\ndata: {\"n\":1}\n\nid: 2\nevent: pets\ndata: [7]\n\n"
		got := make([]byte, len(want))
		if _, err := fullRead(p, got); err != nil || string(got) != want {
			t.Errorf("reading the event stream: %v %q", err, got)
		}
	}
	events.Close()
	for _, p := range pages {
		if _, err := p.ReadByte(); err == nil {
			t.Error("a stream goes on after Close")
		}
	}
	if err := events.Broadcast("supply", 1); err != nil {
		t.Error(err)
	}
}

func TestMethodsOfEvents(t *testing.T) {
	events := newEvents(1, 9, time.Hour, prometheus.NewGauge(prometheus.GaugeOpts{}))
	w := httptest.NewRecorder()
	events.ServeHTTP(w, httptest.NewRequest(http.MethodHead, "/events", nil)) // ends at once
	if w.Code != 200 || w.Header().Get("Content-Type") != "text/event-stream" || w.Body.Len() > 0 ||
		len(events.clients) > 0 {
		t.Errorf("HEAD: %d %v %q", w.Code, w.Header(), w.Body)
	}
	w = httptest.NewRecorder()
	events.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/events", nil))
	if w.Code != 405 || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d %v", w.Code, w.Header())
	}
}

func fullRead(r *bufio.Reader, b []byte) (int, error) {
	for i := range b {
		c, err := r.ReadByte()
		if err != nil {
			return i, err
		}
		b[i] = c
	}
	return len(b), nil
}

func TestAQuietStreamHasAHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := newEvents(1, 9, time.Second, prometheus.NewGauge(prometheus.GaugeOpts{}))
		ctx, cancel := context.WithCancel(t.Context())
		w := httptest.NewRecorder()
		done := make(chan struct{})
		go func() {
			defer close(done)
			events.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/events", nil).WithContext(ctx))
		}()
		time.Sleep(3500 * time.Millisecond) // on the test's own clock
		cancel()
		<-done
		if n := strings.Count(w.Body.String(), ": still here\n\n"); n != 3 {
			t.Errorf("%d beats in three and a half seconds", n)
		}
		if len(events.clients) != 0 {
			t.Error("a caller that left is still counted")
		}
	})
}

func TestACallerThatLagsIsCutOff(t *testing.T) {
	events := newEvents(1, 9, time.Hour, prometheus.NewGauge(prometheus.GaugeOpts{}))
	c, err := events.enter(netip.Addr{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range maxBacklog + 1 {
		if err := events.Broadcast("tick", fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for range c {
		n++
	}
	if n != maxBacklog || len(events.clients) != 0 {
		t.Errorf("cut off after %d events, %d still there", n, len(events.clients))
	}
}

func TestAStreamOutlivesTheServersTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := newEvents(1, 9, time.Second, prometheus.NewGauge(prometheus.GaugeOpts{}))
		listener := newPlug()
		server := &http.Server{Handler: events, ReadTimeout: 3 * time.Second, WriteTimeout: 3 * time.Second}
		go func() { _ = server.Serve(listener) }()
		defer server.Close()
		client, end := net.Pipe()
		defer client.Close()
		listener.conns <- end
		if _, err := io.WriteString(client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		r := bufio.NewReader(client)
		for beats := 0; beats < 10; {
			line, err := r.ReadString('\n')
			if err != nil {
				t.Fatalf("after %d beats: %v", beats, err)
			}
			if strings.HasPrefix(line, ": ") {
				beats++
			}
		}
		events.Close()
	})
}

func TestOpsOfThisMachineChecksTheHost(t *testing.T) {
	k := newKit(t, oneHost())
	ops := k.Ops(OpsConfig{Gatherer: prometheus.NewRegistry(), Troubles: func() []string { return nil },
		Leader: func() (string, bool) { return "", false }, LocalOnly: true})
	for host, want := range map[string]int{
		"localhost:9090": 200, "LOCALHOST": 200, "127.0.0.1:9090": 200, "[::1]:9090": 200, "127.1.2.3": 200,
		"rebound.example.com:9090": 421, "localhost.example.com": 421, "10.0.0.1": 421, "": 421,
	} {
		r := httptest.NewRequest(http.MethodGet, "/debug/pprof/cmdline", nil)
		r.Host = host
		w := httptest.NewRecorder()
		if ops.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%q: %d, not %d", host, w.Code, want)
		}
	}
}

func TestOverTLSBrowsersKeepToTLS(t *testing.T) {
	for _, secure := range []bool{false, true} {
		cfg := oneHost()
		cfg.Secure = secure
		k := newKit(t, cfg)
		for _, path := range []string{"/supply/jewel", "/", "/pets/token/1", "/pets/nothing"} {
			if got := k.get(path).Header().Get("Strict-Transport-Security"); (got == "max-age=31536000") != secure {
				t.Errorf("%s with TLS %v: %q", path, secure, got)
			}
		}
	}
}

// TestManyParametersAreRefused: the cost of a query does not grow with the square of its length.
func TestManyParametersAreRefused(t *testing.T) {
	k := newKit(t, oneHost())
	for query, want := range map[string]int{
		"limit=1&" + strings.Repeat("a=&", 50):   200,
		"limit=1&" + strings.Repeat("a=&", 2000): 400,
		"limit=1" + strings.Repeat("&", 7000):    200,
	} {
		if w := k.get("/pets/tokens?" + query); w.Code != want {
			t.Errorf("%.20s…: %d %.100s", query, w.Code, w.Body)
		}
	}
}
