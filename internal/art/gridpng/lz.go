package gridpng

// parse turns the picture into tokens. It goes forward run by run and takes what saves most: the
// run as a repeated literal, a copy of the row above, or a copy of an earlier stretch. It looks one
// run ahead. Trying all ways through a row would make files a few percent smaller, but takes twice
// as long.
func (d *deflater) parse(b *bitmap) {
	d.reset(b)
	d.split(b)
	d.literal(filterRow)
	up := 0 // bytes that are equal to the row above and not yet written
	for y := range b.height {
		if y > 0 {
			up++ // the filter byte
		}
		up = d.line(b, &d.rows[y], up)
		up += (b.scale - 1) * d.stride
	}
	d.flush(b, up)
	d.lit[endBlock]++
}

// Prices are in 16ths of a bit, and typical of pixel art.
const (
	priceRun  = 16 * 7  // a literal and a distance of 1, besides the length
	priceUp   = 16 * 9  // the distance of one row
	priceFar  = 16 * 6  // any other distance, besides its extra bits
	priceGoOn = 16      // a copy of the row above that continues the copies of repeated rows
	worthRun  = 16 * 10 // the cost of a run that nothing else covers
	worthRest = 16 * 7  // the saving on a run of which only the end is repeated
)

// lengthPrice is the cost of a match's length, by deflate's symbol for it.
var lengthPrice = [29]int32{
	48, 72, 96, 96, 64, 64, 96, 96, 80, 96, 80, 96, 108, 112, 117, 125,
	136, 144, 144, 147, 160, 170, 178, 184, 211, 222, 229, 220, 48,
}

// A step says how the next pixels of a row are written: the pixels before end, and then the rest of
// end's run as a repetition.
type step struct {
	saves int32 // compared with writing every run as a literal
	end   int   // pixel
	in    int   // the run that end is in, or begins
	dist  int   // distance of the copy in bytes; 0 for a repeated literal
}

// line writes one row. up is the number of bytes before it that are not written yet, because they
// equal the bytes one row above them. line returns the number of such bytes at the end of the row.
func (d *deflater) line(b *bitmap, w *row, up int) int {
	scale := b.scale
	start := w.start[:w.count+1]
	for j := 0; j < w.count; {
		x := int(start[j])
		t := d.step(b, w, j, x)
		switch t.dist {
		case 0:
			d.flush(b, up)
			up = 0
			d.run(uint32(w.pixels[x]), (t.end-x)*scale)
		case d.stride:
			up += (t.end - x) * scale
		default:
			d.flush(b, up)
			up = 0
			d.copy(b, (t.end-x)*scale, t.dist)
		}
		if t.end > int(start[t.in]) {
			d.flush(b, up)
			up = 0
			t.in++
			d.repeat(uint32(w.pixels[t.end]), (int(start[t.in])-t.end)*scale)
		}
		j = t.in
	}
	return up
}

// step chooses how to continue from run j, which begins at x.
func (d *deflater) step(b *bitmap, w *row, j, x int) step {
	next := int(w.start[j+1])
	literal := worthRun - priceRun - d.length[next-x]
	best := step{literal, next, j + 1, 0}
	if to := w.upto(x); to > x {
		if up := d.up(w, j, x, to); up.saves >= best.saves {
			best = up
		}
		if to-x >= enough {
			return best
		}
	}
	if j+1 == w.count {
		return best
	}
	far := d.far(b, w, j, x, next)
	if far.saves <= best.saves {
		return best
	}
	if to := w.upto(next); to > next && literal+d.up(w, j+1, next, to).saves > far.saves {
		return step{literal, next, j + 1, 0}
	}
	return far
}

// enough is how many pixels the row above must cover to make a search elsewhere unnecessary.
const enough = 8

// up returns the copy of the row above from run j, which begins at x, to pixel end.
func (d *deflater) up(w *row, j, x, end int) step {
	t := step{end: end, in: int(w.run[end]), dist: d.stride}
	t.saves = worthRun * int32(t.in-j)
	if t.end > int(w.start[t.in]) {
		t.saves += worthRest
	}
	if j == 0 || t.in == w.count {
		t.saves -= priceGoOn
	} else {
		t.saves -= priceUp + d.length[t.end-x]
	}
	return t
}

// far returns the copy of an earlier stretch that equals the one from run j, which goes from x to
// next. If there is no such stretch, the step costs so much that it is never chosen.
func (d *deflater) far(b *bitmap, w *row, j, x, next int) step {
	n, dist := d.matcher.find(b, w, x, next)
	t := step{end: x + n, in: int(w.run[x+n]), dist: dist}
	t.saves = worthRun*int32(t.in-j) - d.length[n]
	if t.end > int(w.start[t.in]) {
		t.saves += worthRest
	}
	_, extra := distCode(dist)
	t.saves -= priceFar + 16*int32(extra)
	return t
}
