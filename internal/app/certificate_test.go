package app

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"petsupply/internal/config"
)

// writeCertificate writes a self-signed pair with this serial number.
func writeCertificate(t *testing.T, files config.TLS, serial int64) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour)}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{files.Cert: {Type: "CERTIFICATE", Bytes: cert},
		files.Key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(time.Duration(serial) * time.Second) // differs at any resolution of file times
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

func TestARenewedCertificateIsUsedWithoutARestart(t *testing.T) {
	dir := t.TempDir()
	files := config.TLS{Cert: filepath.Join(dir, "c.pem"), Key: filepath.Join(dir, "k.pem")}
	if _, err := loadCertificate(files, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("missing files were read")
	}
	writeCertificate(t, files, 1)
	c, err := loadCertificate(files, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	serial := func() int64 {
		got, err := c.config().GetCertificate(nil)
		if err != nil {
			t.Fatal(err)
		}
		return got.Leaf.SerialNumber.Int64()
	}
	if changed, err := c.reload(); changed || err != nil || serial() != 1 {
		t.Errorf("unchanged files: %v, %v, serial %d", changed, err, serial())
	}
	if err := os.WriteFile(files.Cert, []byte("half a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := c.reload(); err == nil || serial() != 1 {
		t.Errorf("half a file: %v, serial %d", err, serial())
	}
	writeCertificate(t, files, 2)
	if err := c.step(t.Context()); err != nil || serial() != 2 {
		t.Errorf("the new certificate is not used: %v, serial %d", err, serial())
	}
}
