//go:build !race

package art

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"petsupply/testkit/process"
	"petsupply/testkit/tools"
)

// TestPNGCheck checks the files with an independent program: palettes of one colour and of many,
// RGBA, every scale, moving pictures.
func TestPNGCheck(t *testing.T) {
	process.SkipShort(t)
	dir, r := t.TempDir(), newRand()
	for name, p := range map[string]*Pack{"embedded": embedded(t), "colourful": open(t, colourful(t)),
		"soft": open(t, soft(t))} {
		for i := range 24 {
			png := p.Draw(anyLook(r, p), View{Frame: i&1 == 0, Background: i&2 == 0, Scale: 1 + i/2, Form: Form(i % 3 / 2)})
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d.png", name, i)), png, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.png"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("pngcheck", append([]string{"-q"}, files...)...).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("pngcheck (apt-get install pngcheck): %v\n%s", err, out)
	}
	full, err := exec.Command("pngcheck", "-t", "-7", files[len(files)-1]).CombinedOutput()
	if err != nil || !bytes.Contains(full, []byte("CC0-1.0")) {
		t.Errorf("the licence is not in the picture: %v\n%s", err, full)
	}
}

// A played frame is its duration and the sum of its pixels, as testkit/upng prints them.
type played [2]any

// movement returns the frames that a viewer must show of a look. Equal frames in a row are one.
func movement(t *testing.T, p *Pack, l Look, v View) (out []played) {
	t.Helper()
	for i, delay := range p.m.Delays {
		h := sha256.New()
		for _, c := range pixels(decodePNG(t, p.drawFrame(l, v, i))) {
			if c.A == 0 {
				c.R, c.G, c.B = 0, 0, 0
			}
			h.Write([]byte{c.R, c.G, c.B, c.A})
		}
		sum := fmt.Sprintf("%x", h.Sum(nil))
		if n := len(out); n > 0 && out[n-1][1] == sum {
			out[n-1][0] = out[n-1][0].(float64) + float64(delay)
			continue
		}
		out = append(out, played{float64(delay), sum})
	}
	return out
}

// TestUPNG plays moving pictures with an independent decoder. Each frame must be drawn as the pack
// draws it, and shown as long as the pack says.
func TestUPNG(t *testing.T) {
	process.SkipShort(t)
	judge, err := tools.NPM(t.Context(), "testkit/upng")
	if err != nil {
		t.Fatal(err)
	}
	p, r, dir := embedded(t), newRand(), t.TempDir()
	args, want := []string{filepath.Join(judge, "frames.mjs")}, [][]played{}
	for i := range 8 {
		l, v := anyLook(r, p), View{Frame: i&1 == 0, Background: i&2 == 0, Scale: 1 + i%4}
		l.values[p.traitNamed("egg")] %= 5
		l.values[p.traitNamed("shiny")] = uint64(i / 4)
		want = append(want, movement(t, p, l, v))
		v.Form = Moving
		name := filepath.Join(dir, fmt.Sprintf("%d.png", i))
		if err := os.WriteFile(name, p.Draw(l, v), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	out, err := exec.Command("node", args...).Output()
	if err != nil {
		t.Fatalf("upng-js: %v\n%s", err, out)
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if len(lines) != len(want) {
		t.Fatalf("%d pictures were played, not %d", len(lines), len(want))
	}
	for i, line := range lines {
		var got []played
		if err := json.Unmarshal(line, &got); err != nil || len(got) < 4 || !reflect.DeepEqual(got, want[i]) {
			t.Errorf("picture %d: %v\nplayed %v\ndrawn  %v", i, err, got, want[i])
		}
	}
}
