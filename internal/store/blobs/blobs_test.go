package blobs

import (
	"bytes"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"petsupply/testkit/s3"
)

// testStore checks the promises of every Store.
func testStore(t *testing.T, address string) {
	t.Helper()
	ctx := t.Context()
	open := func() Store {
		s, err := Open(address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	s := open()
	const key = "meadow/1.0/0123456789abcdef-b8.png"
	if _, err := s.Get(ctx, key); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("get of nothing: %v", err)
	}
	for _, body := range []string{"first", "", "second and longer", strings.Repeat("x", maxSize)} {
		if err := s.Put(ctx, key, []byte(body)); err != nil {
			t.Fatal(err)
		}
		if got, err := open().Get(ctx, key); err != nil || string(got) != body {
			t.Fatalf("wrote %d bytes, got %d, %v", len(body), len(got), err)
		}
	}
	if err := s.Put(ctx, key, make([]byte, maxSize+1)); err == nil {
		t.Error("a blob that is too large was accepted")
	}
	for _, bad := range []string{"", ".", "..", "../outside", "/outside", "a/../../outside", "a//b"} {
		if err := s.Put(ctx, bad, []byte("x")); err == nil {
			t.Errorf("key %q was accepted", bad)
		}
		if _, err := s.Get(ctx, bad); err == nil {
			t.Errorf("key %q was read", bad)
		}
	}
	body := bytes.Repeat([]byte("whole"), 10_000)
	if err := s.Put(ctx, "many", body); err != nil {
		t.Fatal(err)
	}
	writing := make(chan error, 1)
	go func() {
		var err error
		for range 20 {
			err = errors.Join(err, s.Put(ctx, "many", body))
		}
		writing <- err
	}()
	for range 20 {
		if got, err := s.Get(ctx, "many"); err != nil || !bytes.Equal(got, body) {
			t.Errorf("while it is written again: %d bytes, %v", len(got), err)
		}
	}
	if err := <-writing; err != nil {
		t.Error(err)
	}
}

func TestDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there yet")
	testStore(t, "file://"+dir)
	found := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		want := fs.FileMode(0o700)
		if !d.IsDir() {
			want = 0o600
			found++
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil || found != 2 {
		t.Errorf("%d files are there, %v", found, err)
	}
}

// TestDirectoryWithForeignFiles: Get is careful with files that Put did not write.
func TestDirectoryWithForeignFiles(t *testing.T) {
	dir := t.TempDir()
	s, err := Open("file://" + dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := os.WriteFile(filepath.Join(dir, "large"), make([]byte, maxSize+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if body, err := s.Get(t.Context(), "large"); err != nil || len(body) != maxSize {
		t.Errorf("of a file that is too large %d bytes were read: %v", len(body), err)
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(t.Context(), "link"); err == nil {
		t.Error("a link led out of the directory")
	}
}

// TestS3 checks the promises on a real S3 server, and then without the server.
func TestS3(t *testing.T) {
	server := s3.New(t)
	for _, v := range server.Env {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	testStore(t, server.URL)
	s, err := Open(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Put(t.Context(), "a/picture.png", []byte("x")); err != nil {
		t.Fatal(err)
	}
	info, err := s.(*bucket).client.StatObject(t.Context(), "pictures", "a/picture.png", minio.StatObjectOptions{})
	if err != nil || info.ContentType != "image/png" || info.Metadata.Get("Cache-Control") != forever {
		t.Errorf("stored as %q, %q, %v", info.ContentType, info.Metadata.Get("Cache-Control"), err)
	}
	other, err := Open("s3://pictures?endpoint=http://" + server.Addr) // the server reports its region
	if err != nil {
		t.Fatal(err)
	}
	if got, err := other.Get(t.Context(), "a/picture.png"); err != nil || string(got) != "x" {
		t.Errorf("without a region: %q, %v", got, err)
	}
	if other, err = Open("s3://missing?endpoint=http://" + server.Addr + "&region=us-east-1"); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Get(t.Context(), "x"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing bucket: %v", err)
	}
	t.Setenv("AWS_SECRET_ACCESS_KEY", "wrong")
	if other, err = Open(server.URL); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Get(t.Context(), "a/picture.png"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("with the wrong secret: %v", err)
	}

	server.Kill()
	began := time.Now()
	if _, err := s.Get(t.Context(), "a/picture.png"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("with the server gone: %v", err)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("with the server gone a read took %v", took)
	}
}

// TestS3WithoutLength: Get reads a whole object even if the server does not announce its length.
func TestS3WithoutLength(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Last-Modified", "Mon, 02 Nov 2026 15:04:05 GMT")
		w.Write([]byte("first "))
		w.(http.Flusher).Flush()
		if r.URL.Path == "/pictures/cut" {
			panic(http.ErrAbortHandler)
		}
		w.Write([]byte("second"))
	}))
	defer server.Close()
	s, err := Open("s3://pictures?region=us-east-1&endpoint=" + server.URL)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Get(t.Context(), "whole"); err != nil || string(got) != "first second" {
		t.Errorf("the stored data is %q, %v", got, err)
	}
	if got, err := s.Get(t.Context(), "cut"); err == nil {
		t.Errorf("an object that was cut off is read as %q", got)
	}
}

func TestCheck(t *testing.T) {
	for address, want := range map[string]string{
		"file:///var/lib/pictures": "",
		"s3://bucket":              "",
		"s3://bucket?region=eu-west-1&endpoint=https://minio.example": "",
		"s3://bucket?endpoint=minio.example":                          "endpoint=https://host",
		"s3://bucket?use_path_style=true":                             "unknown parameter use_path_style",
		"s3://key:s3cret@bucket":                                      "AWS_ACCESS_KEY_ID",
		"s3://bucket/folder":                                          "s3://bucket",
		"s3:///x":                                                     "s3://bucket",
		"file://pictures":                                             "three slashes",
		"file:///pictures?create_dir=true":                            "unknown parameter create_dir",
		"gs://bucket":                                                 "cannot open gs://",
		"azblob://bucket":                                             "file:///directory or s3://bucket",
		"s3://s3cret:%zz":                                             "not an address",
	} {
		t.Run(address, func(t *testing.T) {
			err := Check(address)
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Error(err)
			}
			if err != nil && strings.Contains(err.Error(), "s3cret") {
				t.Errorf("the error repeats a secret: %v", err)
			}
		})
	}
}
