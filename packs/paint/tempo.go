package main

import (
	"fmt"
	"image"
	"strings"
)

// A tempo says how a look moves. play and body have a letter for every frame: see sign. They repeat
// until the picture ends. hop and step say by how many pixels the pet is shifted up and to the left
// in each frame. If nothing is said, the letters of play that are not a dot soften the bend of body.
type tempo struct {
	play, body string
	hop, step  []int
	beat       float64 // how far the wings beat, as a multiple of their sway
	keys       []key   // the keys of a leap
	full       bool    // the bend of the body is as strong in an action as at rest
}

// A key is a moment of a leap: how far the pet is turned, how far its legs have swung, and how far
// its action has gone.
type key struct {
	tilt, fore, hind, phase float64
	down                    bool // it stands on the ground
}

// marked returns, for each letter of line, its index in keys.
func marked(line, keys string) []int {
	var out []int
	for i := range len(line) {
		out = append(out, strings.IndexByte(keys, line[i]))
	}
	return out
}

// sign returns the drawing of a frame.
func (t tempo) sign(frame int) sign {
	at := sign{'.', '.'}
	if t.play != "" {
		at[0] = t.play[frame%len(t.play)]
	}
	if t.body != "" {
		at[1] = t.body[frame%len(t.body)]
	}
	if at[0] != '.' && !t.full {
		if i := strings.IndexByte("oOe^LRvw", at[1]); i >= 0 {
			at[1] = "aa.alraa"[i]
		}
	}
	return at
}

// standing reports whether the pet keeps its feet on the ground.
func (t tempo) standing() bool { return t.hop == nil && t.step == nil }

// spread returns how much wider the shadow is on both sides in a frame.
func (t tempo) spread(frame int) int {
	up := 0
	if t.hop != nil {
		up = t.hop[frame%len(t.hop)]
	}
	switch {
	case up >= 6:
		return -4
	case up >= 3:
		return -2
	case up > 0:
		return -1
	case up < -3:
		return 4
	case up < -1:
		return 2
	case up < 0 || strings.IndexByte("oOaw", t.sign(frame)[1]) >= 0:
		return 1
	}
	return 0
}

func (t tempo) bob() [][2]int {
	if t.standing() {
		return nil
	}
	out := make([][2]int, steps)
	for i := range out {
		if t.hop != nil {
			out[i][1] = -t.hop[i%len(t.hop)]
		}
		if t.step != nil {
			out[i][0] = -t.step[i%len(t.step)]
		}
	}
	return out
}

// shifts returns how far a pet carries the layers at its anchors in each frame. A steady layer
// moves only with the fields hop and step.
func (t tempo) shifts(play []int, carry [][2]int, steady bool) (out [][2]int) {
	hops := t.bob()
	for i, f := range play {
		by := carry[f]
		if steady {
			by = [2]int{}
		}
		if hops != nil {
			by = [2]int{by[0] + hops[i][0], by[1] + hops[i][1]}
		}
		out = append(out, by)
	}
	return out
}

// quarter is for how many frames at a time scenes, sparkles and most elements keep still. In these
// frames only the pet changes, which keeps files small.
const quarter = steps / 4

// Bodies that bend, for several families.
const (
	breath = "..aaooe...^^"             // breathes, the head a little later than the body
	sleep  = "..aaooOOooaa"             // breathes in its sleep
	brisk  = "..ao.e.^"                 // breathes quickly
	sway   = ".lLLl..rRRr."             // leans to both sides
	amble  = "..lLLl..aao...rRRr..aao." // shifts its weight, and breathes
	wave   = "..1122334455"             // a wave runs through it
	paces  = ".aoa..^."                 // bends its legs
)

var (
	hover  = []int{0, 1, 2, 2, 1, 0, -1, -1} // rises and sinks in eight frames
	drift  = []int{0, 1, 1, 2, 2, 2, 1, 0, 0, -1, -1, -1}
	buzz   = []int{0, 1, 2, 1, 0, -1}
	jump   = []int{0, 0, 0, 0, 1, 3, 3, 3, 1, 0, 0, 0}
	spring = "..aoO^...Oo."
	wings  = ".iuui.kddk.." // eight frames up and down
)

// land returns the tempo with the pet on the ground in the keys of a leap in which it stands. box
// returns the box around a frame's drawing.
func (t tempo) land(box func(frame int) image.Rectangle) tempo {
	if t.keys == nil {
		return t
	}
	was := t.hop
	t.hop = nil
	for i := range steps {
		up := was[i%len(was)]
		if k := int(t.sign(i)[0]) - 'A'; k >= 0 && t.keys[k].down {
			up = box(i).Max.Y - 1 - groundY
		}
		up = min(up, box(i).Min.Y-6)
		t.hop = append(t.hop, up)
	}
	return t
}

// tempo returns how look n moves.
func (c creature) tempo(n int) tempo {
	if t, own := tempi[fmt.Sprintf("%s/%d", c.key, n+1)]; own {
		return t
	}
	t, ok := tempi[c.key]
	if !ok {
		panic("no tempo for " + c.key)
	}
	return t
}

// tempi has the tempo of each family, by the family's key, and of looks that move in another way,
// by the family's key and the look. The comments describe the actions.
var tempi = map[string]tempo{
	// Waters.
	"river-otter":     {body: breath, play: "........<..>.12222....-."}, // looks up; tosses its pebble
	"river-otter/3":   {body: "..lllLLl..rrrRRr", play: "........<..>.12222....-.", hop: []int{0, 0, 1, 1, 1, 0, 0, -1, -1, -1, 0, 0}},
	"lantern-ray":     {play: ".iuuii.kddk.", beat: 1.9, hop: drift, step: []int{0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, 0, 0}},
	"garden-turtle":   {body: amble, play: "...............122221.-."},                                                                                                             // draws its head in
	"frilled-newt":    {body: sway, play: ".......<.>....122....-.."},                                                                                                              // tilts its head
	"tide-crab":       {body: ".ao.^.", play: ".12121.............121-.", full: true, step: []int{0, 1, 2, 3, 3, 3, 3, 2, 1, 0, 0, 0, 0, -1, -2, -3, -3, -3, -3, -2, -1, 0, 0, 0}}, // snaps both claws
	"coiled-seahorse": {body: wave, play: "..........<<.>>..1222..-", hop: drift},                                                                                                  // bows
	"mist-seal":       {body: breath, play: ".....12222.......<>...-."},                                                                                                            // looks up for rain
	"ink-octopus":     {body: ".ao..^^.", play: ".<<.>>..<<.>>.12221..<>-", full: false},                                                                                           // lifts two arms
	// Hills and woods.
	"crag-bear":      {body: breath, play: ".........<.>..1222....-."}, // sniffs the air
	"crag-bear/3":    {body: amble, play: ".........<.>..1222....-."},
	"quill-hedgehog": {body: brisk, play: ".......<>..-.122222....."},          // bristles
	"dust-fox":       {body: breath, play: ".<<.>>.<.1222....-.<.>.."},         // crouches
	"ridge-ram":      {body: breath, play: ".........>.-..1222...<.."},         // lowers its horns
	"cave-bat":       {body: sleep, play: "...............<.>.-...."},          // sleeps
	"cave-bat/2":     {play: ".3<.1242", hop: []int{0, -1, -1, 0, 1, 2, 2, 1}}, // beats its wings
	"cave-bat/3":     {play: ".3<.1242", hop: []int{0, -1, -1, 0, 1, 2, 2, 1}},
	"pebble-mole":    {body: breath, play: "..1212.122.......<>..-.."}, // digs
	"tufted-lynx":    {body: breath, play: ".........<.-.12222....>."}, // turns its head
	"burrow-hare":    {body: breath, play: ".<>....12..............-"}, // is startled
	"burrow-hare/2":  {body: ".ao.^.", play: ".......1221.......1221..", full: false, step: []int{0, 1, 1, 0, 0, -1, -1, 0}},
	"burrow-hare/3":  {body: "..aoO^...Oo.............", play: "..............<..>....-.", hop: []int{0, 0, 0, 0, 0, 1, 2, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
	// Gardens.
	"leaf-sprite":      {body: "..lLLl..rRRr", play: ".............12121.....-", hop: []int{0, 0, 1, 2, 1, 0}}, // waves
	"moss-boar":        {body: breath, play: ".........<...122...>..-."},                                       // tosses its head
	"mushroom-capling": {body: spring, play: ".......-............<>..", hop: jump},                            // tips its cap
	"vine-serpent":     {body: wave, play: "..............-..1122..."},                                         // strikes
	"petal-moth":       {play: ".iuui.kddk..", beat: 2, hop: []int{0, -1, -2, -2, -1, 0, 1, 2, 2, 2, 1, 0}},    // flutters
	"cactus-pup":       {body: brisk, play: "..<>..<>.......122...-.."},                                        // tilts its head
	"gourd-imp":        {body: paces, play: "......121.121..-.<..>..."},                                        // cackles
	"root-tortoise":    {body: amble, play: "..................122.-."},                                        // stretches its neck
	// Sky and sand.
	"sun-finch":     {body: "..aO^..o", play: "....1221........-...1221", hop: []int{0, 0, 0, 0, 1, 3, 3, 1}},                                // hops
	"storm-hawk":    {play: ".3<.1242", hop: []int{0, -1, -2, -1, 0, 2, 3, 2}},                                                               // beats its wings
	"honey-bee":     {play: ".u.d", beat: 2.4, hop: buzz, step: []int{0, 1, 2, 2, 1, 0, 0, -1, -2, -2, -1, 0}},                               // hums
	"kite-dragonet": {play: ".iui.kdk", beat: 2.6, hop: []int{0, -1, -1, -1, 0, 1, 2, 1}, step: []int{0, 0, 1, 1, 1, 1, 0, 0, 0, 0, -1, -1}}, // is tugged by its string
	"kite-dragonet/1": {play: "..AABBAA..CCDDCC........", keys: []key{{tilt: -4}, {tilt: -8}, {tilt: 4}, {tilt: 8}},
		hop: []int{0, -1, -1, -1, 0, 1, 2, 1}, step: []int{0, 0, 1, 2, 2, 2, 1, 0, 0, -1, -2, -2}},
	"cloud-lamb":       {body: amble, play: "..........<>...122....-."},  // grazes
	"glimmer-beetle":   {body: ".ao.", play: ".......-.122........<>.."}, // shows off
	"glimmer-beetle/3": {play: ".u.d", beat: 2, hop: []int{0, 1, 1, 2, 2, 3, 3, 3, 2, 2, 1, 0}},
	"dune-lizard":      {body: ".ao.ao....aoooa.........", play: ".12.12.............<.>-."}, // does its push-ups
	"wind-weasel":      {body: amble, play: "..<>....122...........-."},                      // looks where the wind goes
	"wind-weasel/2":    leap(6, 1),
	"wind-weasel/3":    {body: wave, play: "..........<.>.....122.-.", hop: drift},
	// Legends.
	"ember-phoenix":   {body: paces, play: "..<.>.......1221.<>....."}, // flares up
	"ember-phoenix/2": {body: breath, play: "..<.......-.12221..>...."},
	"ember-phoenix/3": {play: ".iui.kdk", beat: 1.4, hop: []int{0, -1, -2, -1, 0, 1, 2, 1}},
	"star-stag":       {body: breath, play: "..........<>..12221....-"}, // bows
	"moon-hare":       {body: sleep, play: "...........<..>....122.."},  // dreams
	"moon-hare/2":     leap(6, 1),
	"moon-hare/3":     {play: "..AABBAA..CCDDCC", keys: []key{{tilt: -2.5}, {tilt: -5}, {tilt: 2.5}, {tilt: 5}}, hop: []int{0, 0, 0, 0, 1, 1, 0, 0}}, // rocks
	"gilded-wyrm":     {body: breath, play: "..........-.122222...<>."},                                                                              // raises its head
	"crowned-lion":    {body: breath, play: "..............122...<>.-"},                                                                              // shakes its mane
	"aurora-serpent":  {body: wave, play: "......<.>....12222....-."},                                                                                // reaches forward
	"rune-owl":        {body: sway, play: ".........-..122221..<.>."},                                                                                // cocks its head, or writes with a wing
	"dawn-fox":        {body: breath, play: ".......<>..-122222......"},                                                                              // greets the day
	"dawn-fox/2":      leap(6, 0.6),
}

// leap returns the tempo of a look that is drawn at the top of a leap. It falls with its nose down,
// lands on its forelegs, gathers, springs off its hind legs, and rises with its nose up. high is how
// far it falls, in pixels, and turn scales how far it turns.
func leap(high int, turn float64) tempo {
	t := tempo{
		play: ".ABCDEFGGHI.",
		keys: []key{
			{tilt: -4, fore: -0.05, hind: 0.05},                     // A falls
			{tilt: -9, fore: -0.2, hind: 0.1},                       // B falls
			{tilt: -12, fore: -0.45, hind: 0.1, down: true},         // C lands
			{tilt: -6, fore: -0.8, hind: -0.5, down: true},          // D
			{tilt: 0, fore: -0.9, hind: -1, phase: 0.5, down: true}, // E gathers
			{tilt: 5, fore: -0.4, hind: -0.8, down: true},           // F springs
			{tilt: 8, fore: 0.1, hind: -0.25, down: true},           // G rises
			{tilt: 6, fore: 0.1, hind: -0.05},                       // H
			{tilt: 3, fore: 0.05, hind: 0},                          // I
		},
	}
	for i := range t.keys {
		t.keys[i].tilt *= turn
	}
	for _, share := range []int{0, 10, 40, 80, 100, 100, 90, 80, 40, 0, -20, -20} {
		t.hop = append(t.hop, -high*share/100)
	}
	t.step = []int{0, 1, 1, 0, -1, -1, 0, 1, 1, 1, 0, 0}
	return t
}
