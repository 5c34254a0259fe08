package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"

	"petsupply/internal/app"
	"petsupply/internal/evm"
	"petsupply/internal/supply/audit"
)

// The exit codes, the same for every command.
const (
	exitOK    = 0
	exitNo    = 1 // the command ran, and the answer is no: a difference, a fault, a refusal
	exitUsage = 2 // the command line or the configuration is wrong

	exitUnreached   = 3 // something could not be reached, or (verify) not proven
	exitInterrupted = 130
)

// A program has the inputs and outputs of a command.
type program struct {
	getenv         func(string) string
	stdin          io.Reader
	interactive    bool      // stdin is a terminal
	stdout, stderr io.Writer // escape control characters
}

// A reported error ends a command with an exit code. The command has already printed the reason.
type reported int

func (reported) Error() string { return "" }

const (
	errReported  = reported(exitNo)
	errUnusable  = reported(exitUsage)
	errUnreached = reported(exitUnreached)
)

// A usageError says that the command line is wrong.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// usage makes a usageError.
func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// exit prints the error of a command and returns its exit code.
func (p *program) exit(ctx context.Context, err error) int {
	done, printed := errors.AsType[reported](err)
	switch {
	case err == nil:
		return exitOK
	case ctx.Err() != nil:
		text := "interrupted"
		if !printed && !errors.Is(err, context.Canceled) {
			text += ": " + err.Error()
		}
		fmt.Fprintln(p.stderr, "petsupply:", text)
		return exitInterrupted
	case printed:
		return int(done)
	}
	if unreachable(err) {
		fmt.Fprintln(p.stderr, "petsupply:", inOneLine(err))
		return exitUnreached
	}
	fmt.Fprintln(p.stderr, "petsupply:", err)
	_, call := errors.AsType[usageError](err)
	_, configuration := errors.AsType[app.ConfigError](err)
	if call || configuration || errors.Is(err, fs.ErrPermission) {
		return exitUsage
	}
	return exitNo
}

// inOneLine returns the text of an error without repeated lines. PostgreSQL's driver lists each
// attempt to connect.
func inOneLine(err error) string {
	var lines []string
	for line := range strings.Lines(err.Error()) {
		line = strings.TrimSpace(line)
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " ")
}

// unreachable reports whether err says that a service, node or store did not answer.
func unreachable(err error) bool {
	if node, ok := errors.AsType[interface {
		error
		Unreachable() bool
	}](err); ok && node.Unreachable() {
		return true
	}
	dialled, network := errors.AsType[*net.OpError](err)
	return network && dialled.Op != "listen" || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, evm.ErrUnavailable)
}

// open opens a file for reading. The name "-" means standard input. The caller closes it.
func (p *program) open(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(p.stdin), nil
	}
	return os.Open(name)
}

// printJSON prints a document as indented JSON.
func (p *program) printJSON(document any) error {
	out := json.NewEncoder(p.stdout)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(document)
}

// warnings returns a log of warnings and errors, for commands that query nodes.
func (p *program) warnings() *slog.Logger {
	return slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// isAddress reports whether a name is a web address and not a file.
func isAddress(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// errMalformed means that a web address cannot be parsed. The error does not quote the address,
// which may have a password.
var errMalformed = usage("the web address is malformed: it may have a space, a wrong port, or a wrong escape with %%")

// opening explains why fetch failed. The error is a usageError only if a file cannot be read, or if an
// address is malformed.
func opening(what string, err error) error {
	if _, file := errors.AsType[*fs.PathError](err); file {
		return usage("opening %s: %w", what, err)
	}
	return fmt.Errorf("opening %s: %w", what, err)
}

// unread means that a web address did not answer, or answered with an error. This says nothing
// about whether the published data is right.
type unread struct{ error }

func (e unread) Unwrap() error { return e.error }

// Unreachable makes the exit code exitUnreached.
func (unread) Unreachable() bool { return true }

// An unreadBody is the body of an answer. Its Read returns errors as unread.
type unreadBody struct{ io.ReadCloser }

func (b unreadBody) Read(to []byte) (int, error) {
	n, err := b.ReadCloser.Read(to)
	if err != nil && err != io.EOF {
		err = unread{err}
	}
	return n, err
}

// fetch opens a file, standard input, or the body of a web address. The caller closes it.
func (p *program) fetch(ctx context.Context, name string) (io.ReadCloser, error) {
	if !isAddress(name) {
		return p.open(name)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, name, nil)
	if err != nil {
		return nil, errMalformed
	}
	resp, err := audit.NewClient().Do(req)
	if err != nil {
		return nil, unread{err}
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, unread{fmt.Errorf("%s answers %s", req.URL.Redacted(), resp.Status)}
	}
	return unreadBody{resp.Body}, nil
}
