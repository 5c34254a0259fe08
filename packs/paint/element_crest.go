package main

import (
	"image"
	"image/draw"
	"math"
)

// sparkHorns are bolts of lightning behind the head, and small ones at the feet.
var sparkHorns = element{
	near: "crest", grounded: true,
	inks: "a 6a3a14 b e0901c c ffd83c d fff8b4 e ffffff",
	move: func(behind, _ *layer) { flashes(behind) },
	draw: func(behind, front *plate, size int) {
		star := "..a..\n.ada.\nadeda\n.ada.\n..a.."
		small := `
			...aaaa
			..aedca
			.aedca.
			aaedaaa
			..adcba
			.adca..
			adca...
			aaa....`
		low := `
			....aaaaa
			...aeddca
			..aeddca.
			.aeddcaaa
			.aaaddcba
			..addcba.
			.addcaa..
			.adca....
			adca.....
			aca......
			aa.......`
		if size == young {
			behind.set(7, -13, low)
			behind.turned(-16, -13, low)
			behind.set(-2, -14, star)
			front.set(12, -10, small)
			front.turned(-19, -11, small)
			return
		}
		bolt := `
			.......aaaaaa
			......aedddca
			.....aedddca.
			....aedddca..
			...aedddcaaaa
			..aeddddccdba
			..aaaaedddba.
			.....aeddca..
			....aeddcaaa.
			...aeddccdba.
			...aaaddcba..
			....addcba...
			...adcba.....
			..adcba......
			.adcaa.......
			.aaa.........`
		behind.set(9, -17, bolt)
		behind.turned(-22, -17, bolt)
		behind.set(-2, -16, star)
		front.set(16, -14, low)
		front.turned(-26, -16, low)
		front.turned(-15, -7, small)
	},
}

// frostCrest is a fan of ice that grows from behind the head, and crystals at the feet.
var frostCrest = element{
	near: "crest", grounded: true,
	inks: "a 2a4a86 b 5a96d2 c 9fd8f2 d dcf8ff e ffffff",
	move: func(behind, _ *layer) { glints(behind) },
	draw: func(behind, front *plate, size int) {
		low := `
			.....a...
			....aea..
			.a..aeba.
			aea.aedba
			aedaaedba
			.aedaedba
			.aedbedba
			..aedcba.
			..aaccaa.
			....aa...`
		if size == young {
			behind.set(-9, -9, `
				.........a.........
				........aea........
				........aeba.......
				..a....aedca....a..
				.aea...aedcba..aea.
				.aeda..aedcba.aeda.
				..aedaaeddcbaaedca.
				a..aedcaedcbaedca.a
				aea.aeddedcbaeda.ae
				.aedaaedddcbedcaada
				..aedcaedccbdcaadca
				...aeddcdccbccaeda.
				....aaedccbbcbeda..
				......aaccbbccaa...
				........aaaaaa.....`)
			front.set(-20, -11, low)
			front.set(12, -8, `
				..a...
				.aeaa.
				.aebea
				aaedba
				aedcba
				.accba
				..aaa.`)
			return
		}
		behind.set(-14, -13, `
			..............a..............
			.............aea.............
			.............aeba............
			.....a......aedba.......a....
			....aea.....aedca......aea...
			....aeca...aeddcba....aeda...
			....aedca..aeddcba...aedca...
			.....aedca.aeddcba..aeddba...
			.aa..aeddcaaeddcba.aeddcba.a.
			aeda..aedcbaeddcbaaeddcba.aea
			.aedca.aeddbaeddcbaeddba.aeda
			..aeddcaaedcbeddcbeddcba.adca
			...aeddcbaedcbedcbddcbaaaedba
			....aeddccbdccbdcbcdccbaeddb.
			.....aaeddcbccbdcbccbbaeddba.
			.......aaedccbccbcccbbeddba..
			.........aaccbbccbbccbbaa....
			...........aaabbbbbaaa.......
			..............aaaa...........`)
		front.set(-28, -16, `
			.....a.......
			....aea......
			....aeba.....
			....aedba....
			...aedcba..a.
			.a.aedcbaaea.
			aeaaedcbaedba
			aedaedcbaedba
			aedbedcbaedca
			.aedbdcbedcba
			.aeddbcbedba.
			..aedccbdcba.
			..aabccbccaa.
			....aaaaaa...`)
		front.turned(17, -12, low)
	},
}

// lightHalo is a ring around the top of the head, with short rays behind the ring. Ears and horns
// pass through the ring.
var lightHalo = element{
	near: "crest",
	inks: "a 9a5a1c b e8a834 c ffdc6a d fff6bc e ffffff",
	move: func(behind, front *layer) {
		bob(behind, [2]int{0, -1}, [2]int{0, -1})
		bob(front, [2]int{0, -1}, [2]int{0, -1})
	},
	draw: func(behind, front *plate, size int) {
		if size == young {
			behind.set(-11, -11, `
				...........c...........
				....c......d......c....
				.....d...........d.....
				.......aaaaaaaaa.......
				....aaabcdeeeddcaaa....
				..aabcdecbbbbbbccdcaa..
				.abcecba.......abcdcba.`)
			front.set(-11, -4, `
				.abcdba.........abdcba.
				..aabccbaaaaaaabccbaa..
				....aaabbcccccbbaaa....
				.......aaaaaaaaa.......`)
			return
		}
		behind.set(-15, -12, `
			...............c...............
			......c........d........c......
			.......d.......e.......d.......
			c......................e......c
			.de......aaaaaaaaaaaaa......ed.
			......aaabcddeeeedddccaaa......
			....aabcdeedcccccccddcccbaa....
			...abcdecbbaaaaaaaaabbccccba...
			..abcecba.............abcccba..`)
		front.set(-15, -3, `
			..abcdba...............abccba..
			...abccbaa...........aabcbba...
			....aabcccbbaaaaaaabbccbbaa....
			......aaabbcccccccccbbaaa......
			.........aaaaaaaaaaaaa.........`)
	},
}

// shadeWisp is a ghost that looks over the pet's head from behind, with smaller ones at its feet.
var shadeWisp = element{
	near: "crest", grounded: true,
	inks: "b 2c1848 c 4c2a74 d 7a4aa8 e b088e0 w f4e8ff",
	move: func(behind, front *layer) {
		bob(behind, [2]int{0, -1}, [2]int{1, 0})
		winks(front)
	},
	draw: func(behind, front *plate, size int) {
		curl := `
			..d..
			.ded.
			.dcbd
			decd.
			.dbd.
			..d..`
		low := `
			....d....
			...ded...
			...dcd.d.
			.d.dcbded
			deddcbbcd
			dcbdcbbbd
			decbwbwbd
			.dcbwbwd.
			.dcbbbbd.
			..ddbbd..
			....dd...`
		if size == young {
			behind.set(-7, -10, `
				...b.....b.....
				..bcb.b.bcb.b..
				.bbdcbcbcdcbcb.
				bcbcdcccccddcb.
				.bcdcwwcwwccdb.
				.bcdcwwcwwccdcb
				bcdcccccccccdcb
				bcdccccccccccdb
				.bcdcccccccdcb.
				..bccdcccdccb..
				....bbcccbb....
				......bbb......`)
			behind.set(9, -8, curl)
			front.set(-20, -13, low)
			front.set(13, -9, curl)
			return
		}
		behind.set(-10, -13, `
			.....b.......b.......
			....bcb..b..bcb..b...
			.b..bdcbbcbbcdb.bcb..
			bcb.bcdcdccdcdcbcdb..
			.bcbcdddcccddddccdcb.
			.bdcddcccccccddddcb..
			..bcdcwwcccwwccddcb..
			.bcdcwwwccwwwcccdccb.
			.bcdccwwcccwwcccdcdb.
			bcdccccccccccccccdcb.
			bcdcccccccccccccccdb.
			.bcdccccccccccccdcb..
			..bcdcccccccccccdb...
			...bccdcccccccdcb....
			.....bbcccccccbb.....
			........bcccb........
			.........bbb.........`)
		behind.set(12, -10, curl)
		behind.turned(-19, -4, curl)
		front.set(-28, -17, `
			......d.....
			.....ded....
			....decd....
			....dcbd.d..
			.d..dcbdded.
			ded.decbdcd.
			dcd..dcbdcd.
			dcbd.dcbbcbd
			.dcbddcbbcbd
			.deccbbbbbcd
			.dcbwwbwwbcd
			..dcwwbwwbd.
			..dcbbbbbbd.
			...dcbbbdd..
			....dddd....`)
		front.turned(17, -13, low)
	},
}

// nimbus draws the element "light" for a pet whose head has no room for a halo: rays around the
// head, behind the pet, and two stars in front.
func nimbus(img *image.NRGBA, at, face [2]int) (behind, front layer) {
	back, fore := newPlate(lightHalo.inks), newPlate(lightHalo.inks)
	cx, cy := float64(at[0]+face[0])/2, float64(at[1]+face[1])/2
	const turns = 18
	var tips [][2]int
	for k := range turns {
		sin, cos := math.Sincos(2 * math.Pi * (float64(k) + 0.5) / turns)
		if sin > 0.55 {
			continue
		}
		out := 0.0
		for r := 4.0; r < 34; r++ {
			if img.NRGBAAt(int(cx+r*cos), int(cy+r*sin)).A > 0 {
				out = r
			}
		}
		from, to := out+2.5, out+10
		if k%2 == 1 {
			to = out + 6.5
		}
		within := func(r float64) bool {
			x, y := cx+r*cos, cy+r*sin
			return x > 9 && y > 9 && x < grid-9 && y < grid-9 && x+y > 24 && grid-x+y > 24
		}
		for to > from && !within(to) {
			to -= 0.5
		}
		if to-from < 2 || out > 31 {
			continue
		}
		ray := cut.poly(cx+from*cos+1.8*sin, cy+from*sin-1.8*cos, cx+to*cos+0.4*sin, cy+to*sin-0.4*cos,
			cx+to*cos-0.4*sin, cy+to*sin+0.4*cos, cx+from*cos-1.8*sin, cy+from*sin+1.8*cos)
		back.fill(ray.grown().minus(ray), 'b')
		back.fill(ray, 'c')
		back.fill(ray.shrunk(), 'd')
		tips = append(tips, [2]int{int(cx + to*cos), int(cy + to*sin)})
	}
	star := "..b..\n.bdb.\nbdedb\n.bdb.\n..b.."
	for i, tip := range tips {
		if i == 1 || i == len(tips)-2 {
			fore.stamp(tip[0]-2, tip[1]-2, star)
		}
	}
	place := func(p *plate) layer {
		box := drawn(p.img)
		img := image.NewNRGBA(image.Rect(0, 0, box.Dx(), box.Dy()))
		draw.Draw(img, img.Rect, p.img, box.Min, draw.Src)
		return layer{at: "light", x: box.Min.X - at[0], y: box.Min.Y - at[1], img: img}
	}
	behind, front = place(back), place(fore)
	lightHalo.move(&behind, &front)
	return behind, front
}
