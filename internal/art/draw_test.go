package art

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"image"
	"image/color"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "write the golden pictures again")

// differs returns how far apart two pictures are, as the largest difference of
// any channel of any pixel.
func differs(a, b image.Image) int {
	if a.Bounds() != b.Bounds() {
		return 1 << 20
	}
	worst := 0
	other := pixels(b)
	for i, p := range pixels(a) {
		q := other[i]
		if p == q {
			continue
		}
		for _, d := range []int{int(p.R) - int(q.R), int(p.G) - int(q.G), int(p.B) - int(q.B), int(p.A) - int(q.A)} {
			worst = max(worst, d, -d)
		}
	}
	return worst
}

// TestPixels compares pictures with what the standard library composes from the same files, for
// known and unknown looks, every view and every scale.
func TestPixels(t *testing.T) {
	for _, test := range []struct {
		name  string
		pack  *Pack
		tree  fs.FS
		looks int
		slack int // the standard library rounds soft alpha differently
	}{
		{"embedded", checked(t), meadow(t), 100, 0},
		{"starter", open(t, small(t)), small(t), 60, 0},
		{"colourful", open(t, colourful(t)), colourful(t), 20, 0},
		{"soft", open(t, soft(t)), soft(t), 40, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := test.pack
			n := newNaive(t, test.tree)
			r := newRand()
			for i := range test.looks {
				l := anyLook(r, p)
				v := View{Frame: i&1 == 0, Background: i&2 == 0, Scale: 1 + i%4}
				if i < 24 {
					v.Scale = 1 + i/2
				}
				got := shrink(t, decodePNG(t, p.Draw(l, v)), v.Scale)
				if d := differs(got, n.draw(t, p, l, v)); d > test.slack {
					t.Errorf("%v %+v differs by %d", p.describe(l), v, d)
				}
			}
		})
	}
}

// meadow returns the files of the embedded pack.
func meadow(t testing.TB) fs.FS {
	t.Helper()
	tree, _, err := openSource(embeddedName)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestPublishedPictures checks the versions and pixels of the embedded pack's pictures, so that
// published links and ETags stay valid. Of some looks it checks every frame.
func TestPublishedPictures(t *testing.T) {
	p := embedded(t)
	var b strings.Builder
	sum := func(png []byte) string {
		h := sha256.New()
		for _, c := range pixels(decodePNG(t, png)) {
			h.Write([]byte{c.R, c.G, c.B, c.A})
		}
		return fmt.Sprintf("%x", h.Sum(nil))
	}
	for i := range 60 {
		n := uint64(i)
		traits := at{"egg": n % 6, "appearance": n * 7 % 26, "rarity": n % 5, "element": n % 9, "background": n % 12}
		if i%4 == 0 {
			traits["shiny"] = 1
		}
		l := p.Look(traits)
		v := View{Frame: i%2 == 0, Background: i%3 > 0, Scale: 1 + i%5, Form: Form(i % 2)}
		fmt.Fprintf(&b, "%v\t%s\t%s\n", traits, p.Key(l, v), sum(p.Draw(l, v)))
		if i%15 > 0 {
			continue
		}
		for frame := range p.m.Delays {
			fmt.Fprintf(&b, "%v\t%d\t%s\n", traits, frame, sum(p.drawFrame(l, v, frame)))
		}
	}
	const name = "testdata/meadow.tsv"
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil || b.String() != string(want) {
		t.Errorf("versions or pictures changed (%v); a changed pack needs a new version, and then -update here", err)
	}
}

// TestPetsAlone: every pixel of the default pack is opaque or fully transparent, and a pet without
// frame and background covers a fair part of the picture.
func TestPetsAlone(t *testing.T) {
	p, r := embedded(t), newRand()
	for range 60 {
		l := anyLook(r, p)
		shown := 0
		for _, c := range pixels(decodePNG(t, p.Draw(l, View{Scale: 1}))) {
			if c.A != 0 && c.A != 255 {
				t.Fatalf("%v: alpha %d", p.describe(l), c.A)
			}
			shown += int(c.A / 255)
		}
		if share := shown * 100 / (p.grid * p.grid); share < 5 || share > 60 {
			t.Errorf("%v: the pet alone covers %d %% of the picture", p.describe(l), share)
		}
	}
}

// TestDrawIsPure: the embedded pack, which unpacks its layers at the first picture, draws for many
// callers at once what a pack draws that was checked when it was opened.
func TestDrawIsPure(t *testing.T) {
	p, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	if len(p.index) > 0 {
		t.Error("the layers are unpacked before anything is drawn")
	}
	other := checked(t)
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			r := newRand()
			for range 100 {
				l := anyLook(r, p)
				v := View{Frame: n&1 == 0, Background: n&2 == 0, Scale: 1 + n}
				if !bytes.Equal(p.Draw(l, v), other.Draw(l, v)) {
					t.Errorf("%v %+v: two packs of the same files draw it differently", p.describe(l), v)
				}
			}
		})
	}
	all.Wait()
}

// TestSizes: pictures have at most 4,750 bytes on average in the usual size, and 100 kB in the largest.
func TestSizes(t *testing.T) {
	const looks = 100
	p := embedded(t)
	r := newRand()
	sum := 0
	for range looks {
		sum += len(p.Draw(anyLook(r, p), Whole))
	}
	large := Whole
	large.Scale = p.MaxScale()
	largest := len(p.Draw(p.Look(at{"appearance": 3, "background": 6, "rarity": 4}), large))
	t.Logf("%d bytes on average, %d in the largest size", sum/looks, largest)
	if sum/looks > 4750 || largest > 100_000 {
		t.Errorf("%d bytes on average, want at most 4750; %d in the largest size, want at most 100000",
			sum/looks, largest)
	}
}

func TestOver(t *testing.T) {
	for _, test := range []struct{ top, under, want color.NRGBA }{
		{color.NRGBA{1, 2, 3, 255}, color.NRGBA{9, 9, 9, 255}, color.NRGBA{1, 2, 3, 255}},
		{color.NRGBA{}, color.NRGBA{9, 8, 7, 99}, color.NRGBA{9, 8, 7, 99}},
		{color.NRGBA{200, 0, 0, 128}, color.NRGBA{}, color.NRGBA{200, 0, 0, 128}},
		{color.NRGBA{255, 0, 0, 128}, color.NRGBA{0, 0, 255, 255}, color.NRGBA{128, 0, 127, 255}},
		{color.NRGBA{255, 0, 0, 128}, color.NRGBA{0, 0, 255, 128}, color.NRGBA{170, 0, 85, 192}},
	} {
		t.Run(fmt.Sprintf("%v over %v", test.top, test.under), func(t *testing.T) {
			if got := over(test.top, test.under); got != test.want {
				t.Errorf("%v, not %v", got, test.want)
			}
		})
	}
}
