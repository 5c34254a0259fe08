package gridpng

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/zlib"
)

// scribble returns a picture with runs, repeated stretches and noise.
func scribble(r *rand.Rand, size, scale, colours int) Picture {
	p := Picture{Size: size, Scale: scale, Pixels: make([]uint8, size*size), Text: AppendText(nil, "Copyright", "CC0-1.0")}
	for i := range colours {
		p.Palette = append(p.Palette, color.NRGBA{uint8(i), uint8(r.Uint32()), uint8(r.Uint32()), 255})
	}
	p.Palette[r.IntN(colours)].A = 0
	for i := 0; i < len(p.Pixels); {
		n := min(1+r.IntN(12), len(p.Pixels)-i)
		from := r.IntN(i + 1)
		for k := range n {
			p.Pixels[i+k] = p.Pixels[max(i-size, 0)+k]
			switch r.IntN(4) {
			case 0:
				p.Pixels[i+k] = p.Pixels[from]
			case 1:
				p.Pixels[i+k] = uint8(r.IntN(colours))
			}
		}
		i += n
	}
	return p
}

// TestAppend decodes pictures of many sizes with the standard library.
func TestAppend(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var e Encoder
	for _, size := range []int{1, 2, 7, 8, 9, 64, byteSize, byteSize + 1, maxSize} {
		for _, scale := range []int{1, 2, 3} {
			for _, colours := range []int{1, 17, 256} {
				if size >= byteSize && scale+colours != 2+17 {
					continue // one of the largest is enough
				}
				p := scribble(r, size, scale, colours)
				full := make([]color.NRGBA, len(p.Pixels))
				for i, c := range p.Pixels {
					full[i] = p.Palette[c]
				}
				compare(t, e.Append(nil, p), full, size, scale)
				compare(t, e.AppendRGBA(nil, full, size, scale, p.Text), full, size, scale)
			}
		}
	}
	p := scribble(r, 8, maxScale, 9)
	if img, err := png.Decode(bytes.NewReader(e.Append(nil, p))); err != nil || img.Bounds().Dx() != 8*maxScale {
		t.Errorf("at the largest scale: %v", err)
	}
}

// A large picture has the same bytes whatever the encoder encoded before it. Encoders are reused.
func TestAnEncoderKeepsNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	small, large := scribble(r, 20, 1, 17), scribble(r, byteSize+1, 1, 17)
	var fresh, used Encoder
	used.Append(nil, small)
	if !bytes.Equal(used.Append(nil, large), fresh.Append(nil, large)) {
		t.Error("the bytes depend on the picture before")
	}
}

// compare checks the corners of every block.
func compare(t *testing.T, data []byte, want []color.NRGBA, size, scale int) {
	t.Helper()
	if err := Check(data); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dx() != size*scale || b.Dy() != size*scale {
		t.Fatalf("bounds %v of a grid of %d, scaled by %d", b, size, scale)
	}
	for i, c := range want {
		for _, corner := range []int{0, scale - 1} {
			x, y := i%size*scale+corner, i/size*scale+corner
			if got := color.NRGBAModel.Convert(img.At(x, y)); got != c {
				t.Fatalf("%d,%d is %v, not %v", x, y, got, c)
			}
		}
	}
}

// TestBytes compares every byte. The ETag of a picture depends on its input and not on its bytes,
// so a change of the bytes must be noticed.
func TestBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var e Encoder
	var all []byte
	for scale := 1; scale <= 12; scale++ {
		p := scribble(r, 90, scale, 20*scale)
		all = e.Append(all, p)
	}
	const want = "97f57423f4d96798cbf84ed94c847440265887c41a3d92c0c508b23c59aec269"
	if got := fmt.Sprintf("%x", sha256.Sum256(all)); got != want {
		t.Errorf("other bytes than before: %s", got)
	}
}

func TestCheck(t *testing.T) {
	whole := new(Encoder).Append(nil, scribble(rand.New(rand.NewPCG(5, 6)), 20, 2, 9))
	if err := Check(whole); err != nil {
		t.Error(err)
	}
	for name, damaged := range map[string][]byte{
		"nothing":   nil,
		"signature": whole[:8],
		"half":      whole[:len(whole)/2],
		"more":      append(bytes.Clone(whole), 0),
		"no PNG":    []byte("<html>"),
		"bit":       bytes.Replace(whole, []byte("IDAT"), []byte("IDAX"), 1),
	} {
		t.Run(name, func(t *testing.T) {
			if Check(damaged) == nil {
				t.Error("accepted as a complete picture")
			}
		})
	}
}

func ExampleEncoder() {
	var e Encoder
	png := e.Append(nil, Picture{
		Size: 2, Scale: 4,
		Pixels:  []uint8{0, 1, 1, 0},
		Palette: []color.NRGBA{{0xf6, 0xf3, 0xec, 0xff}, {0x2b, 0x26, 0x22, 0xff}},
		Text:    AppendText(nil, "Copyright", "CC0-1.0"),
	})
	fmt.Println(len(png), "bytes, whole:", Check(png) == nil)
	// Output: 131 bytes, whole: true
}

func BenchmarkAppend(b *testing.B) {
	p := scribble(rand.New(rand.NewPCG(7, 8)), 90, 4, 64)
	var e Encoder
	var out []byte
	b.ReportAllocs()
	for b.Loop() {
		out = e.Append(out[:0], p)
	}
}

// FuzzDeflate: any pixels in any size decode to the same pixels, scaled.
func FuzzDeflate(f *testing.F) {
	f.Add([]byte("aaaabbbbaaaabbbbcdcdcdcdaaaabbbb"), uint8(15), uint8(3))
	f.Add(bytes.Repeat([]byte{1, 2, 3, 1, 2}, 400), uint8(97), uint8(0))
	f.Add(bytes.Repeat([]byte{0}, 100), uint8(17), uint8(11))
	f.Add(bytes.Repeat([]byte("abcdefgh"), 99), uint8(40), uint8(1))
	f.Add(bytes.Repeat([]byte("the same again, "), 5000), uint8(254), uint8(2)) // the largest grid
	f.Fuzz(func(t *testing.T, data []byte, size, scale uint8) {
		n := 1 + int(size)%byteSize
		s := 1 + int(scale)%min(maxScale, 3060/n)
		pixels := make([]uint8, n*n)
		for i := range pixels {
			if len(data) > 0 {
				pixels[i] = data[i%len(data)]
			}
		}
		b := &bitmap{}
		b.set(pixels, n, n, s)
		var place [256]uint8
		for i := range place {
			place[i] = uint8(i) ^ 0x55
		}
		var d deflater
		d.parse(b)
		out := append([]byte{0x78, 0xda}, d.block(nil, &place, 256)...)
		sum := checksum(d.rows, &place, b)
		out = append(out, byte(sum>>24), byte(sum>>16), byte(sum>>8), byte(sum))
		r, err := zlib.NewReader(bytes.NewReader(out))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r) // the checksum is compared at the end
		if err != nil {
			t.Fatal(err)
		}
		if want := n * s * b.stride(); len(got) != want || d.sent != want {
			t.Fatalf("%d bytes, %d by the tokens, not %d", len(got), d.sent, want)
		}
		for i, c := range got {
			y, x := i/b.stride()/s, i%b.stride()-1
			if x < 0 && c != 0 || x >= 0 && c != place[pixels[y*n+x/s]] {
				t.Fatalf("byte %d is %d", i, c)
			}
		}
	})
}

// TestHuffman checks the limit of code lengths: with weights like Fibonacci numbers an unlimited
// code would be far too long.
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
