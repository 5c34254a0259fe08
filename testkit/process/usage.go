package process

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"
)

// Tick is the unit in which the system counts processor time.
const Tick = 10 * time.Millisecond

// CPU returns the processor time of the process and its children, user and system, including
// threads and children that have ended. nginx and PostgreSQL do their work in children. CPU and
// Memory need Linux.
func (p *Process) CPU() (time.Duration, error) {
	self := p.Cmd.Process.Pid
	pids, err := withChildren(self)
	if err != nil {
		return 0, err
	}
	var sum time.Duration
	for _, pid := range pids {
		fields, err := statFields(fmt.Sprintf("/proc/%d/stat", pid))
		if errors.Is(err, os.ErrNotExist) {
			continue
		} else if err != nil {
			return 0, err
		}
		last := 13 // utime, stime
		if pid == self {
			last = 15 // also cutime and cstime, which count ended children
		}
		for _, text := range fields[11:last] {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return 0, err
			}
			sum += time.Duration(n) * Tick
		}
	}
	return sum, nil
}

func withChildren(parent int) ([]int, error) {
	all := []int{parent}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	for _, file := range stats {
		fields, err := statFields(file)
		if err != nil || fields[1] != strconv.Itoa(parent) {
			continue // it is gone, or has another parent
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			return nil, err
		}
		all = append(all, pid)
	}
	return all, nil
}

// statFields returns the fields after the name in a stat file: state, parent, ….
func statFields(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	_, rest, ok := bytes.Cut(text[bytes.LastIndexByte(text, ')')+1:], []byte(" "))
	fields := strings.Fields(string(rest))
	if !ok || len(fields) < 20 {
		return nil, fmt.Errorf("reading %s: not the form of a stat file", file)
	}
	return fields, nil
}

// Memory returns the resident bytes of the process without children: now, and their maximum.
func (p *Process) Memory() (now, most float64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Cmd.Process.Pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(text)) {
		var n float64
		if _, err := fmt.Sscanf(line, "VmRSS: %f kB", &n); err == nil {
			now = n * 1024
		}
		if _, err := fmt.Sscanf(line, "VmHWM: %f kB", &n); err == nil {
			most = n * 1024
		}
	}
	return now, most, nil
}

// PeakHeap returns how many bytes the heap grew at most while f ran. Meanwhile the garbage
// collector has the same setting as in the program.
func PeakHeap(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(40))
	runtime.GC()
	heap := func() uint64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	before, done, peak := heap(), make(chan bool), make(chan uint64)
	go func() {
		most := before
		for {
			select {
			case <-done:
				peak <- most - before
				return
			case <-time.After(time.Millisecond):
				most = max(most, heap())
			}
		}
	}()
	f()
	close(done)
	return <-peak
}
