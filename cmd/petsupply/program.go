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
)

// A program is what every command runs with.
type program struct {
	getenv         func(string) string
	stdin          io.Reader
	interactive    bool      // stdin is a terminal
	stdout, stderr io.Writer // for text: control characters are shown escaped
	raw            io.Writer // standard output for bytes
}

// errReported ends a command with exitNo after it has said itself what is wrong.
var errReported = errors.New("")

// usageError is a fault of the call, not of the world.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// usage makes a usageError.
func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// exit turns what a command returned into a message and a code.
func (p *program) exit(err error) int {
	if err == nil {
		return exitOK
	}
	if errors.Is(err, errReported) {
		return exitNo
	}
	fmt.Fprintln(p.stderr, "petsupply:", err)
	if errors.As(err, new(usageError)) || errors.As(err, new(app.ConfigError)) {
		return exitUsage
	}
	return exitNo
}

// open opens a file to be read; - is standard input. Close it.
func (p *program) open(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(p.stdin), nil
	}
	return os.Open(name)
}

// write writes a file whole; - is standard output.
func (p *program) write(name string, data []byte) error {
	if name == "-" {
		_, err := p.raw.Write(data)
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// printJSON prints a document as a person and a program read it.
func (p *program) printJSON(document any) error {
	out := json.NewEncoder(p.stdout)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(document)
}

// warnings is a log of what goes wrong, for commands that ask nodes.
func (p *program) warnings() *slog.Logger {
	return slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

func isAddress(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// fetch opens a file, standard input, or the body of an address.
func (p *program) fetch(ctx context.Context, name string) (io.ReadCloser, error) {
	if isAddress(name) {
		return download(ctx, name)
	}
	return p.open(name)
}

// download opens the body of a 200.
func download(ctx context.Context, address string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	client := http.Client{Timeout: time.Minute}
	resp, err := client.Do(req)
	if err == nil && resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		err = fmt.Errorf("%s answers %s", address, resp.Status)
	}
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}
