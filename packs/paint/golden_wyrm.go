package main

var gildedWyrm = creature{
	family: family{"gilded-wyrm", "Gilded Wyrm",
		"Every hoard begins with one button. A gilded wyrm can tell you who dropped each of its treasures and in what " +
			"weather, and now and then, on the right doorstep, it gives one back."},
	draw: drawWyrm,
	looks: [3]look{
		{"Button Wyrm",
			coat{main: leaf, belly: cream, mark: tide, trim: gold, extra: gold, eye: gold},
			coat{main: frost, belly: snow, mark: brook, trim: slate, extra: snow, eye: brook}},
		{"Filigree Wyrm",
			coat{main: gold, belly: mint, mark: tide, trim: cream, extra: leaf, eye: leaf},
			coat{main: slate, belly: snow, mark: ink, trim: gold, extra: ember, eye: ember}},
		{"Hoardmother",
			coat{main: gold, belly: cream, mark: ember, trim: tide, extra: berry, eye: tide},
			coat{main: night, belly: lilac, mark: plum, trim: gold, extra: tide, eye: sun}},
	},
}

func drawWyrm(p *pet, n int, c coat) {
	if n == 1 {
		wyrmHatchling(p, c)
		return
	}
	p.part(c.main, limb(60, 68, 4.8, 70, 67.4, 4.2, 76.6, 60, 3, 75.6, 52, 2, 73, 47, 1.4))
	p.part(c.trim, poly(0.6, 74.6, 39, 78.6, 46, 74.6, 49, 70.6, 46)).wet()
	arch := p.part(c.main, limb(47, 68, 6, 45, 58, 6.4, 50, 48, 6.6, 59, 47, 6.6, 65, 55, 6.2, 65, 64, 6, 59, 70, 5.6)).wet()
	arch.patch(c.belly, limb(48, 68, 2.4, 50, 58, 2.4, 54, 52.4, 2.2, 59, 54, 2, 60, 62, 2.2, 55, 69, 2.4))
	if n == 3 {
		wyrmWing(p, c)
	}
	wyrmSpines(p, c)
	neck := p.part(c.main, limb(31, 63, 7, 39, 56, 7.4, 43, 48, 7.4, 42, 40, 7, 39, 30, 6.6)).wet()
	belly := limb(26, 67, 3, 32, 59, 4.4, 36.4, 50, 4.6, 36, 42, 4, 33, 36, 3.4)
	neck.patch(c.belly, belly)
	for _, l := range [][]float64{{26, 59, 35, 64}, {29, 55, 39, 58}, {31, 50, 42, 51}, {31, 45, 41, 44},
		{30, 40, 39, 38}} {
		neck.crease(dark, l...)
	}
	front := p.part(c.main, limb(64, 65, 5.8, 57, 69, 6.4, 43, 69.6, 6.6, 29, 69, 6.2, 20, 64.6, 5.2)).wet()
	front.patch(c.belly, limb(60, 72, 1.8, 50, 75.4, 2.8, 36, 75.4, 2.8, 24, 72.4, 2.6, 15, 66, 2.4))
	for _, x := range []float64{20, 26, 32, 38, 44, 50, 56} {
		front.crease(dark, x-1, 71.6, x+0.6, 76)
	}
	wyrmScales(neck, front, arch, n, c)
	if n == 3 {
		wyrmHoard(p, c)
	}
	wyrmGem(p, n, c)
	p.part(c.main, limb(43, 45, 3.8, 41, 52, 3.2, 33, 54, 2.8)).soft().crease(edge, 30, 53, 32, 53).crease(edge, 30, 55,
		32, 55)
	p.acts(pose{deg: 11, cx: 40, cy: 34})
	wyrmHead(p, n, c, 36, 27)
	p.rests()
	p.anchor("crest", 38, 14)
	p.anchor("tail", 75, 45)
	p.anchor("heart", 42, 62)
	p.anchor("feet", 43, 74)
}

// wyrmHead draws the head around x, y.
func wyrmHead(p *pet, n int, c coat, x, y float64) {
	long := []float64{0.55, 0.9, 1}[n-1]
	for _, h := range [][2]float64{{-5, 9}, {6, 17}} {
		p.part(c.trim, limb(x+h[0], y-6, 3, x+h[0]+(h[1]-h[0])*0.5*long, y-6-9*long, 2.4, x+h[0]+(h[1]-h[0]+2)*long,
			y-6-10.5*long, 0.8)).wet()
	}
	p.part(c.mark, leafAt(x+8, y, x+21, y-6, 8, 2), leafAt(x+8, y+3, x+20, y+4, 7, 1)).flat(0.7).flick(x+8, y+1,
		9).crease(dark, x+10, y-1, x+18, y-5)
	head := p.part(c.main, fuse(4, oval(x, y, 12, 10), limb(x-6, y+4, 7.4, x-15, y+6, 5.2))).throw(3).calmly().wet()
	head.patch(c.belly, fuse(2, oval(x-14, y+11, 9, 3.6), oval(x-2, y+11, 9, 4)))
	if n >= 2 {
		head.mark(c.mark, leafAt(x-3, y-4, x-1, y-12, 4, 0), dots(1.1, x+6, y-5, x+8, y+1))
	}
	ix, iy := int(x), int(y)
	p.stamp(ix-1, iy-4, keys(c.eye, c.main), "....OOO", "OOOOLLO", "KKKKKKK", "KWWKmlK", ".KWKmlK", "..KKKK.")
	p.stamp(ix-13, iy-3, keys(c.eye, c.main), "OOO..", "OLLOO", "KKKKK", "KWKmK", ".KKK.")
	p.stamp(ix-19, iy+2, keys(c.main), "oo..o", ".o.oo")
	p.stamp(ix-18, iy+8, keys(c.main, c.belly),
		"..............o",
		"ooooo......ooo.",
		".WW.ooooooo....",
		".W......WW.....")
	p.stamp(ix+3, iy+4, keys(coral), "mm.", ".mm")
}

// wyrmScales draws a net of filigree on look 2, and stripes and dots on look 3.
func wyrmScales(neck, front, arch *part, n int, c coat) {
	if n == 2 {
		net := join(bands(50, 50, 45, 7, 1.6), bands(50, 50, -45, 7, 1.6))
		front.mark(c.mark, clip(net, below(0, 70, 180)))
		arch.mark(c.mark, clip(net, join(limb(44, 60, 5, 46, 47, 5, 59, 43, 5, 69, 52, 5, 69, 66, 4))))
		neck.mark(c.mark, clip(net, limb(45, 60, 3.4, 48, 49, 3.4, 46, 40, 3.4, 43, 33, 3)))
		return
	}
	for _, x := range []float64{26, 33, 40, 47, 54} {
		front.crease(shine, x-1, 65, x+2, 67)
	}
	front.mark(c.mark, dots(1.6, 26, 66, 34, 67, 42, 67.4, 50, 67, 58, 65))
	arch.mark(c.mark, dots(1.5, 42, 56, 47, 46, 56, 42.6, 65, 48, 69, 57))
	neck.mark(c.mark, dots(1.5, 46, 53, 47, 45, 44, 37))
}

func wyrmSpines(p *pet, c coat) {
	for _, f := range [][4]float64{{48, 48, 57, 42}, {47, 42, 57, 35}, {45, 35, 54, 28}} {
		p.part(c.mark, leafAt(f[0], f[1], f[2], f[3], 6, -1)).sharp()
	}
}

// wyrmGem draws the gem that the wyrm holds.
func wyrmGem(p *pet, n int, c coat) {
	p.posed(pose{dx: -6})
	defer p.posed(pose{})
	gem := p.part(c.extra, poly(0.5, 30, 49, 34, 45, 40, 45, 44, 49, 37, 59)).flat(0.5).wet()
	gem.crease(light, 30, 50, 43, 50).crease(light, 35, 46, 34, 50, 37, 57).crease(light, 39, 46, 40, 50, 37, 57)
	gem.tint(1, poly(0, 31, 49, 35, 46, 35, 50))
	p.part(c.main, limb(36, 56, 2.8, 41, 57, 2.4)).dim()
}

// wyrmHoard draws the treasure around look 3, the hoardmother: coins, a pearl and a ruby.
func wyrmHoard(p *pet, c coat) {
	for _, at := range [][2]float64{{13, 73}, {19, 71}, {16, 69}, {76, 73}, {70, 73.4}} {
		coin := p.part(brass, oval(at[0], at[1], 3.6, 2.2)).wet().throw(1)
		coin.bright()
	}
	p.part(pearl, oval(23, 73, 2.6, 2.6)).wet().throw(1)
	p.part(ember, poly(0.3, 30, 71, 33, 74, 30, 76, 27, 74)).wet().throw(1)
}

// wyrmWing draws a wing with ribs of gold and skin like stained glass.
func wyrmWing(p *pet, c coat) {
	skin := without(poly(0.5, 56, 50, 62, 28, 69, 9.6, 80, 18, 80, 32, 80, 44, 68, 50),
		join(oval(82, 25, 5, 4.6), oval(82.6, 38.4, 4.6, 4.4), oval(75.6, 50.6, 5, 5)))
	first := len(p.parts)
	near := p.part(c.extra, skin).flat(0.5)
	near.tint(1, poly(0, 63, 28, 70, 12, 77, 18, 66, 38))
	p.part(c.main, limb(57, 50, 2.8, 62, 32, 2.2, 69, 10.4, 1.4), limb(62, 31, 1.4, 72, 23, 1.2, 79, 19.6, 0.9),
		limb(61, 36, 1.4, 72, 33, 1.2, 79, 32, 0.9), limb(60, 41, 1.4, 70, 42, 1.2, 78, 44, 0.9)).wet().throw(1)
	p.flickFrom(first, 57, 51, -4)
}

// wyrmHatchling draws the hatchling, which holds a button.
func wyrmHatchling(p *pet, c coat) {
	p.part(c.main, limb(58, 68, 5, 68, 69, 4, 74, 63, 2.6, 73, 56, 1.4)).wet()
	p.part(c.trim, poly(0.5, 73, 49, 77, 55, 73, 58, 69.6, 55)).wet()
	first := len(p.parts)
	p.part(c.mark, poly(0.5, 53, 55, 59, 38, 69, 21, 80, 29, 74.6, 33.6, 79, 42, 71, 42.6, 67, 50)).flat(0.5).matt()
	p.part(c.main, limb(54, 54, 2.6, 60, 38, 1.8, 69, 21.6, 1.2), limb(61, 37, 1, 71, 31, 0.9, 79.4, 29.4, 0.7),
		limb(58, 44, 1, 68, 41, 0.9, 78, 41.8, 0.7)).throw(1)
	p.flickFrom(first, 55, 54, -8)
	p.part(c.main, limb(36, 56, 3.6, 30, 60, 3)).dim()
	body := p.part(c.main, fuse(5, oval(48, 62, 13, 11.4), limb(44, 48, 8.4, 45, 56, 9))).wet()
	body.patch(c.belly, fuse(3, oval(41, 62, 8, 10), oval(40, 52, 5, 7)))
	for _, y := range []float64{55, 59, 63, 67} {
		body.crease(dark, 34, y, 40, y+1.4, 47, y-0.4)
	}
	p.part(c.main, oval(37, 72, 6, 2.8)).throw(1)
	thigh := p.part(c.main, fuse(3, oval(56, 66, 7.4, 7), oval(52, 72, 7, 2.8))).soft()
	thigh.crease(edge, 48, 72, 48, 75).crease(edge, 51, 72, 51, 75)
	button := p.part(c.extra, oval(32, 60, 6, 6)).wet()
	button.crease(dark, 29, 58, 32, 56, 35, 58, 36, 61)
	p.stamp(30, 58, keys(c.extra), "o.o", "...", "o.o")
	p.part(c.main, limb(50, 52, 4, 48, 58, 3.6, 39, 61, 3)).soft()
	for _, f := range [][4]float64{{54, 50, 62, 46}, {51, 44, 60, 39}} {
		p.part(c.mark, leafAt(f[0], f[1], f[2], f[3], 6, -1)).sharp()
	}
	p.acts(pose{deg: 11, cx: 44, cy: 48})
	wyrmHead(p, 1, c, 40, 39)
	p.rests()
	p.anchor("crest", 41, 26)
	p.anchor("tail", 73, 54)
	p.anchor("heart", 44, 64)
	p.anchor("feet", 46, 74)
}
