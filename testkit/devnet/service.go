package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"petsupply/testkit/contracts"
)

// A service is petsupply serve as a process of ours.
type service struct {
	cmd   *exec.Cmd
	log   string     // where its output goes
	ended chan error // gets why, once
}

// start builds the service and runs it on the file, and returns when it says
// that it is ready.
func (d devnet) start(ctx context.Context, dir, file string) (*service, error) {
	tree, err := contracts.Install(ctx)
	if err != nil {
		return nil, err
	}
	d.say("building the service …")
	program := filepath.Join(dir, "petsupply")
	build := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/petsupply")
	build.Dir = filepath.Dir(tree)
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the service: %w\n%s", err, out)
	}
	s := &service{log: filepath.Join(dir, "petsupply.log"), ended: make(chan error, 1)}
	log, err := os.Create(s.log)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	s.cmd = exec.Command(program, "serve", "--config", file, "--data", filepath.Join(dir, "data"), "--listen", d.listen, "--ops", d.ops)
	s.cmd.Stdout, s.cmd.Stderr = log, log
	// Ctrl-C reaches us alone: we end the service after the last round.
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	process, err := contracts.Launch(s.cmd)
	if err != nil {
		return nil, fmt.Errorf("starting the service: %w", err)
	}
	go func() {
		err := <-process
		s.ended <- fmt.Errorf("the service ended (%v); its last words:\n%s", err, s.tail())
	}()
	d.say("its log        %s", s.log)
	if err := s.ready(ctx, d.ops); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// ready waits until the service can answer.
func (s *service) ready(ctx context.Context, ops string) error {
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+ops+"/readyz", nil)
		if err != nil {
			return err
		}
		if response, err := http.DefaultClient.Do(request); err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-s.ended:
			s.ended <- err
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// stop asks the service to end, and insists after ten seconds.
func (s *service) stop() {
	s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(10 * time.Second):
		s.cmd.Process.Kill()
		<-s.ended
	}
}

// tail is the end of its log.
func (s *service) tail() []byte {
	text, err := os.ReadFile(s.log)
	if err != nil {
		return []byte(err.Error())
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	return bytes.Join(lines[max(0, len(lines)-15):], nil)
}
