package main

// An element is one overlay: inks, a place relative to an anchor of the pet, and one or more pixel
// maps.
type element struct {
	inks string
	at   string
	w, h int // of the layer
	x, y int // its top left corner, relative to the anchor
	draw func(p *plate)
	move func(l *layer) // adds the frames after the first
}

// elementTraits are in the order of the element trait.
func elementTraits() []element {
	return []element{fireTail, waterDrops, leafFall, windCurls, sparkWhiskers, frostCrest, lightHalo, shadeWisps}
}

// elements are the element overlays and the sparkles of shiny pets.
func elements() []layer {
	var out []layer
	for n, e := range elementTraits() {
		p := sizedPlate(e.w, e.h, e.inks)
		e.draw(p)
		l := layer{file: "element/" + elementValues[n] + ".png", at: e.at, x: e.x, y: e.y, img: p.img}
		e.move(&l)
		out = append(out, l)
	}
	return append(out, sparkles())
}

// fireTail is a flame that stands on the tail's tip and throws off embers.
var fireTail = element{
	move: licks,
	at:   "tail", w: 15, h: 19, x: -7, y: -15,
	inks: "a 5c1626 b b02a24 c ea5a22 d ff9a34 e ffd768 f fffbd8",
	draw: func(p *plate) {
		p.stamp(0, 0, `
			.........cb....
			.........db....
			.b.............
			.db...b........
			.cb...cb....b..
			......cb...bd..
			..b...bcb..bc..
			..cb..bdcb.....
			..bc.bcddcb....
			..bcbbdddcb.b..
			.bcdcbdeedcbcb.
			.bcdddceeedcdcb
			bcddeeddeeeddcb
			bcdeeeedeeeeddb
			bcdeeffeeffeddb
			bcdeefffffeedcb
			.bcdeeffffedcb.
			..bbcdeeedccb..
			....aabbbaa....`)
	},
}

// waterDrops are drops that circle the body.
var waterDrops = element{
	move: bobs([2]int{0, 1}, [2]int{0, 2}),
	at:   "heart", w: 65, h: 46, x: -33, y: -26,
	inks: "a 17366e b 2a62b4 c 4a9ae6 d 94d4fa e f4feff",
	draw: func(p *plate) {
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
		p.stamp(0, 27, big)
		p.stamp(1, 4, mid)
		p.stamp(1, 18, small)
		p.stamp(54, 2, big)
		p.stamp(59, 17, mid)
		p.stamp(54, 28, small)
		p.stamp(11, 38, small)
		p.stamp(49, 38, mid)
	},
}

// leafFall is a handful of leaves on their way down.
var leafFall = element{
	move: bobs([2]int{1, 1}, [2]int{-1, 1}),
	at:   "heart", w: 66, h: 50, x: -33, y: -29,
	inks: "a 24421f b 4a7a2a c 7fb03a d bedc62 e 8a4a1e f d98a34 g f6c860",
	draw: func(p *plate) {
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
		p.stamp(0, 23, leaf)
		p.flip(54, 5, leaf)
		p.stamp(1, 3, dry)
		p.flip(57, 22, dry)
		p.stamp(8, 37, `
			..aaa..
			.addca.
			addcba.
			acbba..
			aaaa...`)
		p.stamp(52, 38, `
			.aaa...
			addcaa.
			.abddca
			..aabca
			....aaa`)
		p.stamp(3, 16, "gf\nfe")
	},
}

// windCurls are gusts that roll up on both sides.
var windCurls = element{
	move: bobs([2]int{1, 0}, [2]int{2, 0}),
	at:   "heart", w: 70, h: 42, x: -35, y: -22,
	inks: "a 3f7a80 b 7fc0b8 c c4ecdc d ffffff",
	draw: func(p *plate) {
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
		p.stamp(0, 22, curl)
		p.flip(54, 8, curl)
		gust := `
			....aaaaaaaaaaa.
			.aaabccdddddccba
			abcdddccbbbaaaa.
			.aaaaaaa........`
		p.stamp(4, 32, gust)
		p.flip(50, 18, gust)
		p.flip(58, 31, `
			.aaaaaaa....
			abcdddccba..
			.aaaaabcdca.
			......aacba.
			.......aaa..`)
	},
}
