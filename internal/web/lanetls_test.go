package web

import (
	"bytes"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"petsupply/internal/web/express"
)

// testCertificate returns the certificate of the standard library's test server.
func testCertificate() []tls.Certificate {
	s := httptest.NewUnstartedServer(nil)
	s.StartTLS()
	defer s.Close()
	return s.TLS.Certificates
}

// secureSockets serve the same kit over TLS with and without the lane, and
// return their addresses.
func secureSockets(t testing.TB, k *kit) (plain, laned string) {
	t.Helper()
	secure := &tls.Config{Certificates: testCertificate(), NextProtos: []string{"h2", "http/1.1"}}
	start := func(lane bool) string {
		base, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		srv := newServer(k, time.Minute)
		l := tls.NewListener(base, secure)
		if lane {
			l = express.Listen(base, secure, srv, k.Find, k.Now)
		}
		go func() { _ = srv.Serve(l) }()
		t.Cleanup(func() { _ = srv.Close() })
		return base.Addr().String()
	}
	return start(false), start(true)
}

// talkTo plays a conversation on a socket, in pieces, and returns all answers, up to the end of the
// connection.
func talkTo(t *testing.T, addr string, secure bool, in, cuts []byte) []byte {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	if secure {
		c = tls.Client(c, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"http/1.1"}})
	}
	go func() {
		writeCut(c, in, cuts)
		_ = c.(interface{ CloseWrite() error }).CloseWrite()
	}()
	out, err := io.ReadAll(c)
	if err != nil && secure && !strings.Contains(err.Error(), "reset") {
		t.Errorf("%.100q: %v", in, err)
	}
	return unequal.ReplaceAll(out, nil)
}

// secureAlike plays a conversation over TLS with and without the lane.
func secureAlike(t *testing.T, plain, laned string, in, cuts []byte) {
	t.Helper()
	want := talkTo(t, plain, true, in, cuts)
	got := talkTo(t, laned, true, in, cuts)
	if !bytes.Equal(want, got) {
		t.Errorf("%.300q over TLS in pieces of %v:\nnet/http: %.600q\nlane:     %.600q", in, cuts, want, got)
	}
}

func TestOnATLSListenerPlainBytesGetTheAnswerOfNetHTTP(t *testing.T) {
	plain, laned := secureSockets(t, newKit(t, oneHost()))
	for _, c := range []string{"GET /supply/jewel" + plainHead + "\r\n", "\x16\x03\x01", "nonsense\r\n\r\n"} {
		want := talkTo(t, plain, false, []byte(c), nil)
		got := talkTo(t, laned, false, []byte(c), nil)
		if !bytes.Equal(want, got) {
			t.Errorf("%q:\nnet/http: %q\nlane:     %q", c, want, got)
		}
	}
}

func TestHTTP2BypassesTheLane(t *testing.T) {
	k := newKit(t, oneHost())
	_, laned := secureSockets(t, k)
	for _, h2 := range []bool{true, false} {
		before := k.answered()
		transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true,
			ClientSessionCache: tls.NewLRUClientSessionCache(1)}, ForceAttemptHTTP2: h2}
		client := &http.Client{Transport: transport}
		for i := range 2 {
			resp, err := client.Get("https://" + laned + "/supply/jewel/totalsupply")
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			want := k.get("/supply/jewel/totalsupply").Body.Bytes()
			if err != nil || resp.StatusCode != 200 || !bytes.Equal(body, want) {
				t.Errorf("%s: %s %q, %v", resp.Proto, resp.Status, body, err)
			}
			if want := map[bool]int{true: 2, false: 1}[h2]; resp.ProtoMajor != want {
				t.Errorf("spoke %s", resp.Proto)
			}
			if resp.TLS.DidResume != (i == 1) {
				t.Errorf("connection %d over %s: session resumed %v", i, resp.Proto, resp.TLS.DidResume)
			}
			client.CloseIdleConnections()
		}
		if got := k.answered() - before; (got > 0) == h2 {
			t.Errorf("%v answers over HTTP/2=%v came from the lane", got, h2)
		}
	}
}
