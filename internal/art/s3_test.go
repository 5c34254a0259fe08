package art

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	_ "gocloud.dev/blob/s3blob"
	"gocloud.dev/gcerrors"
)

// tool returns a program written in Go, built on first use into .tools/bin at
// the top of the module.
func tool(t *testing.T, name, module string) string {
	t.Helper()
	bin, err := filepath.Abs("../../.tools/bin")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(bin, name)
	if _, err := os.Stat(program); err == nil {
		return program
	}
	cmd := exec.Command("go", "install", module)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "GOBIN="+bin, "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("installing %s: %v\n%s", module, err, out)
	}
	return program
}

// TestS3Blobs runs the promises about blob stores on a real S3 server.
func TestS3Blobs(t *testing.T) {
	program := tool(t, "versitygw", "github.com/versity/versitygw/cmd/versitygw@v1.8.0")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	root, access, secret := t.TempDir(), "test"+rand.Text()[:8], rand.Text()
	if err := os.Mkdir(filepath.Join(root, "pictures"), 0o755); err != nil {
		t.Fatal(err)
	}
	server := exec.Command(program, "--access", access, "--secret", secret, "--port", address, "posix", "--sidecar", t.TempDir(), root)
	server.Stderr = os.Stderr
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Process.Kill(); server.Wait() })
	await(t, func() bool {
		r, err := http.Get("http://" + address + "/")
		if err == nil {
			r.Body.Close()
		}
		return err == nil
	})

	t.Setenv("AWS_ACCESS_KEY_ID", access)
	t.Setenv("AWS_SECRET_ACCESS_KEY", secret)
	url := fmt.Sprintf("s3://pictures?endpoint=http://%s&region=us-east-1&use_path_style=true&response_checksum_validation=when_required&request_checksum_calculation=when_required", address)
	reopen := func() Blobs {
		b, err := blob.OpenBucket(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		return bucketBlobs{b}
	}
	testBlobs(t, reopen)
	b := reopen().(bucketBlobs)
	p := open(t, draft(t))
	if a, err := b.Attributes(t.Context(), p.File(p.Key(Look{Egg: 3, Appearance: 1}, Whole))); err != nil || a.ContentType != "image/png" {
		t.Errorf("stored as %v, %v", a, err)
	}

	g := gallery(t, GalleryConfig{Blobs: reopen()})
	server.Process.Kill()
	server.Wait()
	began := time.Now()
	hang(t, g, p, Look{Egg: 4})
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("with the server gone a picture took %v", took)
	}
	if err := g.Close(context.Background()); err != nil || count(g.meter.readFailed) != 1 {
		t.Errorf("%d failed reads were counted: %v", count(g.meter.readFailed), err)
	}
}

func TestFileBlobs(t *testing.T) {
	dir := t.TempDir()
	testBlobs(t, func() Blobs {
		b, err := fileblob.OpenBucket(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		return bucketBlobs{b}
	})
}

// bucketBlobs is a bucket as the gallery wants it.
type bucketBlobs struct{ *blob.Bucket }

func (b bucketBlobs) Get(ctx context.Context, key string) ([]byte, error) {
	r, err := b.NewReader(ctx, key, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, MaxPicture))
}

func (b bucketBlobs) Put(ctx context.Context, key string, body []byte) error {
	return b.WriteAll(ctx, key, body, &blob.WriterOptions{ContentType: "image/png"})
}
