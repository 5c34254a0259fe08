package main

// eggLights are the colours of the light inside a shell, three for each rarity from uncommon on:
// core, light, glow.
const eggLights = `
	E fff2dc F ffc27a G e07a3c
	H f0fcff I 9fdcff J 4a98e8
	K fffce0 L ffe27a M f0a830
	N fff0ff O f0a8ff P b056e8`

// crack opens the shell a little more with every rarity above common.
func (p *plate) crack(rarity, dy int) {
	switch rarity {
	case 1:
		p.glow(50, 30+dy, `
			F.....G
			EF...GE
			.EF.GE.
			..EFE..
			...E...`)
	case 2:
		p.glow(44, 29+dy, `
			.....J..........
			J...JIJ.....J...
			HJ.JHHHJ...JHJ..
			IHIHI.IHJ.JHIHI.
			.IHI...IHIHI.IHJ
			..J.....IHI...IH
			.........J.....J`)
	case 3:
		p.glow(36, 29+dy, `
			........M................
			.......MLM...............
			......MLKLM..............
			M....MLKKKLM......M......
			LM..MLKLLLKLM....MLM.....
			KLMMLKKLMMLKLM..MLKLM....
			.LKKKKLM..MLKKMMLKKKLM...
			..MLKLM....MLKKKKLMLKKM..
			...MLM......MLKKLM.MLKLM.
			....M........MKLM...MKKLM
			.............MKM.....MLM.
			..............M.......M..`)
	case 4:
		p.crackOpen(dy)
	}
}

// glow stamps light into the shell and darkens the shell's broken edge.
func (p *plate) glow(x, y int, art string) {
	rows := stampRows(art)
	for j, line := range rows {
		for i := range len(line) {
			if line[i] == '.' {
				continue
			}
			for _, d := range [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
				if p.img.NRGBAAt(x+i+d[0], y+j+d[1]).A != 0 {
					p.dot(x+i+d[0], y+j+d[1], '0')
				}
			}
		}
	}
	shell := p.img.Pix
	was := append([]byte(nil), shell...)
	p.stamp(x, y, art)
	for i := 3; i < len(shell); i += 4 {
		if was[i] == 0 {
			shell[i-3], shell[i-2], shell[i-1], shell[i] = 0, 0, 0, 0
		}
	}
}

// crackOpen draws a crack all around the shell, full of light.
func (p *plate) crackOpen(dy int) {
	p.glow(29, 33+dy, `
		..................................
		PP............P..........P........
		OOP..P.......POP........POP...P...
		NNOPPOP.....PONOP......PONOPPPOP..
		.ONNONOP...PONNNOP....PONNNOOONOP.
		..PONNNOPPPONNONNOPPPPONNONNNNNNOP
		...POONNOOONNOPONNOOOONNOPPONNNOOP
		.....PPONNNNOP.PONNNNNNOP...PPOOPP
		.......PONNOP...PPONNOPP........P.
		........PNOP......PNOP............
		.........OP........PNP............
		.........P.........PO.............
		....................P.............`)
	// Rays from the crack.
	ray := `
		N....
		NO...
		.NO..
		..OP.
		...P.`
	p.stamp(21, 26+dy, ray)
	p.flip(66, 27+dy, ray)
	p.stamp(22, 36+dy, "PONNO")
	p.stamp(65, 37+dy, "ONNOP")
	p.stamp(20, 46+dy, "...P\n.PO.\nPO..")
	p.stamp(67, 46+dy, "P...\n.OP.\n..OP")
}

// eggUnknown draws the egg for unknown appearances: a dark shell with a bright question mark.
func eggUnknown() *plate {
	k := eggKind{
		shell: [2]string{" 0 1d1b2e 1 2f2d47 2 454363 3 5f5e80 4 8585a0 5 c6c8d4 "},
		paint: [2]string{" a 2f6a72 b 4fa8a4 c 8fe0cc d e8fff0 "},
		motif: func(eggPoint) int { return 0 },
		form:  eggForm{18.6, 24.6, 2, .17},
	}
	p := k.draw(0)
	p.stamp(37, 37, `
		....bccccb......
		..bcdddddccb....
		.bcdcb..bcdcb...
		bcdcb.....bcdb..
		bcdb.......cdc..
		bcc...bcb..bdc..
		.bb..bcdcb.bdc..
		....bcdcdc.cdb..
		....bdc.cdccdb..
		....bdcb.bccb...
		.....cdcb.......
		.....bcdcb......
		......bcdc......
		.......cdb......
		................
		......bcb.......
		.....bcdcb......
		.....bcdcb......
		......bcb.......`)
	return p
}
