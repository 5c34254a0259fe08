package app

import (
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"golang.org/x/net/http2"
)

// TestStreamsAndHeadersOfHTTP2AreBounded: the server tells a client of HTTP/2 its limits, and net/http
// ends connections that ignore them.
func TestStreamsAndHeadersOfHTTP2AreBounded(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	model := httptest.NewUnstartedServer(nil) // has a certificate
	model.StartTLS()
	defer model.Close()
	server := newServer(http.NotFoundHandler(), slog.New(slog.DiscardHandler))
	defer server.Close()
	go server.Serve(tls.NewListener(listener, &tls.Config{NextProtos: []string{"h2"},
		Certificates: model.TLS.Certificates}))
	conn, err := tls.Dial("tcp", listener.Addr().String(), &tls.Config{NextProtos: []string{"h2"},
		InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	framer := http2.NewFramer(conn, conn)
	if _, err := io.WriteString(conn, http2.ClientPreface); err != nil {
		t.Fatal(err)
	}
	if err := framer.WriteSettings(); err != nil {
		t.Fatal(err)
	}
	frame, err := framer.ReadFrame()
	settings, ok := frame.(*http2.SettingsFrame)
	if err != nil || !ok {
		t.Fatalf("the first frame is %v, %v", frame, err)
	}
	if n, _ := settings.Value(http2.SettingMaxConcurrentStreams); n != 20 {
		t.Errorf("a client may have %d streams, want 20", n)
	}
	if n, _ := settings.Value(http2.SettingMaxHeaderListSize); n == 0 || n > 64<<10 {
		t.Errorf("a header may have %d bytes", n)
	}
}
