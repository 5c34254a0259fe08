package main

// farmInks are the colours of ripe fields under a low sun.
const farmInks = `
	a 8fb8cc b b0cdcf c d4dcc4 d eee0b6 e f7e6c0
	1 b7b79a 2 a3a686 3 c8bd8c 4 8f9670
	f e9cf7e g d3b05c h b58c48 i 8f6a3e j 6b4f38 k f7e6a6
	m 8f3f3a n b35a48 o cf8062 p e6b08c q f1e4cc r 5a3a3a s 7c6a64 t a3948a
	u 8a4a2c v c07034 w e0a048 x f2cc74
	A 4f6a3c B 74904a C 9cb05c D 3a3038 E 5f5560 F 6a86a8 G e8853a H b85a2a I f8b868`

func farmBack() *plate {
	p := newPlate(farmInks)
	p.sky(60, "abde", 0, 14, 27, 40)
	p.cloud("cde", 24, 60, 23, 3.5, 65, 20, 5, 72, 17, 6.5, 79, 19, 5.5, 85, 22, 4)
	p.cloud("cde", 18, 11, 16, 3.5, 17, 14, 4.5, 23, 13, 5, 29, 16, 3.5)
	p.farmHills()
	p.barn(63, 33)
	p.farmField()
	p.scarecrow(8, 34)
	return p
}

// farmHills draws fields in strips, with a line of autumn trees.
func (p *plate) farmHills() {
	p.hill(cut.downs(0, 42, 18, 46, 36, 41, 54, 45, 72, 41, 90, 44), "21")
	s := cut.downs(0, 49, 22, 46, 44, 50, 66, 47, 90, 50)
	p.hill(s, "43")
	p.fill(cut.poly(10, 49, 22, 47, 30, 49, 24, 58, 4, 58).and(s), '3')
	p.fill(cut.poly(40, 51, 52, 50, 60, 58, 44, 58).and(s), 'g')
	p.dashes('2', 28, 52, 6, 36, 54, 6, 54, 51, 4, 30, 56, 5)
	for _, x := range []int{26, 33, 40, 50, 55} {
		p.col(x, 50, 53, 'j')
	}
	p.crown("uvw", 26, 48, 3.6, 50, 48, 3.2)
	p.crown("uvwx", 33, 44, 4.2, 31, 48, 3.2, 36, 48, 3.6)
	p.crown("hwxk", 40, 47, 4, 55, 49, 3)
	p.crown("ABC", 22, 52, 3, 45, 52, 2.6, 29, 53, 2.4)
}

// barn draws the barn on the right, with its silo.
func (p *plate) barn(x, y int) {
	p.stamp(x+14, y-8, `
		.sssss..
		ssttsss.
		sttssssr
		qqttttsr
		qqttttsr
		qqttttsr
		sssssssr
		qqttttsr
		qqttttsr
		qqttttsr
		sssssssr
		qqttttsr
		qqttttsr
		qqttttsr
		sssssssr
		qqttttsr`)
	p.stamp(x, y, `
		........rr........
		......rrssrr......
		....rrsspossrr....
		...rsspnnnosssr...
		..rssonnqqnnossr..
		.rssonnqrrqnnossr.
		rssonnnqrrqnnnossr
		rsonnnnnqqnnnnnosr
		ronnnnnnnnnnnnnmor
		.onnnnnnnnnnnnnmm.
		.onqqqqqqqqqqqqmm.
		.onqqnnnqqnnnqqmm.
		.onqnqnnqqnnqnqmm.
		.onqnnqnqqnqnnqmm.
		.onqnnnqqqqnnnqmm.
		.onqnnqnqqnqnnqmm.
		.onqnqnnqqnnqnqmm.
		.onqqnnnqqnnnqqmm.
		.onqqqqqqqqqqqqmm.
		.onnnnnnnnnnnnnmm.
		.mmmmmmmmmmmmmmmm.`)
	p.crown("uvwx", 83, 49, 5, 86, 44, 5)
}

// farmField draws rows of wheat on the left and right, and stubble in the middle.
func (p *plate) farmField() {
	s := cut.downs(0, 54, 20, 55, 45, 57, 66, 55, 90, 54)
	p.fill(s, 'g')
	p.fill(s.rim(0, 1), 'k')
	for _, r := range []struct{ y, x, step int }{{55, 4, 3}, {58, 5, 4}, {61, 3, 4}, {64, 5, 5}} {
		for x := r.x; x < 30-(r.y-55)/2; x += r.step {
			p.stamp(x, r.y, ".k\nfk\nfg\nhg")
		}
		for x := 88 - r.x; x > 60+(r.y-55)/2; x -= r.step {
			p.stamp(x, r.y, "k.\nfk\nfg\nhg")
		}
	}
	ground := cut.downs(0, 67, 20, 66, 32, 61, 45, 60, 58, 61, 70, 66, 90, 67)
	p.fill(ground, 'f')
	p.fill(ground.rim(0, 1), 'h')
	p.fill(cut.oval(46, 73, 30, 4), 'g')
	p.fill(cut.oval(44, 71, 28, 3.6), 'f')
	p.dashes('g', 34, 64, 6, 46, 63, 8, 30, 67, 7, 52, 67, 6, 18, 70, 6, 64, 69, 7, 38, 74, 7, 56, 75, 6, 26, 76, 5)
	p.dashes('h', 40, 66, 5, 22, 73, 5, 68, 73, 6, 10, 71, 5, 76, 71, 5, 48, 77, 6)
	p.dashes('k', 42, 69, 8, 30, 71, 5, 54, 71, 5)
	p.fill(cut.downs(0, 77, 20, 78, 46, 81, 70, 78, 90, 77), 'h')
}

// scarecrow draws a scarecrow with a bird on its arm.
func (p *plate) scarecrow(x, y int) {
	p.stamp(x, y, `
		......jjjj.....
		......jhij.....
		....jjjjjjjj...
		......qqqp.....
		..DD..qDpD.....
		.DDDD.qqqp.....
		GDDD...GGH.....
		..DDDnoGGGHn...
		kjjDDnnooFnnjjf
		.ffnnnoonnnnmff
		.f..j.noFnm..f.
		......noonm....
		......nnonm....
		......iiiij....
		......FFFFE....
		......FF.FE....
		......fk.kf....
		.......jj......
		.......jj......
		.......jj......
		.......jj......
		.......jj......
		.......jj......
		......gjjg.....
		.....fgjjgf....`)
}

func farmFront() *plate {
	p := newPlate(farmInks)
	wheat := `
		.k...k....k.....
		.kf..kf..kf..k..
		.fk..fk..fk.kf..
		.kf.kkf.kkf.fk..
		.gf.fkg.fkg.kf.k
		..g.kfg.gfg.gfkf
		..g..gg..gg..gfk
		.hg..gh..gg..ggf
		..h.ggh.hgh.hgg.
		.hgghghhgghghgh.
		.hghhghhghghhgh.
		.ihhihhihhihhih.
		.iihiiihiihiiii.`
	p.stamp(4, 73, wheat)
	p.flip(70, 73, wheat)
	s := cut.downs(0, 83, 18, 82, 32, 83, 46, 84, 60, 83, 72, 82, 90, 83)
	p.fill(s, 'i')
	pumpkin := `
		....A.....
		...BA.....
		.HGGBGGHH.
		HGIGGHGGHH
		GIIGHGGHGH
		GIGGHGGHGH
		GGGGHGGHHH
		HGGHGGHGHH
		.HHHHHHHH.`
	p.stamp(61, 74, pumpkin)
	p.stamp(18, 77, `
		...A...
		.HGBGH.
		HGIGHGH
		GIGHGGH
		GGGHGHH
		.HHHHH.`)
	stub := `
		f..k..
		kf.f.k
		gf.gfk
		.ghgg.
		.hhhh.`
	p.at(stub, 26, 79, 33, 81, 41, 80, 48, 81, 55, 79)
	p.stamp(35, 72, ".k..\nkf.k\n.gfg\n.hg.")
	p.stamp(52, 73, "k..k\nf.kf\n.gg.")
	p.at("vw\nuv", 30, 76, 58, 73, 46, 79)
	return p
}
