package art

import (
	"bytes"
	"image"
	"io"
	"maps"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/zlib"
)

// FuzzManifest: whatever stands in pack.json, a pack opens or is refused, and
// one that opens can draw.
func FuzzManifest(f *testing.F) {
	tree := draft(f)
	f.Add(tree[manifestFile].Data)
	f.Add([]byte(`{"format":"petpack/1","id":"a","version":"1","name":"","grid":8,"scale":1,"licence":"x","credits":[],"slots":[{"name":"a"}],"assets":[{"slot":"a","file":""}]}`))
	f.Add([]byte(`{"slots":[{"name":"a","by":["egg","appearance"]}],"assets":[{"slot":"a","file":"","when":{"appearance":[65535]}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parseManifest(data)
		if err != nil {
			return
		}
		again, err := encodeManifest(m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parseManifest(again); err != nil {
			t.Fatalf("a manifest that was read is refused when written: %v", err)
		}
		spoilt := maps.Clone(tree)
		spoilt[manifestFile] = &fstest.MapFile{Data: data}
		p, err := OpenFS(spoilt, "fuzz")
		if err != nil {
			return
		}
		for _, l := range []Look{{}, {Egg: 255, Rarity: 255, Element: 255, Background: 255, Appearance: 65535, Shiny: true}} {
			img := decodePNG(t, p.Draw(l, View{Frame: true, Background: true, Scale: 1}))
			if img.Bounds().Dx() != p.grid {
				t.Fatalf("a picture of %v", img.Bounds())
			}
		}
	})
}

// FuzzLayer: whatever stands in a layer's file, it is refused or shows exactly
// the pixels that the standard library reads from it.
func FuzzLayer(f *testing.F) {
	for _, file := range draft(f) {
		f.Add(file.Data)
	}
	f.Add(encodePNG(f, image.NewGray16(image.Rect(0, 0, 3, 5))))
	f.Add(encodePNG(f, image.NewNRGBA64(image.Rect(0, 0, 7, 2))))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := decodeLayer(data, 90)
		if err != nil {
			return
		}
		img := decodePNG(t, data)
		canvas := make([]rgba, 90*90)
		blend(canvas, 90, l, l.x, l.y)
		for y := range 90 {
			for x := range 90 {
				want := rgba(0)
				if image.Pt(x, y).In(img.Bounds()) {
					want = packColour(img.At(x, y))
				}
				if canvas[y*90+x] != want {
					t.Fatalf("%08x at %d,%d, not %08x", canvas[y*90+x], x, y, want)
				}
			}
		}
	})
}

// FuzzDeflate: any pixels in any size come back as they were, scaled.
func FuzzDeflate(f *testing.F) {
	f.Add([]byte("aaaabbbbaaaabbbbcdcdcdcdaaaabbbb"), uint8(8), uint8(4))
	f.Add(bytes.Repeat([]byte{1, 2, 3, 1, 2}, 400), uint8(90), uint8(1))
	f.Add(bytes.Repeat([]byte{0}, 100), uint8(10), uint8(12))
	f.Add(bytes.Repeat([]byte("abcdefgh"), 99), uint8(33), uint8(2))
	f.Add(bytes.Repeat([]byte("the same again, "), 5000), uint8(247), uint8(3)) // the largest grid
	f.Fuzz(func(t *testing.T, data []byte, size, scale uint8) {
		grid, s := 8+int(size)%(maxGrid-7), 1+int(scale)%maxScale
		sheet := &sheet{make([]uint8, grid*grid+slack), grid, s}
		for i := range grid * grid {
			if len(data) > 0 {
				sheet.pixels[i] = data[i%len(data)]
			}
		}
		var place [256]uint8
		for i := range place {
			place[i] = uint8(i) ^ 0x55
		}
		var d deflater
		d.parse(sheet)
		out := append([]byte{0x78, 0xda}, d.block(nil, &place, 256)...)
		sum := checksum(d.rows, &place, sheet)
		out = append(out, byte(sum>>24), byte(sum>>16), byte(sum>>8), byte(sum))
		r, err := zlib.NewReader(bytes.NewReader(out))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r) // the checksum is compared at the end
		if err != nil {
			t.Fatal(err)
		}
		if want := grid * s * sheet.stride(); len(got) != want || d.sent != want {
			t.Fatalf("%d bytes, %d by the tokens, not %d", len(got), d.sent, want)
		}
		for i, c := range got {
			y, x := i/sheet.stride()/s, i%sheet.stride()-1
			if x < 0 && c != 0 || x >= 0 && c != place[sheet.pixels[y*grid+x/s]] {
				t.Fatalf("byte %d is %d", i, c)
			}
		}
	})
}

func FuzzParseSize(f *testing.F) {
	p := open(f, draft(f))
	for _, s := range []string{"90", "360", "1080", "0", "-90", "٩٠", "1e2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		scale, err := p.ParseSize(s)
		if err == nil && (scale < 1 || scale > maxScale || len(s) > 4) {
			t.Fatalf("%q is taken for scale %d", s, scale)
		}
		if view := (View{Scale: len(s) - 3}); p.scaleOf(view) < 1 || p.scaleOf(view) > maxScale {
			t.Fatalf("scale %d draws at %d", view.Scale, p.scaleOf(view))
		}
	})
}

// TestHuffman holds codes to their limit: with weights like Fibonacci's numbers
// an unlimited code would be far too long.
func TestHuffman(t *testing.T) {
	for _, limit := range []int{7, 15} {
		counts := make([]uint32, 19)
		a, b := uint32(1), uint32(1)
		for i := range counts {
			counts[i] = a
			a, b = b, a+b
		}
		var h coder
		lengths := make([]uint8, len(counts))
		h.lengths(counts, limit, lengths)
		full := 0
		for i, l := range lengths {
			if l < 1 || int(l) > limit {
				t.Errorf("symbol %d has length %d", i, l)
			}
			if i > 0 && lengths[i-1] < l {
				t.Errorf("the rarer symbol %d has the shorter code", i-1)
			}
			full += 1 << (limit - int(l))
		}
		if full != 1<<limit {
			t.Errorf("limit %d: the lengths fill %d of %d codes", limit, full, 1<<limit)
		}
	}
}
