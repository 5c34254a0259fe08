package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// An answer is one whole response as received.
type answer struct {
	status int
	header http.Header
	body   []byte // not decoded
	size   int    // bytes of the whole answer, head included
}

// anyCertificate accepts our own certificates. The key exchanges are those that every current
// server has.
var anyCertificate = &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"http/1.1"},
	CurvePreferences: []tls.CurveID{tls.X25519, tls.CurveP256}}

// connect opens a connection to the host of an address.
func connect(ctx context.Context, u *url.URL) (net.Conn, error) {
	if u.Scheme == "https" {
		return (&tls.Dialer{Config: anyCertificate}).DialContext(ctx, "tcp", u.Host)
	}
	return (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, "tcp", u.Host)
}

// get sends one request on its own connection, as wrk does, and measures the answer.
func get(ctx context.Context, address string, header []string) (answer, error) {
	u, err := url.Parse(address)
	if err != nil {
		return answer{}, err
	}
	conn, err := connect(ctx, u)
	if err != nil {
		return answer{}, err
	}
	defer conn.Close()
	return ask(conn, u.Host, u.RequestURI(), header)
}

// ask sends a request over a connection and reads the answer.
func ask(conn net.Conn, host, path string, header []string) (answer, error) {
	if err := conn.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return answer{}, err
	}
	if _, err := io.WriteString(conn, requestText(host, path, header)); err != nil {
		return answer{}, err
	}
	var wire bytes.Buffer
	r, err := http.ReadResponse(bufio.NewReader(io.TeeReader(conn, &wire)), &http.Request{Method: http.MethodGet})
	if err != nil {
		return answer{}, err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	return answer{r.StatusCode, r.Header, body, wire.Len()}, err
}

func requestText(host, path string, header []string) string {
	lines := strings.Join(append([]string{"GET " + path + " HTTP/1.1", "Host: " + host}, header...), "\r\n")
	return lines + "\r\n\r\n"
}

// watch is the witness of a measurement: it requests the paths of a side, at most 50 a second, until
// end is called. end returns the first wrong answer.
func (s *side) watch(ctx context.Context) (end func() error) {
	ctx, stop := context.WithCancel(ctx)
	fault := make(chan error, 1)
	go func() { fault <- s.look(ctx) }()
	return func() error {
		stop()
		return <-fault
	}
}

func (s *side) look(ctx context.Context) error {
	for {
		path := s.paths[rand.IntN(len(s.paths))]
		a, err := get(context.WithoutCancel(ctx), s.url+path, s.header)
		if err == nil {
			err = s.right(path, a)
		}
		if err != nil {
			return fmt.Errorf("checking %s on %s during the measurement: %w", path, s.Name, err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(20 * time.Millisecond):
		}
	}
}
