package trial

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"petsupply/testkit/check"
)

// said waits until the instance has logged one of the texts since the mark.
func (s *solo) said(t *testing.T, mark int, words ...string) {
	t.Helper()
	check.Await(t, fmt.Sprintf("a word of %q", words), func() bool {
		for _, w := range words {
			if strings.Contains(s.p.out.String()[mark:], w) {
				return true
			}
		}
		return false
	})
}

// answers checks that figures, pets and pictures are answered.
func (s *solo) answers(t *testing.T) {
	t.Helper()
	for _, path := range []string{"/supply/", "/supply/jewel/totalsupply", fmt.Sprintf("/pets/token/%d", s.w.pets[0]),
		fmt.Sprintf("/pets/image/%d", s.w.pets[0])} {
		if status, _, body, err := get(t.Context(), patient, s.at.base+path); err != nil || status != http.StatusOK {
			t.Errorf("%s: status %d, %s %v", path, status, clipped(body), err)
		}
	}
}

// TestDisk fills the disk below the embedded store, makes it read-only, and
// damages the file.
func TestDisk(t *testing.T) {
	s := newSolo(t, smallDisk(t, "24m"), "")
	end := s.begin(t)
	check.Await(t, "the index", func() bool { return s.indexed(t) })
	s.full(t)
	end()
	s.compareAll(t, s.w)
	s.fullStart(t)
	s.readOnly(t)
	s.damaged(t)
	if t.Failed() {
		t.Log(tail(s.p.out.String()))
	}
}

// full: the service continues with its stored data, gives the reason, and recovers by itself when
// there is room.
func (s *solo) full(t *testing.T) {
	t.Helper()
	s.w.stage()
	mark := len(s.p.out.String())
	free := fill(t, s.data)
	s.said(t, mark, "disk is full", "no space left")
	before := s.steps.Load()
	check.Await(t, "the kingdom to go on", func() bool { return s.steps.Load() > before+2 })
	s.answers(t)
	s.copyToFullDisk(t)
	free()
	moves(t, s.at)
	s.look(t, s.db)
}

// copyToFullDisk: a copy of the store to the full disk fails with one line, and leaves nothing.
func (s *solo) copyToFullDisk(t *testing.T) {
	t.Helper()
	to := filepath.Join(s.data, "copy.db")
	out, err := exec.Command(binary(t), "store", "copy", "sqlite://"+s.file(), "sqlite://"+to).CombinedOutput()
	said := string(out)
	if err == nil || !strings.Contains(said, "full") && !strings.Contains(said, "no space") ||
		strings.Count(said, "petsupply: ") != 1 || !strings.HasSuffix(said, "\n") ||
		strings.Contains(strings.TrimSuffix(said, "\n"), "\n") {
		t.Errorf("a copy to a full disk: %v\n%s", err, said)
	}
	if left, _ := filepath.Glob(to + "*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// fullStart: after a kill and a start on a full disk, the service serves its stored data.
func (s *solo) fullStart(t *testing.T) {
	t.Helper()
	before, err := document(t, s.at, "jewel")
	if err != nil {
		t.Fatal(err)
	}
	s.p.kill()
	free := fill(t, s.data)
	s.p.start(t)
	s.answers(t)
	after, err := document(t, s.at, "jewel")
	if err != nil || after.AsOf.Before(*before.AsOf) {
		t.Errorf("a start on a full disk: the figure is of %v, it was of %v (%v)", after.AsOf, before.AsOf, err)
	}
	free()
	s.again(t)
	moves(t, s.at)
	s.look(t, s.db)
}

// readOnly: after a stop or a kill, the service serves its stored data.
func (s *solo) readOnly(t *testing.T) {
	t.Helper()
	before, err := document(t, s.at, "jewel")
	if err != nil {
		t.Fatal(err)
	}
	s.p.kill()
	s.db.Close()
	remount(t, s.data, "ro")
	mark := len(s.p.out.String())
	s.p.start(t)
	s.said(t, mark, "cannot be written")
	s.answers(t)
	after, err := document(t, s.at, "jewel")
	if err != nil || after.AsOf.Before(*before.AsOf) {
		t.Errorf("on a read-only disk: the figure is of %v, it was of %v (%v)", after.AsOf, before.AsOf, err)
	}
	check.Await(t, "a word in readyz", func() bool {
		r, err := s.p.ready()
		return err == nil && strings.Contains(fmt.Sprint(r.Problems), "cannot be written")
	})
	s.p.kill()
	remount(t, s.data, "rw")
	s.p.start(t)
	moves(t, s.at)
}

func remount(t *testing.T, dir, how string) {
	t.Helper()
	if out, err := exec.Command("mount", "-o", "remount,"+how, dir).CombinedOutput(); err != nil {
		t.Fatalf("remounting %s: %v\n%s", how, err, out)
	}
}

// damaged: the service does not start, and says which file is damaged and what to do. Without the
// file it starts from scratch.
func (s *solo) damaged(t *testing.T) {
	t.Helper()
	if code := s.p.stop(t); code != 0 {
		t.Errorf("stopped with %d", code)
	}
	whole, err := os.ReadFile(s.file())
	if err != nil {
		t.Fatal(err)
	}
	broken := append(bytes.Repeat([]byte{0x5a}, 8192), whole[8192:]...)
	if err := os.WriteFile(s.file(), broken, 0o600); err != nil {
		t.Fatal(err)
	}
	mark := len(s.p.out.String())
	s.p.run(t)
	code := s.p.wait(t)
	if said := s.p.out.String()[mark:]; code != 2 || !strings.Contains(said, s.file()) ||
		!strings.Contains(said, "restore a backup") {
		t.Errorf("a damaged file: exit %d\n%s", code, said)
	}
	if left, err := os.ReadFile(s.file()); err != nil || !bytes.Equal(left, broken) {
		t.Errorf("the damaged file was changed (%v)", err)
	}
	if err := os.WriteFile(s.file(), whole, 0o600); err != nil {
		t.Fatal(err)
	}
	s.p.start(t)
	moves(t, s.at)
}
