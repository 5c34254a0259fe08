package main

// bonusStars are the first ids of bonuses with one, two and three stars.
var bonusStars = [3]uint8{1, 80, 160}

// bonuses returns the name of every bonus, by kind and id. A bonus has three strengths with ids
// from different ranges: 3, 82 and 162 are the same bonus.
func bonuses() map[string]map[uint8]string {
	out := map[string]map[uint8]string{}
	for kind, rows := range map[string][][3]string{
		"gathering": gatheringBonuses, "crafting": craftingBonuses, "combat": combatBonuses,
	} {
		out[kind] = map[uint8]string{}
		for i, names := range rows {
			for star, name := range names {
				out[kind][bonusStars[star]+uint8(i)] = name
			}
		}
	}
	return out
}

// gatheringTypes are the kinds of gathering that pets help with, by egg type. The contract has
// names only for the first three.
var gatheringTypes = []string{"Fishing", "Foraging", "Gardening", "Gleaning", "Stargazing"}

// craftingTypes are the crafts that pets help with, by element.
var craftingTypes = []string{
	"Hearth Baking", "Brewing", "Pottery", "Kite Making", "Tinkering", "Glass Blowing", "Candle Making", "Ink Making",
}

var gatheringBonuses = [][3]string{
	{"Quick Paws", "Darting Paws", "Paws like Summer Rain"},
	{"Sharp Nose", "Truffler's Nose", "Nose of the Deep Wood"},
	{"Full Pockets", "Bulging Pockets", "Pockets of the Moon Peddler"},
	{"Early Riser", "Dawn Forager", "Keeper of the First Hour"},
	{"Soft Step", "Hushed Step", "Step of Falling Snow"},
	{"Patient Angler", "Stillwater Angler", "Angler of the Moonlit Deep"},
	{"Green Whisker", "Verdant Whisker", "Whisker of Endless Spring"},
	{"Lucky Find", "Charmed Find", "Find of a Lifetime"},
	{"Root Reader", "Root Whisperer", "Friend of Every Root"},
	{"Sturdy Basket", "Brimming Basket", "Basket without a Bottom"},
	{"Weather Sense", "Storm Sense", "Sense of the Turning Sky"},
	{"Seed Saver", "Seed Keeper", "Warden of the Last Seed"},
}

var craftingBonuses = [][3]string{
	{"Steady Grip", "Iron Grip", "Grip of the Mountain"},
	{"Fine Eye", "Gemcutter's Eye", "Eye of the Flawless Stone"},
	{"Warm Hearth", "Roaring Hearth", "Hearth that Never Dies"},
	{"Thrifty Cut", "Seamless Cut", "Cut without Waste"},
	{"Quick Needle", "Flying Needle", "Needle of the Star Weaver"},
	{"Stirring Spoon", "Silver Ladle", "Ladle of the Great Cauldron"},
	{"Patient Polish", "Mirror Polish", "Polish of Still Water"},
	{"Tinker's Knack", "Clockmaker's Knack", "Knack of a Thousand Gears"},
	{"Inky Thumb", "Gilded Quill", "Quill of the Hidden Library"},
	{"Knot Lore", "Mariner's Knot Lore", "Knot that Holds the Tide"},
	{"Ember Touch", "Forge Touch", "Touch of the First Forge"},
	{"Twice Measured", "Thrice Measured", "Measure of All Things"},
}

var combatBonuses = [][3]string{
	{"Bared Teeth", "Gnashing Teeth", "Teeth of the Winter Pack"},
	{"Thick Hide", "Boulder Hide", "Hide of the Standing Stone"},
	{"Stout Heart", "Dauntless Heart", "Heart that Never Yields"},
	{"Nimble Dodge", "Blurring Dodge", "Dance of the Falling Leaf"},
	{"Watchful Eye", "Sleepless Eye", "Eye that Misses Nothing"},
	{"Stinging Nip", "Venom Nip", "Nip of the Night Adder"},
	{"Loud Growl", "Thunder Growl", "Growl that Shakes the Hills"},
	{"Sudden Pounce", "Shadow Pounce", "Pounce of the New Moon"},
	{"Mending Lick", "Soothing Lick", "Lick of New Life"},
	{"Second Breath", "Deep Breath", "Breath that Always Returns"},
	{"Stubborn Stand", "Unbroken Stand", "Stand at the Last Gate"},
	{"Spirit Spark", "Spirit Flame", "Spirit of the Great Fire"},
}
