// Package s3 runs a real S3-compatible object store for tests. Start one with
// New; it ends with the test.
package s3

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"petsupply/testkit/contracts"
)

// A Server is a process with one bucket, "pictures", whose blobs outlive its
// end.
type Server struct {
	URL  string   // of the bucket, for a configuration
	Env  []string // the keys to it, as a program finds them in its environment
	Addr string
	Cmd  *exec.Cmd // the process, for signals

	args []string
	done <-chan error
}

// New starts a server on a free port.
func New(t testing.TB) *Server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{Addr: listener.Addr().String()}
	listener.Close()
	access, secret := "test"+rand.Text()[:8], rand.Text()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "pictures"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.URL = "s3://pictures?endpoint=http://" + s.Addr + "&region=us-east-1"
	s.Env = []string{"AWS_ACCESS_KEY_ID=" + access, "AWS_SECRET_ACCESS_KEY=" + secret}
	s.args = []string{"--access", access, "--secret", secret, "--port", s.Addr, "posix", "--sidecar", t.TempDir(), root}
	s.Start(t)
	t.Cleanup(s.Kill)
	return s
}

// Start starts the server again after Kill.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	program, err := install("versitygw", "github.com/versity/versitygw/cmd/versitygw@v1.8.0")
	if err != nil {
		t.Fatal(err)
	}
	out := new(bytes.Buffer)
	s.Cmd = exec.Command(program, s.args...)
	s.Cmd.Stdout, s.Cmd.Stderr = out, out
	if s.done, err = contracts.Launch(s.Cmd); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		res, err := http.Get("http://" + s.Addr + "/")
		if err == nil {
			res.Body.Close()
			return
		}
		if time.Now().After(end) {
			s.Kill()
			t.Fatalf("the object store does not answer: %v\n%s", err, out)
		}
	}
}

// Kill ends the server at once.
func (s *Server) Kill() {
	if s.done != nil {
		s.Cmd.Process.Kill()
		<-s.done
		s.done = nil
	}
}

// install returns a program written in Go, built on first use into .tools/bin
// at the top of the module.
func install(name, module string) (string, error) {
	top, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("looking for the top of the module: %w", err)
	}
	bin := filepath.Join(strings.TrimSpace(string(top)), ".tools", "bin")
	program := filepath.Join(bin, name)
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	cmd := exec.Command("go", "install", module)
	cmd.Dir = os.TempDir()
	cmd.Env = append(os.Environ(), "GOBIN="+bin, "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("installing %s: %w\n%s", module, err, out)
	}
	return program, nil
}
