package blobs

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Open returns the store at address: file:///directory, which is made if it is
// missing, or s3://bucket?endpoint=https://host&region=name, where both
// parameters may be left out for Amazon's own. Whether a bucket answers shows
// with the first Get. What is put there stays for ever.
func Open(address string) (Store, error) { return OpenAs(address, lasting) }

// OpenAs is Open for blobs that a bucket gives out in another way.
func OpenAs(address string, served Served) (Store, error) {
	u, err := parse(address)
	if err != nil {
		return nil, err
	}
	if u.Scheme == "file" {
		return openDirectory(u.Path)
	}
	return openBucket(u, served)
}

// Check says whether Open understands the address, and touches nothing.
func Check(address string) error {
	_, err := parse(address)
	return err
}

// parse never repeats the address: someone may have written a secret into it.
func parse(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("blobs: not an address; want file:///directory or s3://bucket")
	}
	switch u.Scheme {
	case "file":
		if u.Host != "" || len(u.Path) < 2 {
			return nil, errors.New("blobs: want file:///directory, with three strokes")
		}
		return u, onlyParameters(u)
	case "s3":
		if u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" {
			return nil, errors.New("blobs: want s3://bucket?endpoint=https://host&region=name, and the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
		}
		if _, err := endpoint(u); err != nil {
			return nil, err
		}
		return u, onlyParameters(u, "endpoint", "region")
	}
	return nil, fmt.Errorf("blobs: cannot open %s://; want file:///directory or s3://bucket, which most object stores speak", u.Scheme)
}
