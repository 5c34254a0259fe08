package site_test

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

var update = flag.Bool("update", false, "make the font and the icons again")

// TestMadeAssets checks the assets that are made from others: the font of headings from its
// letters, and the large icons from the small one.
func TestMadeAssets(t *testing.T) {
	letters, err := os.ReadFile("testdata/font.txt")
	if err != nil {
		t.Fatal(err)
	}
	icon, err := os.ReadFile("assets/icon.png")
	if err != nil {
		t.Fatal(err)
	}
	for name, made := range map[string][]byte{
		"face.woff": woff(face(string(letters))), "icon-180.png": enlarged(t, icon, 180), "icon-192.png": enlarged(t, icon,
			192), "icon-512.png": enlarged(t, icon, 512),
	} {
		if *update {
			if err := os.WriteFile("assets/"+name, made, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile("assets/" + name); err != nil || !bytes.Equal(have, made) && !*update {
			t.Errorf("%s is not what go test -run MadeAssets -update makes: %v", name, err)
		}
	}
}

// enlarged puts the icon, with each pixel as a square, on a background.
func enlarged(t *testing.T, icon []byte, size int) []byte {
	small, err := png.Decode(bytes.NewReader(icon))
	if err != nil {
		t.Fatal(err)
	}
	wide := small.Bounds().Dx()
	scale := size * 4 / 5 / wide
	at := (size - scale*wide) / 2
	out := image.NewRGBA(image.Rect(0, 0, size, size))
	draw.Draw(out, out.Bounds(), image.NewUniform(color.RGBA{0xf4, 0xec, 0xd9, 0xff}), image.Point{}, draw.Src)
	for y := range wide {
		for x := range wide {
			c := image.NewUniform(small.At(small.Bounds().Min.X+x, small.Bounds().Min.Y+y))
			draw.Draw(out, image.Rect(at+x*scale, at+y*scale, at+(x+1)*scale, at+(y+1)*scale), c, image.Point{}, draw.Over)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, out); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A letter is a letter of the font, as rows of pixels.
type letter struct {
	code rune
	rows []string
}

const (
	unit   = 100  // font units per pixel
	bold   = 50   // additional width of strokes in font units, for headings
	em     = 1000 // ten pixels: at 20px, 30px … each of them is a whole number of screen pixels
	above  = 7    // rows above the baseline
	glyphs = 9    // rows of a letter
)

// rectangles cuts a letter into a few boxes: left, top, right and bottom in pixels.
func (l letter) rectangles() [][4]int {
	var out [][4]int
	for y, row := range l.rows {
		for x := 0; x < len(row); x++ {
			from := x
			for x < len(row) && row[x] == 'X' {
				x++
			}
			if x == from {
				continue
			}
			i := slices.IndexFunc(out, func(r [4]int) bool { return r[0] == from && r[2] == x && r[3] == y })
			if i >= 0 {
				out[i][3]++
			} else {
				out = append(out, [4]int{from, y, x, y + 1})
			}
		}
	}
	return out
}

// be appends numbers of 16 and 32 bits, and bytes.
func be(b []byte, values ...any) []byte {
	for _, v := range values {
		switch v := v.(type) {
		case int:
			b = binary.BigEndian.AppendUint16(b, uint16(v))
		case uint32:
			b = binary.BigEndian.AppendUint32(b, v)
		case string:
			b = append(b, v...)
		}
	}
	return b
}

func (l letter) outline() []byte {
	boxes := l.rectangles()
	if len(boxes) == 0 {
		return nil
	}
	var ends, flags, xs, ys []byte
	left, foot, right, top := 1<<15, 1<<15, -1<<15, -1<<15
	px, py := 0, 0
	for i, r := range boxes {
		x0, x1, y0, y1 := r[0]*unit, r[2]*unit+bold, (above-r[3])*unit, (above-r[1])*unit
		left, right, foot, top = min(left, x0), max(right, x1), min(foot, y0), max(top, y1)
		for _, p := range [][2]int{{x0, y0}, {x0, y1}, {x1, y1}, {x1, y0}} { // clockwise
			flags, xs, ys = append(flags, 1), be(xs, p[0]-px), be(ys, p[1]-py)
			px, py = p[0], p[1]
		}
		ends = be(ends, 4*i+3)
	}
	b := be(nil, len(boxes), left, foot, right, top)
	b = append(append(be(append(b, ends...), 0), flags...), append(xs, ys...)...)
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

// face makes the tables of a TrueType font.
func face(text string) map[string][]byte {
	list := []letter{{code: ' ', rows: []string{"..."}}}
	for lines := strings.Split(strings.TrimSpace(text), "\n"); len(lines) > glyphs; lines = lines[glyphs+1:] {
		for i, name := range strings.Fields(lines[0]) {
			l := letter{code: []rune(name)[0]}
			for _, line := range lines[1 : glyphs+1] {
				l.rows = append(l.rows, strings.Fields(line)[i])
			}
			list = append(list, l)
		}
	}
	slices.SortFunc(list, func(a, b letter) int { return cmp.Compare(a.code, b.code) })
	// for missing letters
	list = slices.Insert(list, 0, letter{rows: []string{"XXX", "X.X", "X.X", "X.X", "X.X", "X.X", "XXX"}})
	var glyf, loca, hmtx, starts, stops, deltas, ranges []byte
	widest, points := 0, 0
	loca = be(loca, uint32(0))
	for i, l := range list {
		glyf = append(glyf, l.outline()...)
		loca = be(loca, uint32(len(glyf)))
		wide := (len(l.rows[0])+1)*unit + bold
		widest, points = max(widest, wide), max(points, len(l.rectangles()))
		hmtx = be(hmtx, wide, 0)
		if i > 0 {
			starts, stops, deltas, ranges = be(starts, int(l.code)), be(stops, int(l.code)), be(deltas, i-int(l.code)),
				be(ranges, 0)
		}
	}
	n := len(list)
	segments, search, log := n, 1, 0 // sizes in the table cmap; its last segment is empty
	for 2*search <= segments {
		search, log = 2*search, log+1
	}
	cmap := be(nil, 0, 1, 3, 1, uint32(12), 4, 16+8*segments, 0, 2*segments, 2*search, log, 2*(segments-search))
	cmap = be(append(cmap, stops...), 0xffff, 0)
	cmap = be(append(cmap, starts...), 0xffff)
	cmap = be(append(cmap, deltas...), 1)
	cmap = be(append(cmap, ranges...), 0)
	return map[string][]byte{
		"cmap": cmap, "glyf": glyf, "hmtx": hmtx, "loca": loca, "name": names(),
		"head": be(nil, uint32(0x10000), uint32(0x10000), uint32(0), uint32(0x5F0F3CF5), 3, em, uint32(0), uint32(0),
			uint32(0), uint32(0), 0, -2*unit, 8*unit, above*unit, 1, 10, 2, 1, 0),
		"hhea": be(nil, uint32(0x10000), 8*unit, -2*unit, 0, widest, 0, 0, 8*unit, 1, 0, 0, 0, 0, 0, 0, 0, n),
		"maxp": be(nil, uint32(0x10000), n, 4*points, points, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0),
		"post": be(nil, uint32(0x30000), uint32(0), -unit, unit/2, uint32(0), uint32(0), uint32(0), uint32(0), uint32(0)),
		"OS/2": be(nil, 4, 6*unit, 700, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0,
			"\x02\x00\x05\x03\x00\x00\x00\x00\x00\x00", uint32(1), uint32(0), uint32(0), uint32(0), "PETS", 0x20, 32, 0x2606,
			8*unit, -2*unit, 0, 8*unit, 2*unit, uint32(1), uint32(0), 5*unit, above*unit, 0, 32, 1),
	}
}

// names returns the table with the names of the font.
func names() []byte {
	var records, text []byte
	said := map[int]string{1: "Petsupply Pixel", 2: "Bold", 3: "Petsupply Pixel 1", 4: "Petsupply Pixel",
		5: "Version 1.0", 6: "PetsupplyPixel"}
	for id := 1; id <= 6; id++ {
		at := len(text)
		for _, u := range utf16.Encode([]rune(said[id])) {
			text = be(text, int(u))
		}
		records = be(records, 3, 1, 0x409, id, len(text)-at, at)
	}
	return append(append(be(nil, 0, 6, 6+len(records)), records...), text...)
}

func checksum(b []byte) (sum uint32) {
	for i := 0; i < len(b); i += 4 {
		var word [4]byte
		copy(word[:], b[i:])
		sum += binary.BigEndian.Uint32(word[:])
	}
	return sum
}

// woff packs tables as a web font.
func woff(tables map[string][]byte) []byte {
	var tags []string
	for tag := range tables {
		tags = append(tags, tag)
	}
	slices.Sort(tags)
	var directory, body []byte
	start, whole := 44+20*len(tags), 12+16*len(tags)
	for _, tag := range tags {
		data := tables[tag]
		var packed bytes.Buffer
		z, _ := zlib.NewWriterLevel(&packed, zlib.BestCompression)
		_, _ = z.Write(data)
		_ = z.Close()
		kept := packed.Bytes()
		if len(kept) >= len(data) {
			kept = data
		}
		directory = be(directory, tag, uint32(start+len(body)), uint32(len(kept)), uint32(len(data)), checksum(data))
		body = append(body, kept...)
		for len(body)%4 != 0 {
			body = append(body, 0)
		}
		whole += (len(data) + 3) / 4 * 4
	}
	b := be(nil, "wOFF", uint32(0x10000), uint32(start+len(body)), len(tags), 0, uint32(whole), 1, 0, uint32(0),
		uint32(0), uint32(0), uint32(0), uint32(0))
	return append(append(b, directory...), body...)
}
