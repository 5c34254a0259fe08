//go:build unix

package app

import "syscall"

// maxOpenFiles is how many files the process may have open; the runtime has
// raised it to what the system allows.
func maxOpenFiles() (uint64, error) {
	var files syscall.Rlimit
	err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files)
	return uint64(files.Cur), err
}
