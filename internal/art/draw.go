package art

// A desk is the working space of one drawing, used again and again so that a
// picture costs no memory beyond its own bytes.
type desk struct {
	index  []uint16 // grid×grid places in the pack's table
	colour []rgba   // grid×grid colours, on the RGBA path
	pixels []uint8  // grid×grid places in the picture's own palette

	palette []rgba         // of the picture, in order of first use
	own     []uint16       // from place in the pack's table to place in palette, plus 1
	ownRGBA map[rgba]uint8 // own, on the RGBA path

	place   [256]uint8 // from place in palette to place in the PNG's
	sorted  []uint8    // the inverse of place
	keys    []uint64
	deflate deflater
	raw     rawDeflater
	out     []byte
}

func (p *Pack) desk() *desk {
	if d, ok := p.desks.Get().(*desk); ok {
		return d
	}
	n := p.grid * p.grid
	d := &desk{pixels: make([]uint8, n+slack), palette: make([]rgba, 0, 256)}
	if p.soft {
		d.colour = make([]rgba, n)
		d.ownRGBA = make(map[rgba]uint8, 256)
	} else {
		d.index = make([]uint16, n)
		d.own = make([]uint16, len(p.colours))
	}
	return d
}

// Draw returns the PNG of a look. It is pure: same pack, look and view, same
// bytes. Trait values that the pack does not know count as 0.
func (p *Pack) Draw(l Look, v View) []byte {
	d := p.desk()
	p.compose(d, l, v)
	d.out = p.encode(d, d.out[:0], p.scaleOf(v))
	png := append([]byte(nil), d.out...)
	p.desks.Put(d)
	return png
}

// compose puts the chosen layers on the desk, back to front.
func (p *Pack) compose(d *desk, l Look, v View) {
	clear(d.index)
	clear(d.colour)
	class := p.space.classes(l)
	var base *asset
	if p.anchorSlot != none {
		base = &p.assets[p.slots[p.anchorSlot].at(&class)]
	}
	for i := range p.slots {
		s := &p.slots[i]
		if !s.hide.shows(v) {
			continue
		}
		a := &p.assets[s.at(&class)]
		if a.layer == nil {
			continue
		}
		x, y := a.x+a.layer.x, a.y+a.layer.y
		if a.at != none {
			at := base.anchor(a.at)
			x, y = x+at.x, y+at.y
		}
		if p.soft {
			blend(d.colour, p.grid, a.layer, x, y)
		} else {
			cover(d.index, p.grid, a.layer, x, y)
		}
	}
}

// cover copies a layer's spans over what is there, cut off at the grid's edge.
func cover(dst []uint16, grid int, l *layer, x, y int) {
	inside := x >= 0 && y >= 0 && x+l.w <= grid && y+l.h <= grid
	for _, s := range l.spans {
		from := int(s.y)*l.w + int(s.x)
		n := int(s.n)
		left, top := x+int(s.x), y+int(s.y)
		if !inside {
			if top < 0 || top >= grid {
				continue
			}
			if left < 0 {
				n, from, left = n+left, from-left, 0
			}
			if n = min(n, grid-left); n <= 0 {
				continue
			}
		}
		copy(dst[top*grid+left:][:n], l.index[from:from+n])
	}
}

// blend lays a layer over what is there, mixing where its alpha is soft.
func blend(dst []rgba, grid int, l *layer, x, y int) {
	for _, s := range l.spans {
		top := y + int(s.y)
		if top < 0 || top >= grid {
			continue
		}
		for i := range int(s.n) {
			left := x + int(s.x) + i
			if left < 0 || left >= grid {
				continue
			}
			at := &dst[top*grid+left]
			*at = over(l.colour[int(s.y)*l.w+int(s.x)+i], *at)
		}
	}
}

// over is the usual composition of two colours, in whole numbers so that every
// machine rounds alike.
func over(top, under rgba) rgba {
	ta, ua := top.alpha(), under.alpha()
	if ta == 255 || ua == 0 {
		return top
	}
	rest := ua * (255 - ta) // in 255ths
	all := ta*255 + rest
	mix := func(shift uint) rgba {
		t, u := uint32(top>>shift)&0xff, uint32(under>>shift)&0xff
		return rgba((t*ta*255+u*rest+all/2)/all) << shift
	}
	return mix(24) | mix(16) | mix(8) | rgba((all+127)/255)
}

// reduce gives the picture a palette of its own and reports whether 256 places
// were enough. The palette's order is not yet the one it is sent in.
func (p *Pack) reduce(d *desk) bool {
	d.palette = d.palette[:0]
	if p.soft {
		return d.reduceRGBA()
	}
	clear(d.own)
	pixels := d.pixels[:len(d.index)]
	for i, c := range d.index {
		at := d.own[c]
		if at == 0 {
			if len(d.palette) == 256 {
				return false
			}
			d.palette = append(d.palette, p.colours[c])
			at = uint16(len(d.palette))
			d.own[c] = at
		}
		pixels[i] = uint8(at - 1)
	}
	return true
}

func (d *desk) reduceRGBA() bool {
	clear(d.ownRGBA)
	for i, c := range d.colour {
		at, ok := d.ownRGBA[c]
		if !ok {
			if len(d.palette) == 256 {
				return false
			}
			at = uint8(len(d.palette))
			d.ownRGBA[c] = at
			d.palette = append(d.palette, c)
		}
		d.pixels[i] = at
	}
	return true
}
