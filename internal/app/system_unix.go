//go:build unix

package app

import "syscall"

// maxOpenFiles returns how many files the process may open. The Go runtime has already raised this
// number to the hard limit.
func maxOpenFiles() (uint64, error) {
	var files syscall.Rlimit
	err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files)
	return uint64(files.Cur), err
}
