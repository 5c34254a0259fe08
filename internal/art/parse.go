package art

// A plan is the cheapest way to write one row. Its arrays are working space.
type plan struct {
	far   [maxGrid]found
	cost  [maxGrid + 1]int32 // of the row from each run on, in 16ths of a bit
	steps [maxGrid]step

	scale  int                // that length is for
	length [maxGrid + 1]int32 // price of a match that many pixels long
}

// A step is one way to write a row from a run on: kind as far as pixel end,
// then the last pixel repeated as far as the run next.
type step struct {
	kind uint8
	end  int16
	next int16
}

const (
	stepLiteral = iota // the run as a literal, repeated
	stepUp             // as in the row above
	stepFar            // as at an earlier place
)

// Prices in 16ths of a bit, near what pictures of pixel art come to.
const (
	priceRepeat = 16     // of a distance of 1, besides the length
	priceUp     = 16 * 9 // of the distance of one row
	priceFar    = 16 * 6 // of any other distance, besides its extra bits
	priceGoOn   = 16     // of an up copy that the rows sent again run into
)

// lengthPrice is what a match's length costs, by deflate's symbol for it.
var lengthPrice = [29]int32{
	48, 72, 96, 96, 64, 64, 96, 96, 80, 96, 80, 96, 108, 112, 117, 125,
	136, 144, 144, 147, 160, 170, 178, 184, 211, 222, 229, 220, 48,
}

// reset prepares for pictures of this scale.
func (p *plan) reset(scale int) {
	if p.scale == scale {
		return
	}
	p.scale = scale
	for n := range p.length {
		p.length[n] = lengthPrice[lengthCode[min(n*scale, maxMatch)]]
	}
}

// choose finds the cheapest steps through the row, from its end backwards.
func (p *plan) choose(w *row, price *[256]int32) {
	start := w.start[:w.count+1]
	upto, in := w.upto[:len(start)], w.in[:len(start)]
	p.cost[w.count] = 0
	least := int32(0)
	end := start[w.count]
	for j := w.count - 1; j >= 0; j-- {
		x := start[j]
		best := step{stepLiteral, end, int16(j + 1)}
		least += price[w.pixels[x]] + priceRepeat + p.length[end-x]
		if to := upto[j]; to > x {
			s, c := p.reach(w, j, in[j], to)
			if j == 0 || int(in[j]) == w.count {
				c += priceGoOn
			} else {
				c += priceUp + p.length[s.end-x]
			}
			if c <= least {
				s.kind = stepUp
				best, least = s, c
			}
		}
		if f := &p.far[j]; f.n > 0 {
			s, c := p.reach(w, j, f.in, x+f.n)
			if c += int32(f.price) + p.length[s.end-x]; c < least {
				s.kind = stepFar
				best, least = s, c
			}
		}
		p.cost[j], p.steps[j] = least, best
		end = x
	}
}

// reach ends a copy from run j that can go as far as pixel end, within run k:
// at the run's start, or at end with the rest of the run repeated, whichever is
// cheaper.
func (p *plan) reach(w *row, j int, k, end int16) (step, int32) {
	from := w.start[k]
	if end > from {
		part := priceRepeat + p.length[w.start[k+1]-end] + p.cost[k+1]
		if int(k) == j || part < p.cost[k] {
			return step{end: end, next: k + 1}, part
		}
	}
	return step{end: from, next: k}, p.cost[k]
}
