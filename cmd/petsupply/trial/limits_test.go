package trial

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"petsupply/testkit/check"
)

// moreFiles lets this process and its children open n files.
func moreFiles(t *testing.T, n uint64) {
	t.Helper()
	var now syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &now); err != nil {
		t.Fatal(err)
	}
	if now.Cur >= n {
		return
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: n, Max: max(n, now.Max)}); err != nil {
		t.Fatalf("this test needs %d open files, %d are allowed: %v", n, now.Cur, err)
	}
}

// demo starts the program on its demo kingdom.
func demo(t *testing.T) (*instance, *place) {
	t.Helper()
	p := newInstance(t, binary(t), "--data", t.TempDir())
	p.start(t)
	return p, &place{name: "demo", base: "http://" + p.listen}
}

// dial opens connections that end with the test, and sends each a text.
func dial(t *testing.T, p *instance, n int, text string) []net.Conn {
	t.Helper()
	conns := make([]net.Conn, n)
	var all sync.WaitGroup
	for part := range 16 {
		all.Go(func() {
			for i := part; i < n; i += 16 {
				c, err := net.DialTimeout("tcp", p.listen, check.Patience)
				if err != nil {
					t.Errorf("connection %d: %v", i, err)
					return
				}
				conns[i] = c
				io.WriteString(c, text)
			}
		})
	}
	all.Wait()
	t.Cleanup(func() {
		for _, c := range conns {
			if c != nil {
				c.Close()
			}
		}
	})
	return conns
}

// serves checks that a new caller is answered.
func serves(t *testing.T, at *place) {
	t.Helper()
	client := &http.Client{Timeout: check.Patience, Transport: &http.Transport{DisableKeepAlives: true}}
	for _, path := range []string{"/supply/", "/supply/jewel/totalsupply", "/pets/token/7",
		fmt.Sprintf("/pets/image/%d?size=90", 1+rand.IntN(900))} {
		if status, _, body, err := get(t.Context(), client, at.base+path); err != nil || status != http.StatusOK {
			t.Errorf("%s: status %d, %s %v", path, status, clipped(body), err)
		}
	}
}

func TestManyIdleConnections(t *testing.T) {
	const many = 10_000
	moreFiles(t, many+2000)
	p, at := demo(t)
	conns := dial(t, p, many, "GET /supply/jewel/totalsupply HTTP/1.1\r\nHost: localhost\r\n\r\n")
	serves(t, at)
	line, err := bufio.NewReader(conns[many-1]).ReadString('\n')
	if err != nil || !strings.Contains(line, "200 OK") {
		t.Errorf("one of the many: %q %v", line, err)
	}
	if text := metrics(t, p); !strings.Contains(text, "petsupply_http_connections 1000") &&
		!strings.Contains(text, "petsupply_http_connections 999") {
		t.Errorf("the connections are not counted: %s", grep(text, "petsupply_http_connections"))
	}
	var resident float64
	for line := range strings.Lines(metrics(t, p)) {
		fmt.Sscanf(line, "process_resident_memory_bytes %g", &resident)
	}
	if resident > 512<<20 {
		t.Errorf("it takes %.0f MB", resident/(1<<20))
	}
	t.Logf("%.0f MB", resident/(1<<20))
}

func TestTooManyConnections(t *testing.T) {
	p := newInstance(t, "/bin/sh", "--data", t.TempDir())
	p.args = append([]string{"-c", `ulimit -n 200 && exec "$0" "$@"`, binary(t)}, p.args...) // half are for connections
	p.start(t)
	at := &place{name: "demo", base: "http://" + p.listen}
	conns := dial(t, p, 300, "GET /supply/jewel/totalsupply HTTP/1.1\r\nHost: localhost\r\n\r\n")
	serves(t, at)
	closed := 0
	for _, c := range conns {
		c.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
		if _, err := io.Copy(io.Discard, c); err == nil || !strings.Contains(err.Error(), "timeout") {
			closed++
		}
	}
	if closed < 200 {
		t.Errorf("%d of 300 connections were closed, 100 are allowed", closed)
	}
}

func TestSlowHeaders(t *testing.T) {
	p, at := demo(t)
	conns := dial(t, p, 500, "GET /supply/jewel HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
	stop := make(chan struct{})
	var drip sync.WaitGroup
	drip.Go(func() {
		for {
			for _, c := range conns {
				c.Write([]byte("a"))
			}
			select {
			case <-stop:
				return
			case <-time.After(300 * time.Millisecond):
			}
		}
	})
	serves(t, at)
	for _, c := range conns { // a head may take at most 5 s in all
		c.SetReadDeadline(time.Now().Add(check.Patience))
		if _, err := io.Copy(io.Discard, c); err != nil && strings.Contains(err.Error(), "timeout") {
			t.Fatal("the service waits for a slow head")
		}
	}
	close(stop)
	drip.Wait()
}

func TestOversizedRequests(t *testing.T) {
	p, at := demo(t)
	for _, test := range []struct {
		what, ask string
		status    string
	}{
		{"a huge header", "GET /supply/jewel HTTP/1.1\r\nHost: localhost\r\nX-Big: " + strings.Repeat("a", 40<<10) +
			"\r\n\r\n", "431"},
		{"a long address", "GET /supply/" + strings.Repeat("a", 9000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n", "414"},
		{"a body", "GET /supply/jewel/totalsupply HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc", "200"},
		{"another method", "POST /supply/jewel HTTP/1.1\r\nHost: localhost\r\n" +
			"Content-Length: 1000000000\r\n\r\n", "405"},
	} {
		t.Run(test.what, func(t *testing.T) {
			c := dial(t, p, 1, test.ask)[0]
			c.SetReadDeadline(time.Now().Add(check.Patience))
			line, err := bufio.NewReader(c).ReadString('\n')
			if err != nil || !strings.Contains(line, " "+test.status+" ") {
				t.Errorf("%s: %q %v, want %s", test.what, line, err, test.status)
			}
		})
	}
	c := dial(t, p, 1, "GET /supply/jewel HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n")[0]
	sent := 0
	zeros := make([]byte, 1<<16)
	for c.SetWriteDeadline(time.Now().Add(check.Patience)); sent < 64<<20; {
		n, err := c.Write(zeros)
		if sent += n; err != nil {
			break
		}
	}
	if sent >= 64<<20 {
		t.Errorf("%d bytes of a body that nobody wants were taken", sent)
	}
	serves(t, at)
}

// TestLimitByAddress: the program passes its trusted proxies on to the limit.
func TestLimitByAddress(t *testing.T) {
	s := newSolo(t, t.TempDir(), "",
		"lease: 1s => lease: 1s\nlimits: {per_ip: 1, private: true, trusted_proxies: [127.0.0.0/8]}")
	s.p.start(t)
	moves(t, s.at)
	ask := func(from string, n int) int {
		url := fmt.Sprintf("%s/pets/tokens?limit=1&rarity=%d", s.at.base, n%5)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Forwarded-For", from)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.StatusCode
	}
	for i := 0; ask("192.0.2.1", i) != http.StatusTooManyRequests; i++ {
		if i > 200 {
			t.Fatal("200 listings at once, and no limit")
		}
	}
	if status := ask("192.0.2.2", 0); status != http.StatusOK {
		t.Errorf("another address behind the proxy: %d", status)
	}
}
