package app

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"petsupply/internal/config"
)

// certificateEvery is how often the files of a certificate are checked for changes.
const certificateEvery = 10 * time.Second

// A certificate reads the certificate of the public listener, and reads it again when its files
// change. So a renewed certificate needs no restart.
type certificate struct {
	files  config.TLS
	log    *slog.Logger
	latest atomic.Pointer[tls.Certificate]
	stamp  string // times and sizes of the files when the latest certificate was read
}

// loadCertificate reads a certificate for the first time. It warns if others can read the key.
func loadCertificate(files config.TLS, log *slog.Logger) (*certificate, error) {
	c := &certificate{files: files, log: log}
	if _, err := c.reload(); err != nil {
		return nil, err
	}
	info, err := os.Stat(files.Key)
	if err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o004 != 0 {
		log.Warn("every user of this machine can read the private key: use chmod o= on it", "file", files.Key)
	}
	return c, nil
}

// reload reads the files if they have changed since the last good certificate was read. It reports
// whether a new certificate is in use. If the new one cannot be used, it keeps the last good one.
func (c *certificate) reload() (changed bool, err error) {
	stamp := ""
	for _, name := range []string{c.files.Cert, c.files.Key} {
		info, err := os.Stat(name)
		if err != nil {
			return false, fmt.Errorf("checking the certificate: %w", err)
		}
		stamp += fmt.Sprintln(info.ModTime(), info.Size())
	}
	if stamp == c.stamp {
		return false, nil
	}
	pair, err := tls.LoadX509KeyPair(c.files.Cert, c.files.Key)
	if err != nil {
		return false, fmt.Errorf("reading the certificate: %w", err)
	}
	c.stamp = stamp
	c.latest.Store(&pair)
	return true, nil
}

// step reads the files again if they have changed. While they cannot be read, the last certificate
// stays in use.
func (c *certificate) step(context.Context) error {
	changed, err := c.reload()
	if changed {
		c.log.Info("a new certificate is in use", "expires", c.latest.Load().Leaf.NotAfter)
	}
	return err
}

// config returns the TLS configuration of the public listener. Session tickets and ciphers are the
// standard library's defaults.
func (c *certificate) config() *tls.Config {
	return &tls.Config{
		NextProtos:     []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.latest.Load(), nil },
	}
}
