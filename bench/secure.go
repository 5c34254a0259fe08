package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// secure compares what it costs the servers to send a figure over TLS, to callers that connect as
// the cost says.
func secure(name string, reach float64, of cost) func(context.Context, *harness) (row, error) {
	return func(ctx context.Context, h *harness) (row, error) {
		s, err := h.tlsStage(ctx)
		if err != nil {
			return row{}, err
		}
		return h.versus(ctx, name, reach, s, request{path: figurePath}, of)
	}
}

// handshakeCost makes a full handshake for each request, like a poller that was just started; wrk
// would resume its sessions.
func (h *harness) handshakeCost(ctx context.Context, s *side) (float64, error) {
	before, err := s.CPU()
	if err != nil {
		return 0, err
	}
	var asked atomic.Int64
	end := time.Now().Add(h.span)
	group, ctx := errgroup.WithContext(ctx)
	for range 16 {
		group.Go(func() error {
			for time.Now().Before(end) {
				a, err := get(ctx, s.url+s.path, closing)
				if err != nil || a.status != http.StatusOK {
					return fmt.Errorf("%s: status %d, error: %v", s.Name, a.status, err)
				}
				asked.Add(1)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return 0, err
	}
	after, err := s.CPU()
	return float64((after - before).Nanoseconds()) / 1000 / float64(asked.Load()), err
}

var h2loadDone = regexp.MustCompile(`requests: \d+ total, \d+ started, (\d+) done, \d+ succeeded, (\d+) failed`)

// h2loadCost sends requests over HTTP/2 for as long as wrk does.
func (h *harness) h2loadCost(ctx context.Context, s *side) (float64, error) {
	before, err := s.CPU()
	if err != nil {
		return 0, err
	}
	out, err := exec.CommandContext(ctx, "h2load", "-t", "2", "-c", "64", "-m", "1", "-D",
		strconv.Itoa(int(h.span.Seconds())), s.url+s.path).CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("running h2load: %w: %s", err, out)
	}
	after, err := s.CPU()
	if err != nil {
		return 0, err
	}
	m := h2loadDone.FindSubmatch(out)
	if m == nil || string(m[2]) != "0" {
		return 0, fmt.Errorf("%s: h2load failed: %s", s.Name, out)
	}
	n, err := strconv.Atoi(string(m[1]))
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%s: h2load got no answer: %s", s.Name, out)
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

// tlsStage returns a stage whose service has one token with a declared amount. The service and nginx
// have the same certificate. It is set up once.
func (h *harness) tlsStage(ctx context.Context) (*stage, error) {
	if h.tls != nil {
		return h.tls, nil
	}
	s := &stage{site: site{root: filepath.Join(h.dir, "tls-files"), cert: filepath.Join(h.dir, "cert.pem"),
		key: filepath.Join(h.dir, "key.pem")}}
	if err := writeTestCertificate(s.site.cert, s.site.key); err != nil {
		return nil, err
	}
	config := filepath.Join(h.dir, "tls.yaml")
	err := os.WriteFile(config, fmt.Appendf(nil, "%stls: {cert: %q, key: %q}\n", declared, s.site.cert, s.site.key), 0o600)
	if err != nil {
		return nil, err
	}
	s.ours, err = h.serve(ctx, "--config", config)
	if err != nil {
		return nil, err
	}
	s.ours.url = "https://" + s.ours.address
	if err := s.copyAnswer(ctx, figurePath); err != nil {
		return nil, err
	}
	s.peer, err = h.nginx(ctx, &s.site)
	if err != nil {
		return nil, err
	}
	h.tls = s
	return s, nil
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
	err = os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: public}), 0o600)
	if err != nil {
		return err
	}
	return os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600)
}
