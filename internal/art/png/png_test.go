package png

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"
)

// scribble returns a picture with runs, repeated stretches and noise.
func scribble(r *rand.Rand, size, scale, colours int) Picture {
	p := Picture{Size: size, Scale: scale, Pixels: make([]uint8, size*size),
		Text: AppendText(nil, "Copyright", "CC0-1.0")}
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
	for _, size := range []int{1, 2, 7, 90, 255, 512} {
		for _, scale := range []int{1, 2, 3, 64} {
			for _, colours := range []int{1, 17, 256} {
				if size*scale > 1000 {
					continue
				}
				p := scribble(r, size, scale, colours)
				full := make([]color.NRGBA, len(p.Pixels))
				for i, c := range p.Pixels {
					full[i] = p.Palette[c]
				}
				compare(t, e.Append(nil, p), full, size, scale)
				compare(t, e.Append(nil, Picture{Size: size, Scale: scale, Colours: full}), full, size, scale)
			}
		}
	}
}

// TestAnEncoderKeepsNothing: a picture has the same bytes whatever the encoder encoded before it,
// because encoders are used again.
func TestAnEncoderKeepsNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	small := scribble(r, 20, 1, 17)
	large := scribble(r, 90, 4, 17)
	var fresh, used Encoder
	used.Append(nil, large)
	used.Append(nil, small)
	if !bytes.Equal(used.Append(nil, large), fresh.Append(nil, large)) {
		t.Error("the bytes depend on the picture before")
	}
}

// compare checks the corners of every block.
func compare(t *testing.T, data []byte, want []color.NRGBA, size, scale int) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dx() != size*scale || b.Dy() != size*scale {
		t.Fatalf("bounds %v of a grid of %d, scaled by %d", b, size, scale)
	}
	for i, c := range want {
		for _, corner := range []int{0, scale - 1} {
			x := i%size*scale + corner
			y := i/size*scale + corner
			if got := color.NRGBAModel.Convert(img.At(x, y)); got != c {
				t.Fatalf("%d,%d is %v, not %v", x, y, got, c)
			}
		}
	}
}

func ExampleEncoder() {
	var e Encoder
	picture := e.Append(nil, Picture{
		Size: 2, Scale: 4,
		Pixels:  []uint8{0, 1, 1, 0},
		Palette: []color.NRGBA{{0xf6, 0xf3, 0xec, 0xff}, {0x2b, 0x26, 0x22, 0xff}},
		Text:    AppendText(nil, "Copyright", "CC0-1.0"),
	})
	img, err := png.Decode(bytes.NewReader(picture))
	fmt.Println(img.Bounds(), err)
	// Output: (0,0)-(8,8) <nil>
}

// FuzzAppend: any pixels in any size decode to the same pixels, scaled.
func FuzzAppend(f *testing.F) {
	f.Add([]byte("aaaabbbbaaaabbbbcdcdcdcdaaaabbbb"), uint8(15), uint8(3))
	f.Add(bytes.Repeat([]byte{1, 2, 3, 1, 2}, 400), uint8(97), uint8(0))
	f.Add(bytes.Repeat([]byte{0}, 100), uint8(17), uint8(11))
	f.Fuzz(func(t *testing.T, data []byte, size, scale uint8) {
		n := 1 + int(size)%100
		p := Picture{Size: n, Scale: 1 + int(scale)%8, Pixels: make([]uint8, n*n)}
		for i := range 256 {
			p.Palette = append(p.Palette, color.NRGBA{uint8(i), 1, 2, 255})
		}
		full := make([]color.NRGBA, n*n)
		for i := range full {
			if len(data) > 0 {
				p.Pixels[i] = data[i%len(data)]
			}
			full[i] = p.Palette[p.Pixels[i]]
		}
		compare(t, new(Encoder).Append(nil, p), full, n, p.Scale)
	})
}
