package trial

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"petsupply/testkit/check"
	"petsupply/testkit/process"
	"petsupply/testkit/tools"
)

// programDir has the built program, once a test needed it.
var programDir string

var built = sync.OnceValues(func() (path string, err error) {
	programDir, err = os.MkdirTemp("", "petsupply-")
	if err != nil {
		return "", err
	}
	path = filepath.Join(programDir, "petsupply")
	return path, tools.Program(context.Background(), path, "test")
})

// binary builds the program as it is shipped, once, and returns its path.
func binary(t testing.TB) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// port returns a free address on loopback. Another process could still take it.
func port(t testing.TB) string {
	t.Helper()
	address, err := process.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// An instance is petsupply serve as a separate process. It keeps its addresses when it is started
// again.
type instance struct {
	program     string
	args, env   []string
	listen, ops string
	out         *process.Output // output of all its runs

	*process.Process // the current run; nil if it is not running
}

// newInstance prepares an instance. Nothing runs yet. It ends with the test.
func newInstance(t testing.TB, program string, args ...string) *instance {
	p := &instance{program: program, listen: port(t), ops: port(t), out: new(process.Output)}
	p.args = append([]string{"serve", "--listen", p.listen, "--ops", p.ops}, args...)
	t.Cleanup(p.kill)
	return p
}

// run starts the instance and does not wait.
func (p *instance) run(t testing.TB) {
	t.Helper()
	cmd := exec.Command(p.program, p.args...)
	cmd.Env = append(os.Environ(), p.env...)
	cmd.Stdout = p.out
	cmd.Stderr = p.out
	var err error
	p.Process, err = process.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
}

// start starts the instance and waits until it is ready.
func (p *instance) start(t testing.TB) {
	t.Helper()
	p.run(t)
	err := p.Until(t.Context(), func() error {
		h, err := p.ready()
		if err == nil && h.Status != "ready" {
			err = fmt.Errorf("it is %s", h.Status)
		}
		return err
	})
	if err != nil {
		t.Fatalf("the service does not become ready: %v\n%s", err, p.out)
	}
}

// readiness is the answer of /readyz.
type readiness struct {
	Status   string
	Leader   string
	Leads    bool
	Problems []string
}

// probing gives up soon and tries again; patient waits for the answer.
var (
	probing = &http.Client{Timeout: 2 * time.Second}
	patient = &http.Client{Timeout: check.Patience}
)

func (p *instance) ready() (readiness, error) {
	var r readiness
	res, err := probing.Get("http://" + p.ops + "/readyz")
	if err != nil {
		return r, err
	}
	defer res.Body.Close()
	return r, json.NewDecoder(res.Body).Decode(&r)
}

func (p *instance) signal(t testing.TB, s syscall.Signal) {
	t.Helper()
	if err := p.Cmd.Process.Signal(s); err != nil {
		t.Fatalf("sending %v: %v", s, err)
	}
}

// kill ends the instance like a power cut, and waits until it is gone.
func (p *instance) kill() {
	if p.Process != nil {
		p.Kill()
	}
}

// stop ends the instance as an operator does, and returns its exit code.
func (p *instance) stop(t testing.TB) int {
	t.Helper()
	p.signal(t, syscall.SIGTERM)
	return p.wait(t)
}

// wait waits for the end of the instance and returns its exit code.
func (p *instance) wait(t testing.TB) int {
	t.Helper()
	code, err := p.Wait(check.Patience)
	if err != nil {
		t.Fatalf("the service does not end: %v\n%s", err, p.out)
	}
	return code
}

func (p *instance) String() string { return fmt.Sprintf("instance on %s", p.listen) }
