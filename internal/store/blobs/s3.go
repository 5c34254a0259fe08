package blobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"path"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

const (
	amazon   = "https://s3.amazonaws.com"
	attempts = 3 // how often a request is tried, within the caller's deadline

	// forever tells caches in front of a bucket that blobs never change.
	forever = "public, max-age=31536000, immutable"
)

// A bucket is a Store in a bucket of an S3-compatible object store.
type bucket struct {
	client minio.Core
	name   string
}

// openBucket takes credentials from the usual places: the environment (AWS_ACCESS_KEY_ID …), the
// shared credentials file, and the role of the machine or container.
func openBucket(u *url.URL) (*bucket, error) {
	at, err := endpoint(u)
	if err != nil {
		return nil, err
	}
	core, err := minio.NewCore(at.Host, &minio.Options{
		Creds: credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{}}),
		Secure:     at.Scheme == "https",
		Region:     u.Query().Get("region"),
		MaxRetries: attempts,
	})
	if err != nil {
		return nil, fmt.Errorf("blobs: %w", err)
	}
	return &bucket{client: *core, name: u.Host}, nil
}

// endpoint returns the address of the object store.
func endpoint(u *url.URL) (*url.URL, error) {
	given := u.Query().Get("endpoint")
	if given == "" {
		given = amazon
	}
	at, err := url.Parse(given)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		return nil, errors.New("blobs: the endpoint is not an http or https address; " +
			"want endpoint=https://host or endpoint=http://host:port")
	}
	return at, nil
}

func (b *bucket) Get(ctx context.Context, key string) ([]byte, error) {
	r, info, _, err := b.client.GetObject(ctx, b.name, key, minio.GetObjectOptions{})
	if err != nil {
		if e := minio.ToErrorResponse(err); e.Code == minio.NoSuchKey || e.Code == "" && e.StatusCode == http.StatusNotFound {
			return nil, &fs.PathError{Op: "get", Path: key, Err: fs.ErrNotExist}
		}
		return nil, err
	}
	defer r.Close()
	return readBlob(r, info.Size)
}

func (b *bucket) Put(ctx context.Context, key string, body []byte) error {
	if err := checkPut(key, body); err != nil {
		return err
	}
	media := mime.TypeByExtension(path.Ext(key))
	if media == "" {
		media = "application/octet-stream"
	}
	_, err := b.client.PutObject(ctx, b.name, key, bytes.NewReader(body), int64(len(body)), "", "",
		minio.PutObjectOptions{ContentType: media, CacheControl: forever})
	return err
}

func (b *bucket) Close() error { return nil }
