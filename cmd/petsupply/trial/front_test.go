package trial

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"petsupply/testkit/process"
)

// frontAt runs nginx with the shipped configuration. It listens on an address and forwards to the
// others.
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
		"        server one:8080 max_fails=2 fail_timeout=1s;\n        server two:8080 max_fails=2 fail_timeout=1s;\n",
		servers.String(),
		"listen 80;", "listen "+listen+";",
		"http {\n", "http {\n    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; "+
			"uwsgi_temp_path uwsgi; scgi_temp_path scgi;\n")
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("nginx")
	if err != nil {
		program = "/usr/sbin/nginx" // Debian's place for it, which is not in most users' PATH
	}
	main := "daemon off; pid nginx.pid; error_log stderr warn;"
	if os.Geteuid() == 0 {
		main += " user root;" // only root can read its directory
	}
	nginx, err := process.Start(exec.Command(program, "-p", dir, "-c", file, "-e", "stderr", "-g", main))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nginx.StopBy(syscall.SIGINT) })
	err = nginx.Until(t.Context(), func() error {
		res, err := probing.Get("http://" + listen + "/")
		if err == nil {
			res.Body.Close()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// replace replaces old texts, each of which must be there, with new ones.
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
