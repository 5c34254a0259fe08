package art

import (
	"errors"
	"image"
	"strings"
	"testing"
	"testing/fstest"
)

func TestLintFinds(t *testing.T) {
	for name, test := range map[string]struct {
		change func(fstest.MapFS)
		want   string
	}{
		"blank": {func(f fstest.MapFS) {
			put(f, "shadow.png", encodePNG(t, image.NewNRGBA(image.Rect(0, 0, 9, 9))))
		}, "shadow.png: every pixel is transparent"},
		"sticks out": {func(f fstest.MapFS) {
			replace(t, f, manifestFile, `"files": ["shadow.png"],`, `"files": ["shadow.png"], "x": 80,`)
		}, "shadow.png: sticks out of the grid by"},
	} {
		t.Run(name, func(t *testing.T) {
			tree := small(t)
			if _, faults := lintFS(pets(), tree); len(faults) > 0 {
				t.Fatalf("the pack is not sound before the change: %q", faults)
			}
			test.change(tree)
			_, faults := lintFS(pets(), tree)
			if len(faults) != 1 || !strings.Contains(faults[0].Error(), test.want) {
				t.Errorf("%q, not %q", faults, test.want)
			}
		})
	}
}

// TestLintNamesEveryFile: an artist who has painted over ten layers sees all ten.
func TestLintNamesEveryFile(t *testing.T) {
	tree := small(t)
	names := []string{"shadow.png", "frame/rare.png", "element/ice.png"}
	for _, name := range names {
		put(tree, name, []byte("not a picture"))
	}
	_, faults := lintFS(pets(), tree)
	text := errors.Join(faults...).Error()
	for _, name := range names {
		if !strings.Contains(text, name+": not a PNG") {
			t.Errorf("%s is not among the faults:\n%s", name, text)
		}
	}
}
