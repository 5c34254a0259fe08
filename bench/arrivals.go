package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"petsupply/testkit/process"
)

// An arrival is a way to connect: with or without TLS, over HTTP/1.1 or HTTP/2, for one request
// or for many.
type arrival struct {
	name  string
	tls   bool
	http2 bool
	once  bool // a connection for every request
	reach float64
}

var arrivals = []arrival{
	{name: "figure over TLS, open connections", tls: true, reach: 1.5},
	{name: "figure over TLS, new connection each time", tls: true, once: true, reach: 1.3},
	{name: "figure without TLS, new connection each time", once: true, reach: 0.55},
	{name: "figure over HTTP/2", tls: true, http2: true, reach: 0.27},
}

// arrive compares what it costs the servers to send a figure to callers that connect as a says.
func arrive(a arrival) func(context.Context, *harness) ([]row, error) {
	return func(ctx context.Context, h *harness) ([]row, error) {
		s, err := h.arrivalStage(ctx, a.tls)
		if err != nil {
			return nil, err
		}
		var costs []pairing
		for round := range h.rounds + 1 {
			ours, peer := s.ours.Process, s.peer
			first, second := ours, peer
			if round%2 == 1 {
				first, second = peer, ours
			}
			cost := map[*process.Process]float64{}
			for _, p := range []*process.Process{first, second} {
				if cost[p], err = h.arrivalCost(ctx, a, s, p); err != nil {
					return nil, err
				}
			}
			if round == 0 {
				continue // the first round only warms up both sides
			}
			costs = append(costs, pairing{cost[ours], cost[peer]})
			h.say("  %-44s round %d: ours %6.2f µs, %s %6.2f µs of CPU", a.name, round, cost[ours], peer.Name, cost[peer])
		}
		r := compare(a.name, "µs of server CPU per request", a.reach, costs)
		r.Against = s.peer.Name
		return []row{r}, nil
	}
}

// arrivalCost returns a server's processor time for one request, in microseconds.
func (h *harness) arrivalCost(ctx context.Context, a arrival, s *stage, p *process.Process) (float64, error) {
	if a.http2 {
		return h.runH2load(ctx, p, s.url(p)+figurePath)
	}
	if a.tls && a.once {
		return h.shakeHands(ctx, p, s.url(p))
	}
	l := load{url: s.url(p), path: figurePath}
	if a.once {
		l.header = []string{"Connection: close"}
	}
	got, err := h.runWrk(ctx, p, l, h.span)
	return got.perRequest(), err
}

// shakeHands makes a full handshake for each request, like a poller that was just started; wrk
// would resume its sessions. The key exchanges are those that every current server has.
func (h *harness) shakeHands(ctx context.Context, p *process.Process, address string) (float64, error) {
	secure := &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"http/1.1"},
		CurvePreferences: []tls.CurveID{tls.X25519, tls.CurveP256}}
	host := strings.TrimPrefix(address, "https://")
	before, err := p.CPU()
	if err != nil {
		return 0, err
	}
	var asked atomic.Int64
	end := time.Now().Add(h.span)
	group, ctx := errgroup.WithContext(ctx)
	for range 16 {
		group.Go(func() error {
			for time.Now().Before(end) {
				conn, err := (&tls.Dialer{Config: secure}).DialContext(ctx, "tcp", host)
				if err != nil {
					return err
				}
				a, err := ask(conn, host, figurePath, []string{"Connection: close"})
				conn.Close()
				if err != nil || a.status != http.StatusOK {
					return fmt.Errorf("%s: status %d, error: %v", p.Name, a.status, err)
				}
				asked.Add(1)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return 0, err
	}
	after, err := p.CPU()
	return float64((after - before).Nanoseconds()) / 1000 / float64(asked.Load()), err
}

var h2loadDone = regexp.MustCompile(`requests: \d+ total, \d+ started, (\d+) done, \d+ succeeded, (\d+) failed`)

// runH2load sends requests over HTTP/2 for about as long as wrk does.
func (h *harness) runH2load(ctx context.Context, p *process.Process, url string) (float64, error) {
	before, err := p.CPU()
	if err != nil {
		return 0, err
	}
	out, err := exec.CommandContext(ctx, "h2load", "-t", "2", "-c", "64", "-m", "1", "-D",
		strconv.Itoa(max(1, int(h.span.Seconds()))), url).CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("running h2load: %w: %s", err, out)
	}
	after, err := p.CPU()
	if err != nil {
		return 0, err
	}
	m := h2loadDone.FindSubmatch(out)
	if m == nil || string(m[2]) != "0" {
		return 0, fmt.Errorf("%s: h2load failed: %s", p.Name, out)
	}
	n, err := strconv.Atoi(string(m[1]))
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%s: h2load got no answer: %s", p.Name, out)
	}
	return float64((after - before).Nanoseconds()) / 1000 / float64(n), nil
}

// declared is a token that needs no chain.
const declared = `tokens:
  - path: jewel
    symbol: JEWEL
    name: Jewel
    decimals: 18
    ledger:
      - {label: Minted, bucket: issued, amount: "124997202.24494488", reason: a figure to ask for}
`

// arrivalStage returns a stage whose service has one token with a declared amount. With TLS, the
// service and nginx have the same certificate. Each stage is set up once.
func (h *harness) arrivalStage(ctx context.Context, secure bool) (*stage, error) {
	if s := h.arrivals[secure]; s != nil {
		return s, nil
	}
	dir, err := os.MkdirTemp(h.dir, "arrivals-")
	if err != nil {
		return nil, err
	}
	s := &stage{site: site{root: filepath.Join(dir, "files")}}
	text := declared
	if secure {
		s.site.cert, s.site.key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
		if err := writeTestCertificate(s.site.cert, s.site.key); err != nil {
			return nil, err
		}
		text += fmt.Sprintf("tls: {cert: %q, key: %q}\n", s.site.cert, s.site.key)
	}
	config := filepath.Join(dir, "petsupply.yaml")
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return nil, err
	}
	if s.ours, err = h.serve(ctx, "--config", config); err != nil {
		return nil, err
	}
	if secure {
		s.ours.url = "https://" + s.ours.address
	}
	if err := s.copyFigure(ctx); err != nil {
		return nil, err
	}
	if s.peer, err = h.nginx(ctx, &s.site); err != nil {
		return nil, err
	}
	if h.arrivals == nil {
		h.arrivals = map[bool]*stage{}
	}
	h.arrivals[secure] = s
	return s, nil
}

// copyFigure makes nginx serve the figure, with the same headers.
func (s *stage) copyFigure(ctx context.Context) error {
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
		Timeout: 10 * time.Second}
	defer client.CloseIdleConnections()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.ours.url+figurePath, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	a := answer{status: resp.StatusCode, header: resp.Header, body: body}
	file := s.file(figurePath)
	s.site.locations = append(s.site.locations, location{match: "= " + figurePath, file: file,
		media: a.header.Get("Content-Type"), header: headersOf(a.header)})
	return keep(file, a)
}

// writeTestCertificate writes a certificate of the kind that is common today.
func writeTestCertificate(cert, key string) error {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"},
		NotAfter: time.Now().Add(24 * time.Hour)}
	public, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		return err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return err
	}
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: public},
		key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			return err
		}
	}
	return nil
}
