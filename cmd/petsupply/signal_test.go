//go:build unix

package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestASignalEndsACommandWhateverItReads: this includes a command that reads a pipe without a
// writer.
func TestASignalEndsACommandWhateverItReads(t *testing.T) {
	t.Parallel() // it waits until the command gives up
	pipe := filepath.Join(t.TempDir(), "evidence.json")
	must(t, syscall.Mkfifo(pipe, 0o600))
	ctx, signal := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	go func() {
		var out bytes.Buffer
		none := func(string) string { return "" }
		ended <- run(ctx, []string{"verify", pipe}, none, strings.NewReader(""), &out, &out)
	}()
	signal()
	select {
	case code := <-ended:
		if code != exitInterrupted {
			t.Errorf("ended with code %d", code)
		}
	case <-time.After(2 * stopTime):
		t.Error("it goes on after the signal")
	}
	writer, err := os.OpenFile(pipe, os.O_RDWR, 0) // lets the reader continue
	must(t, err)
	writer.Close()
}

// TestAnInterruptedCommandSaysSo: "context canceled" would mean nothing to a user.
func TestAnInterruptedCommandSaysSo(t *testing.T) {
	asked := make(chan struct{}, 16)
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // only after this does the server notice that its caller has gone
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer silent.Close()
	for _, args := range []string{"health --timeout 1m " + silent.URL, "audit " + silent.URL, "check --timeout 1m " +
		silent.URL,
		"verify " + silent.URL + "/gem/evidence", "init -o - --rpc " + silent.URL +
			" --token 0x5FbDB2315678afecb367f032d93F642f64180aa3"} {
		t.Run(args, func(t *testing.T) {
			ctx, signal := context.WithCancel(t.Context())
			go func() { <-asked; signal() }()
			var out bytes.Buffer
			code := run(ctx, strings.Fields(args), func(string) string { return "" }, strings.NewReader(""), &out, &out)
			if text := out.String(); code != exitInterrupted || !strings.Contains(text, "interrupted") ||
				strings.Contains(text, "context canceled") {
				t.Errorf("exit %d\n%s", code, text)
			}
		})
	}
}
