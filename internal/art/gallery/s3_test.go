package gallery

import (
	"context"
	"strings"
	"testing"
	"time"

	"petsupply/internal/store/blobs"
	"petsupply/testkit/s3"
)

// reopener opens the blob store at an address again and again.
func reopener(t *testing.T, address string) func() blobs.Store {
	return func() blobs.Store {
		b, err := blobs.Open(address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		return b
	}
}

func TestFileBlobs(t *testing.T) { testBlobs(t, reopener(t, "file://"+t.TempDir())) }

// TestS3Blobs runs the promises about blob stores on a real S3 server.
func TestS3Blobs(t *testing.T) {
	server := s3.New(t)
	for _, v := range server.Env {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	reopen := reopener(t, server.URL)
	testBlobs(t, reopen)

	p, g := smallPack(t), newGallery(t, Config{Blobs: reopen()})
	server.Kill()
	began := time.Now()
	mustPicture(t, g, p, p.Look(map[string]uint64{"egg": 4}))
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("with the server gone a picture took %v", took)
	}
	if err := g.Close(context.Background()); err != nil || count(g.metrics.readFailed) != 1 {
		t.Errorf("%d failed reads were counted: %v", count(g.metrics.readFailed), err)
	}
}
