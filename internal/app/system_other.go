//go:build !unix

package app

import "math"

// maxOpenFiles returns how many files the process may open. This system has no limit for a process.
func maxOpenFiles() (uint64, error) { return math.MaxUint64, nil }
