package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"petsupply/internal/app"
)

// The exit codes, the same for every command.
const (
	exitOK    = 0
	exitNo    = 1 // it ran, and the answer is no: a difference, a fault, a refusal
	exitUsage = 2 // the call or the configuration is not usable
	// exitUnreached: what was asked for could not be compared, because a service or a
	// node could not be reached.
	exitUnreached = 3
)

// A program is what every command runs with.
type program struct {
	getenv         func(string) string
	stdin          io.Reader
	interactive    bool      // stdin is a terminal
	stdout, stderr io.Writer // for text: control characters are shown escaped
	raw            io.Writer // standard output for bytes
}

// errReported ends a command with exitNo, errUnreached with exitUnreached. The
// command has printed what is wrong.
var (
	errReported  = errors.New("")
	errUnreached = errors.New("")
)

// errUnusable is errReported for a configuration that is not usable.
var errUnusable = usageError{errReported}

// A usageError says that the call is wrong.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// usage makes a usageError.
func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// exit prints the error of a command and returns its exit code.
func (p *program) exit(err error) int {
	if err == nil {
		return exitOK
	}
	switch {
	case err == error(errUnusable):
		return exitUsage
	case errors.Is(err, errReported):
		return exitNo
	case errors.Is(err, errUnreached):
		return exitUnreached
	}
	fmt.Fprintln(p.stderr, "petsupply:", err)
	if _, wrong := errors.AsType[usageError](err); wrong {
		return exitUsage
	}
	if _, wrong := errors.AsType[app.ConfigError](err); wrong {
		return exitUsage
	}
	return exitNo
}

// open opens a file for reading; - is standard input. Close it.
func (p *program) open(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(p.stdin), nil
	}
	return os.Open(name)
}

// write writes a whole file; - is standard output.
func (p *program) write(name string, data []byte) error {
	if name == "-" {
		_, err := p.raw.Write(data)
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// printJSON prints a document as indented JSON.
func (p *program) printJSON(document any) error {
	out := json.NewEncoder(p.stdout)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(document)
}

// warnings is a log of warnings and errors, for commands that ask nodes.
func (p *program) warnings() *slog.Logger {
	return slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// isAddress reports whether a name is a web address, not that of a file.
func isAddress(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// fetch opens a file, standard input, or the body of a web address. Close it.
func (p *program) fetch(ctx context.Context, name string) (io.ReadCloser, error) {
	if !isAddress(name) {
		return p.open(name)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, name, nil)
	if err != nil {
		return nil, err
	}
	client := http.Client{Timeout: time.Minute}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, fmt.Errorf("%s answers %s", name, resp.Status)
	}
	return resp.Body, nil
}
