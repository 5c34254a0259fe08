package app

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// LimitMemory lets the heap grow by 40 % between garbage collections. Prepared answers make no
// garbage, so collecting this often costs little and saves memory. LimitMemory also sets Go's
// memory limit to 90 % of the memory that the process may use, and not above most. Near this limit
// the collector works harder, so that the kernel need not kill the process. GOGC and GOMEMLIMIT
// take precedence.
func LimitMemory(getenv func(string) string, log *slog.Logger, most int64) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(40)
	}
	if debug.SetMemoryLimit(-1) < math.MaxInt64 {
		return
	}
	root := os.DirFS("/")
	if group := cgroupMemory(root); group > 0 {
		most = min(most, group/10*9)
		log.Info("Go's memory limit is set to 90 % of the limit of the control group", "bytes", most)
	} else if machine := machineMemory(root); machine > 0 {
		most = min(most, machine/10*9)
	}
	debug.SetMemoryLimit(most)
}

// cgroupMemory returns the smallest memory.max of the process's cgroup and those above it, or 0 if
// there is no limit.
func cgroupMemory(root fs.FS) int64 {
	text, _ := fs.ReadFile(root, "proc/self/cgroup")
	dir := ""
	for line := range strings.Lines(string(text)) {
		if of, ok := strings.CutPrefix(line, "0::"); ok {
			dir = path.Clean("/" + strings.TrimSpace(of))
		}
	}
	least := int64(0)
	for ; dir != ""; dir = path.Dir(dir) {
		var limit int64
		text, err := fs.ReadFile(root, path.Join("sys/fs/cgroup", dir, "memory.max"))
		if _, scan := fmt.Sscan(string(text), &limit); err == nil && scan == nil && limit > 0 &&
			(least == 0 || limit < least) {
			least = limit
		}
		if dir == "/" {
			break
		}
	}
	return least
}

// machineMemory returns the memory of the machine, or 0 if that is not known.
func machineMemory(root fs.FS) int64 {
	text, _ := fs.ReadFile(root, "proc/meminfo")
	var kB int64
	fmt.Sscanf(string(text), "MemTotal: %d kB", &kB) // if the first line is another one, kB stays 0
	return kB << 10
}

// unsentMemory returns the limit for answers that were made on demand and wait to be sent, in
// bytes. It is a quarter of the memory limit, or of 1 GB if there is no limit.
func unsentMemory() int64 {
	limit := debug.SetMemoryLimit(-1)
	if limit == math.MaxInt64 {
		limit = 1 << 30
	}
	return limit / 4
}

// saveMemory unpacks the pack, which the start does not wait for. Once the first answers are
// prepared, it returns unused memory to the system.
func (v *Service) saveMemory(ctx context.Context) {
	v.Packs.Current().Unpack()
	for !v.web.Ready() && ctx.Err() == nil {
		time.Sleep(100 * time.Millisecond)
	}
	runtime.GC() // sync.Pools are empty after two garbage collections; FreeOSMemory is the second
	debug.FreeOSMemory()
}
