package app

import (
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
)

// LimitMemory lets the heap grow by 40 % between collections. Prepared answers make
// no garbage, so that memory is worth more than the collector's time. It also limits
// the heap to 90 % of the container's memory, so that the collector works harder
// before the kernel kills the process. GOGC and GOMEMLIMIT take precedence.
func LimitMemory(getenv func(string) string, log *slog.Logger) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(40)
	}
	if debug.SetMemoryLimit(-1) < 1<<62 {
		return
	}
	var limit int64
	text, err := os.ReadFile("/sys/fs/cgroup/memory.max")
	if _, scan := fmt.Sscan(string(text), &limit); err != nil || scan != nil || limit <= 0 {
		return
	}
	debug.SetMemoryLimit(limit / 10 * 9)
	log.Info("memory limited", "bytes", limit/10*9)
}
