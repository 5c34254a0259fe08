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
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"petsupply/testkit/process"
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
			for i := range sample(test.looks) {
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

// little is a small pack of real layers for the golden pictures. It never changes.
func little(t testing.TB) *Pack {
	t.Helper()
	p, err := Open(pets(), "testdata/little")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestGolden compares every pixel, so that no machine and no change of the code draws a picture
// differently.
func TestGolden(t *testing.T) {
	p := little(t)
	for i, traits := range []at{
		{},
		{"appearance": 1, "rarity": 1, "element": 1, "background": 1},
		{"appearance": 2, "rarity": 4, "element": 5, "shiny": 1},
		{"appearance": 1, "rarity": 3, "element": 4, "background": 1, "shiny": 1},
		{"egg": 200, "appearance": 40000, "rarity": 99, "element": 77, "background": 255},
	} {
		l := p.Look(traits)
		for view := range 4 {
			v := View{Frame: view&1 == 0, Background: view&2 == 0, Scale: 1 + 3*(i%2)}
			name := filepath.Join("testdata", "golden", fmt.Sprintf("%d-%s.png", i, p.Key(l, v)[2*versionBytes+1:]))
			got := p.Draw(l, v)
			if *update {
				if err := os.WriteFile(name, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if d := differs(decodePNG(t, got), decodePNG(t, want)); d > 0 {
				t.Errorf("%s: pixels differ by %d", name, d)
			}
		}
	}
}

// TestPublishedPictures checks the versions and pixels of the embedded pack's pictures, so that
// published links and ETags stay valid.
func TestPublishedPictures(t *testing.T) {
	p := embedded(t)
	var b strings.Builder
	for i := range 60 {
		n := uint64(i)
		traits := at{"egg": n % 6, "appearance": n * 7 % 26, "rarity": n % 5, "element": n % 9, "background": n % 12}
		if i%4 == 0 {
			traits["shiny"] = 1
		}
		l := p.Look(traits)
		v := View{Frame: i%2 == 0, Background: i%3 > 0, Scale: 1 + i%5, Form: Form(i % 2)}
		h := sha256.New()
		for _, c := range pixels(decodePNG(t, p.Draw(l, v))) {
			h.Write([]byte{c.R, c.G, c.B, c.A})
		}
		fmt.Fprintf(&b, "%v\t%s\t%x\n", traits, p.Key(l, v), h.Sum(nil))
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

// TestSwitches checks pictures without frame or background. Without background every pixel is fully
// transparent, except those of pet and frame. Every pixel of the default pack is opaque or fully
// transparent.
func TestSwitches(t *testing.T) {
	p, r := embedded(t), newRand()
	for range sample(60) {
		l := anyLook(r, p)
		whole := pixels(decodePNG(t, p.Draw(l, View{Frame: true, Background: true, Scale: 1})))
		scene := pixels(decodePNG(t, p.Draw(l, View{Background: true, Scale: 1})))
		framed := pixels(decodePNG(t, p.Draw(l, View{Frame: true, Scale: 1})))
		bare := pixels(decodePNG(t, p.Draw(l, View{Scale: 1})))
		shown := 0
		for y := range p.grid {
			for x := range p.grid {
				i := y*p.grid + x
				w, s, f, b := whole[i], scene[i], framed[i], bare[i]
				for _, c := range [...]color.NRGBA{w, s, f, b} {
					if c.A != 0 && c.A != 255 {
						t.Fatalf("%v: alpha %d at %d,%d", p.describe(l), c.A, x, y)
					}
				}
				if b.A != 0 {
					shown++
				}
				switch {
				case b.A == 0 && f.A != 0 && f != w: // only the frame shows there
					t.Fatalf("%v: %d,%d is neither pet nor frame and shows without background", p.describe(l), x, y)
				case b.A != 0 && f.A == 0, s.A == 0 && w.A != 0 && f.A == 0, b.A != 0 && s.A == 0:
					t.Fatalf("%v: %d,%d: leaving frame or background out uncovers nothing", p.describe(l), x, y)
				}
			}
		}
		if share := shown * 100 / (p.grid * p.grid); share < 5 || share > 60 {
			t.Errorf("%v: the pet alone covers %d %% of the picture", p.describe(l), share)
		}
	}
}

func TestDrawIsPure(t *testing.T) {
	p := embedded(t)
	other := checked(t)
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			r := newRand()
			for range sample(100) {
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
		t.Errorf("%d bytes on average, want at most 4750; %d in the largest size, want at most 100000", sum/looks, largest)
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

func BenchmarkDraw(b *testing.B) {
	p, r := embedded(b), newRand()
	looks := make([]Look, 512)
	size := 0
	for i := range looks {
		looks[i] = anyLook(r, p)
		size += len(p.Draw(looks[i], Whole))
	}
	b.ReportAllocs()
	before := process.OwnTime(b)
	for i := 0; b.Loop(); i++ {
		p.Draw(looks[i%len(looks)], Whole)
	}
	b.ReportMetric(float64(process.OwnTime(b)-before)/float64(b.N), "cpu-ns/op")
	b.ReportMetric(float64(size)/float64(len(looks)), "bytes/picture")
}

func BenchmarkKey(b *testing.B) {
	p := embedded(b)
	l := p.Look(at{"egg": 3, "appearance": 7})
	for b.Loop() {
		p.Key(l, Whole)
	}
}

func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		open(b, meadow(b))
	}
}
