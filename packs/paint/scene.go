package main

import "slices"

// A scene is one background: the picture behind the pet, its movement, and the foreground that
// covers the pet's feet.
type scene struct {
	file, name string
	back       func() *plate
	stir       func(p *plate, step int) // draws one step of the movement; step 0 is the still picture
	play       []int                    // the step that each frame shows
	front      func() *plate
}

// scenes returns the backgrounds in the order of their trait value.
func scenes() []scene {
	return []scene{
		{"meadow", "Larksong Meadow", meadowBack, sails, steadily, meadowFront},
		{"forest-path", "Fernlight Path", forestBack, motes, steadily, forestFront},
		{"moonlit-marsh", "Heron's Moonmarsh", marshBack, moonPath, slowly, marshFront},
		{"snow-ridge", "Whitecrest Ridge", snowBack, snowing, steadily, snowFront},
		{"lava-field", "Cinder Flats", lavaBack, lavaFlow, slowly, lavaFront},
		{"dawn-pass", "Dawnflag Pass", dawnBack, prayerFlags, steadily, dawnFront},
		{"lantern-street", "Paperlight Lane", streetBack, lanternLine, steadily, streetFront},
		{"waterfall-pool", "Veilwater Pool", poolBack, falling, steadily, poolFront},
		{"harvest-farm", "Goldsheaf Farm", farmBack, wheat, slowly, farmFront},
		{"ancient-grove", "Elderbough Grove", groveBack, groveLights, steadily, groveFront},
		{"star-ruins", "Starfall Ruins", ruinsBack, nightWatch, slowly, ruinsFront},
	}
}

// layer returns the picture behind the pet, with its movement.
func (s scene) layer(file string) layer {
	l := layer{file: file, play: s.play}
	for step := range slices.Max(s.play) + 1 {
		p := s.back()
		s.stir(p, step)
		if p.trim(); step == 0 {
			l.img = p.img
			continue
		}
		l.moves = append(l.moves, p.img)
	}
	return l
}

// scenery returns the layers of all scenes, and the frames.
func scenery() []layer {
	var out []layer
	for _, s := range scenes() {
		out = append(out, s.layer("scene/"+s.file+"-back.png"),
			layer{file: "scene/" + s.file + "-front.png", img: s.front().trim().img})
	}
	return append(out, frames()...)
}

// backgroundNames returns the names of the scenes in the dictionary, in order.
func backgroundNames() []string {
	var names []string
	for _, s := range scenes() {
		names = append(names, s.name)
	}
	return names
}
