package main

import (
	"math/rand/v2"
	"os/exec"
	"regexp"
	"syscall"
	"testing"
	"time"

	"petsupply/testkit/faultproxy"
	"petsupply/testkit/process"
)

// launch runs the service as a separate process; TestMain has put the program on the path. end
// sends it a signal and waits for its end.
func (x *faultyService) launch(t *testing.T) (end func(syscall.Signal)) {
	t.Helper()
	p, err := process.Start(exec.Command("petsupply", "serve", "--config", x.file, "--data", x.dir, "--listen",
		"127.0.0.1:0", "--ops", ""))
	must(t, err)
	t.Cleanup(p.Kill)
	where := regexp.MustCompile(`(?m)^  supply +(\S+)/$`)
	within(t, waitLimit, "the address of the service", func() bool {
		found := where.FindStringSubmatch(p.Output.String())
		if found != nil {
			x.base = found[1]
		}
		return found != nil
	})
	x.running = &running{out: p.Output}
	return p.StopBy // it may have ended by itself, which the answers show
}

// The last good figures survive a restart, and a kill at any moment. Without any node the next
// process serves the same figures as the last one, or newer ones that were stored but not yet
// shown.
func TestLastGoodFiguresSurviveRestartAndKill(t *testing.T) {
	t.Parallel() // it mostly waits
	s := newMovingKingdom(t)
	stop := s.move(t.Context())
	with := shortTimings
	// so that a killed leader is soon replaced
	with.stale, with.refuse, with.lease = 10*time.Minute, time.Hour, time.Second
	x := s.faultyService(t, 1, 1, with)
	x.caller = newCaller("", s.truth, with.stale, with.refuse)
	for i, by := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL, syscall.SIGKILL} {
		x.fail(faultproxy.None)
		end := x.launch(t)
		must(t, x.until(t.Context(), "new figures", x.newer()))
		died := make(chan struct{})
		time.AfterFunc(rand.N(1200*time.Millisecond), func() { // at some moment of the next refresh
			end(by)
			close(died)
		})
		for running := true; running; {
			select {
			case <-died:
				running = false
			default:
				x.askAll(t.Context()) // fails, because the service is gone
			}
		}
		before := x.now
		x.now = map[string]*view{}
		x.fail(faultproxy.Refused)
		end = x.launch(t)
		must(t, x.until(t.Context(), "the last good figures", x.allTrue))
		for path, v := range before {
			if x.now[path].asOf.Before(v.asOf) {
				t.Errorf("round %d: %s of %s was served, and %s after it", i, path, v.asOf, x.now[path].asOf)
			}
		}
		end(syscall.SIGTERM)
	}
	x.noneWrong(t)
	must(t, stop())
}
