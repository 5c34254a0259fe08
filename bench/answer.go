package main

import (
	"bufio"
	"bytes"
	"context"
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

// get sends one request on its own connection, as wrk does, and measures the answer.
func get(ctx context.Context, address string, header []string) (answer, error) {
	u, err := url.Parse(address)
	if err != nil {
		return answer{}, err
	}
	dialer := net.Dialer{Timeout: 5 * time.Second}
	conn, err := dialer.DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return answer{}, err
	}
	defer conn.Close()
	return ask(conn, u.Host, u.RequestURI(), header)
}

// ask sends a request over a connection and reads the answer.
func ask(conn net.Conn, host, target string, header []string) (answer, error) {
	if err := conn.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return answer{}, err
	}
	if _, err := io.WriteString(conn, requestText(host, target, header)); err != nil {
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

func requestText(host, target string, header []string) string {
	return "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + headerLines(header) + "\r\n"
}

func headerLines(header []string) string {
	var b strings.Builder
	for _, h := range header {
		b.WriteString(h + "\r\n")
	}
	return b.String()
}

// A witness sends requests with known answers, at most 50 a second. It stops at the first answer
// that differs.
type witness struct {
	host    string
	header  []string
	targets []string
	right   func(target string, a answer) error
	fault   chan error
	stop    context.CancelFunc
}

// watch starts the witness. end returns its verdict.
func watch(ctx context.Context, w witness) *witness {
	ctx, w.stop = context.WithCancel(ctx)
	w.fault = make(chan error, 1)
	go func() { w.fault <- w.look(ctx) }()
	return &w
}

// end stops the witness and returns the first fault, if any.
func (w *witness) end() error {
	w.stop()
	return <-w.fault
}

func (w *witness) look(ctx context.Context) error {
	conn, err := net.Dial("tcp", w.host)
	if err != nil {
		return err
	}
	defer conn.Close()
	for seen := 0; ; seen++ {
		target := w.targets[rand.IntN(len(w.targets))]
		a, err := ask(conn, w.host, target, w.header)
		if err == nil {
			err = w.right(target, a)
		}
		if err != nil {
			return fmt.Errorf("checking %s on %s during the measurement: %w", target, w.host, err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// moved returns a body in which the address of one service is replaced by that of another.
func moved(body []byte, from, to *service) []byte {
	_, a, _ := net.SplitHostPort(from.address)
	_, b, _ := net.SplitHostPort(to.address)
	return bytes.ReplaceAll(body, []byte("localhost:"+a), []byte("localhost:"+b))
}
