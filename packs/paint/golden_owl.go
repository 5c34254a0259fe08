package main

var runeOwl = creature{
	family: family{"rune-owl", "Rune Owl",
		"A rune owl carves one letter into the dark each night and has nearly finished the sentence. Ask it anything; it " +
			"will look at you until you notice that you knew."},
	draw: drawOwl,
	looks: [3]look{
		{"Cipher Owlet",
			coat{main: smoke, belly: cream, mark: tide, trim: gold, extra: mint, eye: tide},
			coat{main: rose, belly: pearl, mark: plum, trim: gold, extra: sun, eye: plum}},
		{"Standing-Stone Owl",
			coat{main: tide, belly: cream, mark: leaf, trim: gold, extra: sun, eye: gold},
			coat{main: ember, belly: cream, mark: russet, trim: gold, extra: foam, eye: sun}},
		{"Keeper of the Last Word",
			coat{main: slate, belly: pearl, mark: night, trim: gold, extra: foam, eye: brook},
			coat{main: snow, belly: pearl, mark: lilac, trim: gold, extra: berry, eye: berry}},
	},
}

// runes are invented letters, as stamps.
var runes = [][]string{
	{"s...s", "s...s", ".s.s.", "..s..", "..s..", ".sss."},
	{"..s..", ".s.s.", "s...s", "..s..", "..s..", "..s.."},
	{"sss..", "..s..", "..sss", "..s..", "sss..", "..s.."},
	{"s.s.s", "s.s.s", ".sss.", "..s..", "s.s.s", ".s.s."},
}

func drawOwl(p *pet, n int, c coat) {
	up := 0
	switch n {
	case 1:
		p.resize(0.86)
		owlBody(p, n, c, 0)
	case 2:
		owlMenhir(p, c)
		p.resize(0.78)
		up = 17
		owlBody(p, n, c, -17)
	default:
		p.posed(pose{deg: 6, cx: 38, cy: 56, dx: 1, dy: 2})
		p.acts(pose{deg: -9, cx: 38, cy: 56})
		owlSpread(p, c)
		p.rests()
		p.resize(0.85)
		p.posed(pose{deg: 5, cx: 45, cy: 74})
		owlBody(p, n, c, 0)
		p.posed(pose{})
		p.resize(0)
		owlWords(p, c)
	}
	p.anchor("crest", 45, 20-up)
	p.anchor("tail", 58, 68-up)
	p.anchor("heart", 45, 60-up)
	p.anchor("feet", 45, 74)
}

// owlBody draws the owl from its tufts to its talons, moved down by dy.
func owlBody(p *pet, n int, c coat, dy float64) {
	down := func(s shape) shape { return move(s, 0, dy) }
	p.part(c.mark, down(leafAt(45, 62, 38, 76, 9, 0)), down(leafAt(45, 62, 52, 76, 9, 0))).dim()
	cock := pose{deg: 12, cx: 45, cy: 40 + dy}
	p.acts(cock)
	for _, s := range []float64{-1, 1} {
		p.part(c.main, down(fuse(2, leafAt(45+s*8, 30, 45+s*20, 15, 11, s*-2), leafAt(45+s*12, 30, 45+s*24, 20, 8,
			s*-2)))).sharp().
			mark(c.mark, down(leafAt(45+s*12, 26, 45+s*20, 15, 5, s*-1))).flick(45+s*10, 27+dy, s*8)
	}
	p.rests()
	body := p.part(c.main, down(fuse(6, oval(45, 54, 17, 17), oval(45, 34, 18, 13.6)))).calmly()
	body.patch(c.belly, down(oval(45, 58, 11.6, 13)))
	for row, y := range []float64{51, 56, 61, 66} {
		for x := 36.0 + 3*float64(row%2); x < 55; x += 6 {
			body.crease(mid, x-2, y+dy-1, x, y+dy+1, x+2, y+dy-1)
		}
	}
	for _, s := range []float64{-1, 1} {
		if n == 3 && s < 0 {
			continue // this wing is raised
		}
		tip := 17.0
		if n == 2 {
			tip = 28
		}
		wing := p.part(c.main, down(leafAt(45+s*11, 40, 45+s*tip, 70, 14, s*5)))
		wing.mark(c.mark, down(clip(bands(45, 50, s*-24, 6, 2.4), oval(45+s*(tip+1), 60, 8, 12))))
		if s > 0 {
			wing.dim()
		}
	}
	p.acts(cock)
	p.part(c.belly, down(fuse(2, oval(36, 37, 9.4, 8.8), oval(54, 37, 9.4, 8.8),
		oval(45, 41, 7, 6)))).calmly().matt().throw(1)
	brow := p.part(c.mark, down(leafAt(46, 35, 23, 22, 6.6, -2)),
		down(leafAt(44, 35, 67, 22, 6.6, 2))).sharp().throw(2).bright()
	brow.crease(light, 42, 31+dy, 33, 26+dy, 27, 24+dy).crease(light, 48, 31+dy, 57, 26+dy, 63, 24+dy)
	owlFace(p, n, c, int(dy))
	p.rests()
	for _, x := range []int{36, 48} {
		p.stamp(x, 71+int(dy), keys(c.trim), ".ooo.oo.", "olmolmlo", "omdomdoo", ".oo.oo.o")
	}
	if n >= 2 {
		p.stamp(42, 52+int(dy), keys(c.extra, c.mark), owlGlow(runes[0])...)
	}
}

// owlGlow puts dark pixels around a rune, so that it seems to glow.
func owlGlow(rune []string) []string {
	out := []string{".OOOOO."}
	for _, r := range rune {
		b := []byte("O" + r + "O")
		for i := range b {
			if b[i] == '.' {
				b[i] = 'D'
			}
		}
		out = append(out, string(b))
	}
	return append(out, ".OOOOO.")
}

func owlFace(p *pet, n int, c coat, dy int) {
	eye := []string{
		"..KKKK..",
		".KlllmK.",
		"KlKKKKmK",
		"KlKWWKmK",
		"KlKWKKmK",
		"KmKKKKmK",
		".KmmmdK.",
		"..KKKK.."}
	p.stamp(32, 32+dy, keys(c.eye), eye...)
	p.stamp(50, 32+dy, keys(c.eye), eye...)
	p.stamp(42, 37+dy, keys(c.trim), "..oo..", ".olso.", "olsmmo", "olmmdo", ".olmo.", "..oo..")
	if n == 1 {
		p.stamp(43, 23+dy, keys(c.extra), "s...s", "s...s", ".s.s.", "..s..")
		return
	}
	p.stamp(43, 22+dy, keys(c.extra), runes[1]...)
}

// owlMenhir draws the standing stone that the owl sits on.
func owlMenhir(p *pet, c coat) {
	rock := p.part(stone, poly(1.4, 32, 61, 38, 59.4, 53, 59.4, 58, 62, 60, 68, 62, 75, 27, 75, 29, 66)).flat(0.7)
	rock.tint(-1, poly(0, 52, 56, 70, 56, 70, 77, 57, 77, 54, 66))
	rock.patch(c.mark, oval(34, 60, 8, 4), oval(30, 74, 6, 3))
	for i, x := range []int{32, 42, 52} {
		p.stamp(x, 66, keys(c.extra), runes[(i+1)%4]...)
	}
}

// owlWords draws stones with runes, which follow the raised wing through the air.
func owlWords(p *pet, c coat) {
	p.acts(pose{dy: -2})
	for i, at := range [][2]float64{{59, 10}, {70, 17}, {71, 31}} {
		x, y := at[0], at[1]
		p.part(stone, poly(0.8, x+1, y+1.4, x+8, y+1, x+8.4, y+10, x+0.6, y+10)).flat(0.5).dim().pulse()
		p.stamp(int(x)+2, int(y)+3, keys(c.extra), runes[i+1]...)
	}
	p.rests()
}

// owlSpread draws the raised wing: long feathers tipped with gold, shorter ones over them, and the
// arm.
func owlSpread(p *pet, c coat) {
	first := len(p.parts)
	for i, t := range [][2]float64{{12, 60}, {9.4, 51}, {9, 42}, {9, 33}, {9.4, 24}, {11, 15}, {19, 10}} {
		k := float64(i) / 5
		f := p.part(c.mark, leafAt(34-13*k, 58-26*k, t[0], t[1], 10, 0)).flat(0.75).throw(1)
		f.patch(c.trim, oval(t[0], t[1], 4.4, 4.4))
	}
	for i, t := range [][2]float64{{21, 58}, {18, 50}, {16.4, 42}, {15.6, 34}, {15.6, 26}, {21, 19}} {
		k := float64(i) / 4
		f := p.part(c.mark, leafAt(36-13*k, 57-24*k, t[0], t[1], 9, 0)).flat(0.8).throw(1).bright()
		f.mark(c.extra, oval(t[0]+2.6, t[1]+1, 1.4, 1.4))
	}
	p.part(c.main, limb(37, 54, 4.4, 29, 46, 3.6, 24, 36, 2.8, 20, 22, 1.6))
	p.swayFrom(first, 36, 54, 3)
}
