package png

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"slices"
	"testing"
)

// wiggle makes a moving picture: patches of each frame change, some of them to
// nothing if fades is set.
func wiggle(r *rand.Rand, size, scale, colours, frames int, fades bool) Moving {
	m := Moving{Picture: scribble(r, size, scale, colours), Delays: []int{50}}
	last := m.Pixels
	for i := range frames - 1 {
		next := slices.Clone(last)
		switch r.IntN(4) {
		case 0:
		case 1: // unchanged
			next = slices.Clone(frame(m, r.IntN(i+1)))
		default:
			x0, y0, n := r.IntN(size), r.IntN(size), 1+r.IntN(9)
			for y := y0; y < min(y0+n, size); y++ {
				for x := x0; x < min(x0+n, size); x++ {
					if c := uint8(r.IntN(colours)); fades || m.Palette[c].A > 0 {
						next[y*size+x] = c
					}
				}
			}
		}
		m.Frames, m.Delays, last = append(m.Frames, next), append(m.Delays, 10*(2+r.IntN(30))), next
	}
	return m
}

// A shot is one complete frame of a decoded animation, and how long it is shown.
type shot struct {
	pixels []color.NRGBA
	delay  int
}

// wanted returns the frames that a decoder must show.
func (m *Moving) wanted() (out []shot) {
	for i := range len(m.Frames) + 1 {
		var pixels []color.NRGBA
		for _, c := range frame(*m, i) {
			pixels = append(pixels, visible(m.Palette[c]))
		}
		if n := len(out); n > 0 && slices.Equal(out[n-1].pixels, pixels) {
			out[n-1].delay += m.Delays[i]
			continue
		}
		out = append(out, shot{pixels, m.Delays[i]})
	}
	return out
}

func visible(c color.NRGBA) color.NRGBA {
	if c.A == 0 {
		return color.NRGBA{}
	}
	return c
}

// decodeAPNG plays a file as the specification says. Each frame becomes a PNG of its own, which the
// standard library decodes, and is drawn on the canvas.
func decodeAPNG(t *testing.T, data []byte, scale int) (out []shot) {
	t.Helper()
	var header, shared, control []byte
	var canvas *image.NRGBA
	frames, sequence := 0, uint32(0)
	next := func(n uint32) {
		if n != sequence {
			t.Fatalf("sequence number %d, not %d", n, sequence)
		}
		sequence++
	}
	show := func(stream []byte) {
		w, h := binary.BigEndian.Uint32(control[4:]), binary.BigEndian.Uint32(control[8:])
		x, y := int(binary.BigEndian.Uint32(control[12:])), int(binary.BigEndian.Uint32(control[16:]))
		head := slices.Clone(header)
		binary.BigEndian.PutUint32(head, w)
		binary.BigEndian.PutUint32(head[4:], h)
		file := appendChunk(append(appendChunk([]byte(signature), "IHDR", head), shared...), "IDAT", stream)
		img, err := png.Decode(bytes.NewReader(appendChunk(file, "IEND", nil)))
		if err != nil {
			t.Fatal(err)
		}
		before := slices.Clone(canvas.Pix)
		for v := range int(h) {
			for u := range int(w) {
				c := color.NRGBAModel.Convert(img.At(u, v)).(color.NRGBA)
				if control[25] == 0 || c.A > 0 {
					canvas.SetNRGBA(x+u, y+v, visible(c))
				}
			}
		}
		out = append(out, shot{shrunk(t, canvas, scale),
			int(binary.BigEndian.Uint16(control[20:])) * 1000 / int(binary.BigEndian.Uint16(control[22:]))})
		if control[24] == 2 {
			copy(canvas.Pix, before)
		}
	}
	for rest := data[len(signature):]; len(rest) > 0; {
		n := binary.BigEndian.Uint32(rest)
		kind, body := string(rest[4:8]), rest[8:8+n]
		switch kind {
		case "IHDR":
			header = body
			width := int(binary.BigEndian.Uint32(body))
			canvas = image.NewNRGBA(image.Rect(0, 0, width, int(binary.BigEndian.Uint32(body[4:]))))
		case "PLTE", "tRNS":
			shared = append(shared, rest[:12+n]...)
		case "acTL":
			frames = int(binary.BigEndian.Uint32(body))
		case "fcTL":
			next(binary.BigEndian.Uint32(body))
			control = body
		case "IDAT":
			if control != nil {
				show(body)
			}
		case "fdAT":
			next(binary.BigEndian.Uint32(body))
			show(body[4:])
		}
		rest = rest[12+n:]
	}
	if frames != len(out) {
		t.Fatalf("%d frames, %d announced", len(out), frames)
	}
	return out
}

// shrunk returns one pixel of each block.
func shrunk(t *testing.T, img image.Image, scale int) (out []color.NRGBA) {
	t.Helper()
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y += scale {
		for x := b.Min.X; x < b.Max.X; x += scale {
			c := visible(color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA))
			if last := visible(color.NRGBAModel.Convert(img.At(x+scale-1, y+scale-1)).(color.NRGBA)); last != c {
				t.Fatalf("the block at %d,%d has two colours", x, y)
			}
			out = append(out, c)
		}
	}
	return out
}

func sameShots(t *testing.T, form string, got, want []shot) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d frames, not %d", form, len(got), len(want))
	}
	for i := range want {
		if got[i].delay != want[i].delay || !slices.Equal(got[i].pixels, want[i].pixels) {
			t.Fatalf("%s: frame %d of %d is not what was drawn (shown for %d ms, not %d)", form, i, len(want),
				got[i].delay, want[i].delay)
		}
	}
}

// TestMoving plays moving pictures as APNG, frame by frame. A viewer sees no difference
// between two equal colours in the palette.
func TestMoving(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var e Encoder
	for i := range 60 {
		size, scale := []int{1, 9, 40, 90, 120}[i%5], 1+i%3
		m := wiggle(r, size, scale, 2+r.IntN(200), 1+i%8, i%2 == 0)
		want := m.wanted()
		data := e.AppendMoving(nil, m)
		if first, err := png.Decode(bytes.NewReader(data)); err != nil ||
			!slices.Equal(shrunk(t, first, scale), want[0].pixels) {
			t.Fatalf("the still picture is not the first frame: %v", err)
		}
		if len(want) > 1 {
			sameShots(t, "APNG", decodeAPNG(t, data, scale), want)
		}
	}
}

// TestAPoseThatReturns: a pose between two others is undone, so the pose that returns costs little.
func TestAPoseThatReturns(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	rest := scribble(r, 40, 4, 100)
	other := scribble(r, 40, 4, 100)
	once := Moving{Picture: rest, Frames: [][]uint8{other.Pixels}, Delays: []int{50, 50}}
	back := Moving{Picture: rest, Frames: [][]uint8{other.Pixels, rest.Pixels}, Delays: []int{50, 50, 50}}
	var e Encoder
	short := len(e.AppendMoving(nil, once))
	if long := len(e.AppendMoving(nil, back)); long > short+100 {
		t.Errorf("%d bytes, and %d with the first pose again", short, long)
	}
}

func frame(m Moving, i int) []uint8 {
	if i == 0 {
		return m.Pixels
	}
	return m.Frames[i-1]
}
