package frozen_test

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"petsupply/testkit/postgres"
	"petsupply/testkit/process"
)

func TestMain(m *testing.M) { os.Exit(postgres.Main(m)) }

// testNginx serves a copy with the example in docs/OPERATIONS.md.
func testNginx(t *testing.T, dir string, pet uint64) {
	process.SkipShort(t)
	_, after, _ := strings.Cut(read(t, "../../docs/OPERATIONS.md"), "```nginx\n")
	server, _, ok := strings.Cut(after, "```")
	if !ok {
		t.Fatal("docs/OPERATIONS.md has no example for nginx")
	}
	address, err := process.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	server = strings.NewReplacer("listen 80;", "listen "+address+";", "/srv/copy", dir).Replace(server)
	work := t.TempDir()
	conf := "daemon off;\npid " + work + "/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n"
	if os.Getuid() == 0 {
		conf = "user root;\n" + conf // only root may read the test's folder
	}
	for _, use := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		conf += use + "_temp_path " + work + "/" + use + ";\n"
	}
	file := filepath.Join(work, "nginx.conf")
	if err := os.WriteFile(file, []byte(conf+server+"}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("nginx")
	if err != nil {
		program = "/usr/sbin/nginx"
	}
	running, err := process.Start(exec.Command(program, "-p", work, "-c", file))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { running.StopBy(syscall.SIGINT) })
	err = running.Until(t.Context(), func() error {
		r, err := http.Get("http://" + address + "/SHA256SUMS")
		if err == nil {
			r.Body.Close()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	id := strconv.FormatUint(pet, 10)
	for _, row := range []struct{ path, media, file string }{
		{"/supply/", "application/json", "supply/index.json"},
		{"/supply/jewel", "application/json", "supply/jewel/index.json"},
		{"/supply/crystal/totalsupply", "text/plain", "supply/crystal/totalsupply"},
		{"/supply/crystal/evidence", "application/json", "supply/crystal/evidence.json"},
		{"/supply/log/checkpoint", "text/plain", "supply/log/checkpoint"},
		{"/pets/contract", "application/json", "pets/contract.json"},
		{"/pets/token/" + id, "application/json", "pets/token/" + id + ".json"},
		{"/pets/image/" + id, "image/png", "pets/image/" + id + ".png"},
		{"/pets/token/999999999", "", ""},
	} {
		t.Run(row.path, func(t *testing.T) {
			r, err := http.Get("http://" + address + row.path)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Body.Close()
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Fatal(err)
			}
			if row.file == "" {
				if r.StatusCode != http.StatusNotFound {
					t.Errorf("status %d", r.StatusCode)
				}
				return
			}
			if r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != row.media ||
				string(body) != read(t, dir, row.file) {
				t.Errorf("%d %s %.80s", r.StatusCode, r.Header.Get("Content-Type"), body)
			}
			if r.Header.Get("Access-Control-Allow-Origin") != "*" {
				t.Error("the answer has no header Access-Control-Allow-Origin: *")
			}
		})
	}
}
