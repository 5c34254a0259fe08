package trial

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"petsupply/testkit/contracts"
)

// frontAt runs nginx with the configuration that is shipped, listening on an
// address and in front of others.
func frontAt(t testing.TB, listen string, behind ...string) {
	t.Helper()
	text, err := os.ReadFile("../../../deploy/nginx.conf")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var servers strings.Builder
	for _, b := range behind {
		fmt.Fprintf(&servers, "        server %s max_fails=2 fail_timeout=1s;\n", b)
	}
	conf := replace(t, string(text),
		"        server one:8080 max_fails=2 fail_timeout=1s;\n        server two:8080 max_fails=2 fail_timeout=1s;\n", servers.String(),
		"listen 80;", "listen "+listen+";",
		"http {\n", "http {\n    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;\n")
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("nginx")
	if err != nil {
		program = "/usr/sbin/nginx" // where Debian puts it, out of most people's PATH
	}
	main := "daemon off; pid nginx.pid; error_log stderr warn;"
	if os.Geteuid() == 0 {
		main += " user root;" // its directory is ours alone
	}
	cmd, out := exec.Command(program, "-p", dir, "-c", file, "-e", "stderr", "-g", main), new(buffer)
	cmd.Stdout, cmd.Stderr = out, out
	ended, err := contracts.Launch(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		<-ended
	})
	await(t, "nginx", out, func() bool {
		res, err := probing.Get("http://" + listen + "/")
		if err == nil {
			res.Body.Close()
		}
		return err == nil
	})
}

// replace puts new texts in the place of old ones, each of which must be there.
func replace(t testing.TB, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("there is no %q in it", pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

// await waits for a program of others; out is shown if it does not come.
func await(t testing.TB, what string, out *buffer, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s does not answer\n%s", what, out)
		}
	}
}

// An objectStore is a real S3 server with one bucket.
type objectStore struct {
	url  string // for the configuration
	env  []string
	args []string
	at   string
	cmd  *exec.Cmd
	done <-chan error
}

// newObjectStore starts one that ends with the test.
func newObjectStore(t testing.TB) *objectStore {
	t.Helper()
	access, secret := "test"+rand.Text()[:8], rand.Text()
	root, beside := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "pictures"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := &objectStore{at: port(t), env: []string{"AWS_ACCESS_KEY_ID=" + access, "AWS_SECRET_ACCESS_KEY=" + secret}}
	s.url = fmt.Sprintf("s3://pictures?endpoint=http://%s&region=us-east-1&use_path_style=true&response_checksum_validation=when_required&request_checksum_calculation=when_required", s.at)
	s.args = []string{"--access", access, "--secret", secret, "--port", s.at, "posix", "--sidecar", beside, root}
	s.start(t)
	t.Cleanup(s.kill)
	return s
}

func (s *objectStore) start(t testing.TB) {
	t.Helper()
	program, err := tool("versitygw", "github.com/versity/versitygw/cmd/versitygw@v1.8.0")
	if err != nil {
		t.Fatal(err)
	}
	out := new(buffer)
	s.cmd = exec.Command(program, s.args...)
	s.cmd.Stdout, s.cmd.Stderr = out, out
	if s.done, err = contracts.Launch(s.cmd); err != nil {
		t.Fatal(err)
	}
	await(t, "the object store", out, func() bool {
		res, err := http.Get("http://" + s.at + "/")
		if err == nil {
			res.Body.Close()
		}
		return err == nil
	})
}

func (s *objectStore) kill() {
	if s.done != nil {
		s.cmd.Process.Kill()
		<-s.done
		s.done = nil
	}
}

// tool returns a program written in Go, built on first use into .tools/bin at
// the top of the module.
func tool(name, module string) (string, error) {
	bin, err := filepath.Abs("../../../.tools/bin")
	if err != nil {
		return "", err
	}
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
