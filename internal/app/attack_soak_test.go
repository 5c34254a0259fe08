//go:build soak && linux

package app

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"petsupply/internal/config"
)

const (
	attackers  = 10               // addresses
	attackTime = 15 * time.Second // that a trial lasts
	mostMemory = 300 << 10        // kB that the service may take
	hotLimit   = 100 * time.Millisecond
	madeLimit  = 500 * time.Millisecond
)

// TestMain runs the service that is attacked, if the environment says so.
func TestMain(m *testing.M) {
	if dir := os.Getenv("ATTACKED_DIR"); dir != "" {
		if err := serveAttacked(dir, os.Getenv("ATTACKED_ADDR"), os.Getenv("ATTACKED_TLS") != ""); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// serveAttacked serves the demo kingdom with the limits that public addresses have.
func serveAttacked(dir, addr string, secure bool) error {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	LimitMemory(os.Getenv, log)
	s, err := Load("", nil, dir, "8080", os.Getenv)
	if err != nil {
		return err
	}
	if err := s.Limits.PerIP.UnmarshalText([]byte("200/s")); err != nil {
		return err
	}
	if secure {
		s.TLS = &config.TLS{Cert: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}
	}
	a, err := Open(context.Background(), s, log)
	if err != nil {
		return err
	}
	defer a.Close()
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	v, err := a.NewService(context.Background(), ServiceConfig{Public: listener, Express: true})
	if err != nil {
		return err
	}
	return v.Run(context.Background())
}

// A target is the service that is attacked.
type target struct {
	addr   string
	secure bool
	pid    int
	log    *bytes.Buffer
}

func startTarget(t *testing.T, secure bool) *target {
	t.Helper()
	dir := t.TempDir()
	writeCertificate(t, config.TLS{Cert: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}, 1)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &target{addr: free.Addr().String(), secure: secure, log: new(bytes.Buffer)}
	free.Close()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "ATTACKED_DIR="+dir, "ATTACKED_ADDR="+g.addr, "GOMEMLIMIT=460MiB")
	if secure {
		cmd.Env = append(cmd.Env, "ATTACKED_TLS=1")
	}
	cmd.Stderr = g.log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	g.pid = cmd.Process.Pid
	client := g.client("127.0.0.1")
	until(t, "the service answers", func() bool { return g.get(client, "/supply/jewel/totalsupply") == 200 })
	return g
}

// resident is the memory that the service takes, in kB.
func (g *target) resident() (kB int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", g.pid))
	for line := range strings.Lines(string(text)) {
		fmt.Sscanf(line, "VmRSS: %d kB", &kB)
	}
	return kB
}

func (g *target) client(from string) *http.Client {
	return &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{
		DialContext:         (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).DialContext,
		TLSClientConfig:     &tls.Config{InsecureSkipVerify: true},
		MaxIdleConnsPerHost: 64, DisableCompression: true,
	}}
}

// get asks and returns the status, 0 for none.
func (g *target) get(c *http.Client, path string) int {
	scheme := "http://"
	if g.secure {
		scheme = "https://"
	}
	resp, err := c.Get(scheme + g.addr + path)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

// dial opens a connection of an attacker, with TLS if protocols are given.
func (g *target) dial(n int, protocols ...string) net.Conn {
	dialer := net.Dialer{Timeout: 5 * time.Second, LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(n+1))}}
	c, err := dialer.Dial("tcp", g.addr)
	if err != nil {
		return nil
	}
	_ = c.(*net.TCPConn).SetReadBuffer(4 << 10)
	if protocols == nil {
		return c
	}
	secure := tls.Client(c, &tls.Config{InsecureSkipVerify: true, NextProtos: protocols})
	_ = secure.SetDeadline(time.Now().Add(10 * time.Second))
	if secure.Handshake() != nil {
		c.Close()
		return nil
	}
	_ = secure.SetDeadline(time.Time{})
	return secure
}

// soakBatch asks for a hundred documents.
func soakBatch() string {
	var ids []string
	for i := range 100 {
		ids = append(ids, fmt.Sprint(i+1))
	}
	return "/pets/tokens?ids=" + strings.Join(ids, ",")
}

// slowly opens connections that ask for path and read nothing, until ctx ends.
func slowly(ctx context.Context, g *target, connections int, path string, protocols ...string) {
	var open []net.Conn
	defer func() {
		for _, c := range open {
			c.Close()
		}
	}()
	for i := range connections {
		c := g.dial(i%attackers, protocols...)
		if c == nil || ctx.Err() != nil {
			continue
		}
		open = append(open, c)
		if path != "" {
			_, _ = io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n")
		}
	}
	<-ctx.Done()
}

// slowStreams opens HTTP/2 connections of a hundred streams that take nothing.
func slowStreams(ctx context.Context, g *target, connections int) {
	for i := range connections {
		c := g.dial(i%attackers, "h2")
		if c == nil {
			continue
		}
		defer c.Close()
		framer := http2.NewFramer(c, c)
		_, _ = io.WriteString(c, http2.ClientPreface)
		_ = framer.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0})
		var head bytes.Buffer
		encoder := hpack.NewEncoder(&head)
		for s := range 100 {
			head.Reset()
			for _, f := range [][2]string{{":method", "GET"}, {":scheme", "https"}, {":authority", "x"}, {":path", soakBatch()}} {
				_ = encoder.WriteField(hpack.HeaderField{Name: f[0], Value: f[1]})
			}
			_ = framer.WriteHeaders(http2.HeadersFrameParam{
				StreamID: uint32(2*s + 1), BlockFragment: head.Bytes(), EndStream: true, EndHeaders: true})
		}
		go io.Copy(io.Discard, c)
	}
	<-ctx.Done()
}

// flood asks for paths as fast as it can, from every attacking address.
func flood(ctx context.Context, g *target, paths ...string) {
	var all sync.WaitGroup
	for n := range attackers {
		client := g.client(fmt.Sprintf("127.0.1.%d", n+1))
		for worker := range 4 {
			all.Go(func() {
				for i := worker; ctx.Err() == nil; i += 4 {
					g.get(client, strings.ReplaceAll(paths[i%len(paths)], "#", fmt.Sprint((i*attackers+n)%1100+1)))
				}
			})
		}
	}
	all.Wait()
}

// A healthyClient asks for one kind of answer twenty times a second.
type healthyClient struct {
	kind, path string
	limit      time.Duration
	took       []time.Duration
	refused    int
}

func (h *healthyClient) run(ctx context.Context, g *target) {
	client := g.client("127.0.0.1")
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		began := time.Now()
		if status := g.get(client, strings.ReplaceAll(h.path, "#", fmt.Sprint(i%1100+1))); status != 200 {
			h.refused++
		}
		h.took = append(h.took, time.Since(began))
	}
}

// p99 is what 99 of 100 answers took at most.
func (h *healthyClient) p99() time.Duration {
	slices.Sort(h.took)
	return h.took[len(h.took)*99/100]
}

// TestUnderAttack: whatever ten addresses do, the service stays small and others are
// answered.
func TestUnderAttack(t *testing.T) {
	for _, trial := range []struct {
		name   string
		secure bool
		attack func(context.Context, *target)
	}{
		{"slow readers", false, func(ctx context.Context, g *target) { slowly(ctx, g, 3000, soakBatch()) }},
		{"slow readers of pipelined documents", false, func(ctx context.Context, g *target) {
			pipelined := strings.Repeat("/pets/token/1 HTTP/1.1\r\nHost: x\r\n\r\nGET ", 40) + "/pets/token/2"
			slowly(ctx, g, 3000, pipelined)
		}},
		{"slow readers over TLS", true, func(ctx context.Context, g *target) {
			slowly(ctx, g, 1000, soakBatch(), "http/1.1")
		}},
		{"slow readers over HTTP/2", true, func(ctx context.Context, g *target) { slowStreams(ctx, g, 100) }},
		{"dear pictures", false, func(ctx context.Context, g *target) {
			flood(ctx, g, "/pets/image/#?format=gif&size=1080", "/pets/image/#?animated=true&size=3240")
		}},
		{"pages", false, func(ctx context.Context, g *target) {
			flood(ctx, g, "/", "/token/jewel", "/gallery", "/pet/#", "/status", "/api", "/nothing")
		}},
		{"event streams", false, func(ctx context.Context, g *target) { slowly(ctx, g, 1500, "/events") }},
		{"idle connections", false, func(ctx context.Context, g *target) { slowly(ctx, g, 8000, "") }},
	} {
		t.Run(trial.name, func(t *testing.T) { runTrial(t, startTarget(t, trial.secure), trial.attack) })
	}
}

func runTrial(t *testing.T, g *target, attack func(context.Context, *target)) {
	before := g.resident()
	ctx, stop := context.WithTimeout(t.Context(), attackTime)
	defer stop()
	clients := []*healthyClient{
		{kind: "figures", path: "/supply/jewel/totalsupply", limit: hotLimit},
		{kind: "documents", path: "/pets/token/#", limit: madeLimit},
		{kind: "pictures", path: "/pets/image/#", limit: madeLimit},
		{kind: "listings", path: "/pets/tokens?limit=5", limit: madeLimit},
	}
	var all sync.WaitGroup
	all.Go(func() { attack(ctx, g) })
	for _, c := range clients {
		all.Go(func() { c.run(ctx, g) })
	}
	most := 0
	for ctx.Err() == nil {
		most = max(most, g.resident())
		time.Sleep(50 * time.Millisecond)
	}
	all.Wait()
	t.Logf("resident: %d MB before, at most %d MB; log: %d bytes", before>>10, most>>10, g.log.Len())
	if most > mostMemory {
		t.Errorf("the service took %d MB", most>>10)
	}
	if n := g.log.Len(); n > int(attackTime.Seconds())<<10 {
		t.Errorf("the log grew by %d bytes", n)
	}
	for _, c := range clients {
		t.Logf("%s: %d asked, p99 %v, %d refused", c.kind, len(c.took), c.p99().Round(time.Millisecond), c.refused)
		if c.refused > 0 || c.p99() > c.limit {
			t.Errorf("%s: p99 %v, %d refused", c.kind, c.p99(), c.refused)
		}
	}
}
