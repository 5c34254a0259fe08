//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestASignalEndsACommandWhateverItReads: one that reads a pipe to which nobody
// writes, too.
func TestASignalEndsACommandWhateverItReads(t *testing.T) {
	t.Parallel() // it waits until a command is given up
	pipe := filepath.Join(t.TempDir(), "evidence.json")
	must(t, syscall.Mkfifo(pipe, 0o600))
	ctx, signal := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	go func() {
		var out bytes.Buffer
		ended <- run(ctx, []string{"verify", pipe}, func(string) string { return "" }, strings.NewReader(""), &out, &out)
	}()
	signal()
	select {
	case code := <-ended:
		if code != exitNo {
			t.Errorf("ended with code %d", code)
		}
	case <-time.After(2 * stopTime):
		t.Error("it goes on after the signal")
	}
	writer, err := os.OpenFile(pipe, os.O_RDWR, 0) // lets the reader go
	must(t, err)
	writer.Close()
}
