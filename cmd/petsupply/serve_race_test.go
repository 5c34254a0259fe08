package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// tokenService starts a service with one token, over TLS.
func tokenService(t *testing.T) *running {
	dir := t.TempDir()
	model := httptest.NewUnstartedServer(nil) // has a certificate
	model.StartTLS()
	pair := model.TLS.Certificates[0]
	model.Close()
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	must(t, err)
	for name, text := range map[string][]byte{
		"c.pem": pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]}),
		"k.pem": pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}),
		"petsupply.yaml": []byte("tls: {cert: c.pem, key: k.pem}\ntokens:\n" +
			"  - {path: gem, symbol: GEM, name: Gem, decimals: 18, " +
			"ledger: [{label: Minted, bucket: issued, amount: 12345, reason: fixed}]}\n"),
	} {
		must(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	return start(t, "--config", filepath.Join(dir, "petsupply.yaml"), "--data", dir)
}

// A load sends one request after another on many connections, until it is told to stop. It then knows
// that everything that was sent has arrived.
type load struct {
	*testing.T
	dial     func(from net.Addr) (net.Conn, error)
	paths    []string
	gate     sync.RWMutex // held while a request is sent
	stopped  bool         // guarded by gate
	answered atomic.Int64
}

// send sends a request, unless the load is stopped.
func (l *load) send(c net.Conn, path string) bool {
	l.gate.RLock()
	defer l.gate.RUnlock()
	if l.stopped {
		return false
	}
	_, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if err != nil {
		l.Errorf("sending %s: %v", path, err)
	}
	return err == nil
}

// warm waits until every path was answered. With the race detector, unpacking the pictures may take
// longer than the service lets an answer take.
func (l *load) warm() {
	l.Helper()
	for _, path := range l.paths {
		within(l.T, waitLimit, path, func() bool {
			c, err := l.dial(nil)
			must(l.T, err)
			defer c.Close()
			l.send(c, path)
			res, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				return false
			}
			_, err = io.Copy(io.Discard, res.Body)
			return err == nil && res.StatusCode == http.StatusOK
		})
	}
}

// ask sends requests on one connection.
func (l *load) ask(caller int) {
	c, err := l.dial(&net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(caller))})
	if err != nil {
		l.Error(err)
		return
	}
	defer c.Close()
	answers := bufio.NewReader(c)
	for i := caller; l.send(c, l.paths[i%len(l.paths)]); i++ {
		res, err := http.ReadResponse(answers, nil)
		if err == nil {
			_, err = io.Copy(io.Discard, res.Body)
		}
		if err != nil {
			l.Errorf("the answer to %s: %v", l.paths[i%len(l.paths)], err)
			return
		}
		l.answered.Add(1)
	}
}

// Every request that has arrived at the end of the service is answered completely: by the lane and by
// net/http, in the clear and over TLS. A client that reads nothing does not keep the service from its end.
func TestAShutdownAnswersEveryRequestThatHasArrived(t *testing.T) {
	insecure := &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"http/1.1"}}
	for name, test := range map[string]struct {
		start func(*testing.T) *running
		tls   *tls.Config
		paths []string
	}{
		"plain": {func(t *testing.T) *running { return start(t, "--data", t.TempDir()) }, nil,
			[]string{"/supply/jewel/totalsupply", "/pets/image/5?size=1080", "/pets/token/7", "/supply/jewel/history",
				"/pets/image/6?size=720&animated=true", "/pets/tokens?limit=20", "/gallery"}},
		"TLS": {tokenService, insecure,
			[]string{"/supply/gem/totalsupply", "/supply/gem/history", "/supply/gem/evidence", "/status"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := test.start(t)
			address := strings.TrimPrefix(strings.TrimPrefix(r.site, "https://"), "http://")
			l := &load{T: t, paths: test.paths, dial: func(from net.Addr) (net.Conn, error) {
				dialer := &net.Dialer{LocalAddr: from}
				if test.tls == nil {
					return dialer.Dial("tcp", address)
				}
				return tls.DialWithDialer(dialer, "tcp", address, test.tls)
			}}
			l.warm()
			if test.tls != nil {
				takeNothing(t, address, "/supply/gem/history")
			}
			var all sync.WaitGroup
			for caller := range 60 {
				all.Go(func() { l.ask(caller) })
			}
			within(t, waitLimit, "many answers", func() bool { return l.answered.Load() > 600 })
			l.gate.Lock()
			l.stopped = true
			begin := time.Now()
			ended := make(chan int)
			go func() { ended <- r.stop() }()
			l.gate.Unlock()
			all.Wait()
			if code := <-ended; code != exitOK {
				t.Errorf("exit code %d:\n%s", code, r.out)
			}
			cut := strings.Contains(r.out.String(), "stopped before all answers were sent")
			if cut != (test.tls != nil) {
				t.Errorf("an answer was cut off: %t\n%s", cut, r.out)
			}
			t.Logf("%d answers; it ended after %v", l.answered.Load(), time.Since(begin))
		})
	}
}

// takeNothing sends a request over HTTP/2, and allows no byte of its answer.
func takeNothing(t *testing.T, address, path string) {
	t.Helper()
	c, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}})
	must(t, err)
	t.Cleanup(func() { c.Close() })
	_, err = io.WriteString(c, http2.ClientPreface)
	must(t, err)
	var head bytes.Buffer
	encoder := hpack.NewEncoder(&head)
	for _, f := range [][2]string{
		{":method", "GET"}, {":scheme", "https"}, {":authority", "localhost"}, {":path", path},
	} {
		must(t, encoder.WriteField(hpack.HeaderField{Name: f[0], Value: f[1]}))
	}
	framer := http2.NewFramer(c, c)
	must(t, framer.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0}))
	must(t, framer.WriteHeaders(http2.HeadersFrameParam{
		StreamID: 1, BlockFragment: head.Bytes(), EndStream: true, EndHeaders: true}))
	for {
		frame, err := framer.ReadFrame()
		must(t, err)
		if _, answered := frame.(*http2.HeadersFrame); answered {
			break
		}
	}
	go io.Copy(io.Discard, c)
}
