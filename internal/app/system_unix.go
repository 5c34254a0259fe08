//go:build unix

package app

import (
	"net"
	"syscall"
)

// maxOpenFiles returns how many files the process may open. The Go runtime has already raised this
// number to the hard limit.
func maxOpenFiles() (uint64, error) {
	var files syscall.Rlimit
	err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files)
	return uint64(files.Cur), err
}

// writeAtOnce writes as much of b as it can without waiting, and returns how many bytes it wrote.
func writeAtOnce(c net.Conn, b []byte) (n int) {
	if tcp, ok := c.(*net.TCPConn); ok {
		if raw, err := tcp.SyscallConn(); err == nil {
			_ = raw.Write(func(fd uintptr) bool { // an error is ignored, because the next write returns it again
				n, _ = syscall.Write(int(fd), b)
				return true
			})
		}
	}
	return max(n, 0)
}
