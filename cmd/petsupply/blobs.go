package main

import (
	"fmt"

	"petsupply/internal/art"
	"petsupply/internal/store/blobs"
)

// checkBlobs says whether url is one that openBlobs understands, or empty.
func checkBlobs(url string) error {
	if url == "" {
		return nil
	}
	return blobs.Check(url)
}

func openBlobs(url string) (art.Blobs, error) {
	b, err := blobs.Open(url)
	if err != nil {
		return nil, fmt.Errorf("opening the blob store: %w", err)
	}
	return b, nil
}
