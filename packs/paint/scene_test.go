package main

import (
	"image"
	"image/color"
	"testing"
)

// hues counts the colours of several drawings laid over each other.
func hues(t *testing.T, imgs ...*image.NRGBA) int {
	t.Helper()
	seen := map[color.NRGBA]bool{}
	for _, m := range imgs {
		for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
			for x := m.Rect.Min.X; x < m.Rect.Max.X; x++ {
				c := m.NRGBAAt(x, y)
				if c.A != 0 && c.A != 255 {
					t.Fatalf("pixel %d,%d has alpha %d", x, y, c.A)
				}
				seen[c] = true
			}
		}
	}
	delete(seen, color.NRGBA{})
	return len(seen)
}

// only returns the layer of a file.
func only(t *testing.T, ls []layer, file string) layer {
	t.Helper()
	var found []layer
	for _, l := range ls {
		if l.file == file {
			found = append(found, l)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%s is drawn %d times, want once", file, len(found))
	}
	return found[0]
}

func TestScenesFillTheCard(t *testing.T) {
	ls, card := scenery(), cardStencil()
	for _, scene := range scenes() {
		name := scene.file
		back := only(t, ls, "scene/"+name+"-back.png").img
		front := only(t, ls, "scene/"+name+"-front.png").img
		if c := hues(t, back, front); c > 90 {
			t.Errorf("%s has %d colours, want at most 90", name, c)
		}
		for i, in := range card {
			x, y := i%plateSide, i/plateSide
			if got := back.NRGBAAt(x, y).A == 255; got != in {
				t.Fatalf("%s: back covers %d,%d: %v, want %v", name, x, y, got, in)
			}
			if !in && front.NRGBAAt(x, y).A != 0 {
				t.Fatalf("%s: front leaves the card at %d,%d", name, x, y)
			}
		}
	}
}

func TestFrontOverlapsFeetAndSparesFaces(t *testing.T) {
	ls := scenery()
	for _, scene := range scenes() {
		name := scene.file
		front := only(t, ls, "scene/"+name+"-front.png").img
		feet := 0
		for y := range plateSide {
			for x := 26; x < 64; x++ {
				on := front.NRGBAAt(x, y).A != 0
				if on && y < 66 {
					t.Errorf("%s: front covers the body at %d,%d", name, x, y)
				}
				if on && y >= 71 && y <= 76 {
					feet++
				}
			}
		}
		if feet < 4 {
			t.Errorf("%s: front hides %d pixels at the feet, want at least 4", name, feet)
		}
	}
}

func TestFramesCoverTheSceneEdge(t *testing.T) {
	ls, card := scenery(), cardStencil()
	for r := range 5 {
		m := only(t, ls, "frame/"+rarityValues[r]+".png").img
		if c := hues(t, m); c > 25 {
			t.Errorf("frame %d has %d colours, want at most 25", r, c)
		}
		for i, edge := range card.minus(card.shrunk()) {
			if x, y := i%plateSide, i/plateSide; edge && m.NRGBAAt(x, y).A == 0 {
				t.Errorf("frame %d leaves the scene's edge bare at %d,%d", r, x, y)
			}
		}
		if m.NRGBAAt(45, 45).A != 0 || m.NRGBAAt(12, 45).A != 0 {
			t.Errorf("frame %d covers the picture", r)
		}
	}
}

func TestEggsForEveryRarity(t *testing.T) {
	all, looks := eggs(), map[string]string{}
	for _, l := range all {
		if c := hues(t, l.img); c > 24 {
			t.Errorf("%s has %d colours, want at most 24", l.file, c)
		}
		if was, twin := looks[string(l.img.Pix)]; twin {
			t.Errorf("%s looks like %s", l.file, was)
		}
		looks[string(l.img.Pix)] = l.file
		for _, a := range elementValues {
			if _, ok := l.anchors[a]; !ok {
				t.Errorf("%s has no anchor %s", l.file, a)
			}
		}
	}
	if len(all) != 5*5*2+1 {
		t.Errorf("%d eggs, want 50 and the unknown one", len(all))
	}
}

func TestElementsKeepToTheirRamp(t *testing.T) {
	ls := elements()
	for n := range 8 {
		l := only(t, ls, "element/"+elementValues[n]+".png")
		if c := hues(t, l.img); c > 8 {
			t.Errorf("%s has %d colours, want at most 8", l.file, c)
		}
		if l.at == "" {
			t.Errorf("%s has no anchor", l.file)
		}
	}
}

func TestBonusNames(t *testing.T) {
	seen := map[string]bool{}
	for kind, names := range bonuses() {
		if len(names) != 36 {
			t.Errorf("%s has %d names, want 36", kind, len(names))
		}
		for _, first := range bonusStars {
			for id := first; id < first+12; id++ {
				if n := names[id]; n == "" || seen[n] {
					t.Errorf("%s %d is %q: empty or used before", kind, id, n)
				}
				seen[names[id]] = true
			}
		}
	}
}
