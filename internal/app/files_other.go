//go:build !unix

package app

import "math"

// maxOpenFiles: this system sets no limit for a process.
func maxOpenFiles() (uint64, error) { return math.MaxUint64, nil }
