// Package process runs programs beside a test, a benchmark or the devnet. Start one, wait Until it
// answers, and Stop or Kill it. On Linux every program dies with the process that started it,
// however that ends.
package process

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"petsupply/testkit/check"
)

// A Process is a running program.
type Process struct {
	Name   string
	Cmd    *exec.Cmd
	Output *Output // its output, unless cmd redirects it

	done chan struct{} // closed when it has ended
	err  error         // result of Cmd.Wait, once it has ended
}

// Start runs cmd and does not wait for anything.
func Start(cmd *exec.Cmd) (*Process, error) {
	p := &Process{Name: filepath.Base(cmd.Path), Cmd: cmd, Output: new(Output), done: make(chan struct{})}
	if cmd.Stdout == nil {
		cmd.Stdout = p.Output
	}
	if cmd.Stderr == nil {
		cmd.Stderr = p.Output
	}
	dieWithParent(cmd)
	started := make(chan error)
	go func() {
		// The child dies when the thread that started it ends. So reserve the thread for it.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
			close(p.done)
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("starting %s: %w", p.Name, err)
	}
	return p, nil
}

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Until waits until ready returns nil, for at most check.Patience. If Until returns an error, the
// process has ended.
func (p *Process) Until(ctx context.Context, ready func() error) error {
	ctx, cancel := context.WithTimeout(ctx, check.Patience)
	defer cancel()
	for {
		last := ready()
		if last == nil {
			return nil
		}
		select {
		case <-p.done:
			return fmt.Errorf("%s ended (%v) before it was ready: %s", p.Name, p.err, p.Output.Tail())
		case <-ctx.Done():
			p.Kill()
			return fmt.Errorf("waiting for %s: %w: %w: %s", p.Name, ctx.Err(), last, p.Output.Tail())
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// Wait waits for the end of the process and returns its exit code, or an error
// if it still runs after the limit.
func (p *Process) Wait(limit time.Duration) (int, error) {
	select {
	case <-p.done:
		return p.Cmd.ProcessState.ExitCode(), nil
	case <-time.After(limit):
		return 0, fmt.Errorf("%s has not ended after %v: %s", p.Name, limit, p.Output.Tail())
	}
}

// Stop asks the process to end, as an operator would, and kills it after ten seconds. It does
// nothing if the process has ended.
func (p *Process) Stop() { p.StopBy(syscall.SIGTERM) }

// StopBy is Stop with another signal.
func (p *Process) StopBy(s syscall.Signal) {
	p.Cmd.Process.Signal(s) // an error means that the process is gone
	if _, err := p.Wait(10 * time.Second); err != nil {
		p.Kill()
	}
}

// Kill ends the process like a power cut, and waits until it is gone.
func (p *Process) Kill() {
	p.Cmd.Process.Kill()
	<-p.done
}

// FreeAddress returns a free address on loopback. Another process could still take it.
func FreeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// SkipShort skips a test if -short is set. Tests that need more than Go call it. So make quick,
// which sets -short, leaves them out, and make test runs them.
func SkipShort(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a program other than Go; skipped with -short")
	}
}
