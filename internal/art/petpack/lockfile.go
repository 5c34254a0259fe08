package petpack

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
)

const formatLock = "petpack-lock/1"

// A lock is pack.lock: the checksum of every file that the pack is made of.
type lock struct {
	Format string            `json:"format"`
	Files  map[string]string `json:"files"`
}

func parseLock(data []byte) (*lock, error) {
	var l lock
	if err := decodeStrict(data, &l); err != nil {
		return nil, err
	}
	if l.Format != formatLock {
		return nil, fmt.Errorf("format is %q, not %q", l.Format, formatLock)
	}
	for _, name := range slices.Sorted(maps.Keys(l.Files)) {
		if err := sumForm.check("checksum of "+name, l.Files[name]); err != nil {
			return nil, err
		}
	}
	return &l, nil
}

func sumOf(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }
