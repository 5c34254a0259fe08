package main

import "strings"

// A tempo says how a family moves. Each string has a character for every frame. In play, it is the
// sign of the picture to show: see signs. In hop and step, it is a digit: by how many pixels the
// pet is shifted up (hop) or to the left (step).
type tempo struct{ play, hop, step string }

// marked returns, for each letter of line, its index in keys.
func marked(line, keys string) []int {
	var out []int
	for i := range len(line) {
		out = append(out, strings.IndexByte(keys, line[i]))
	}
	return out
}

func (t tempo) frames() []int { return marked(t.play, signs) }

// shadows returns which picture of the shadow each frame shows: 1, the wide one, when the pet has
// breathed out, otherwise 0.
func (t tempo) shadows() []int {
	out := t.frames()
	for i, f := range out {
		out[i] = 0
		if signs[f] == 'o' {
			out[i] = 1
		}
	}
	return out
}

func (t tempo) bob() [][2]int {
	if t.hop == "" && t.step == "" {
		return nil
	}
	out := make([][2]int, steps)
	for i := range out {
		if t.hop != "" {
			out[i][1] = -int(t.hop[i] - '0')
		}
		if t.step != "" {
			out[i][0] = -int(t.step[i] - '0')
		}
	}
	return out
}

// shifts returns how far a pet carries the layers at its anchors in each frame. A steady layer
// moves only with the fields hop and step.
func (t tempo) shifts(carry [][2]int, steady bool) (out [][2]int) {
	hops := t.bob()
	for i, f := range t.frames() {
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

// tempi has the tempo of each family, by the family's key. The comments describe the actions.
var tempi = map[string]tempo{
	// Waters.
	"river-otter":     {play: "..ooo...<..>.12222....-."},                                  // looks up; tosses its pebble
	"lantern-ray":     {play: "...o...<<<...>>>...122.-", hop: "000000000000111111111111"}, // swings its lantern
	"garden-turtle":   {play: "....oo...<>..-.122......"},                                  // draws its head in
	"frilled-newt":    {play: ".oo....<.>.-..122......."},                                  // tilts its head
	"tide-crab":       {play: ".12121....oo....<>..-..."},                                  // snaps both claws
	"coiled-seahorse": {play: "..oooo....<<.>>...1222.-"},                                  // bows
	"mist-seal":       {play: "..ooo..12222.......<>.-."},                                  // looks up for rain
	"ink-octopus":     {play: ".<<.>>....oo..12221..-.."},                                  // lifts two arms
	// Hills and woods.
	"crag-bear":      {play: ".ooooo...<.>..1222....-."}, // sniffs the air
	"quill-hedgehog": {play: "..oo...<>..-.122222....."}, // bristles
	"dust-fox":       {play: ".oo..<.>.122....-......."}, // crouches
	"ridge-ram":      {play: "..oooo...>.-..1222...<.."}, // lowers its horns
	"cave-bat":       {play: "...1221....o...<.>.-...."}, // beats its wings
	"pebble-mole":    {play: "..1212.122.oo...<>..-..."}, // digs
	"tufted-lynx":    {play: "...ooo...<.-.12222....>."}, // turns its head
	"burrow-hare":    {play: ".<>....12......oo...-..."}, // is startled
	// Gardens.
	"leaf-sprite":      {play: ".oo..<..>...121212..-..."}, // waves
	"moss-boar":        {play: "...ooo...<...122...>..-."}, // tosses its head
	"mushroom-capling": {play: "..oo...-....122222..<>.."}, // tips its cap
	"vine-serpent":     {play: "..oooo...<.>..-..11.22.."}, // strikes
	"petal-moth":       {play: "..<.>...o....1222...-..."}, // nods over a flower
	"cactus-pup":       {play: "..<>.....oo....122...-.."}, // tilts its head
	"gourd-imp":        {play: ".oo...121.121..-.<..>..."}, // cackles
	"root-tortoise":    {play: ".oooooo.......<>...122.-"}, // stretches its neck
	// Sky and sand.
	"sun-finch":      {play: ".-..12.12....oo....<>..."},                                  // flaps
	"storm-hawk":     {play: "...<...o....<12221.>..-."},                                  // beats its wings
	"honey-bee":      {play: "..<.>........12..o..-...", hop: "000000000000011000000000"}, // waggles
	"kite-dragonet":  {play: "...<......o...12...>..-.", hop: "000000000000001100000000"}, // is tugged by its string
	"cloud-lamb":     {play: "..oooo....<>...122....-."},                                  // grazes
	"glimmer-beetle": {play: "..oo...-.122........<>.."},                                  // shows off
	"dune-lizard":    {play: ".12.12.......ooo.<.>.-.."},                                  // does its push-ups
	"wind-weasel":    {play: "..<>...122....oo....-..."},                                  // looks where the wind goes
	// Legends.
	"ember-phoenix":  {play: "..<.......o...122..>..-."}, // flares up
	"star-stag":      {play: "..oooo....<>..12221....-"}, // bows
	"moon-hare":      {play: "...ooo.....<..>....122.-"}, // nods to the moon
	"gilded-wyrm":    {play: "...ooo...-..122222...<>."}, // raises its head
	"crowned-lion":   {play: "..oooo.......122...<>.-."}, // shakes its mane
	"aurora-serpent": {play: ".<<.>>....oo.12222....-."}, // reaches forward
	"rune-owl":       {play: "...oo....-..122221..<.>."}, // cocks its head, or writes with a wing
	"dawn-fox":       {play: "..oo....<>..122222....-."}, // greets the day
}

// dragonTempo is the tempo of all dragons. dragonCarry says how far the layers at the crest are
// moved in each pose of a dragon. It has one element for each letter of signs.
var (
	dragonTempo = tempo{play: "..ooo..<..>..1222..-.oo."}
	dragonCarry = [][2]int{{}, {0, 1}, {}, {}, {}, {0, -1}, {0, -2}}
)
