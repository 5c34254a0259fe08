package main

var honeyBee = creature{
	family: family{"honey-bee", "Honey Bee",
		"This bee is late, it says, and has been since the first crocus; could you hold this for a moment. It remembers " +
			"every flower that was ever kind to it, and flies out of its way on windy days to ask how they are."},
	draw: drawBee,
	looks: [3]look{
		{"Clover Bee",
			coat{main: honey, belly: cream, mark: cocoa, trim: rose, extra: frost, eye: cocoa},
			coat{main: rose, belly: snow, mark: plum, trim: coral, extra: foam, eye: plum}},
		{"Larder Bee",
			coat{main: cocoa, belly: fawn, mark: sun, trim: coral, extra: foam, eye: gold},
			coat{main: deep, belly: foam, mark: snow, trim: rose, extra: lilac, eye: brook}},
		{"Comb Regent",
			coat{main: plum, belly: lilac, mark: gold, trim: rose, extra: pearl, eye: night},
			coat{main: leaf, belly: lime, mark: cream, trim: coral, extra: foam, eye: leaf}},
	},
}

func drawBee(p *pet, n int, c coat) {
	if n == 1 {
		p.resize(0.86)
	}
	p.acts(pose{deg: 4.8, cx: 46, cy: 50})
	beeWings(p, n, c)
	p.part(ink, leafAt(66, 60, []float64{72, 74, 78}[n-1], []float64{66, 68, 72}[n-1], 4, 0)).sharp()
	tail := []float64{48, 46, 11, 58, 51, 12.5, 66, 59, 6.5}
	if n == 3 {
		tail = []float64{48, 46, 11, 58, 50, 12.5, 67, 58, 9, 73, 66, 4}
	}
	if n == 1 {
		tail = []float64{48, 48, 11, 57, 52, 11.5, 63, 57, 7}
	}
	back := p.part(c.main, limb(tail...))
	back.mark(c.mark, clip(bands(56, 51, -48, 9, 4.4), oval(64, 58, 18, 20)))
	for _, l := range [][]float64{{36, 52, 1.6, 33, 58, 1.5, 36, 62, 1.4}, {43, 55, 1.6, 41, 61, 1.5, 44, 65, 1.4},
		{50, 56, 1.6, 50, 62, 1.5, 53, 66, 1.4}} {
		p.part(ink, limb(l...)).sharp()
	}
	if n == 2 {
		beePot(p, c)
	}
	ruff := p.part(c.belly, fuse(2, oval(45, 44, 11, 10)), leafAt(50, 40, 57, 34, 6, 0), leafAt(52, 44, 61, 43, 7, 0),
		leafAt(50, 50, 57, 55, 7, 0), leafAt(44, 52, 45, 60, 7, 0), leafAt(38, 50, 35, 57, 7, 0))
	ruff.crease(mid, 50, 48, 54, 52)
	ruff.crease(mid, 52, 43, 57, 43)
	beeHead(p, n, c)
	p.rests()
	p.floats = true
	p.anchor("crest", 33, 22)
	p.anchor("tail", 71, 65)
	p.anchor("heart", 46, 56)
	p.anchor("feet", 46, 68)
	p.ground(32, 64)
}

func beeHead(p *pet, n int, c coat) {
	for _, a := range [][]float64{{29, 28, 1, 24, 20, 1, 18, 18, 1}, {36, 27, 1, 37, 18, 1, 32, 14, 1}} {
		p.part(ink, limb(a...)).sharp()
		p.part(c.mark, oval(a[6], a[7], 2.4, 2.4))
	}
	head := p.part(c.main, fuse(3, oval(32, 38, 14, 12.5), oval(30, 42, 13, 9))).throw(3).calmly().flat(0.65)
	head.patch(c.belly, oval(28, 46, 11, 7))
	p.part(c.belly, leafAt(34, 27, 28, 32, 5, 0), leafAt(36, 26, 36, 34, 6, 0), leafAt(38, 27, 44, 33, 5, 0)).soft()
	if n == 3 {
		p.part(c.mark, poly(0.5, 28, 27, 26, 16, 31, 21, 35, 12.5, 39, 20, 45, 16, 43, 27)).sharp()
		p.stamp(34, 21, keys(c.trim), ".o.", "olo", "omo", ".o.")
	}
	p.eye(20, 36, eyeTallFar, c.eye)
	p.eye(33, 36, eyeTall, c.eye)
	p.stamp(19, 33, keys(c.main), "oo...", "..oo.")
	p.stamp(33, 32, keys(c.main), "...oo", ".oo..")
	p.stamp(26, 45, keys(c.belly, c.trim), "ooooo", ".MLM.", "..o..")
	p.stamp(38, 43, keys(c.trim), "lll", ".l.")
	p.stamp(19, 43, keys(c.trim), "l", "l")
}

func beeWings(p *pet, n int, c coat) {
	wings := [][6]float64{{46, 40, 44, 11, 15, 2}, {49, 40, 67, 13, 17, 1}, {51, 43, 77, 30, 12, 0}}
	switch n {
	case 1:
		wings = [][6]float64{{46, 40, 46, 13, 15, 2}, {49, 40, 72, 19, 17, 1}}
	case 3:
		wings = [][6]float64{{46, 40, 48, 9.6, 14, 2}, {49, 40, 70, 10, 17, 1}, {51, 42, 81, 25, 13, 0},
			{52, 45, 80, 40, 10, 0}}
	}
	for i, w := range wings {
		q := p.part(c.extra, leafAt(w[0], w[1], w[2], w[3], w[4], w[5])).flat(0.5).sway(w[0], w[1], float64(8-4*i))
		q.crease(mid, w[0], w[1], (w[0]+w[2])/2-1, (w[1]+w[3])/2, w[2], w[3]+3)
		q.crease(mid, (w[0]+w[2])/2, (w[1]+w[3])/2, w[2]+4, w[3]+8)
		if i == 0 {
			q.dim()
		}
	}
}

// beePot draws the pot that the larder bee carries.
func beePot(p *pet, c coat) {
	pot := p.part(russet, fuse(1, oval(44, 67, 9, 7), poly(1, 39, 60, 49, 60, 49, 63, 39, 63)))
	pot.patch(c.mark, without(oval(44, 60, 9, 5), oval(39, 67, 3, 3)), oval(38, 65, 1.6, 4), oval(48, 64, 1.6, 3))
	p.part(c.mark, limb(37, 60, 2, 44, 61, 2, 51, 60, 2)).wet()
}
