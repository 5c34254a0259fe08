package art

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"petsupply/testkit/process"
)

// TestPNGCheck checks the files with an independent program: palettes of one colour and of many,
// RGBA, every scale, moving pictures.
func TestPNGCheck(t *testing.T) {
	process.SkipShort(t)
	dir, r := t.TempDir(), newRand()
	for name, p := range map[string]*Pack{"embedded": embedded(t), "colourful": open(t, colourful(t)),
		"soft": open(t, soft(t))} {
		for i := range 24 {
			v := View{Frame: i&1 == 0, Background: i&2 == 0, Scale: 1 + i/2, Form: Form(i % 3 / 2)}
			png := p.Draw(anyLook(r, p), v)
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
