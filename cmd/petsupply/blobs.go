package main

import (
	"fmt"
	"strings"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/fileblob" // file://
	_ "gocloud.dev/blob/memblob"  // mem://
	_ "gocloud.dev/blob/s3blob"   // s3://, which most object stores speak
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
