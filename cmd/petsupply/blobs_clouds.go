//go:build clouds

package main

// The clients of these two double the binary and its memory, so they are only
// in a build with -tags clouds.
import (
	_ "gocloud.dev/blob/azureblob" // azblob://
	_ "gocloud.dev/blob/gcsblob"   // gs://
)
