package trial

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/supply/tlog"
	"petsupply/testkit/check"
	"petsupply/testkit/cosigner"
)

func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile("../../../" + path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestUnit runs systemd's own checks of the unit and of its security.
func TestUnit(t *testing.T) {
	unit := replace(t, text(t, "deploy/systemd/petsupply.service"), "/usr/local/bin/petsupply", binary(t))
	file := filepath.Join(t.TempDir(), "petsupply.service")
	if err := os.WriteFile(file, []byte(unit), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"verify", "--man=no", "--recursive-errors=no", file},
		{"security", "--offline=true", "--no-pager", "--threshold=20", file}, // 100 would mean no protection at all
	} {
		out, err := exec.Command("systemd-analyze", args...).CombinedOutput()
		if err != nil {
			t.Errorf("systemd-analyze %s: %v\n%s", args[0], err, out)
		}
		if args[0] == "verify" && len(out) > 0 {
			t.Errorf("systemd-analyze verify:\n%s", out)
		}
	}
}

var (
	metricName = regexp.MustCompile(`\bpetsupply_[a-z_]+`)
	alertName  = regexp.MustCompile(`(?m)- alert: (\w+)`)
	runbook    = regexp.MustCompile(`(?m)^\*\*(Petsupply\w+)\*\*`)
)

// TestAlertsHaveTheirParagraph: the document explains exactly the alerts that exist.
func TestAlertsHaveTheirParagraph(t *testing.T) {
	names := func(re *regexp.Regexp, text string) []string {
		var out []string
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			out = append(out, m[1])
		}
		slices.Sort(out)
		return out
	}
	alerts := names(alertName, text(t, "deploy/prometheus/alerts.yaml"))
	paragraphs := names(runbook, text(t, "docs/OPERATIONS.md"))
	if len(alerts) < 10 || !slices.Equal(alerts, paragraphs) {
		t.Errorf("the alerts are\n%v\nand the paragraphs\n%v", alerts, paragraphs)
	}
}

// TestWatchedMetricsExist checks that a running leader has every metric that an alert or the
// dashboard names. A witness of its log knows another log of the same name, which is a problem.
func TestWatchedMetricsExist(t *testing.T) {
	watched := map[string]string{}
	for _, file := range []string{"deploy/prometheus/alerts.yaml", "deploy/grafana/petsupply.json"} {
		for _, name := range metricName.FindAllString(text(t, file), -1) {
			watched[name] = file
		}
	}
	if !json.Valid([]byte(text(t, "deploy/grafana/petsupply.json"))) {
		t.Error("the dashboard is not JSON")
	}
	for _, name := range []string{"failing_seconds", "skipped_total"} {
		delete(watched, "petsupply_webhook_"+name) // only with webhooks
	}
	const origin = "example.org/log"
	secret := [32]byte{7}
	log, err := tlog.NewKey(secret).Verifier(origin)
	if err != nil {
		t.Fatal(err)
	}
	witness := cosigner.New(t, "witness.example.org", log)
	witness.Known = merkle.Tree{N: 1000, Hash: merkle.Hash{1}}
	server := httptest.NewServer(witness)
	t.Cleanup(server.Close)
	s := newSolo(t, t.TempDir(), "", fmt.Sprintf(
		"lease: 1s => lease: 1s\ntlog: {key: %s, origin: %s, witnesses: [{url: %s/w, key: %s}]}",
		base64.StdEncoding.EncodeToString(secret[:]), origin, server.URL, witness.Signer.Verifier()))
	s.p.start(t)
	moves(t, s.at)
	check.Await(t, "the witness's word", func() bool {
		r, err := s.p.ready()
		return err == nil && strings.Contains(fmt.Sprint(r.Problems), "witness.example.org knows another log")
	})
	if have := metrics(t, s.p); !strings.Contains(have, "\npetsupply_log_stopped 1\n") {
		t.Errorf("the alert does not fire:\n%s", grep(have, "petsupply_log_"))
	}
	get(t.Context(), probing, s.at.base+fmt.Sprintf("/pets/image/%d", s.w.pets[0]))
	for end := time.Now().Add(check.Patience); len(watched) > 0 &&
		time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		have := metrics(t, s.p)
		maps.DeleteFunc(watched, func(name, _ string) bool {
			return strings.Contains(have, "\n"+name+"{") || strings.Contains(have, "\n"+name+" ")
		})
	}
	for name, file := range watched {
		t.Errorf("%s watches %s, which does not exist", file, name)
	}
}

// certificate makes a certificate for loopback and returns its files.
func certificate(t *testing.T) (cert, key string, pool *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	plan := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour),
		NotAfter:    time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, plan, plan, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert = filepath.Join(dir, "cert.pem")
	key = filepath.Join(dir, "key.pem")
	pool = x509.NewCertPool()
	chain := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	pool.AppendCertsFromPEM(chain)
	for path, b := range map[string][]byte{cert: chain,
		key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})} {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key, pool
}

func TestTLS(t *testing.T) {
	cert, key, pool := certificate(t)
	s := newSolo(t, t.TempDir(), "", "lease: 1s => lease: 1s\ntls: {cert: "+cert+", key: "+key+"}")
	s.p.start(t)
	base := "https://" + s.p.listen
	for _, two := range []bool{true, false} {
		transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: two}
		client := &http.Client{Timeout: check.Patience, Transport: transport}
		for _, path := range []string{"/supply/jewel/totalsupply", fmt.Sprintf("/pets/token/%d", s.w.pets[0])} {
			check.Await(t, path, func() bool {
				status, _, _, err := get(t.Context(), client, base+path)
				return err == nil && status == http.StatusOK
			})
		}
		for _, path := range []string{"/supply/", fmt.Sprintf("/pets/token/%d", s.w.pets[0]),
			fmt.Sprintf("/pets/image/%d", s.w.pets[0]), "/"} {
			res, err := client.Get(base + path)
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			if res.StatusCode != http.StatusOK || (res.ProtoMajor == 2) != two || res.TLS.Version < tls.VersionTLS12 {
				t.Errorf("%s: %d by %s", path, res.StatusCode, res.Proto)
			}
		}
		transport.CloseIdleConnections()
	}
	old := &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}
	if c, err := tls.Dial("tcp", s.p.listen, old); err == nil {
		c.Close()
		t.Error("TLS 1.1 is spoken")
	}
	if status, _, _, err := get(t.Context(), probing, "http://"+s.p.listen+"/supply/"); err == nil &&
		status == http.StatusOK {
		t.Error("figures are also served without TLS")
	}
}
