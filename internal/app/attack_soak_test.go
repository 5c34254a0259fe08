//go:build soak && linux

package app

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"petsupply/internal/config"
)

const (
	attackers  = 10               // addresses
	attackTime = 15 * time.Second // how long a trial lasts
	calmTime   = 30 * time.Second // time in which the service must recover
	warmTime   = 3 * time.Second  // how long the service runs before the attack
	mostMemory = 300 << 10        // kB; the service may use no more
	hotLimit   = 100 * time.Millisecond
	madeLimit  = 500 * time.Millisecond
)

// TestMain runs the attacked service or its healthy clients if the environment says so. Each is a
// separate process, so that neither waits for the attackers' goroutines.
func TestMain(m *testing.M) {
	var err error
	switch g := (target{addr: os.Getenv("ATTACKED_ADDR"),
		secure: os.Getenv("ATTACKED_TLS") != ""}); os.Getenv("ATTACK_ROLE") {
	case "service":
		err = serveAttacked(os.Getenv("ATTACKED_DIR"), g)
	case "healthy":
		err = runHealthy(g)
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serveAttacked serves the demo kingdom with the limits for public addresses.
func serveAttacked(dir string, g target) error {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	LimitMemory(os.Getenv, log, math.MaxInt64)
	s, err := Load("", nil, dir, "8080", os.Getenv)
	if err != nil {
		return err
	}
	if err := s.Limits.PerIP.UnmarshalText([]byte("200/s")); err != nil {
		return err
	}
	if g.secure {
		s.TLS = &config.TLS{Cert: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}
	}
	a, err := Open(context.Background(), s, log)
	if err != nil {
		return err
	}
	defer a.Close()
	public, err := net.Listen("tcp", g.addr)
	if err != nil {
		return err
	}
	ops, err := net.Listen("tcp", os.Getenv("ATTACKED_OPS"))
	if err != nil {
		return err
	}
	v, err := a.NewService(context.Background(), ServiceConfig{
		Public: public, Ops: ops, Express: os.Getenv("ATTACKED_EXPRESS") != ""})
	if err != nil {
		return err
	}
	return v.Run(context.Background())
}

// A target is the attacked service.
type target struct {
	addr, ops string
	secure    bool
	pid       int
	log       *bytes.Buffer
}

// freeAddr returns an address that nobody listens on.
func freeAddr(t *testing.T) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer free.Close()
	return free.Addr().String()
}

// role returns a command that runs this program as the service or as its healthy clients.
func (g *target) role(name string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), "ATTACK_ROLE="+name, "ATTACKED_ADDR="+g.addr), env...)
	if g.secure {
		cmd.Env = append(cmd.Env, "ATTACKED_TLS=1")
	}
	return cmd
}

func startTarget(t *testing.T, secure, express bool) *target {
	t.Helper()
	dir := t.TempDir()
	writeCertificate(t, config.TLS{Cert: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}, 1)
	g := &target{addr: freeAddr(t), ops: freeAddr(t), secure: secure, log: new(bytes.Buffer)}
	cmd := g.role("service", "ATTACKED_DIR="+dir, "ATTACKED_OPS="+g.ops, "GOMEMLIMIT=460MiB")
	if express {
		cmd.Env = append(cmd.Env, "ATTACKED_EXPRESS=1")
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

// resident returns the memory of the service, in kB.
func (g *target) resident() (kB int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", g.pid))
	for line := range strings.Lines(string(text)) {
		fmt.Sscanf(line, "VmRSS: %d kB", &kB)
	}
	return kB
}

// metric returns the value of one of the service's metrics, or -1 if it cannot be read.
func (g *target) metric(name string) (value float64) {
	resp, err := http.Get("http://" + g.ops + "/metrics")
	if err != nil {
		return -1
	}
	defer resp.Body.Close()
	value = -1
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		fmt.Sscanf(lines.Text(), name+" %g", &value)
	}
	return value
}

func (g *target) client(from string) *http.Client {
	return &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{
		DialContext:         (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).DialContext,
		TLSClientConfig:     &tls.Config{InsecureSkipVerify: true},
		MaxIdleConnsPerHost: 64, DisableCompression: true,
	}}
}

// get sends a request and returns the status, or 0 if there is no answer.
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

// soakBatch returns a request target for a hundred documents.
func soakBatch() string {
	var ids []string
	for i := range 100 {
		ids = append(ids, fmt.Sprint(i+1))
	}
	return "/pets/tokens?ids=" + strings.Join(ids, ",")
}

// slowly opens connections that request path and read nothing, until ctx ends.
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
			target := strings.ReplaceAll(path, "#", fmt.Sprint(i+1))
			_, _ = io.WriteString(c, "GET "+target+" HTTP/1.1\r\nHost: x\r\n\r\n")
		}
	}
	<-ctx.Done()
}

// slowStreams opens HTTP/2 connections with as many streams as allowed, and reads nothing.
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
		for s := range maxStreams {
			head.Reset()
			for _, f := range [][2]string{{":method", "GET"}, {":scheme", "https"}, {":authority", "x"},
				{":path", soakBatch()}} {
				_ = encoder.WriteField(hpack.HeaderField{Name: f[0], Value: f[1]})
			}
			_ = framer.WriteHeaders(http2.HeadersFrameParam{
				StreamID: uint32(2*s + 1), BlockFragment: head.Bytes(), EndStream: true, EndHeaders: true})
		}
		go io.Copy(io.Discard, c)
	}
	<-ctx.Done()
}

// flood requests paths as fast as it can, from every attacking address. It sends a request as soon
// as the previous answer begins, so the attackers use little of the CPU time that they share with
// the service. Half of them request compressed pages.
func flood(ctx context.Context, g *target, paths ...string) {
	var all sync.WaitGroup
	for n := range attackers {
		for worker := range 4 {
			encoding := [...]string{"gzip", "identity"}[worker%2]
			all.Go(func() {
				for i := worker; ctx.Err() == nil; {
					if c := g.dial(n); c != nil {
						stop := context.AfterFunc(ctx, func() { c.Close() })
						floodConn(c, &i, func() string {
							path := strings.ReplaceAll(paths[i/4%len(paths)], "#", fmt.Sprint((i*attackers+n)%1100+1))
							return "GET " + path + " HTTP/1.1\r\nHost: x\r\nAccept-Encoding: " + encoding + "\r\n\r\n"
						})
						stop()
						c.Close()
					}
				}
			})
		}
	}
	all.Wait()
}

// floodConn sends requests on one connection until it ends. It counts answers by their Date.
func floodConn(c net.Conn, i *int, request func() string) {
	mark, buf, kept := []byte("\r\nDate: "), make([]byte, 64<<10), 0
	for answers := 1; ; {
		for range answers {
			if _, err := io.WriteString(c, request()); err != nil {
				return
			}
			*i += 4
		}
		n, err := c.Read(buf[kept:])
		if err != nil {
			return
		}
		n += kept
		answers = bytes.Count(buf[:n], mark)
		kept = copy(buf, buf[max(0, n-len(mark)+1):n]) // the mark may be split between two reads
	}
}

// A healthyClient requests one kind of answer twenty times a second.
type healthyClient struct {
	Kind, Path string
	Limit      time.Duration
	Took       []time.Duration
	Refused    map[int]int // by status
}

func healthyClients() []*healthyClient {
	return []*healthyClient{
		{Kind: "figures", Path: "/supply/jewel/totalsupply", Limit: hotLimit},
		{Kind: "documents", Path: "/pets/token/#", Limit: madeLimit},
		{Kind: "pictures", Path: "/pets/image/#", Limit: madeLimit},
		{Kind: "listings", Path: "/pets/tokens?limit=5", Limit: madeLimit},
	}
}

// runHealthy runs the healthy clients, each from its own address, until standard input ends. Then
// it prints their results since the first byte of standard input. Its process has a higher priority
// than the attackers, which would be on other machines.
func runHealthy(g target) error {
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, -10) // as far as the system allows
	ctx, stop := context.WithCancel(context.Background())
	var counts atomic.Bool
	go func() {
		defer stop()
		_, _ = os.Stdin.Read(make([]byte, 1))
		counts.Store(true)
		io.Copy(io.Discard, os.Stdin)
	}()
	var all sync.WaitGroup
	clients := healthyClients()
	for i, c := range clients {
		all.Go(func() { c.run(ctx, g, fmt.Sprintf("127.0.2.%d", i+1), &counts) })
	}
	all.Wait()
	return json.NewEncoder(os.Stdout).Encode(clients)
}

// run sends a request at every tick, whether or not earlier answers have arrived.
func (h *healthyClient) run(ctx context.Context, g target, from string, counts *atomic.Bool) {
	client := g.client(from)
	h.Refused = map[int]int{}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	var all sync.WaitGroup
	defer all.Wait()
	var mu sync.Mutex
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		all.Go(func() {
			began, counted := time.Now(), counts.Load()
			status := g.get(client, strings.ReplaceAll(h.Path, "#", fmt.Sprint(i%1100+1)))
			took := time.Since(began)
			if !counted {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if h.Took = append(h.Took, took); status != 200 {
				h.Refused[status]++
			}
		})
	}
}

// p99 returns the 99th percentile of the answer times.
func (h *healthyClient) p99() time.Duration {
	slices.Sort(h.Took)
	return h.Took[len(h.Took)*99/100]
}

// TestUnderAttack: while ten addresses attack, the service uses little memory and still answers
// others.
func TestUnderAttack(t *testing.T) {
	batches := func(ctx context.Context, g *target) { slowly(ctx, g, 3000, soakBatch()) }
	for _, trial := range []struct {
		name            string
		secure, general bool // general means without the express lane
		attack          func(context.Context, *target)
	}{
		{name: "slow readers", attack: batches},
		{name: "slow readers of the general server", general: true, attack: batches},
		{name: "slow readers of pipelined documents", attack: func(ctx context.Context, g *target) {
			pipelined := strings.Repeat("/pets/token/1 HTTP/1.1\r\nHost: x\r\n\r\nGET ", 40) + "/pets/token/2"
			slowly(ctx, g, 3000, pipelined)
		}},
		{name: "slow readers over TLS", secure: true, attack: func(ctx context.Context, g *target) {
			slowly(ctx, g, 1000, soakBatch(), "http/1.1")
		}},
		{name: "slow readers over HTTP2", secure: true, attack: func(ctx context.Context, g *target) {
			slowStreams(ctx, g, 1600/maxStreams)
		}},
		{name: "slow readers of large pictures", attack: func(ctx context.Context, g *target) {
			slowly(ctx, g, 1000, "/pets/image/#?size=3240")
		}},
		{name: "expensive pictures", attack: func(ctx context.Context, g *target) {
			flood(ctx, g, "/pets/image/#?size=3240", "/pets/image/#?animated=true&size=1080")
		}},
		{name: "rare listings", attack: func(ctx context.Context, g *target) {
			flood(ctx, g, "/gallery?sort=rarity&egg=1&element=3&rarity=4", "/pets/tokens?egg=2&element=5&rarity=4&limit=100",
				"/gallery?sort=hungry&rarity=3&egg=1", "/gallery?q=fox", "/pets/tokens?shiny=1&limit=100")
		}},
		{name: "pages", attack: func(ctx context.Context, g *target) {
			flood(ctx, g, "/", "/token/jewel", "/gallery", "/pet/#", "/status", "/api", "/nothing", "/gallery?rarity=2",
				"/gallery?q=a")
		}},
		{name: "idle connections", attack: func(ctx context.Context, g *target) { slowly(ctx, g, 8000, "") }},
	} {
		t.Run(trial.name, func(t *testing.T) { runTrial(t, startTarget(t, trial.secure, !trial.general), trial.attack) })
	}
}

func runTrial(t *testing.T, g *target, attack func(context.Context, *target)) {
	before, goroutines, cpu := g.resident(), g.metric("go_goroutines"), g.metric("process_cpu_seconds_total")
	clients, count, finish := startHealthy(t, g)
	time.Sleep(warmTime)
	count()
	ctx, stop := context.WithTimeout(t.Context(), attackTime)
	defer stop()
	var all sync.WaitGroup
	all.Go(func() { attack(ctx, g) })
	most := 0
	for ctx.Err() == nil {
		most = max(most, g.resident())
		time.Sleep(50 * time.Millisecond)
	}
	cpu = g.metric("process_cpu_seconds_total") - cpu
	all.Wait()
	finish()
	t.Logf("resident: %d MB before, at most %d MB; %.1f s of CPU; log: %d bytes", before>>10, most>>10, cpu, g.log.Len())
	if most > mostMemory {
		t.Errorf("the service took %d MB", most>>10)
	}
	if n := g.log.Len(); n > int(attackTime.Seconds())<<10 {
		t.Errorf("the log grew by %d bytes:\n%.2000s", n, g.log)
	}
	for _, c := range *clients {
		t.Logf("%s: %d asked, p99 %v, refused: %v", c.Kind, len(c.Took), c.p99().Round(time.Millisecond), c.Refused)
		if len(c.Refused) > 0 || c.p99() > c.Limit {
			t.Errorf("%s: p99 %v, refused: %v", c.Kind, c.p99(), c.Refused)
		}
	}
	began := time.Now()
	for {
		unsent, now := g.metric("petsupply_http_unsent_bytes"), g.metric("go_goroutines")
		if unsent == 0 && now < goroutines+50 {
			t.Logf("the state before: reached after %v, %d MB", time.Since(began).Round(time.Millisecond), g.resident()>>10)
			return
		}
		if time.Since(began) > calmTime {
			t.Fatalf("%v later %g bytes are unsent, and there are %g goroutines, %g before", calmTime, unsent, now, goroutines)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// startHealthy starts the healthy clients. After finish, clients has their results since count.
func startHealthy(t *testing.T, g *target) (clients *[]*healthyClient, count, finish func()) {
	t.Helper()
	cmd := g.role("healthy")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	clients = new([]*healthyClient)
	return clients, func() { _, _ = in.Write([]byte("!")) }, func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(out.Bytes(), clients); err != nil {
			t.Fatal(err)
		}
	}
}
