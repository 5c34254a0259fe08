package main

// sparkHorns are bolts that spring from behind the head.
var sparkHorns = element{
	near: []string{"crest", "tail"},
	inks: "a 6a3a14 b e0901c c ffd83c d fff8b4 e ffffff",
	move: func(behind, front *layer) { flashes(behind); flashes(front) },
	draw: func(behind, front *plate, size int) {
		star := "..a..\n.ada.\nadeda\n.ada.\n..a.."
		spark := ".c.\nced\n.c."
		if size == young {
			bolt := `
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
			behind.set(7, -13, bolt)
			behind.turned(-16, -13, bolt)
			behind.set(-2, -14, star)
			front.set(-18, 1, spark)
			front.set(16, 2, spark)
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
		front.set(-24, 3, spark)
		front.set(22, 4, spark)
		front.set(15, -19, spark)
		front.set(-17, -20, spark)
	},
}

// frostCrest is a fan of ice that grows from behind the head.
var frostCrest = element{
	near: []string{"crest", "tail"},
	inks: "a 2a4a86 b 5a96d2 c 9fd8f2 d dcf8ff e ffffff",
	move: func(behind, front *layer) { glints(behind); bob(front, [2]int{0, 1}, [2]int{0, 2}) },
	draw: func(behind, front *plate, size int) {
		flake := ".e.\nece\n.e."
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
			front.set(-14, 4, flake)
			front.set(13, 1, flake)
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
		front.set(-20, 5, flake)
		front.set(18, 2, flake)
		front.set(14, 12, "e")
	},
}

// lightHalo is a ring around the top of the head, with short rays behind it: ears
// and horns pass through it.
var lightHalo = element{
	near: []string{"crest"},
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

// shadeWisp is a small shade that looks over the pet's head from behind.
var shadeWisp = element{
	near: []string{"crest", "tail"},
	inks: "b 2c1848 c 4c2a74 d 7a4aa8 w f4e8ff",
	move: func(behind, front *layer) {
		bob(behind, [2]int{0, -1}, [2]int{1, 0})
		bob(front, [2]int{0, 1}, [2]int{0, 2})
	},
	draw: func(behind, front *plate, size int) {
		curl := `
			..b..
			.bcb.
			.bdcb
			bcdb.
			.bcb.
			..b..`
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
			front.set(9, -8, curl)
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
		front.set(12, -10, curl)
		front.turned(-19, -4, curl)
	},
}
