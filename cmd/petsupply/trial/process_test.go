package trial

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"petsupply/testkit/contracts"
)

// binaries holds the programs that tests build, once each.
var binaries struct {
	sync.Mutex
	dir   string
	built map[string]string // by what sets them apart from the plain one
}

// binary builds the program as it is shipped and returns its path. extra are
// further arguments of go build.
func binary(t testing.TB, name string, extra ...string) string {
	t.Helper()
	binaries.Lock()
	defer binaries.Unlock()
	if path := binaries.built[name]; path != "" {
		return path
	}
	if binaries.dir == "" {
		dir, err := os.MkdirTemp("", "petsupply-")
		if err != nil {
			t.Fatal(err)
		}
		binaries.dir, binaries.built = dir, map[string]string{}
	}
	path := filepath.Join(binaries.dir, name)
	args := append([]string{"build", "-trimpath", "-ldflags", "-s -w -X main.version=" + name, "-o", path}, extra...)
	build := exec.Command("go", append(args, "petsupply/cmd/petsupply")...)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the program: %v\n%s", err, out)
	}
	binaries.built[name] = path
	return path
}

// dropBinaries removes them again.
func dropBinaries() {
	if binaries.dir != "" {
		os.RemoveAll(binaries.dir)
	}
}

// port returns an address on loopback that is free, or was a moment ago.
func port(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// A process is petsupply serve as a process of its own, on addresses that stay
// the same when it is started again.
type process struct {
	program     string
	args, env   []string
	listen, ops string
	out         *buffer // of all its lives

	cmd   *exec.Cmd
	ended <-chan error
}

// newProcess prepares one; nothing runs yet. It ends with the test.
func newProcess(t testing.TB, program string, args ...string) *process {
	p := &process{program: program, listen: port(t), ops: port(t), out: new(buffer)}
	p.args = append([]string{"serve", "--listen", p.listen, "--ops", p.ops}, args...)
	t.Cleanup(p.kill)
	return p
}

// run starts it and does not wait.
func (p *process) run(t testing.TB) {
	t.Helper()
	p.cmd = exec.Command(p.program, p.args...)
	p.cmd.Env = append(os.Environ(), p.env...)
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.out
	ended, err := contracts.Launch(p.cmd)
	if err != nil {
		t.Fatal(err)
	}
	p.ended = ended
}

// start starts it and waits until it is ready.
func (p *process) start(t testing.TB) {
	t.Helper()
	p.run(t)
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if h, err := p.ready(); err == nil && h.Status == "ready" {
			return
		}
		select {
		case err := <-p.ended:
			t.Fatalf("the service ended: %v\n%s", err, p.out)
		default:
		}
		if time.Now().After(end) {
			t.Fatalf("the service does not become ready\n%s", p.out)
		}
	}
}

// readiness is what /readyz says.
type readiness struct {
	Status   string
	Leader   string
	Leads    bool
	Troubles []string
}

// probing asks again if it is not answered soon; patient waits for its answer.
var (
	probing = &http.Client{Timeout: 2 * time.Second}
	patient = &http.Client{Timeout: 20 * time.Second}
)

func (p *process) ready() (readiness, error) {
	var r readiness
	res, err := probing.Get("http://" + p.ops + "/readyz")
	if err != nil {
		return r, err
	}
	defer res.Body.Close()
	return r, json.NewDecoder(res.Body).Decode(&r)
}

// leads says whether it says that it leads.
func (p *process) leads() bool {
	r, err := p.ready()
	return err == nil && r.Leads
}

func (p *process) signal(t testing.TB, s syscall.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatalf("sending %v: %v", s, err)
	}
}

// kill ends it as a power cut does, and waits until it is gone.
func (p *process) kill() {
	if p.cmd != nil && p.ended != nil {
		p.cmd.Process.Kill()
		<-p.ended
		p.ended = nil
	}
}

// stop ends it as an operator does and returns its exit code.
func (p *process) stop(t testing.TB) int {
	t.Helper()
	p.signal(t, syscall.SIGTERM)
	return p.wait(t)
}

// wait waits for its end and returns its exit code.
func (p *process) wait(t testing.TB) int {
	t.Helper()
	select {
	case <-p.ended:
	case <-time.After(time.Minute):
		t.Fatalf("the service does not end\n%s", p.out)
	}
	p.ended = nil
	return p.cmd.ProcessState.ExitCode()
}

func (p *process) String() string { return fmt.Sprintf("instance on %s", p.listen) }
