package frozen_test

import (
	"bytes"
	"image/png"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"image/color"
	"io"

	"petsupply/testkit/process"
)

// mapFS is a file system of texts.
type mapFS map[string]string

func (m mapFS) fs() fs.FS {
	out := fstest.MapFS{}
	for name, text := range m {
		out[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return out
}

// gridPixels is the hash of a picture's pixels at one for each of the grid.
func gridPixels(t *testing.T, file string) [32]byte {
	t.Helper()
	img, err := png.Decode(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	const scale = 4
	w, h := img.Bounds().Dx()/scale, img.Bounds().Dy()/scale
	b := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(w)), uint32(h))
	for y := range h {
		for x := range w {
			c := color.NRGBAModel.Convert(img.At(x*scale, y*scale)).(color.NRGBA)
			b = append(b, c.R, c.G, c.B, c.A)
		}
	}
	return sha256.Sum256(b)
}

// testNginx has a real nginx serve a copy by the nginx.conf that lies in it, and
// asks for every path of the contract.
func testNginx(t *testing.T, dir string) {
	address, err := process.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	conf := read(t, dir, "nginx.conf")
	conf = strings.ReplaceAll(conf, "/tmp/petsupply-frozen", filepath.Join(t.TempDir(), "nginx"))
	conf = strings.Replace(conf, "listen 8080;", "listen "+address+";", 1)
	conf = strings.Replace(conf, "    listen [::]:8080;\n", "", 1)
	if os.Getuid() == 0 {
		conf = "user root;\n" + conf // the test's folder is nobody else's
	}
	if err := os.WriteFile(filepath.Join(dir, "test.conf"), []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(filepath.Join(dir, "test.conf"))
	cmd := exec.Command("nginx", "-p", dir, "-c", "test.conf")
	cmd.Env = append(os.Environ(), "PATH="+os.Getenv("PATH")+":/usr/sbin")
	if cmd.Path, err = exec.LookPath("nginx"); err != nil {
		cmd.Path, cmd.Err = "/usr/sbin/nginx", nil
	}
	server, err := process.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.StopBy(syscall.SIGINT) })
	base := "http://" + address
	err = server.Until(t.Context(), func() error {
		_, err := http.Get(base + "/provenance.json")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	v := look(t, dir, 1)
	const plain, asJSON, problem = "text/plain; charset=utf-8", "application/json", "application/problem+json"
	for _, row := range []struct {
		path   string
		status int
		media  string
		file   string // "": whatever it says
	}{
		{"/supply", 200, asJSON, "supply/index.json"},
		{"/supply/", 200, asJSON, "supply/index.json"},
		{"/supply/jewel", 200, asJSON, "supply/jewel/index.json"},
		{"/Supply/JADE/", 200, asJSON, "supply/jade/index.json"},
		{"/supply/crystal/totalsupply", 200, plain, "supply/crystal/totalsupply"},
		{"/supply/crystal/CirculatingSupply/", 200, plain, "supply/crystal/circulatingsupply"},
		{"/supply/crystal/totalsupply?format=JSON", 200, asJSON, "supply/crystal/totalsupply.json"},
		{"/supply/crystal/totalsupply?format=xml", 400, problem, ""},
		{"/supply/crystal/evidence", 200, asJSON, "supply/crystal/evidence.json"},
		{"/supply/crystal/ledger", 200, asJSON, "supply/crystal/ledger.json"},
		{"/supply/crystal/history", 200, asJSON, "supply/crystal/history.json"},
		{"/supply/log/checkpoint", 200, plain, "supply/log/checkpoint"},
		{"/supply/log/key", 200, plain, "supply/log/key"},
		{"/supply/none", 404, problem, ""},
		{"/pets/token/1", 200, asJSON, "pets/token/1.json"},
		{"/Pets/Token/1/", 200, asJSON, "pets/token/1.json"},
		{"/pets/token/01", 400, problem, ""},
		{"/pets/token/x", 400, problem, ""},
		{"/pets/token/999999999", 404, problem, ""},
		{"/pets/image/1", 200, "image/png", "pets/image/" + v + "-fb.png"},
		{"/pets/image/1?frame=TRUE&background=1", 200, "image/png", "pets/image/" + v + "-fb.png"},
		{"/pets/image/1?frame=false", 200, "image/png", "pets/image/" + v + "-b.png"},
		{"/pets/image/1?background=0", 200, "image/png", "pets/image/" + v + "-f.png"},
		{"/pets/image/1/?frame=0&background=False", 200, "image/png", "pets/image/" + v + ".png"},
		{"/pets/image/1?frame=maybe", 400, problem, ""},
		{"/pets/image/1?size=360", 200, "image/png", "pets/image/" + v + "-fb.png"},
		{"/pets/image/1?size=720", 404, problem, ""},
		{"/pets/image/999999999", 404, problem, ""},
		{"/pets/image/" + v + "-f.png", 200, "image/png", "pets/image/" + v + "-f.png"},
		{"/pets/contract", 200, asJSON, "pets/contract.json"},
		{"/data/head.json", 404, problem, ""},
	} {
		r, err := http.Get(base + row.path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != row.status || r.Header.Get("Content-Type") != row.media || r.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %d %s %v, want %d %s", row.path, r.StatusCode, r.Header.Get("Content-Type"), err, row.status, row.media)
		}
		if row.file != "" && !bytes.Equal(body, []byte(read(t, dir, row.file))) {
			t.Errorf("%s is not %s", row.path, row.file)
		}
		if strings.HasSuffix(row.path, "/totalsupply") && r.Header.Get("Supply-Status") != "past" {
			t.Errorf("%s: the status is %q", row.path, r.Header.Get("Supply-Status"))
		}
	}
}

// look is the version of a pet's picture, by the table of a copy.
func look(t *testing.T, dir string, id int) string {
	t.Helper()
	_, after, ok := strings.Cut("\n"+read(t, dir, "nginx/looks-0000.map"), fmt.Sprintf("\n%d ", id))
	if !ok {
		t.Fatalf("pet %d is not in the table", id)
	}
	v, _, _ := strings.Cut(after, ";")
	return v
}
