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

	"petsupply/testkit/process"
	"petsupply/testkit/tools"
)

// A service is petsupply serve as a child process.
type service struct {
	*process.Process
	log string // where its output goes
}

// start builds the service, runs it with the configuration file, and waits until it is ready.
func (d devnet) start(ctx context.Context, dir, file string) (*service, error) {
	d.say("building the service …")
	program := filepath.Join(dir, "petsupply")
	if err := tools.Program(ctx, program, "devnet"); err != nil {
		return nil, err
	}
	return d.startProgram(ctx, program, dir, file)
}

// startProgram is start with a program that was built before.
func (d devnet) startProgram(ctx context.Context, program, dir, file string) (*service, error) {
	s := &service{log: filepath.Join(dir, "petsupply.log")}
	log, err := os.Create(s.log)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.Command(program, "serve", "--config", file, "--data", filepath.Join(dir, "data"), "--listen", d.listen,
		"--ops", d.ops)
	cmd.Stdout, cmd.Stderr = log, log
	// Ctrl-C reaches only us. We end the service after the last round.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if s.Process, err = process.Start(cmd); err != nil {
		return nil, err
	}
	d.say("its log        %s", s.log)
	if err := s.Until(ctx, func() error { return ready(ctx, d.ops) }); err != nil {
		return nil, fmt.Errorf("%w; its log ends with:\n%s", err, s.tail())
	}
	return s, nil
}

// ready asks the service whether it can answer.
func ready(ctx context.Context, ops string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+ops+"/readyz", nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("readyz answers %s", response.Status)
	}
	return nil
}

// said returns the service's log.
func (s *service) said() []byte {
	text, err := os.ReadFile(s.log)
	if err != nil {
		return []byte(err.Error())
	}
	return text
}

// tail returns the end of its log.
func (s *service) tail() []byte {
	lines := bytes.SplitAfter(s.said(), []byte("\n"))
	return bytes.Join(lines[max(0, len(lines)-15):], nil)
}
