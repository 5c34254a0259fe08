package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"petsupply/testkit/contracts"
)

// A process is a server under measurement. It dies with us.
type process struct {
	name  string
	cmd   *exec.Cmd
	said  *tail
	ended <-chan error
}

// launch starts a program; until says when it is up. as may be nil.
func launch(ctx context.Context, cmd *exec.Cmd, until func() error) (*process, error) {
	p := &process{name: filepath.Base(cmd.Path), cmd: cmd, said: &tail{}}
	if cmd.Stdout == nil {
		cmd.Stdout = p.said
	}
	cmd.Stderr = p.said
	var err error
	if p.ended, err = contracts.Launch(cmd); err != nil {
		return nil, fmt.Errorf("starting %s: %w", p.name, err)
	}
	for deadline := time.Now().Add(time.Minute); ; {
		last := until()
		if last == nil {
			return p, nil
		}
		select {
		case err := <-p.ended:
			return nil, fmt.Errorf("%s ended at once: %v: %s", p.name, err, p.said)
		case <-ctx.Done():
			p.stop()
			return nil, ctx.Err()
		case <-time.After(2 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			p.stop()
			return nil, fmt.Errorf("%s is not up after a minute: %w: %s", p.name, last, p.said)
		}
	}
}

// stop asks the process to end, and insists after a while.
func (p *process) stop() {
	p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(10 * time.Second):
		p.cmd.Process.Kill()
		<-p.ended
	}
}

// family returns the ids of the process and its children: nginx and PostgreSQL
// work in children.
func (p *process) family() ([]int, error) {
	parent := p.cmd.Process.Pid
	all := []int{parent}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	for _, file := range stats {
		fields, err := statFields(file)
		if err != nil {
			continue // it is gone
		}
		if fields[1] == strconv.Itoa(parent) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			if err != nil {
				return nil, err
			}
			all = append(all, pid)
		}
	}
	return all, nil
}

// statFields returns what follows the name in a stat file: state, parent, ….
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

// tick is the unit of times in a stat file.
const tick = 10 * time.Millisecond

// cpu returns the time that the process and its children have had on
// processors, user and system, threads and children that have ended included.
func (p *process) cpu() (time.Duration, error) {
	family, err := p.family()
	if err != nil {
		return 0, err
	}
	var sum time.Duration
	for _, pid := range family {
		fields, err := statFields(fmt.Sprintf("/proc/%d/stat", pid))
		if errors.Is(err, os.ErrNotExist) {
			continue
		} else if err != nil {
			return 0, err
		}
		last := 13 // utime, stime
		if pid == p.cmd.Process.Pid {
			last = 15 // and those of children that were waited for
		}
		for _, text := range fields[11:last] {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return 0, err
			}
			sum += time.Duration(n) * tick
		}
	}
	return sum, nil
}

// memory returns the resident bytes of the process alone: now, and the most
// that they ever were.
func (p *process) memory() (now, most float64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
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

// A tail keeps the last of what a process says.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if more := len(t.text) - 4096; more > 0 {
		t.text = append(t.text[:0], t.text[more:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}
