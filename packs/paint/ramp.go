package main

import (
	"image/color"
	"strconv"
)

// A ramp is one material of the pack: five colours from the outline to the highlight. Shadows tend
// to blue and violet, lights to yellow. All creatures use the ramps of this file, so that their
// colours go together.
type ramp [5]color.NRGBA

// The steps of a ramp.
const (
	edge  = iota // outline
	dark         // core shadow
	mid          // the material's own colour
	light        // where the material faces the light
	shine        // highlight, used sparingly
)

// A tone is one step of one ramp.
type tone struct {
	ramp ramp
	step int
}

func (t tone) colour() color.NRGBA { return t.ramp[t.step] }

// at returns step s of the ramp as a tone.
func (r ramp) at(s int) tone { return tone{r, min(max(s, edge), shine)} }

func rampOf(hex ...string) ramp {
	var r ramp
	for i, h := range hex {
		v, err := strconv.ParseUint(h, 16, 32)
		if err != nil || len(h) != 6 {
			panic("ramp colour " + h + " is not rrggbb")
		}
		r[i] = color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
	}
	return r
}

// The pack's ramps, by material.
var (
	// Furs, feathers and hides.
	bark   = rampOf("2b1830", "5e3040", "99583f", "d0904f", "f5cf87")
	cocoa  = rampOf("1f1429", "43263a", "6d4042", "a06a4e", "d8a470")
	russet = rampOf("35132a", "7a2b2f", "be5230", "ea8a3f", "fdca78")
	fawn   = rampOf("40263a", "86564e", "c48e60", "ecc285", "fdebb8")
	cream  = rampOf("553c50", "b08a7c", "e6ca9f", "fbeec8", "fffced")
	snow   = rampOf("353a66", "7484b4", "b2c6e0", "e2eff6", "ffffff")
	stone  = rampOf("292536", "504c60", "827f88", "b6b2aa", "e6e0cf")
	slate  = rampOf("1b1d36", "373f64", "5f6d92", "95a7bd", "d5e2e4")
	ink    = rampOf("100f20", "1f1f3d", "34375e", "566089", "93a2c4")
	smoke  = rampOf("2a2340", "4f4569", "7e7391", "b0a5b3", "e2d8d6")
	// Waters and skies.
	brook = rampOf("14204c", "21498a", "2f84c4", "63c2e6", "c6f3f6")
	deep  = rampOf("10133a", "1f2d70", "3050a8", "5587d6", "a8d2f7")
	tide  = rampOf("0e2744", "155367", "1f8d91", "58c8ac", "c2f3c6")
	foam  = rampOf("1f3a66", "4180ab", "74bfd2", "b4e8e3", "f2fff4")
	frost = rampOf("27356f", "5777c0", "8db7ec", "c4e6fa", "f7ffff")
	// Leaves and gardens.
	leaf  = rampOf("12302f", "1d5c3b", "3c923d", "85c549", "def087")
	moss  = rampOf("1d2a26", "384d2e", "677a35", "a2ac4c", "dfdd8c")
	mint  = rampOf("143a45", "267565", "55b583", "9fe0a0", "e6fbcb")
	lime  = rampOf("263a1c", "587a1f", "98b82c", "d0e24f", "f8fba6")
	olive = rampOf("2a241f", "56482a", "8c7a35", "c2ae50", "ecdf90")
	// Suns, metals and fires.
	sun   = rampOf("5c2b22", "b5641f", "efaa2b", "fddb55", "fff8b4")
	gold  = rampOf("452024", "914e1f", "d3912a", "f8cc4c", "fff7bc")
	honey = rampOf("471a28", "9c3d22", "de742a", "f9ad47", "fee79e")
	ember = rampOf("370e26", "7e1c30", "c63935", "f07845", "fec973")
	brass = rampOf("2f2031", "654339", "a1783f", "d8b45d", "f8eba6")
	// Petals, jewels and nights.
	coral = rampOf("481335", "a03049", "e45c55", "fb9d78", "ffdcb4")
	rose  = rampOf("45153f", "99336a", "de6692", "f9a6b6", "ffe2de")
	berry = rampOf("340f3c", "76195f", "be317f", "ee6fa0", "ffbdc4")
	plum  = rampOf("221039", "4a2472", "7d46ad", "b381da", "e9c8f6")
	lilac = rampOf("332650", "6b5896", "a291ca", "d2c6ec", "f5eeff")
	night = rampOf("0e0d2b", "1f1d52", "393587", "6a63c0", "b4aef0")
	pearl = rampOf("4a3f6b", "9488b5", "cbc0d8", "efe6e8", "fffdf2")
)
