package packs

import (
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"math"
	"strings"
	"testing"
)

// rarities are the rarities of pets, from the most frequent to the rarest.
var rarities = []string{"common", "uncommon", "rare", "legendary", "mythic"}

// decode reads a picture of the default pack.
func decode(t *testing.T, file string) image.Image {
	t.Helper()
	f, err := Files.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return img
}

// names returns the files of the default pack that match a pattern.
func names(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := fs.Glob(Files, "meadow/"+pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files match %s (%v)", len(files), pattern, err)
	}
	return files
}

func covered(img image.Image, x, y int) bool {
	_, _, _, alpha := img.At(x, y).RGBA()
	return alpha > 0
}

// TestCreaturesKeepTheirDistance: at rest no creature comes nearer to the edge than the frame.
func TestCreaturesKeepTheirDistance(t *testing.T) {
	const margin = 8
	for _, file := range names(t, "pet/*-[1-9]*.png") {
		img := decode(t, file)
		for y := range grid {
			for x := range grid {
				inside := x >= margin && y >= margin && x < grid-margin && y < grid-margin
				if !inside && covered(img, x, y) {
					t.Fatalf("%s: pixel %d,%d is within %d of the edge", file, x, y, margin)
				}
			}
		}
	}
}

// TestShinyPets: a shiny pet has the outline of the plain one in every drawing, and other colours.
func TestShinyPets(t *testing.T) {
	for _, file := range names(t, "pet/*@shiny*.png") {
		shiny := decode(t, file)
		plain := decode(t, strings.Replace(file, "@shiny", "", 1))
		if shiny.Bounds() != plain.Bounds() {
			t.Fatalf("%s: %v, and %v if it is plain", file, shiny.Bounds(), plain.Bounds())
		}
		same := true
		for y := range plain.Bounds().Dy() {
			for x := range plain.Bounds().Dx() {
				if covered(shiny, x, y) != covered(plain, x, y) {
					t.Fatalf("%s: only one of shiny and plain covers %d,%d", file, x, y)
				}
				same = same && rgba(shiny.At(x, y)) == rgba(plain.At(x, y))
			}
		}
		if same {
			t.Errorf("%s looks like the plain pet", file)
		}
	}
}

func rgba(c color.Color) color.RGBA { return color.RGBAModel.Convert(c).(color.RGBA) }

// TestFrames: a frame covers the edge of every scene and leaves the picture free. No upper corner
// hides a pet, because ornaments are behind it. A frame has other colours than that of the next rarity.
func TestFrames(t *testing.T) {
	const margin = 8
	scene := decode(t, names(t, "scene/*-back*.png")[0])
	for i, rarity := range rarities {
		frame := decode(t, "meadow/frame/"+rarity+".png")
		for y := 1; y < grid-1; y++ {
			for x := 1; x < grid-1; x++ {
				edge := covered(scene, x, y) && !(covered(scene, x-1, y) && covered(scene, x+1, y) &&
					covered(scene, x, y-1) && covered(scene, x, y+1))
				if edge && !covered(frame, x, y) {
					t.Errorf("the %s frame leaves the edge of the scene bare at %d,%d", rarity, x, y)
				}
				picture := x >= margin && x < grid-margin && y >= margin && y < grid/2
				if picture && covered(frame, x, y) {
					t.Errorf("the %s frame hides a pet at %d,%d", rarity, x, y)
				}
			}
		}
		if i == 0 {
			continue
		}
		if d := apart(frame, decode(t, "meadow/frame/"+rarities[i-1]+".png")); d < 60 {
			t.Errorf("the %s frame and the one before it differ by %.0f in colour, want at least 60", rarity, d)
		}
	}
}

// TestEggs: the five eggs have five outlines and five colours.
func TestEggs(t *testing.T) {
	eggs := names(t, "pet/*-0.strip3.png")
	if len(eggs) != 5 {
		t.Fatalf("%d eggs, want 5", len(eggs))
	}
	for i, a := range eggs {
		for _, b := range eggs[:i] {
			outline := read(t, a)
			if common := outline.common(read(t, b)); common > 0.92 {
				t.Errorf("%s and %s have %.1f %% of their outlines in common, want at most 92 %%", a, b, 100*common)
			}
			if d := apart(decode(t, a), decode(t, b)); d < 40 {
				t.Errorf("%s and %s differ by %.0f in colour, want at least 40", a, b, d)
			}
		}
	}
}

// apart returns how far the mean colours of two pictures are from each other. Black and white are
// 442 apart.
func apart(a, b image.Image) float64 {
	x, y := mean(a), mean(b)
	return math.Sqrt((x[0]-y[0])*(x[0]-y[0]) + (x[1]-y[1])*(x[1]-y[1]) + (x[2]-y[2])*(x[2]-y[2]))
}

// mean returns the mean red, green and blue of the visible pixels of a picture.
func mean(img image.Image) (sum [3]float64) {
	n := 0.0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if !covered(img, x, y) {
				continue
			}
			c := rgba(img.At(x, y))
			sum[0] += float64(c.R)
			sum[1] += float64(c.G)
			sum[2] += float64(c.B)
			n++
		}
	}
	return [3]float64{sum[0] / n, sum[1] / n, sum[2] / n}
}

// TestNames: every creature has a name of its own, and every family three looks and a lore.
func TestNames(t *testing.T) {
	var words struct {
		Families    map[string]struct{ Name, Lore string }
		Appearances map[string]map[string]struct{ Name, Family string }
	}
	data, err := Files.ReadFile("meadow/dictionary.json")
	if err == nil {
		err = json.Unmarshal(data, &words)
	}
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	looks := map[string]int{}
	for _, nest := range words.Appearances {
		for n, creature := range nest {
			if creature.Name == "" || seen[creature.Name] {
				t.Errorf("creature %s is called %q: empty or used before", n, creature.Name)
			}
			seen[creature.Name] = true
			looks[creature.Family]++
		}
	}
	for key, family := range words.Families {
		if len(family.Lore) < 80 || family.Name == "" || looks[key] != 3 {
			t.Errorf("family %s: name %q, lore of %d bytes, %d looks", key, family.Name, len(family.Lore), looks[key])
		}
	}
	if len(words.Families) != 40 {
		t.Errorf("%d families, want 40", len(words.Families))
	}
}
