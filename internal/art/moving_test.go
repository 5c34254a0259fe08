package art

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestMovingBeginsWithTheStillPicture: a viewer that cannot play movement shows exactly the still
// picture, in every view.
func TestMovingBeginsWithTheStillPicture(t *testing.T) {
	p, r := embedded(t), newRand()
	for i := range 60 {
		l, v := anyLook(r, p), View{Frame: i&1 == 0, Background: i&2 == 0, Scale: 1 + i%4}
		known := l.values[p.traitNamed("egg")] < 5
		still := p.Draw(l, v)
		v.Form = Moving
		moving := p.Draw(l, v)
		if d := differs(decodePNG(t, still), decodePNG(t, moving)); d > 0 ||
			known && !bytes.Contains(moving, []byte("acTL")) {
			t.Errorf("%v %+v: differs by %d, or does not move", l, v, d)
		}
		if form, err := p.ParseForm("", true); err != nil || form != Moving {
			t.Errorf("the form is %v, %v", form, err)
		}
	}
}

// TestMovingLimits: every creature's moving picture has at most 24 frames, and 72 kB at its usual
// size. Scenes, frames, elements and shiny coats add about the same to each look. So the test finds
// the largest of each with one creature, and draws every creature with them.
func TestMovingLimits(t *testing.T) {
	p := embedded(t)
	largest := at{"appearance": 1, "shiny": 1}
	for _, trait := range []string{"rarity", "background", "element"} {
		most := 0
		largestValue := uint64(0)
		for value := range inUse[trait] {
			largest[trait] = value
			if n := checkMoving(t, p, largest); n > most {
				most = n
				largestValue = value
			}
		}
		largest[trait] = largestValue
	}
	var sizes []int
	for egg := range uint64(5) {
		for appearance := range uint64(25) {
			traits := maps.Clone(largest)
			traits["egg"] = egg
			traits["appearance"] = appearance
			sizes = append(sizes, checkMoving(t, p, traits))
		}
	}
	slices.Sort(sizes)
	t.Logf("%d bytes in the median, %d at most", sizes[len(sizes)/2], sizes[len(sizes)-1])
}

// checkMoving holds a moving picture to the limits, and returns its size.
func checkMoving(t *testing.T, p *Pack, traits at) int {
	t.Helper()
	const maxFrames, maxBytes = 24, 72_000
	v := Whole
	v.Form = Moving
	picture := p.Draw(p.Look(traits), v)
	if n := bytes.Count(picture, []byte("fcTL")); n == 0 || n > maxFrames || len(picture) > maxBytes {
		t.Errorf("%v: %d frames and %d bytes, want at most %d and %d", traits, n, len(picture), maxFrames, maxBytes)
	}
	return len(picture)
}

// TestMovingWithoutMovement: a pack without movement, with too many colours or with soft alpha
// still answers with a picture.
func TestMovingWithoutMovement(t *testing.T) {
	for name, p := range map[string]*Pack{"without delays": open(t, small(t)), "colourful": open(t, colourful(t)),
		"soft": open(t, soft(t))} {
		t.Run(name, func(t *testing.T) {
			l, v := p.Look(at{"appearance": 1}), Whole
			if form, err := p.ParseForm("png", true); form != Still || err != nil {
				t.Errorf("the form is %v, %v", form, err)
			}
			still := p.Draw(l, v)
			v.Form = Moving
			if !bytes.Equal(p.Draw(l, v), still) {
				t.Error("a picture that cannot move differs from the still one")
			}
		})
	}
}

func TestParseForm(t *testing.T) {
	p := embedded(t)
	for _, test := range []struct {
		format   string
		animated bool
		want     Form
		ok       bool
	}{
		{"", false, Still, true}, {"png", false, Still, true}, {"", true, Moving, true}, {"png", true, Moving, true},
		{"gif", true, Still, false}, {"PNG", true, Still, false}, {"webp", true, Still, false},
	} {
		t.Run(fmt.Sprint(test.format, test.animated), func(t *testing.T) {
			got, err := p.ParseForm(test.format, test.animated)
			if got != test.want || (err == nil) != test.ok {
				t.Errorf("the form is %v, %v", got, err)
			}
		})
	}
}

// TestSheetMoves: pets on the page of a sheet move, unless the viewer wants no motion.
func TestSheetMoves(t *testing.T) {
	p, err := Open(dragons(t), "../../examples/dragons/pack")
	if err != nil {
		t.Fatal(err)
	}
	page, err := Sheet{Pack: p, Scale: 1}.HTML()
	if err != nil {
		t.Fatal(err)
	}
	moving := func(tag string) (n int) {
		for _, part := range strings.Split(string(page), tag+`="data:image/png;base64,`)[1:] {
			text, _, _ := strings.Cut(part, `"`)
			data, err := base64.StdEncoding.DecodeString(html.UnescapeString(text))
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(data, []byte("acTL")) {
				n++
			}
		}
		return n
	}
	if n, calm := moving("src"), moving("srcset"); n == 0 || calm > 0 ||
		!bytes.Contains(page, []byte(`media="(prefers-reduced-motion)"`)) {
		t.Errorf("%d pictures move, %d where motion is not wanted", n, calm)
	}
}
