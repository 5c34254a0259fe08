package main

import (
	"fmt"
	"image"
	"image/draw"
	"math"
	"strings"
)

// An element has a layer behind the pet and a layer in front of it. Both come in two sizes, one for
// the young and one for adults. Each layer is drawn around the middle of a plate. The middle is
// placed near a point of the pet.
type element struct {
	inks     string
	near     string // the pet's point that the element is near, such as "crest"
	grounded bool   // the layer in front is at the pet's feet
	draw     func(behind, front *plate, size int)
	move     func(behind, front *layer)
}

// The sizes of elements.
const (
	young = iota
	adult
)

// middle is the x and the y of a plate's middle.
const middle = grid / 2

// elementTraits returns the elements in the order of their trait value.
func elementTraits() []element {
	return []element{fireTail, waterDrops, leafFall, windCurls, sparkHorns, frostCrest, lightHalo, shadeWisp}
}

// youngOnes lists the appearances with small elements: eggs and the first look of each family. The
// list is a part of file names, and begins with 0+1+4.
func youngOnes() string {
	all := []string{"0"}
	for n := 1; n <= 24; n += 3 {
		all = append(all, fmt.Sprint(n))
	}
	return strings.Join(all, "+")
}

// elements returns the element overlays.
func elements() []layer {
	var out []layer
	for n := range elementTraits() {
		for size, of := range []string{"-" + youngOnes(), ""} {
			behind, front := elementLayers(n, size)
			behind.file = "behind/" + elementValues[n] + of + ".png"
			front.file = "element/" + elementValues[n] + of + ".png"
			out = append(out, behind)
			if !front.img.Rect.Empty() {
				out = append(out, front)
			}
		}
	}
	return out
}

// elementLayers returns the layers of an element in one size.
func elementLayers(n, size int) (behind, front layer) {
	e := elementTraits()[n]
	back, fore := newPlate(e.inks), newPlate(e.inks)
	e.draw(back, fore, size)
	behind, front = back.placed(elementValues[n]), fore.placed(elementValues[n])
	e.move(&behind, &front)
	behind.steady = e.near != "crest" // an element that is not at the head stays when the head turns
	front.steady = behind.steady
	if e.grounded {
		front.at, front.steady = "feet", true
	}
	return behind, front
}

// placed returns the plate as a layer at an anchor. It cuts off empty edges.
func (p *plate) placed(anchor string) layer {
	box := drawn(p.img)
	img := image.NewNRGBA(image.Rect(0, 0, box.Dx(), box.Dy()))
	draw.Draw(img, img.Rect, p.img, box.Min, draw.Src)
	return layer{at: anchor, x: box.Min.X - middle, y: box.Min.Y - middle, img: img}
}

// set stamps a pixel map. Its top left pixel is at x, y from the middle of the plate.
func (p *plate) set(x, y int, art string) { p.stamp(middle+x, middle+y, art) }

// turned is like set, but mirrors the map left to right.
func (p *plate) turned(x, y int, art string) { p.flip(middle+x, middle+y, art) }

// fireTail is a flame that stands on the tail's tip, with another flame behind it.
var fireTail = element{
	near: "tail",
	inks: "a 5c1626 b b02a24 c ea5a22 d ff9a34 e ffd768 f fffbd8",
	move: func(behind, front *layer) { licks(behind); licks(front) },
	draw: func(behind, front *plate, size int) {
		if size == young {
			behind.set(-7, -12, `
				....b.........
				....cb....b...
				..........cb..
				.b.......bcb..
				.cb......bdb..
				.bcb....bcdb..
				..bcb..bcdcb..
				.bcdcbbcddcb..
				.bcddccddcb...
				..bcdddddcb...
				...bccddcb....
				.....bbb......`)
			front.set(-5, -8, `
				.....b.....
				.....cb....
				....bcb....
				.b..bdb.b..
				.cb.bdcbcb.
				.bcbddccdb.
				bcdceeddcb.
				bcddeefedcb
				bdeeffeedcb
				bcdefffedcb
				.bcdeeeddb.
				..bbcddbb..
				....bbb....`)
			return
		}
		behind.set(-10, -19, `
			.....b..............
			.....db.........b...
			.....cb.........cb..
			................db..
			..b..........b......
			..cb.........cb.....
			.bdb........bcb..b..
			..bcb.......bdb.bcb.
			..bdcb.....bcdcbbdb.
			.bcddcb...bcddcbcdb.
			.bcdddcbbbcdddccdcb.
			..bcddddccddddddcb..
			..bcdddddddddddcb...
			...bccdddddddccb....
			.....bbcccccbb......`)
		front.set(-7, -14, `
			.......b.......
			.......cb......
			.b.....cb......
			.cb...bcb...b..
			.bcb..bdcb.bc..
			..bcb.bddb.bcb.
			..bcbbcddcbcdb.
			.bcdcbdeedccdb.
			.bcddcdeeeddcb.
			bcddeedeeeeddcb
			bcdeeeeefeeeddb
			bcdeeffeffeeddb
			bcdeefffffeedcb
			.bcdeefffeedcb.
			..bcdeeeeddcb..
			...bbcdddcbb...
			.....bbbbb.....`)
	},
}

// waterDrops are drops that circle the body.
var waterDrops = element{
	near: "heart",
	inks: "a 17366e b 2a62b4 c 4a9ae6 d 94d4fa e f4feff",
	move: circling,
	draw: func(behind, front *plate, size int) {
		big := `
			....a....
			...aba...
			...aca...
			..abcca..
			..adcca..
			.abdccba.
			.adeccba.
			.adeccba.
			.adcccba.
			..abbba..
			...aaa...`
		mid := `
			..a..
			..a..
			.aca.
			.adca
			adcba
			adcba
			.aba.
			..a..`
		small := `
			.a.
			aca
			dcb
			aba`
		if size == young {
			front.set(-24, -4, mid)
			front.set(16, 1, mid)
			front.set(-14, 8, small)
			front.set(6, 9, small)
			behind.set(12, -25, big)
			behind.set(-23, -20, mid)
			behind.set(23, -11, small)
			behind.set(-10, -29, small)
			return
		}
		front.set(-32, -6, big)
		front.set(20, 2, mid)
		front.set(-18, 9, mid)
		front.set(3, 11, small)
		front.set(29, -4, small)
		behind.set(18, -33, big)
		behind.set(29, -19, mid)
		behind.set(-29, -26, mid)
		behind.set(-18, -36, small)
		behind.set(4, -38, small)
	},
}

// leafFall is a few falling leaves.
var leafFall = element{
	near: "heart",
	inks: "a 24421f b 4a7a2a c 7fb03a d bedc62 e 8a4a1e f d98a34 g f6c860",
	move: circling,
	draw: func(behind, front *plate, size int) {
		leaf := `
			.......aa.
			....aaadca
			..aabdddca
			.abdddcba.
			.abdcbcba.
			abdcbcba..
			acbbcba...
			abbbaa....
			aaaa......
			a.........`
		dry := `
			.ee....
			egge...
			eggfe..
			.egffee
			..effge
			...eee.
			......e`
		low := `
			..aaa..
			.addca.
			addcba.
			acbba..
			aaaa...`
		flat := `
			.aaa...
			addcaa.
			.abddca
			..aabca
			....aaa`
		if size == young {
			front.set(-25, 0, low)
			front.set(14, 5, flat)
			front.set(-10, 9, "gf\nfe")
			behind.turned(11, -26, leaf)
			behind.set(-23, -20, dry)
			behind.turned(20, -9, dry)
			behind.set(-6, -29, "dc\ncb")
			return
		}
		front.set(-33, -4, leaf)
		front.set(19, 5, flat)
		front.set(-13, 9, low)
		front.turned(27, -6, dry)
		behind.turned(17, -33, leaf)
		behind.set(-30, -27, dry)
		behind.set(28, -18, flat)
		behind.set(-15, -37, low)
		behind.set(4, -36, "gf\nfe")
	},
}

// windCurls are gusts that run around the body and roll up at their ends.
var windCurls = element{
	near: "heart",
	inks: "a 3f7a80 b 7fc0b8 c c4ecdc d ffffff",
	move: circling,
	draw: func(behind, front *plate, size int) {
		curl := `
			.....aaaaa......
			...aabcccbaa....
			..abcdddddcba...
			..acdcaaacdca...
			.abdca...acdba..
			.acdca.aa.acca..
			.acdca.aca.aca..
			.abdcaacdcaaba..
			..acdccdca.aa...
			..abcddcba......
			...aabbaa.......`
		roll := `
			...aaaaa..
			..abcdcba.
			.abdcaadca
			.acda.aaca
			.acdaacaa.
			.abcddca..
			..aabbaa..`
		if size == young {
			behind.gust(27, 9, 150, 228)
			behind.gust(28, 10, -22, 58)
			behind.gust(26, 15, 226, 318)
			behind.set(-29, -2, roll)
			behind.turned(17, -21, roll)
			return
		}
		behind.gust(32, 11, 128, 214)
		behind.gust(33, 12, -28, 50)
		behind.gust(32, 20, 222, 312)
		behind.set(-34, -4, curl)
		behind.turned(18, -31, curl)
		behind.set(23, 5, roll)
	},
}

// gust draws a stroke with thin ends along an arc of an ellipse that rises to the right. from and
// to are angles in degrees.
func (p *plate) gust(rx, ry, from, to float64) {
	var low, high []float64
	for a := from; a <= to; a++ {
		sin, cos := math.Sincos(a * math.Pi / 180)
		x, y := middle+rx*cos, middle+ry*sin-0.14*rx*cos
		r := 0.3 + 0.9*math.Sin((a-from)/(to-from)*math.Pi)
		low, high = append(low, x, y, r), append(high, x, y-0.6, r*0.7)
	}
	stroke := cut.ovals(low...)
	p.fill(stroke.grown(), 'a')
	p.fill(stroke, 'c')
	p.fill(stroke.and(cut.ovals(high...)), 'd')
}
