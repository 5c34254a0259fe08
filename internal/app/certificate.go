package app

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"petsupply/internal/config"
)

// certificateEvery is how often the files of a certificate are looked at.
const certificateEvery = 10 * time.Second

// A certificate is that of the public listener, read again when its files
// change: a renewed one needs no restart.
type certificate struct {
	files  config.TLS
	latest atomic.Pointer[tls.Certificate]
	stamp  [2]fileStamp // of the files that latest was read from
}

// A fileStamp tells one state of a file from another.
type fileStamp struct {
	modified time.Time
	size     int64
}

// loadCertificate reads a certificate for the first time.
func loadCertificate(files config.TLS) (*certificate, error) {
	c := &certificate{files: files}
	_, err := c.reload()
	return c, err
}

// reload reads the files if they have changed, and reports whether they had.
// What cannot be used leaves the last good certificate in place.
func (c *certificate) reload() (changed bool, err error) {
	var stamp [2]fileStamp
	for i, name := range []string{c.files.Cert, c.files.Key} {
		info, err := os.Stat(name)
		if err != nil {
			return false, fmt.Errorf("looking at the certificate: %w", err)
		}
		stamp[i] = fileStamp{info.ModTime(), info.Size()}
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

// watch reads the files again whenever they change, until ctx ends.
func (c *certificate) watch(ctx context.Context, every time.Duration, log *slog.Logger) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for failed := false; ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		changed, err := c.reload()
		switch {
		case err != nil && !failed:
			log.Error("the certificate stays as it was", "error", err)
		case changed:
			log.Info("a new certificate is in use", "expires", c.latest.Load().Leaf.NotAfter)
		}
		failed = err != nil
	}
}

// config is how the public listener speaks TLS. Session tickets and the choice
// of ciphers are those of the standard library.
func (c *certificate) config() *tls.Config {
	return &tls.Config{
		NextProtos:     []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.latest.Load(), nil },
	}
}
