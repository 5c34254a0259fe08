package gridpng

// parse turns the picture into tokens, run by run. A run is a group of equal pixels in a row. For
// each run, parse chooses what saves most: a repeated literal, a copy of the row above, or a copy
// of earlier pixels elsewhere. It looks one run ahead. Trying all combinations would make files a
// few percent smaller, but take twice as long.
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

// Estimated costs and savings of a step (see the type step) in 16ths of a bit. They are typical of
// pixel art. Two copies of the row above become one match if the first reaches the end of its row
// and the second starts the next row. So a copy at the start or end of a row costs little.
const (
	priceRun  = 16 * 7  // a literal and a distance of 1, without the length
	priceUp   = 16 * 9  // the distance of one row
	priceFar  = 16 * 6  // any other distance, without its extra bits
	priceGoOn = 16      // a copy of the row above at the start or end of a row
	worthRun  = 16 * 10 // saved by a step for each whole run that it writes
	worthRest = 16 * 7  // saved by a step for a last run that it begins but does not finish
)

// lengthPrice is the cost of a match's length in 16ths of a bit, by deflate's symbol for it.
var lengthPrice = [29]int32{
	48, 72, 96, 96, 64, 64, 96, 96, 80, 96, 80, 96, 108, 112, 117, 125,
	136, 144, 144, 147, 160, 170, 178, 184, 211, 222, 229, 220, 48,
}

// A step writes the next pixels of a row, either one pixel that is repeated or a copy of earlier
// bytes. If it stops within a run of equal pixels, deflater.line writes the rest of that run as a
// repeated pixel.
type step struct {
	saves int32 // estimated saving in 16ths of a bit
	end   int   // the first pixel that is not written
	in    int   // the run that contains this pixel
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

// enough is how many pixels must equal the row above so that step does not search further.
const enough = 8

// up returns the step that copies the pixels from x up to end, without end itself, from the row
// above. Run j begins at x.
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

// far returns the step that copies earlier pixels. They must equal the next pixels of the row, which
// begin at x with run j. Run j ends before next. If there are no such earlier pixels, the step costs
// so much that it is never chosen.
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
