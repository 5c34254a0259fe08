package art

// Draw returns the picture of a look. It is pure: same pack, look and view, same
// bytes. Trait values that the pack does not know count as 0.
func (p *Pack) Draw(l Look, v View) []byte {
	if v.Form == Still {
		return p.DrawFrame(l, v, 0)
	}
	d := p.canvas()
	d.out = p.encodeMoving(d, d.out[:0], l, v)
	moving := append([]byte(nil), d.out...)
	p.canvases.Put(d)
	return moving
}

// DrawFrame returns one frame of a look's movement as a still PNG, counted from
// 0, which is the still picture.
func (p *Pack) DrawFrame(l Look, v View, frame int) []byte {
	d := p.canvas()
	p.compose(d, l, v, frame)
	d.out = p.encode(d, d.out[:0], p.scaleOf(v))
	png := append([]byte(nil), d.out...)
	p.canvases.Put(d)
	return png
}
