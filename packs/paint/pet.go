package main

import "math"

// grid is the width and height in pixels of the square that everything is drawn on.
const grid = 90

// A coat is the set of materials of a look. Each family decides what it uses a material for. The
// material main also colours the lids of the eyes.
type coat struct {
	main, belly, mark, trim, extra, eye ramp
}

// A look is one appearance of a family.
type look struct {
	name  string
	coat  coat
	shiny coat
}

// A creature is a family with its three looks and the code that draws them. draw adds parts to p.
// The parameter n is the look, counted from 1: 1 is young and plain, 2 patterned, 3 showy.
type creature struct {
	family
	draw  func(p *pet, n int, c coat)
	looks [3]look
}

// A pet is a creature being drawn: parts from back to front, and then stamps over them.
type pet struct {
	coat    coat
	parts   []*part
	stamps  []stamp
	points  map[string][2]int // set by the method anchor
	anchors map[string][2]int // the places of its elements, found by fit
	shadeX  [2]float64        // both ends of the ground shadow, if the family sets them
	blinks  bool              // its eyes are closed
	zoom    float64           // scale of the parts added next; 0 means 1
	pose    pose              // how the parts added next are turned and moved, before they are resized
	floats  bool              // it does not stand on the ground
	shiny   bool              // it has a rim of light
	phase   float64           // how far its action, such as a nod, has gone: from 0 (at rest) to 1
	action  pose              // how the action turns and moves the parts added next
	fore    float64           // how far its forelegs have swung in a leap: -1 if gathered, 0 as at the top
	hind    float64           // the same for its hind legs
	whole   pose              // how all of it is turned
}

// A part is one form of a pet, in one material.
type part struct {
	pet     *pet
	ramp    ramp
	shape   shape
	marks   []mark
	creases []crease
	shift   int     // steps of the ramp lighter (+) or darker (-) than the light makes it
	inner   int     // one of the constants lined, softly and barely
	cast    int     // length of its shadow on the parts behind it
	gloss   float64 // size of the highlight: 0 none, 1 as on something wet
	bulge   float64 // how round the form is
	tilt    float64 // how much it darkens towards its lower right
	glows   bool
	spiky   bool
	cells   *cells
	swing   pose // how it sways; not at all if deg is 0
	twitch  pose // how it twitches now and then; not at all if deg is 0
	pulses  bool // it grows brighter now and then
}

// How a part is separated from the parts behind it.
const (
	lined  = iota // a line all round
	softly        // a line on the shadow side only
	barely        // no line
)

type mark struct {
	ramp  *ramp // nil keeps the material
	shape shape
	shift int
}

type crease struct {
	step   int
	pixels [][2]int
	ramp   *ramp
}

// part adds a form in front of all earlier ones. It joins several shapes with sharp seams; use fuse
// to melt them.
func (p *pet) part(r ramp, shapes ...shape) *part {
	q := &part{pet: p, ramp: r, shape: p.sized(shapes), cast: 2, gloss: 0.5, bulge: 1, tilt: 1}
	p.parts = append(p.parts, q)
	return q
}

// dim draws the part one step darker, for limbs on the far side.
func (q *part) dim() *part { q.shift--; return q }

// bright draws the part one step lighter.
func (q *part) bright() *part { q.shift++; return q }

// soft leaves out the inner line on the lit side.
func (q *part) soft() *part { q.inner = softly; return q }

// bare leaves out the inner line and the shadow, so that the part seems to grow out of the part
// behind it.
func (q *part) bare() *part { q.inner, q.cast = barely, 0; return q }

// throw sets the length of the part's shadow on the parts behind it, in pixels.
func (q *part) throw(n int) *part { q.cast = n; return q }

// matt removes the highlight.
func (q *part) matt() *part { q.gloss = 0; return q }

// wet makes the highlight large and hard.
func (q *part) wet() *part { q.gloss = 1; return q }

// flat makes the form less round, for fins, leaves, wings and cloth. k is from 0 (flat) to 1
// (round).
func (q *part) flat(k float64) *part { q.bulge = k; return q }

// calmly keeps the shadow near the edge, so that a face stays readable.
func (q *part) calmly() *part { q.tilt, q.bulge = 0.35, 0.85; return q }

// glow lights the part from inside. It has no shadow and a lighter outline, and it pulses.
func (q *part) glow() *part { q.glows, q.pulses, q.cast = true, true, 0; return q }

// sharp keeps points and single-pixel tips that clean-up would remove.
func (q *part) sharp() *part { q.spiky = true; return q }

// mark repaints the area inside the shapes in another material. The shading stays.
func (q *part) mark(r ramp, shapes ...shape) *part {
	q.marks = append(q.marks, mark{ramp: &r, shape: q.pet.sized(shapes)})
	return q
}

// patch is a mark that is one step lighter, for chins, bellies and masks that must not look dirty
// in the shadow.
func (q *part) patch(r ramp, shapes ...shape) *part {
	q.marks = append(q.marks, mark{ramp: &r, shape: q.pet.sized(shapes), shift: 1})
	return q
}

// tint makes the area inside the shapes n steps lighter, or darker if n < 0.
func (q *part) tint(n int, shapes ...shape) *part {
	q.marks = append(q.marks, mark{shape: q.pet.sized(shapes), shift: n})
	return q
}

// crease draws a one-pixel curve through x, y pairs. Its pixels keep their material, and get this
// step of the material's ramp. Only visible pixels of the part are drawn.
func (q *part) crease(step int, xy ...float64) *part {
	q.creases = append(q.creases, crease{step: step, pixels: curvePixels(q.pet.scaled(xy))})
	return q
}

// thread is like crease, but in a material of its own.
func (q *part) thread(t tone, xy ...float64) *part {
	q.creases = append(q.creases, crease{step: t.step, pixels: curvePixels(q.pet.scaled(xy)), ramp: &t.ramp})
	return q
}

// anchor names a point of the pet. Every look has the points "crest" (top of the head), "tail" (tip
// of the tail, or the rear), "heart" (middle of the body) and "feet" (between the feet, on the
// ground). Elements are placed near these points.
func (p *pet) anchor(name string, x, y int) {
	at := p.scaled([]float64{float64(x), float64(y)})
	p.points[name] = [2]int{floor(at[0] + 0.5), floor(at[1] + 0.5)}
}

// ground sets the span of the shadow on the ground. Without it, the pet's lowest pixels set the
// span.
func (p *pet) ground(x0, x1 float64) { p.shadeX = [2]float64{x0, x1} }

// resize draws everything that follows at k times its size, on the same ground. Stamps keep their
// pixels and only move. So the eyes are large for a small pet, which makes it look young.
func (p *pet) resize(k float64) { p.zoom = k }

const groundX, groundY = 45, 74

// A pose is a turn by deg clockwise about cx, cy, and then a move by dx, dy.
type pose struct{ deg, cx, cy, dx, dy float64 }

// posed turns and moves everything that follows, for example to raise a head. Stamps keep their
// pixels and only move. The zero pose ends the effect.
func (p *pet) posed(to pose) { p.pose = to }

// acts makes everything that follows take part in the family's action. Its argument is the pose at
// the end of the action.
func (p *pet) acts(to pose) {
	p.action = pose{deg: to.deg * p.phase, cx: to.cx, cy: to.cy, dx: to.dx * p.phase, dy: to.dy * p.phase}
}

// rests ends the effect of acts.
func (p *pet) rests() { p.action = pose{} }

// strides makes everything that follows, such as a leg, swing around cx, cy. by is p.fore or p.hind,
// and deg is how far it swings if by is 1. The method rests ends the effect.
func (p *pet) strides(by, cx, cy, deg float64) {
	p.action = pose{deg: deg * by, cx: cx, cy: cy, dy: min(0, 7*by)} // a gathered leg is bent
}

// of returns a shape, turned and moved by the pose.
func (o pose) of(s shape) shape {
	if o.deg == 0 && o.dx == 0 && o.dy == 0 {
		return s
	}
	return move(turn(s, o.cx, o.cy, o.deg), o.dx, o.dy)
}

// point returns where a pose moves a point.
func (o pose) point(x, y float64) (float64, float64) {
	sin, cos := math.Sincos(o.deg * math.Pi / 180)
	x, y = x-o.cx, y-o.cy
	return o.cx + x*cos - y*sin + o.dx, o.cy + x*sin + y*cos + o.dy
}

func (p *pet) sized(shapes []shape) shape {
	s := p.whole.of(p.action.of(p.pose.of(join(shapes...))))
	if p.zoom == 0 {
		return s
	}
	k := p.zoom
	at := s.at
	s.at = func(x, y float64) (float64, float64) {
		d, z := at(groundX+(x-groundX)/k, groundY+(y-groundY)/k)
		return d * k, z * k
	}
	s.x0, s.y0 = groundX+(s.x0-groundX)*k, groundY+(s.y0-groundY)*k
	s.x1, s.y1 = groundX+(s.x1-groundX)*k, groundY+(s.y1-groundY)*k
	return s
}

// scaled returns x, y pairs after the current pose, action and size.
func (p *pet) scaled(xy []float64) []float64 {
	k := p.zoom
	if k == 0 {
		k = 1
	}
	out := make([]float64, len(xy))
	for i := 0; i < len(xy); i += 2 {
		x, y := p.whole.point(p.action.point(p.pose.point(xy[i], xy[i+1])))
		out[i], out[i+1] = groundX+(x-groundX)*k, groundY+(y-groundY)*k
	}
	return out
}

// curvePixels returns the pixels of a smooth, one-pixel curve through x, y pairs.
func curvePixels(xy []float64) [][2]int {
	var out [][2]int
	pts := smoothCurve(xy, 2, false)
	add := func(x, y int) {
		n := len(out)
		if n > 0 && out[n-1] == [2]int{x, y} {
			return
		}
		if n > 1 && abs(out[n-2][0]-x) <= 1 && abs(out[n-2][1]-y) <= 1 {
			out = out[:n-1]
		}
		out = append(out, [2]int{x, y})
	}
	for i := 1; i < len(pts); i++ {
		a, b := pts[i-1], pts[i]
		n := int(max(absf(b[0]-a[0]), absf(b[1]-a[1]))*2) + 1
		for k := 0; k <= n; k++ {
			t := float64(k) / float64(n)
			add(floor(a[0]+(b[0]-a[0])*t), floor(a[1]+(b[1]-a[1])*t))
		}
	}
	return out
}
