//go:build unix

package process

import (
	"syscall"
	"testing"
	"time"
)

// OwnTime returns the processor time of this process so far. Other processes do not affect it.
func OwnTime(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
