package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/fileblob" // file://
	_ "gocloud.dev/blob/memblob"  // mem://
	_ "gocloud.dev/blob/s3blob"   // s3://, which most object stores speak
	"gocloud.dev/gcerrors"

	"petsupply/internal/art"
)

// checkBlobs says whether this build can open the blob store at url.
func checkBlobs(url string) error {
	scheme, _, _ := strings.Cut(url, "://")
	if url == "" || blob.DefaultURLMux().ValidBucketScheme(scheme) {
		return nil
	}
	return fmt.Errorf("blobs: this build cannot open %s://; it knows %s, and with -tags clouds gs and azblob too",
		scheme, strings.Join(blob.DefaultURLMux().BucketSchemes(), ", "))
}

// bucketBlobs is a bucket as the gallery wants it.
type bucketBlobs struct{ *blob.Bucket }

func openBlobs(ctx context.Context, url string) (art.Blobs, error) {
	b, err := blob.OpenBucket(ctx, url)
	if err != nil {
		return nil, fmt.Errorf("opening the blob store: %w", err)
	}
	return bucketBlobs{b}, nil
}

func (b bucketBlobs) Get(ctx context.Context, key string) ([]byte, error) {
	r, err := b.NewReader(ctx, key, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, art.MaxPicture))
}

func (b bucketBlobs) Put(ctx context.Context, key string, body []byte) error {
	return b.WriteAll(ctx, key, body, &blob.WriterOptions{
		ContentType:  "image/png",
		CacheControl: "public, max-age=31536000, immutable",
	})
}
