// Package s3 runs a real S3-compatible object store for tests. Start one with
// New; it ends with the test.
package s3

import (
	"crypto/rand"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"petsupply/testkit/process"
	"petsupply/testkit/tools"
)

// A Server is a process with one bucket, "pictures". Its blobs survive a restart.
type Server struct {
	URL  string   // address of the bucket, for a configuration
	Env  []string // the keys for the bucket, as environment variables
	Addr string

	*process.Process

	args []string
}

// New starts a server on a free port.
func New(t testing.TB) *Server {
	t.Helper()
	process.SkipShort(t)
	address, err := process.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	access, secret := "test"+rand.Text()[:8], rand.Text()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "pictures"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := &Server{
		URL:  "s3://pictures?endpoint=http://" + address + "&region=us-east-1",
		Env:  []string{"AWS_ACCESS_KEY_ID=" + access, "AWS_SECRET_ACCESS_KEY=" + secret},
		Addr: address,
		args: []string{"--access", access, "--secret", secret, "--port", address, "posix", "--sidecar", t.TempDir(), root},
	}
	s.Start(t)
	t.Cleanup(func() { s.Kill() })
	return s
}

// Start starts the server again after Kill.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	program, err := tools.Go(t.Context(), "versitygw", "github.com/versity/versitygw/cmd/versitygw@v1.8.0")
	if err != nil {
		t.Fatal(err)
	}
	if s.Process, err = process.Start(exec.Command(program, s.args...)); err != nil {
		t.Fatal(err)
	}
	err = s.Until(t.Context(), func() error {
		res, err := http.Get("http://" + s.Addr + "/")
		if err == nil {
			res.Body.Close()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
