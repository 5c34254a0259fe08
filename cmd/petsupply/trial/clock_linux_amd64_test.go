package trial

import (
	"bufio"
	"bytes"
	"debug/elf"
	enc "encoding/binary"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// setClock moves the wall clock of one running process, and of nothing else, so
// many seconds from the true one: it writes another clock_gettime over the one
// that the kernel has put into the process's memory.
func setClock(t *testing.T, p *instance, ahead int32) {
	t.Helper()
	p.signal(t, syscall.SIGSTOP)
	defer p.signal(t, syscall.SIGCONT)
	memory, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", p.Cmd.Process.Pid), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	from, to := vdso(t, p.Cmd.Process.Pid)
	image := make([]byte, to-from)
	if _, err := memory.ReadAt(image, from); err != nil {
		t.Fatal(err)
	}
	file, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		t.Fatal(err)
	}
	symbols, err := file.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	code := []byte{
		0xb8, 0xe4, 0x00, 0x00, 0x00, // mov eax, 228: clock_gettime
		0x0f, 0x05, // syscall
		0x85, 0xff, // test edi, edi: the wall clock is 0
		0x75, 0x07, // jne to the end
		0x48, 0x81, 0x06, 0, 0, 0, 0, // add [rsi], ahead
		0xc3, // ret
	}
	enc.LittleEndian.PutUint32(code[14:], uint32(ahead))
	for _, s := range symbols {
		if s.Name == "__vdso_clock_gettime" {
			if _, err := memory.WriteAt(code, from+int64(s.Value)); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatal("the kernel's page has no clock_gettime")
}

// vdso finds where the kernel's page lies in a process.
func vdso(t *testing.T, pid int) (from, to int64) {
	t.Helper()
	maps, err := os.Open(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		t.Fatal(err)
	}
	defer maps.Close()
	for lines := bufio.NewScanner(io.Reader(maps)); lines.Scan(); {
		if strings.HasSuffix(lines.Text(), "[vdso]") {
			if _, err := fmt.Sscanf(lines.Text(), "%x-%x ", &from, &to); err != nil {
				t.Fatal(err)
			}
			return from, to
		}
	}
	t.Fatal("the process has no page of the kernel's")
	return 0, 0
}

// TestClockJumps sets the program's clock forth and back while it runs.
func TestClockJumps(t *testing.T) {
	s := newSolo(t, t.TempDir(), "", "stale_after: 1m => stale_after: 4s", "refuse_after: 10m => refuse_after: 24h")
	end := s.begin(t)
	moves(t, s.at)
	s.w.stage()
	ahead := func() time.Duration { // how far the figures' clock is ahead of the true time
		d, err := document(t, s.at, "jewel")
		if err != nil {
			t.Fatal(err)
		}
		if d.AsOf.After(time.Now().Add(10 * time.Second)) { // the nodes may be ahead by as much
			t.Fatalf("the figures are of %s, which is yet to come", d.AsOf)
		}
		return time.Until(*d.MeasuredAt)
	}
	setClock(t, s.p, 300)
	within(t, patience, "figures by the clock that is ahead", func() bool { return ahead() > 4*time.Minute })

	setClock(t, s.p, 0)
	s.answers(t)
	within(t, patience, "figures by the true clock", func() bool { return ahead() < 0 })

	mark := len(s.p.out.String())
	setClock(t, s.p, -7200)
	before := s.steps.Load()
	within(t, patience, "the kingdom to go on", func() bool { return s.steps.Load() > before+2 })
	s.said(t, mark, "level=ERROR")
	s.answers(t)

	setClock(t, s.p, 7200) // its chains seem to be hours behind
	mark = len(s.p.out.String())
	s.said(t, mark, "old")
	saw := s.w.counted()
	s.again(t) // with the true clock
	within(t, patience, "a leader", s.p.leads)
	end()
	s.w.report(t)
	s.look(t, s.db)
	s.oracle.judge(t, s.w)
	s.keeper.judge(t, s.oracle)
	note(parts[1], "the clock jumps 5 minutes and 2 hours, forth and back", saw+"; the last good figures while it is wrong; the log says why", "nothing")
	if t.Failed() {
		t.Log(tail(s.p.out.String()))
	}
}
